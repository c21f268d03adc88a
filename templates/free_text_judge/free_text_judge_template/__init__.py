from .taskset import FreeTextJudgeTemplateEnv, FreeTextJudgeTemplateTaskset

__all__ = ["FreeTextJudgeTemplateEnv", "FreeTextJudgeTemplateTaskset"]
