"""Completions that test a reward: what it must pay, what it must not, and what must not change it.

`style` learns how an environment wants its answer written, `forms` writes the gold in equivalent
ways, `exploits` writes what must not be paid, `invariants` what must make no difference.
"""
