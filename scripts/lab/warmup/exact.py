"""Rows through the trainer's own tokens: the installed renderers package and a tokenizer.

Optional, because a tokenizer must be at hand (a local folder, or a model that is cached). It is
what the supervised trainer calls for each row: `build_training_sample` with the final stop
ensured, then a shift by one token.
"""

from __future__ import annotations

import json
from typing import Any

from lab.report import missing, usage
from lab.training.classes import renderers


class Exact:
    """`tokens(messages, tools)` is (length, trainable within `limit`, has a stop token)."""

    def __init__(self, tokenizer: str, renderer: str = "", model: str = ""):
        try:
            from renderers.base import create_renderer
            from transformers import AutoTokenizer
        except ModuleNotFoundError as error:
            raise missing(f"{error.name} is not installed", "pip install transformers renderers, or leave --tokenizer away", id="needs.tokenizer") from None
        from renderers import configs

        try:
            self.tokenizer = AutoTokenizer.from_pretrained(tokenizer)
        except (OSError, ValueError) as error:
            raise usage(f"--tokenizer {tokenizer!r} cannot be loaded: {str(error).splitlines()[0][:200]}", "name a local folder, or a model on the hub that can be reached", id="input.tokenizer") from None
        known = renderers() or {}
        name = renderer or known.get(model) or known.get(tokenizer)
        config = next((c for c in _configs(configs) if c.model_fields["name"].default == name), None) if name else None
        if config is None:
            raise usage(f"no renderer is known for {model or tokenizer}", f"name one with --renderer: {', '.join(sorted(set(known.values())))}", id="input.renderer")
        self.renderer = create_renderer(self.tokenizer, config())

    def sample(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> tuple[list[int], list[bool]]:
        """(token ids, loss mask) as the trainer makes them, before the shift."""
        from renderers.base import build_training_sample

        ready = []
        for message in messages:
            message = {k: v for k, v in message.items() if v is not None}
            if message.get("tool_calls"):
                message["tool_calls"] = [{**c, "function": {**c["function"], "arguments": json.loads(c["function"]["arguments"])}} for c in message["tool_calls"]]
            ready.append(message)
        found = build_training_sample(self.renderer, ready, tools=tools, ensure_final_stop=True)
        return list(found.token_ids), list(found.loss_mask)

    def length(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> tuple[int, int, bool]:
        """(tokens, trainable tokens, whether a stop token is trained)."""
        ids, mask = self.sample(messages, tools)
        stops = set(self.renderer.get_stop_token_ids())
        return len(ids) - 1, sum(mask[1:]), bool(stops & set(ids[1:]))


def _configs(module: Any) -> list[Any]:
    return [c for c in vars(module).values() if isinstance(c, type) and hasattr(c, "model_fields") and "name" in c.model_fields and isinstance(c.model_fields["name"].default, str)]
