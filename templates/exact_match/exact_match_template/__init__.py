from .taskset import ExactMatchTemplateEnv, ExactMatchTemplateTaskset

__all__ = ["ExactMatchTemplateEnv", "ExactMatchTemplateTaskset"]
