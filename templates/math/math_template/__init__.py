from .taskset import MathTemplateEnv, MathTemplateTaskset

__all__ = ["MathTemplateEnv", "MathTemplateTaskset"]
