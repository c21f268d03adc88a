from .harness import ToolbeltAgentHarness
from .taskset import ToolbeltAgentEnv, ToolbeltAgentTaskset

__all__ = ["ToolbeltAgentEnv", "ToolbeltAgentHarness", "ToolbeltAgentTaskset"]
