"""What is wrong with the rows themselves: golds, duplicates, leaks, balance, lengths, encoding, order."""

from lab.hygiene.checks import findings
from lab.hygiene.run import full, sample
from lab.hygiene.scan import Scan

__all__ = ["Scan", "findings", "full", "sample"]
