"""Text in rows that speaks to the agent who reads them, and not to the model that is asked."""

from __future__ import annotations

import re

_HINTS = (
    "instructions",
    "assistant",
    "agent",
    "maintenance mode",
    "do not tell",
    "don t tell",
    "reward to",
    "override",
    "developer mode",
    "system prompt",
    "api key",
    "curl",
    "rm rf",
    "exfiltrate",
    "without telling",
    "do not mention",
    "jailbreak",
    "reviewer",
    "language model",
)
"""Words of a lower-case text without which the patterns are not looked for."""

ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}"
    r"\b(?:previous|prior|above|earlier|all|other|your|system|the)\b[^.\n]{0,30}"
    r"\b(?:instructions?|rules|guidelines|prompts?|directions)\b"
    r"|\b(?:note|message|instruction|attention|important|warning|reminder)s?\b[^.\n]{0,12}"
    r"\b(?:to|for)\b[^.\n]{0,12}\b(?:ai|llm|agents?|assistants?|coding|language model|bot|grader"
    r"|judge|reviewer)\b"
    r"|\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|alert"
    r"|alerting|notify|notifying)\b[^.\n]{0,20}\b(?:user|human|developer|owner|anyone|operator)\b"
    r"|\bset (?:the |its |every |all )?(?:rewards?|scores?|grades?) to\b"
    r"|\b(?:run|execute|type|paste)\b[^.\n]{0,30}(?:`[^`\n]*(?:curl|wget|rm -|bash|sh |pip |sudo)"
    r"|\b(?:curl|wget) https?:|rm -rf|sudo )"
    r"|\byou are (?:now|no longer) (?:in |an? |the )?[^.\n]{0,24}\b(?:mode|dan|jailbroken"
    r"|unrestricted|assistant|root|admin)\b"
    r"|\b(?:reveal|print|send|output|leak|exfiltrate)\b[^.\n]{0,24}\b(?:your (?:system )?prompt"
    r"|system prompt|api keys?|credentials|environment variables|secrets? key|access tokens?)\b",
    re.IGNORECASE,
)


def gives_orders(text: str, lower: str) -> bool:
    """True for a text with orders to an agent; `lower` is its words in lower case."""
    if not any(hint in lower for hint in _HINTS):
        return False
    return bool(ORDER.search(text))
