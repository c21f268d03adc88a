"""Which fields of a dataset hold the prompt, the gold, the choices and the context, and how sure."""

from lab.schema.detect import SURE, Found, Schema, as_text, detect

__all__ = ["SURE", "Found", "Schema", "as_text", "detect"]
