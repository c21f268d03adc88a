"""Run inside the clean environment: import the module, look at its exports, take a few tasks.

    python -I probe.py MODULE TASKS DESCRIPTOR

Reads a word from the descriptor, and answers there with the word and what it found: what the
module prints is no answer. Knows nothing of the skill: only verifiers and the package are
importable here.
"""

import gc
import importlib
import itertools
import json
import os
import sys
from typing import Any


def look(module_name, limit):
    found: dict[str, Any] = {"stage": "import"}
    gc.disable()  # it finds nothing during the import, and takes a fifth of its time
    try:
        module = importlib.import_module(module_name)
        import verifiers
        import verifiers.v1 as vf

        gc.freeze()
        gc.enable()
        found.update(stage="exports", verifiers=verifiers.__version__, file=str(module.__file__))
        exported = list(getattr(module, "__all__", []))
        found["all"] = [str(name) for name in exported]
        values = {name: getattr(module, name) for name in exported}
        classes = {name: value for name, value in values.items() if isinstance(value, type)}
        found["tasksets"] = [
            name for name, value in classes.items() if issubclass(value, vf.Taskset)
        ]
        found["envs"] = [name for name, value in classes.items() if issubclass(value, vf.Env)]
        if len(found["tasksets"]) != 1:
            return found
        found["stage"] = "tasks"
        config = vf.taskset_config_type(module_name)(id=module_name)
        found["fields"] = sorted(type(config).model_fields)
        taskset = vf.load_taskset(config)
        found["infinite"] = bool(getattr(taskset, "INFINITE", False))
        tasks = list(itertools.islice(iter(taskset), limit)) if found["infinite"] else list(taskset)
        found["tasks"] = len(tasks)
        found["stage"] = "done"
    except BaseException as error:
        found["error"] = f"{type(error).__name__}: {error}"
    return found


if __name__ == "__main__":
    name, most, channel = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.set_inheritable(channel, False)
    word = os.read(channel, 100).decode().strip()
    del sys.argv[1:]
    answer = json.dumps({"word": word, "found": look(name, most)}).encode()
    while answer:
        answer = answer[os.write(channel, answer) :]
