from .taskset import StructuredOutputTemplateEnv, StructuredOutputTemplateTaskset

__all__ = ["StructuredOutputTemplateEnv", "StructuredOutputTemplateTaskset"]
