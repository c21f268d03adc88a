"""A negotiation with a scripted buyer; without a deal the seller gets nothing.

sound: the surplus is graded, the buyer ends the talk by itself, and a quick low offer is paid a little
contract: partial = "graded"
"""

import re

import verifiers.v1 as vf

GOODS = [
    ("a road bike", 300, 520, 450),
    ("an oak desk", 140, 260, 220),
    ("a film camera", 90, 210, 170),
    ("a canoe", 400, 690, 600),
]


class DealData(vf.TaskData):
    cost: int
    listed: int
    limit: int


def offer(text):
    found = re.findall(r"(?m)OFFER[\s*$+]*(\d{1,6})(?:\.0+)?[\s.!?*$]*$", text or "")
    return int(found[-1]) if found else None


class DealTask(vf.Task[DealData]):
    @vf.reward
    async def surplus(self, trace: vf.Trace) -> float:
        price = trace.info.get("price")
        if price is None:
            return 0.0
        return max(0.0, min(1.0, (price - self.data.cost) / (self.data.limit - self.data.cost)))


class DealEnv(vf.SingleAgentEnv):
    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        async with agents.agent.interaction(task) as talk:
            said = await talk.turn()
            for round_ in range(1, 5):
                if said.terminated:
                    return
                asked = offer(said.last_reply)
                ceiling = task.data.cost + (task.data.limit - task.data.cost) * (
                    0.5 + 0.125 * round_
                )
                if asked is not None and asked <= ceiling:
                    talk.trace.info["price"] = asked
                    return
                if round_ == 4:
                    return
                said = await talk.turn(
                    "Your offer is not a number I can read."
                    if asked is None
                    else f"{asked} is too much for me. What is your best price?"
                )


class DealTaskset(vf.Taskset[DealTask, vf.TasksetConfig]):
    def load(self):
        for good, cost, listed, limit in GOODS:
            prompt = f"You sell {good}. It cost you {cost} EUR, you list it at {listed} EUR. A buyer asks for your price."
            yield DealTask(
                DealData(
                    prompt=prompt,
                    cost=cost,
                    listed=listed,
                    limit=limit,
                    system_prompt="Negotiate. Name a price with OFFER n in every message. You have four messages.",
                ),
                self.config.task,
            )


__all__ = ["DealEnv", "DealTaskset"]
