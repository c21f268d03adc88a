from .taskset import Gsm8kEnv, Gsm8kTaskset

__all__ = ["Gsm8kEnv", "Gsm8kTaskset"]
