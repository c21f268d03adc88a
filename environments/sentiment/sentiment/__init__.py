from .taskset import SentimentEnv, SentimentTaskset

__all__ = ["SentimentEnv", "SentimentTaskset"]
