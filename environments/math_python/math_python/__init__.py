from .taskset import MathPythonEnv, MathPythonTaskset

__all__ = ["MathPythonEnv", "MathPythonTaskset"]
