"""A training run as it goes: `source` gets its numbers, `series` names them, `signatures` reads them."""
