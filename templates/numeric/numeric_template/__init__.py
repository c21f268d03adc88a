from numeric_template.taskset import NumericTemplateEnv, NumericTemplateTaskset

__all__ = ["NumericTemplateEnv", "NumericTemplateTaskset"]
