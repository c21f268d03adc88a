"""The tool server, one process for all rollouts: `search` and `read` over the corpus.

Nothing here changes anything, so a call that the client repeats after a lost connection does no harm.
A tool with side effects must guard against that: verifiers' client repeats a failed call up to six times.
"""

from typing import Any

import verifiers.v1 as vf

from .corpus import ToolUseTemplateConfig, passages
from .search import Index

MOST_READ = 4000


class SearchToolsConfig(vf.SharedToolsetConfig):
    source: dict[str, Any] = {}
    """The taskset's config, from which the corpus is read."""
    results: int = 5
    """How many passages a search shows."""


class SearchTools(vf.Toolset[SearchToolsConfig, vf.State]):
    TOOL_PREFIX = None

    async def setup(self) -> None:
        self.index = Index(passages(ToolUseTemplateConfig(**self.config.source)))

    @vf.tool
    async def search(self, query: str) -> str:
        """Find passages by words. Shows the number, the title and the beginning of the best ones."""
        found = self.index.search(query, self.config.results)
        lines = [f"[{number}] {title}: {text[:120]}" for number in found for title, text in [self.index.passages[number]]]
        return "\n".join(lines) or "no passage has one of these words"

    @vf.tool
    async def read(self, number: int) -> str:
        """The whole passage with this number."""
        if not 0 <= number < len(self.index.passages):
            return f"error: there is no passage {number}; numbers go from 0 to {len(self.index.passages) - 1}"
        title, text = self.index.passages[number]
        return f"{title}\n{text[:MOST_READ]}"


if __name__ == "__main__":
    SearchTools.run()
