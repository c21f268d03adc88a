from .taskset import CodeTemplateEnv, CodeTemplateTaskset

__all__ = ["CodeTemplateEnv", "CodeTemplateTaskset"]
