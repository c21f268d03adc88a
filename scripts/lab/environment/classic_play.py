"""A rollout of a classic MultiTurnEnv with scripted replies: its turns are real, the model is not.

The loop is the library's: after a reply the stop conditions are asked, then `env_response`, then
the next reply is taken. So a stop that `env_response` prepares comes one reply late, as it does
in training.
"""

from __future__ import annotations

from typing import Any

from lab.environment.classic_types import step, typed_messages
from lab.environment.messages import calls_in, text_of


async def play(
    backend: Any, row: dict[str, Any], attempts: list[list[Any]]
) -> list[dict[str, Any]]:
    """One group with `attempts[k]` as the replies of its k-th rollout; [] where the environment
    takes no turns, but for messages with calls: with one turn the first of them is the last."""
    calls = any(map(calls_in, attempts))
    if not takes_turns(backend.env) and not (calls and hasattr(backend.env, "env_response")):
        return []
    played = await rollouts(backend, row, attempts)
    for state, told in played:
        reward = state.get("reward")
        told["reward"] = float(reward) if isinstance(reward, (int, float)) else None
    return [told for _, told in played]


def takes_turns(env: Any) -> bool:
    return hasattr(env, "env_response") and getattr(env, "max_turns", 1) != 1


async def rollouts(
    backend: Any, row: dict[str, Any], attempts: list[list[Any]]
) -> list[tuple[Any, dict[str, Any]]]:
    """The scored state of each attempt, with what was said; a reply is a text or an assistant's
    message."""
    played = [await _one(backend, row, replies) for replies in attempts]
    await backend.env.rubric.score_group([state for state, _ in played])
    return played


async def _one(backend: Any, row: dict[str, Any], replies: list[Any]) -> tuple[Any, dict[str, Any]]:
    env, state = backend.env, backend._state(row, [])
    state["is_completed"] = False
    state = await env.setup_state(state) or state
    shown, said, told, open_, end = list(state["prompt"]), [], "", False, 0
    for reply in replies:
        if told:
            said.append({"role": "user", "content": told})
        answer = typed_messages(
            [reply if isinstance(reply, dict) else {"role": "assistant", "content": reply}],
            "completion",
        )
        made = step(state)
        made["prompt"], made["completion"] = list(shown), answer
        state["trajectory"].append(made)
        shown += answer
        said.append(reply if isinstance(reply, dict) else {"role": "assistant", "content": reply})
        state["completion"], state["turn"] = shown[len(state["prompt"]) :], len(state["trajectory"])
        told, open_ = "", not await env.is_completed(state)
        if not open_:
            break
        end = len(shown)
        response = typed_messages(await env.env_response(list(shown), state), "env_response")
        told = "\n".join(text_of(message) for message in response)
        shown += response
        if state.get("final_env_response") is not None:
            open_ = False
            break
    state["completion"] = shown[len(state["prompt"]) : end if told else None]
    state["is_completed"] = True
    return state, {"messages": said, "open": open_, "unread": told}
