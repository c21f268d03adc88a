from .taskset import MultiTurnTemplateEnv, MultiTurnTemplateTaskset

__all__ = ["MultiTurnTemplateEnv", "MultiTurnTemplateTaskset"]
