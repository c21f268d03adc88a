"""What the ladder's steps share: small modules, each one idea.

Bottom to top: report, answers, rows, schema, environment, probes, rollouts, learnability,
training, prime, ledger. A module imports only from those before it, and from third parties.
"""

__version__ = "0.1.0"
