"""What a new package pays for the form of a reply alone: another weight, or nothing.

    set_form_reward(folder, package, 0.0)      # leaves the function and its words out

Each template that pays for the form has one such reward, `format` or `valid`. Its weight stands in
the code, in the docstring, in the README and in the contract; these say the same afterwards.
"""

from __future__ import annotations

import argparse
import re
import struct
from dataclasses import replace
from pathlib import Path

from lab.cli.files import write_whole
from lab.reward.contract_file import NAME, read, render

MOST = 0.5
"""From half of the answer's reward on, the form is what a policy learns."""
METHOD = re.compile(
    r"    @vf\.reward\(weight=(?P<weight>[\d.]+)\)\n    async def (?P<name>format|valid)\(.*?\n\n",
    re.DOTALL,
)
REST = r"(?:[^.;]|\.\d)*"
"""To the end of a clause."""


def form_weight(text: str) -> float:
    """A weight as an argument: exact in float32, so that groups of equal rewards stay dead."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 <= value < MOST:
        raise argparse.ArgumentTypeError(
            f"0 to below {MOST:g}: from half of the answer's reward on, training learns the form"
        )
    if any(struct.unpack("f", struct.pack("f", one))[0] != one for one in (value, 1 + value)):
        raise argparse.ArgumentTypeError(
            f"{text} has no exact float32 value: a group in which all rewards are {text} would "
            "keep an advantage beside zero; take 0, 0.125 or 0.25"
        )
    return value


def form_reward(package: Path) -> str | None:
    """The name of the reward for the form; None where a package has none."""
    found = METHOD.search((package / "taskset.py").read_text(encoding="utf-8"))
    return found["name"] if found else None


def set_form_reward(folder: Path, package: Path, weight: float) -> None:
    """Pay `weight` for the form, in all places that say what is paid."""
    code = package / "taskset.py"
    text = code.read_text(encoding="utf-8")
    method = METHOD.search(text)
    assert method, "asked of a package without a reward for the form"
    name, old = method["name"], float(method["weight"])
    if not weight:
        text = text.replace(method[0], "")
    code.write_text(_said(text, name, old, weight), encoding="utf-8")
    readme = folder / "README.md"
    said = _said(readme.read_text(encoding="utf-8"), name, old, weight)
    readme.write_text(said, encoding="utf-8")
    contract = read(folder / NAME)
    changed = replace(contract, wrong=weight, range=(0.0, 1 + weight))
    write_whole(folder / NAME, render(changed))


def _said(text: str, name: str, old: float, new: float) -> str:
    """The text with the new numbers; without a weight, without the words on the form."""
    if not new:
        text = re.sub(rf"^\| `{name}` \|.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(rf"(?<=\.)\s+When\s`{name}`{REST}\.", "", text)
        text = re.sub(rf";\s+`{name}`{REST}\.\s", ".\n", text)
        text = re.sub(rf", a wrong [^,]+ {old:g}, anything else 0", ", anything else 0", text)
    for was, now in ((old, new), (1 + old, 1 + new)):
        text = re.sub(rf"(?<![\d.]){re.escape(f'{was:g}')}(?!\d)", f"{now:g}", text)
    return text
