from .taskset import NumericTemplateEnv, NumericTemplateTaskset

__all__ = ["NumericTemplateEnv", "NumericTemplateTaskset"]
