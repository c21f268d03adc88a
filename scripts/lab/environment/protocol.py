"""What passes between the tool and the child process that runs an environment.

Requests and replies are JSON, one per line. A completion is the assistant's text, or the
messages after the prompt as OpenAI chat dictionaries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Completion = str | list[dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """One task as the environment gives it. `fields` are the task's own data, gold included."""

    index: int
    key: str
    prompt: str
    system: str = ""
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """Everything that the model sees before its first reply."""
        return f"{self.system}\n\n{self.prompt}" if self.system else self.prompt


@dataclass(frozen=True)
class Description:
    """The environment as loaded: its tasks and its signals."""

    api: str
    tasks: list[Task]
    total: int | None
    """How many tasks there are; None when there are endless ones or more than were counted."""
    rewards: dict[str, float]
    """Reward names with their weights, as declared."""
    metrics: list[str]
    needs_runtime: list[str]
    """Signals that are scored inside a runtime."""
    harness: str = ""
    """The harness of a bare vf-eval."""
    runtime: str = ""
    """The runtime of a bare vf-eval."""
    split: str = ""
    first: list[Task] = field(default_factory=list)
    """The first tasks of the taskset, as data only (they may not be scored)."""
    seats: list[str] = field(default_factory=list)
    """The agents of the environment; more than one is a multi-agent environment."""
    recorded: str = ""
    """The Env class that records rewards itself, beside those of the Task."""
    shadowing: list[str] = field(default_factory=list)
    """Signals named like one of the Task class's own methods."""
    plugged_judges: list[str] = field(default_factory=list)
    turns: int = 1
    """How many model turns a rollout may have (classic: max_turns; -1 without an end)."""
    tools: list[str] = field(default_factory=list)
    """Names of the tools that the model may call."""
    arguments: dict[str, list[str]] = field(default_factory=dict)
    """Per tool the names of its parameters, as far as they are known."""
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Per tool the JSON schema of its arguments and its description, as the model gets them."""
    unmade: str = ""
    """The error with which the tools of a task could not be made (tasksets)."""
    acts: list[str] = field(default_factory=list)
    """Rewards whose source looks at tool calls, the state or the runtime."""
    group: list[str] = field(default_factory=list)
    """Rewards that compare the rollouts of one group (classic)."""
    endless: bool = False
    """The taskset says that it has no end (INFINITE)."""
    library: str = ""
    """The version of verifiers that runs it."""
    unawaited: list[str] = field(default_factory=list)
    """Rewards that are plain functions where a coroutine is required."""
    helped: list[str] = field(default_factory=list)
    """What had to be done before it loaded: a stand-in for a credential, an import."""


@dataclass(frozen=True)
class Score:
    """One scored completion. `reward` is None when scoring failed; `error` then says how.

    Both are set where the library goes on after an error (classic: the reward that raised is 0).
    """

    reward: float | None
    components: dict[str, float | None] = field(default_factory=dict)
    """Each reward's own score before its weight."""
    metrics: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    kind: str = ""
    """Of the error: raised, timeout, exited, not_finite, not_run."""
    seconds: float = 0.0


def score_of(item: dict[str, Any], seconds: float) -> Score:
    """The score in a reply of the child."""
    reward = item.get("reward")
    return Score(
        None if reward is None else float(reward),
        item.get("components", {}),
        item.get("metrics", {}),
        item.get("error", ""),
        item.get("kind", ""),
        seconds,
    )


@dataclass(frozen=True)
class Played:
    """A rollout with scripted replies, in which the environment took its own turns."""

    messages: list[dict[str, Any]]
    """After the prompt, up to the last reply that the environment took."""
    reward: float | None
    """With what the environment itself records."""
    open: bool
    """Whether the environment would have taken one more reply."""
    unread: str = ""
    """What it said after the last reply."""
    exchange: bool = True
    """Whether more than one reply can be taken; False where an Env runs its agent and goes on."""


@dataclass(frozen=True)
class Watched:
    """A scored completion, with what the environment's own code held meanwhile."""

    score: Score
    values: list[tuple[str, str, Any]] = field(default_factory=list)
    """(function, variable, value): at the end of each call; `return` is the result."""
    errors: list[str] = field(default_factory=list)
    """Exceptions that were raised in its code, also those that were handled."""
    pairs: list[tuple[str, Any, Any, bool | None]] = field(default_factory=list)
    """(operator, left, right, whether it held) of what it compared, where that was asked for."""
    places: list[int] = field(default_factory=list)
    """How often it compared at each place of its code, in the order in which it came there."""
    alike: float = 0.0
    """How many comparisons of values that tell something held, or held in part."""
    steps: list[tuple[int, int]] = field(default_factory=list)
    """The first comparisons one after the other: a number for the place in the code, and which of
    the pairs it was."""


def watched_of(reply: dict[str, Any]) -> Watched:
    """What a reply of the child tells of a watched completion."""
    if reply.get("error"):
        return Watched(Score(None, error=reply["error"], kind=reply.get("kind", "raised")))
    values = [(where, name, value) for where, name, value in reply["values"]]
    score = score_of(reply["scores"][0], reply["seconds"])
    pairs = [(name, left, right, held) for name, left, right, held in reply["pairs"]]
    steps = [(place, pair) for place, pair in reply["steps"]]
    return Watched(score, values, reply["errors"], pairs, reply["places"], reply["alike"], steps)


@dataclass(frozen=True)
class Validity:
    """What a task's own check says of its gold (`Task.validate`)."""

    valid: bool | None
    """None where there is no such check."""
    error: str = ""
    reward: float | None = None
    """What an empty reply earns after the check: a full reward where the check applies the gold."""
    ended: bool = False
    """The check hung, or ended the process."""
