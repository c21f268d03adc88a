"""Damaged and hostile inputs for every script that reads a file: 10,000 of them, each made again
from its number.

    python -m benchmarks.damaged_inputs                   all of them; minutes per thousand
    python -m benchmarks.damaged_inputs --count 500       the first 500 (what `make test` runs)
    python -m benchmarks.damaged_inputs --only 4711 --keep DIR
                                                          one of them, its files left in DIR

`damage` changes bytes, lines and values; `inputs` and `declared` have what is damaged and the
command that reads it, `readers` those commands that are no script of their own; `kinds` says which
input a number is; `judge` says what went wrong; `run` does them in worker processes, which it
replaces when one dies or takes too long. A failure is a traceback, an exit code that does not fit
the report or blames the script or the machine for the input, a changed input, a file that is
half-written, more than `judge.SECONDS` or `judge.BYTES`, or a process that died.
"""
