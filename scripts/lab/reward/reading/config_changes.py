"""Lists of changes, as authors keep them beside a file, made in the data of the file.

    data = {"listen": {"port": 80, "hosts": ["a", "b"]}}
    changed(data, [["set", "listen.port", 443], ["drop", "listen.hosts", "a"]])
    changed(data, [{"op": "replace", "path": "/listen/hosts/0", "value": "c"}])

Each change is a verb, a path and what it takes: a value, a member, a new name. One change that does
not fit the data, or that could mean two things, and there is no changed file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from lab.reward.reading.config_paths import Place, as_steps, find, joined, make_room, points
from lab.reward.reading.config_requests import Change, NotUnderstood, parsed


def changed(data: Any, changes: Sequence[Any]) -> Any:
    """The data with each change made in turn; None where one is not understood."""
    data = deepcopy(data)
    try:
        for one in map(parsed, changes):
            _make(data, one)
    except (NotUnderstood, RecursionError):
        return None
    return data


def _make(root: Any, change: Change) -> None:
    path, args = change.path, deepcopy(change.args)
    if len(args) == 2 and isinstance(args[0], str):  # a table, a key in it, and what that takes
        place = find(root, path)
        if place is None or isinstance(_held(place), dict):
            path, args = joined(path, args[0]), args[1:]
    run, fewest, most = DO[change.verb]
    if not fewest <= len(args) <= most:
        raise NotUnderstood(f"{change.verb} with {len(args)} values")
    run(root, path, args)


def _held(place: Place) -> Any:
    holder, key = place
    return holder[key]


def _found(root: Any, path: Any) -> Place:
    place = find(root, path)
    if place is None:
        raise NotUnderstood(f"nothing is at {path!r}")
    return place


def _room(root: Any, path: Any) -> Place:
    place = find(root, path) or make_room(root, path)
    if place is None:
        raise NotUnderstood(f"nothing can be at {path!r}")
    return place


def _put(place: Place, value: Any) -> None:
    """The value in the place of what is there; a list's next place is its end."""
    holder, key = place
    if isinstance(holder, list) and key == len(holder):
        holder.append(value)
    else:
        holder[key] = value


def _insert(place: Place, value: Any) -> None:
    """The value at the place; in a list what was there, and all behind it, moves on."""
    holder, key = place
    if isinstance(holder, list):
        holder.insert(key, value)
    else:
        holder[key] = value


def _place_of(member: Any, values: list[Any]) -> int:
    """Where a member is in a list; 1, 1.0 and true are three."""
    same = [i for i, one in enumerate(values) if type(one) is type(member) and one == member]
    if not same:
        raise NotUnderstood(f"{member!r} is not in the list")
    return same[0]


def _set(root: Any, path: Any, args: Sequence[Any]) -> None:
    """A value; or an old value and the new one, which may be members of the list there."""
    if len(args) == 1:
        return _put(_room(root, path), args[0])
    place = _found(root, path)
    held = _held(place)
    if isinstance(held, list) and not isinstance(args[0], list):
        held[_place_of(args[0], held)] = args[1]
    elif held == args[0]:
        _put(place, args[1])
    else:
        raise NotUnderstood(f"{args[0]!r} is not at {path!r}")


def _add(root: Any, path: Any, args: Sequence[Any]) -> None:
    """A new key; a member, at an index or at the end of the list there. A JSON Pointer names the
    place of the value itself."""
    place = find(root, path)
    held = None if place is None else _held(place)
    if len(args) == 2:
        if not isinstance(held, list) or type(args[0]) is not int:
            raise NotUnderstood(f"no place {args[0]!r} at {path!r}")
        held.insert(args[0], args[1])
    elif isinstance(held, list) and not isinstance(args[0], list) and not points(path):
        held.append(args[0])
    else:
        _insert(place or _room(root, path), args[0])


def _append(root: Any, path: Any, args: Sequence[Any], at: int | None = None) -> None:
    place = _room(root, path)
    if isinstance(place[0], list) and place[1] == len(place[0]):  # the end, as JSON Patch says it
        return _put(place, args[0])
    held = _held(place) if find(root, path) else []
    if not isinstance(held, list):
        raise NotUnderstood(f"no list is at {path!r}")
    held.insert(len(held) if at is None else at, args[0])
    _put(place, held)


def _prepend(root: Any, path: Any, args: Sequence[Any]) -> None:
    _append(root, path, args, at=0)


def _merge(root: Any, path: Any, args: Sequence[Any]) -> None:
    """All members of a list, or all keys of an object, into the one there."""
    held = _held(_found(root, path))
    if isinstance(held, list) and isinstance(args[0], list):
        held.extend(args[0])
    elif isinstance(held, dict) and isinstance(args[0], dict):
        held.update(args[0])
    else:
        raise NotUnderstood(f"{args[0]!r} does not go into what is at {path!r}")


def _remove(root: Any, path: Any, args: Sequence[Any]) -> None:
    """What is there; of a list a member or several, of an object a key."""
    holder, key = place = _found(root, path)
    held, named = _held(place), args[0] if args else None
    if isinstance(held, list) and named is not None:
        for member in named if isinstance(named, list) else [named]:
            del held[_place_of(member, held)]
    elif isinstance(held, dict) and isinstance(named, str):
        del held[_found(held, [named])[1]]
    elif named in (None, held):
        del holder[key]
    else:
        raise NotUnderstood(f"{named!r} is not at {path!r}")


def _rename(root: Any, path: Any, args: Sequence[Any]) -> None:
    """Another key in the same object; or another path."""
    new = args[0]
    if not isinstance(new, str) or points(new) or len(as_steps(new)) > 1:
        return _move(root, path, args)
    _rekey(_found(root, path), new)


def _rekey(place: Place, new: Any) -> None:
    """The key takes its old one's place, so that the order stays."""
    holder, old = place
    if not isinstance(holder, dict) or (new in holder and new != old):
        raise NotUnderstood(f"{new!r} cannot be a new name")
    items = [(new if key == old else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(items)


def _move(root: Any, path: Any, args: Sequence[Any]) -> None:
    holder, key = place = _found(root, path)
    if isinstance(holder, list):  # the places behind it count without it
        value = holder.pop(key)
        return _insert(_new_home(root, args[0], key), value)
    home = _new_home(root, args[0], key)
    if home[0] is holder:
        return _rekey(place, home[1])
    _insert(home, holder.pop(key))


def _copy(root: Any, path: Any, args: Sequence[Any]) -> None:
    place = _found(root, path)
    _insert(_new_home(root, args[0], place[1]), deepcopy(_held(place)))


def _new_home(root: Any, path: Any, key: Any) -> Place:
    """The place that a path names; under its own key in an object that is there."""
    place = find(root, path)
    inside = place is not None and isinstance(_held(place), dict) and not points(path)
    return _room(root, joined(path, key) if inside else path)


def _test(root: Any, path: Any, args: Sequence[Any]) -> None:
    """JSON Patch also says what is there: nothing changes."""


DO: dict[str, tuple[Callable[[Any, Any, Sequence[Any]], None], int, int]] = {
    "": (_set, 1, 2),
    "set": (_set, 1, 2),
    "add": (_add, 1, 2),
    "append": (_append, 1, 1),
    "prepend": (_prepend, 1, 1),
    "merge": (_merge, 1, 1),
    "remove": (_remove, 0, 1),
    "rename": (_rename, 1, 1),
    "move": (_move, 1, 1),
    "copy": (_copy, 1, 1),
    "test": (_test, 0, 1),
}
"""By verb what makes the change, and how many values it takes, at least and at most."""
