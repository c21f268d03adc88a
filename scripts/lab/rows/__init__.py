"""Open a dataset lazily: a hub id, a file, a folder or a glob; its columns, counts and first rows."""

from lab.rows.model import Problem, Reader, Table
from lab.rows.open import open_table, records

__all__ = ["Problem", "Reader", "Table", "open_table", "records"]
