"""Two completions that say whether the reader reads: a plain right one and a plain wrong one.

They are examples of the contract where it has plain ones. Otherwise they belong to a task that is
made for the sheet and that needs no knowledge, so that a wrong gold never spoils them.
"""

from __future__ import annotations

from lab.environment import Completion
from lab.review.items import CONTROL, NO_TASK, PAID, REFUSED, Item
from lab.reward.contract import Example
from lab.reward.interactive.messages import shown
from lab.reward.observation import key_of
from lab.reward.outcome import Audit

WORD, OTHER = "seven", "eleven"
MADE_TASK = (
    "This task is made for the sheet and is not one of the environment: the right answer to it is "
    f"the word '{WORD}', and nothing has to be looked up or worked out first."
)


def controls(audit: Audit, chosen: list[Item]) -> list[Item]:
    """The right one and the wrong one. An example that is shown already is not shown again."""
    taken = {(one.task, key_of(one.completion)) for one in chosen}
    right = _plain_right(audit)
    wrong = _plain_wrong(audit, right)
    found = []
    for example, word, says in ((right, WORD, PAID), (wrong, OTHER, REFUSED)):
        item = _of_example(audit, example, says) if example else None
        if item is None or (item.task, key_of(item.completion)) in taken:
            item = Item(CONTROL, NO_TASK, NO_TASK, _made(audit, word), None, says, "made")
        found.append(item)
    return found


def _made(audit: Audit, word: str) -> Completion:
    brief = audit.brief
    return brief.write(word) if brief.with_gold else f"The answer is {word}."


def _plain_right(audit: Audit) -> Example | None:
    texts = [e for e in audit.brief.contract.right_examples() if isinstance(e.completion, str)]
    return texts[0] if texts else None


def _plain_wrong(audit: Audit, right: Example | None) -> Example | None:
    """An example that earns nothing and says another answer: the right one in another form is a
    matter of the form, and no plain wrong one."""
    if right is None:
        return None
    brief = audit.brief
    golds = {task.index: brief.gold(i) for i, task in enumerate(brief.tasks)}
    for one in brief.contract.examples:
        gold = golds.get(one.task, "")
        text = shown(one.completion)
        if one.wrong and gold and gold.lower() not in text.lower():
            return one
    return None


def _of_example(audit: Audit, example: Example, says: str) -> Item | None:
    places = {task.index: i for i, task in enumerate(audit.brief.tasks)}
    i = places.get(example.task)
    if i is None:
        return None
    said = audit.session.env.said(i, example.completion)
    return Item(CONTROL, i, example.task, said, example.number, says, "an example of the contract")
