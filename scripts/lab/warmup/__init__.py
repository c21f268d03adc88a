"""Warm-up data: rollouts that earned their reward, as conversations that a trainer can learn from."""
