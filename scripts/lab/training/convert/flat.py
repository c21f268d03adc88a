"""The flat hosted file of prime up to 0.12: its top level is spread over today's tables."""

from __future__ import annotations

from lab.training.convert.conversion import Conversion
from lab.training.defaults import sizing

ADAPTER_RATE = 1e-4
"""The learning rate of the flat form where the file named none: it trained adapters."""
GROUP_SIZE, STEPS = 8, 100
"""Its other defaults."""
NO_COUNTERPART = "it has no counterpart in the file"
ASKED = {
    "checkpoint_id": "a warm start is [resume], or a model on a volume",
    "run_config": NO_COUNTERPART,
    "infrastructure": "hardware is gpu_type",
    "tailscale": NO_COUNTERPART,
    "teacher": "a teacher is algo.teacher of a source, with name and base_url",
    "cluster_name": "the platform chooses the cluster; hardware is gpu_type",
}


def is_flat(done: Conversion) -> bool:
    """`model` is a name, or the environments are a list at the top."""
    return isinstance(done.get("model"), str) or isinstance(done.get("env"), list)


def spread(done: Conversion) -> None:
    if isinstance(done.get("model"), str):
        done.put("model", {"name": done.take("model")})
        done.note("moved", "model", "model.name")
    _rate(done)
    done.move("env", "orchestrator.env")
    done.move("eval", "orchestrator.eval")
    done.move("batch_size", "orchestrator.batch_size")
    done.move("max_off_policy_steps", "orchestrator.max_off_policy_steps")
    if all(done.get(key) is None for key in ("rollouts_per_example", "group_size")):
        done.put("rollouts_per_example", GROUP_SIZE)
        done.note("added", "", "group_size", f"{GROUP_SIZE} was the default of the flat form")
    if done.get("max_steps") is None:
        done.put("max_steps", STEPS)
        done.note("added", "", "max_steps", f"{STEPS} was the default of the flat form")
    for key, question in ASKED.items():
        done.ask(key, question)
    if done.get("loss") == "rl":
        done.drop("loss", "runs of rollouts are all there is")
    done.ask("loss", "supervised runs are files with a [data] table")
    done.drop("temp_scheduler", "the temperature is constant today")
    done.drop("val", "validation on the training tasks is gone; [orchestrator.eval] has its own")


def _rate(done: Conversion) -> None:
    """The flat form trained adapters; hosted training updates all weights today."""
    rate = done.take("learning_rate")
    if not done.hosted:
        if rate is not None:
            done.put("trainer.optim.lr", rate)
            done.note("moved", "learning_rate", "trainer.optim.lr")
        return
    size = sizing(str(done.get("model.name") or ""))
    done.put("trainer.optim.lr", size.learning_rate)
    was = f"{rate:g}" if isinstance(rate, int | float) else f"the default of {ADAPTER_RATE:g}"
    done.note(
        "changed" if rate is not None else "added",
        "learning_rate" if rate is not None else "",
        "trainer.optim.lr",
        "the old form trained adapters, and all weights are trained today, which takes a smaller "
        f"rate; {size.source}",
        was=was,
        now=f"{size.learning_rate:g}",
    )
