"""Classic environments (verifiers 0.1.10 to 0.3.1): the real rubric on a constructed state.

Always `score_group`: `score_rollout` asserts when a rubric has group rewards or none at all.
The classic library logs a reward that raises and scores it 0; here it is an error, because a
silent 0 is what the test is looking for.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import itertools
import json
import logging
import math
import os
import sys
from importlib import metadata
from typing import Any

from lab.environment.classic_play import play, rollouts, takes_turns
from lab.environment.classic_types import step, timing, typed_messages
from lab.environment.comparisons import Comparisons
from lab.environment.computed import computed
from lab.environment.errors import describe
from lab.environment.importing import import_environment
from lab.environment.judges import redirect_judges
from lab.environment.making import Making
from lab.environment.messages import as_written, replies, text_of
from lab.environment.source import acts, code_of, parameters
from lab.environment.spread import chosen
from lab.environment.taskset_backend import FIRST

BASE = {"prompt", "example_id", "task", "id"}
PLURAL = {"completions", "states", "prompts", "answers", "infos", "tasks"}


class ClassicBackend:
    def __init__(self) -> None:
        import verifiers as vf

        self.vf = vf
        self.as_dicts = False
        self.loop = asyncio.new_event_loop()
        self.tasks: list[dict[str, Any]] = []
        self.raised: list[str] = []

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """`load_environment(**config)` of the module; keep `limit` rows spread over its dataset."""
        redirect_judges(request.get("judge_base_url"))
        module, helped = import_environment(request["module"], request.get("import_path", ""))
        build = getattr(module, "load_environment", None)
        if build is None:
            raise AttributeError(f"{request['module']} has no load_environment()")
        asyncio.set_event_loop(self.loop)
        self.env = build(**request.get("config", {}))
        if inspect.isawaitable(self.env):
            self.env = self.loop.run_until_complete(self.env)
        dataset = self._dataset()
        self._quiet()
        self.dataset, self.module = dataset, request["module"]
        self.config = request.get("config", {})
        answers = dataset["answer"] if "answer" in getattr(dataset, "column_names", ()) else ()
        total, kept = len(dataset), chosen(len(dataset), request, answers)
        self.tasks = [dict(dataset[i]) for i in kept]
        self.funcs = self._functions()
        self._plays = None if takes_turns(self.env) else False
        return {
            "tasks": [self._described(row, i) for i, row in zip(kept, self.tasks, strict=True)],
            "first": [self._described(dict(dataset[i]), i) for i in range(min(total, FIRST))],
            "total": total,
            "rewards": {name: weight for name, weight in self.funcs if weight},
            "metrics": [name for name, weight in self.funcs if not weight],
            "needs_runtime": [],
            "turns": int(getattr(self.env, "max_turns", 1) or 1),
            "tools": list(tools := self._tools()),
            "arguments": tools,
            "schemas": self._schemas(),
            "acts": [fn.__name__ for fn in self._own_rewards() if acts(fn)],
            "group": self._group_functions(),
            "library": metadata.version("verifiers"),
            "helped": [helped] if helped else [],
        }

    def _dataset(self) -> Any:
        """The rows with prompts: training data where there is some, evaluation data otherwise."""
        errors = []
        for get in ("get_dataset", "get_eval_dataset"):
            try:
                dataset = getattr(self.env, get)()
                if dataset is not None and len(dataset):
                    return dataset
            except Exception as error:  # one of the two may be absent by design
                errors.append(error)
        if errors:
            raise next((e for e in errors if "dataset is not set" not in str(e)), errors[0])
        return []

    def _rubrics(self) -> list[Any]:
        found, open_ = [], [self.env.rubric]
        while open_:
            rubric = open_.pop(0)
            inner = getattr(rubric, "rubrics", None)
            if inner is not None:
                open_ += list(inner)
            else:
                found.append(rubric)
        return found

    def _functions(self) -> list[tuple[str, float]]:
        out = []
        for rubric in self._rubrics():
            funcs = getattr(rubric, "funcs", None) or getattr(rubric, "reward_funcs", [])
            weights = getattr(rubric, "weights", None) or getattr(rubric, "reward_weights", [])
            out += [
                (getattr(fn, "__name__", "reward"), float(weight))
                for fn, weight in zip(funcs, weights, strict=False)
            ]
        return out

    def _group_functions(self) -> list[str]:
        names = []
        for rubric in self._rubrics():
            for fn in getattr(rubric, "funcs", None) or getattr(rubric, "reward_funcs", []):
                if PLURAL & set(inspect.signature(fn).parameters):
                    names.append(fn.__name__)
        return names

    def _schemas(self) -> dict[str, dict[str, Any]]:
        """The schema of each tool's arguments, as the model gets it, with its description."""
        found = {}
        for tool in (
            getattr(self.env, "tool_defs", None) or getattr(self.env, "oai_tools", None) or []
        ):
            tool = tool if isinstance(tool, dict) else tool.model_dump()
            tool = tool.get("function") or tool
            schema, said = tool.get("parameters") or {}, str(tool.get("description") or "")
            found[str(tool.get("name"))] = _plain({**schema, "description": said})
        return found

    def _tools(self) -> dict[str, list[str]]:
        """Each tool with the names of its parameters, without those that the environment fills in
        itself."""
        tools, schemas = getattr(self.env, "tools", None) or [], self._schemas()
        named = {getattr(tool, "__name__", str(tool)): parameters(tool) for tool in tools}
        return {
            name: list(schemas[name].get("properties") or {}) if name in schemas else names
            for name, names in named.items()
        }

    def _own_rewards(self) -> list[Any]:
        """The environment's own functions that count."""
        found = []
        for rubric in self._rubrics():
            funcs = getattr(rubric, "funcs", None) or getattr(rubric, "reward_funcs", [])
            weights = getattr(rubric, "weights", None) or getattr(rubric, "reward_weights", [])
            found += [
                fn
                for fn, weight in zip(funcs, weights, strict=False)
                if weight and inspect.isroutine(fn)
            ]
        return [fn for fn in found if not (fn.__module__ or "").startswith("verifiers.")]

    def _quiet(self) -> None:
        """Keep what the rubrics log as errors: that is how they report a reward that raised."""
        backend = self

        class Keep(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                if record.levelno >= logging.ERROR:
                    backend.raised.append(record.getMessage())

        self.handler = Keep()
        names = {
            getattr(getattr(rubric, "logger", None), "name", "")
            for rubric in [self.env.rubric, *self._rubrics()]
        }
        for name in names | {"verifiers"}:
            logger = logging.getLogger(name or "verifiers")
            logger.handlers = [self.handler]
            logger.propagate = False

    def _described(self, row: dict[str, Any], index: int) -> dict[str, Any]:
        messages = row.get("prompt")
        if isinstance(messages, str):
            system, prompt = "", messages
        else:
            system = "\n\n".join(text_of(m) for m in messages or [] if m.get("role") == "system")
            # Few-shot examples are part of what is shown; the question is the last user turn.
            others = [m for m in messages or [] if m.get("role") != "system"]
            shots = [text_of(m) for m in others[:-1]]
            system = "\n\n".join([system, *shots]).strip()
            prompt = text_of(others[-1]) if others else ""
        fields = {
            key: _plain(value)
            for key, value in row.items()
            if key not in BASE and value is not None
        }
        return {
            "index": index,
            "key": str(row.get("example_id", index)),
            "prompt": prompt,
            "system": system,
            "fields": fields,
        }

    def score(self, task: int, completions: list[Any]) -> list[dict[str, Any]]:
        """All completions as one group; with one reward over groups they are compared."""

        del self.raised[:]
        try:
            states = self.loop.run_until_complete(self._states(self.tasks[task], completions))
        except Exception as error:
            return [{"error": describe(error), "kind": "raised"}] * len(completions)
        # The library goes on with 0 for the reward that raised: so does training.
        fault = {"error": self.raised[0][:1000], "kind": "raised"} if self.raised else {}
        return [self._scored(state) | fault for state in states]

    async def _states(self, row: dict[str, Any], completions: list[Any]) -> list[Any]:
        """The scored states, after the environment's own turns where it takes some: what these
        write is there only then."""
        if self._plays is None:
            try:
                await rollouts(self, self.tasks[0], [["I am thinking about it."]])
                self._plays = True
            except Exception:  # it needs what only a run with a model gives it
                self._plays = False
            del self.raised[:]
        if self._plays and not any(map(as_written, completions)):
            return [
                state
                for state, _ in await rollouts(self, row, [replies(one) for one in completions])
            ]
        states = [self._state(row, completion) for completion in completions]
        await self.env.rubric.score_group(states)
        return states

    def rows(self, most: int) -> list[dict[str, Any]]:
        """Up to `most` rows of the dataset as data, spread evenly."""
        step = max(1, -(-len(self.dataset) // most))
        return [
            self._described(dict(self.dataset[i]), i) for i in range(0, len(self.dataset), step)
        ]

    def held_out(self, most: int) -> list[dict[str, Any]]:
        """Up to `most` rows of the evaluation data, where they are not the dataset itself."""
        build = getattr(self.env, "build_eval_dataset", None)  # absent before verifiers 0.1.11
        own = build() if build else self.env.eval_dataset
        if own is None or self.dataset is own or self.env.dataset is None:
            return []
        rows = itertools.islice(own, most)
        return [self._described(dict(row), i) for i, row in enumerate(rows)]

    def computed(self, task: int, more: dict[str, Any]) -> list[tuple[str, Any]]:
        """What the package's own functions make of the row, and of `more` (see `computed`)."""
        row = self.tasks[task]
        own = {key: value for key, value in row.items() if key not in BASE and value is not None}
        return computed(code_of(self.module), own | more, [])

    def making(self) -> dict[int, Any]:
        """What the code holds while it makes the rows once more (see `making`), by row."""
        described = [self._described(row, 0) for row in self.tasks]
        wanted = {one["prompt"]: i for i, one in enumerate(described)}
        wanted |= {str(row["question"]): i for i, row in enumerate(self.tasks) if "question" in row}
        with Making(code_of(self.module), wanted) as seen:
            self._make()
        return seen.values

    def _make(self) -> None:
        env = sys.modules[self.module].load_environment(**self.config)
        if not inspect.isawaitable(env):
            env.get_dataset()

    def never_same(self) -> dict[str, Any]:
        """What the code compares while it makes the rows once more, and never is the same for its
        type (see `mixed_types`), by place."""
        with Comparisons(code_of(self.module)) as seen:
            self._make()
        return seen.types.never_same

    @property
    def roots(self) -> list[str]:
        """The places of the environment's own code, and of the library's parsers."""
        parsers = sys.modules.get("verifiers.parsers.parser")
        folder = os.path.dirname(getattr(parsers, "__file__", None) or "")  # noqa: PTH120
        return [*code_of(self.module), *([folder + os.sep] if folder else [])]

    def play(self, task: int, attempts: list[list[str]]) -> dict[str, Any]:
        """The attempts as one group of rollouts, with scripted replies (see classic_play)."""
        return {"played": self.loop.run_until_complete(play(self, self.tasks[task], attempts))}

    def validate(self, task: int) -> dict[str, Any]:
        """Nothing: the classic API has no check of a gold."""
        return {"valid": None}

    def _scored(self, state: Any) -> dict[str, Any]:
        reward, metrics = state.get("reward"), dict(state.get("metrics") or {})
        if not isinstance(reward, (int, float)) or not math.isfinite(reward):
            return {"error": f"the rubric returned {reward!r}", "kind": "not_finite"}
        names = {name for name, weight in self.funcs if weight}
        return {
            "reward": float(reward),
            "components": {name: value for name, value in metrics.items() if name in names},
            "metrics": {name: value for name, value in metrics.items() if name not in names},
        }

    def _state(self, row: dict[str, Any], completion: Any) -> Any:
        from verifiers.types import State

        row = copy.deepcopy(row)
        if isinstance(row.get("info"), str):
            row["info"] = json.loads(row["info"] or "{}")
        if isinstance(completion, str):
            completion = [{"role": "assistant", "content": completion}]
        state = State(input=row)
        state["task"] = row.get("task", row)
        state["prompt"], state["completion"] = row["prompt"], completion
        if not self.as_dicts:
            state["prompt"] = typed_messages(row["prompt"], "prompt")
            state["completion"] = typed_messages(completion, "completion")
        state["answer"] = row.get("answer", "")
        state["info"] = row.get("info", {})
        turns = sum(_role(message) == "assistant" for message in state["completion"])
        state["turn"] = turns
        state["trajectory"] = [step(state) for _ in range(turns)]
        state["is_completed"], state["is_truncated"], state["error"] = True, False, None
        state["reward"], state["metrics"] = None, None
        state["timing"] = timing()
        return state


def _role(message: Any) -> str:
    return message.get("role", "") if isinstance(message, dict) else getattr(message, "role", "")


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
