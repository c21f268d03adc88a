from .taskset import MultipleChoiceTemplateEnv, MultipleChoiceTemplateTaskset

__all__ = ["MultipleChoiceTemplateEnv", "MultipleChoiceTemplateTaskset"]
