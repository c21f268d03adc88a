from .taskset import WordleEnv, WordleTaskset

__all__ = ["WordleEnv", "WordleTaskset"]
