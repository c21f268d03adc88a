"""How much is evaluated, and in groups of how many rollouts is trained, where nobody said it.

The evaluation, the check of its rewards and the training file take the same numbers from here.
"""

GROUP_SIZE = 8
"""Rollouts of one task that are compared in training: prime-rl's worked examples have 8 and 16, and
in our own simulations as many rollouts did not teach more in larger groups."""
TASKS = 50
ROLLOUTS = 4
"""Tasks of an evaluation, and rollouts of each, for intervals that usually decide."""
