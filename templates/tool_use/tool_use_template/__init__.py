from .taskset import ToolUseTemplateEnv, ToolUseTemplateTaskset

__all__ = ["ToolUseTemplateEnv", "ToolUseTemplateTaskset"]
