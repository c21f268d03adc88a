from .taskset import MmluEnv, MmluTaskset

__all__ = ["MmluEnv", "MmluTaskset"]
