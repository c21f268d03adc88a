"""Golds that are a configuration file: written from an object, or a file with changes made."""

from __future__ import annotations

import configparser
import json
import tomllib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lab.environment import Task
from lab.reward.reading.config_changes import changed
from lab.reward.reading.config_files import config_files
from lab.reward.reading.config_requests import understood
from lab.reward.reading.config_text import read, write

NAMES = st.text("abcXYZ019_-", min_size=1, max_size=6)
KEYS = NAMES | st.text(min_size=1, max_size=6)
NUMBERS = st.integers(-(10**12), 10**12) | st.floats(allow_nan=False)
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["yes", "NO", "on", "null", "~", "1.5", "0x1F", "1e3", "2024-05-01", "12:30", "a: b", "- a", ""]
)
PLAIN = st.booleans() | NUMBERS | TEXTS


def objects(plain, keys=KEYS):
    values = st.recursive(
        plain, lambda one: st.lists(one, max_size=3) | st.dictionaries(keys, one, max_size=3)
    )
    return st.dictionaries(keys, values, min_size=1, max_size=4)


# --- files are written and read -------------------------------------------------------------


@given(objects(PLAIN))
def test_toml_that_is_written_is_read_back(value):
    assert tomllib.loads(write("toml", value) or "") == value


@given(objects(PLAIN | st.none()))
def test_yaml_and_json_that_are_written_are_read_back(value):
    assert yaml.safe_load(write("yaml", value) or "") == value
    assert json.loads(write("json", value) or "") == value


@given(
    st.dictionaries(
        NAMES,
        st.dictionaries(NAMES, st.integers() | st.text("aB %=#:[]ü\"'", max_size=9), min_size=1),
        min_size=1,
    )
)
def test_ini_that_is_written_is_read_back_as_texts(value):
    parser = configparser.RawConfigParser()
    parser.optionxform = str
    parser.read_string(write("ini", value) or "")
    found = {name: dict(parser[name]) for name in parser.sections()}
    assert found == {n: {k: str(one).strip() for k, one in s.items()} for n, s in value.items()}


@given(st.sampled_from(["ini", "properties"]), objects(PLAIN | st.none()))
def test_an_object_is_an_ini_file_or_none(kind, value):
    text = write(kind, value)
    assert text is None or read(kind, text) is not None


@given(st.sampled_from(["json", "toml", "yaml", "ini", "properties"]), st.text(max_size=80))
def test_any_text_is_a_file_or_none(kind, text):
    assert read(kind, text) is None or isinstance(read(kind, text), (dict, list))


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("toml", {"a b": 1, "t": {"x": {"y": 1e-5}}, "rows": [{"n": "q"}, {"n": {"k": []}}]},
         '"a b" = 1\nrows = [\n    { n = "q" },\n    { n = { k = [] } },\n]\n\n[t.x]\ny = 1e-05'),
        ("toml", {"gone": None, "mixed": [1, {"a": True}]},
         "mixed = [\n    1,\n    { a = true },\n]"),
        ("yaml", {"on": "no", "rate": 1e-5, "rows": [{"a": "q", "m": [1]}, [2]], "e": {}},
         '"on": "no"\nrate: 1.0e-05\nrows:\n  - a: q\n    m:\n      - 1\n  - - 2\ne: {}'),
        ("ini", {"top": 1, "s": {"On": True, "l": ["a", "b"], "none": None, "in": {"p": "5%"}}},
         "top = 1\n\n[s]\nOn = true\nl = a, b\nnone =\n\n[s.in]\np = 5%"),
        ("properties", {"db": {"url": "x=y", "pool": {"max": 5}}}, "db.url=x=y\ndb.pool.max=5"),
    ],
)  # fmt: skip
def test_a_file_looks_as_people_write_it(kind, value, text):
    assert write(kind, value) == text


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("toml", {"a": [1, None]}),
        ("ini", {"a": [{"b": 1}]}),
        ("ini", {"s": {"a=b": "c"}}),
        ("properties", {"a": "two\n\nparts"}),
        ("json", {"a": {1, 2}}),
        ("yaml", "text"),
    ],
)
def test_what_a_kind_of_file_cannot_say_has_no_text(kind, value):
    assert write(kind, value) is None


def test_yaml_that_grows_without_end_is_not_read():
    bomb = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
        f"{n}: &{n} [{', '.join([f'*{last}'] * 9)}]\n"
        for last, n in zip("abcdefg", "bcdefgh", strict=True)
    )
    assert read("yaml", bomb) is None and read("yaml", "a: &a [*a]") is None
    assert read("yaml", "a: &a {x: 1}\nb: *a") == {"a": {"x": 1}, "b": {"x": 1}}


# --- changes are made ------------------------------------------------------------------------


def file():
    return {
        "listen": {"port": 80, "hosts": ["a", "b"]},
        "server.tls": {"on": False},
        "stages": [{"name": "lint", "run": ["x"]}, {"name": "test"}],
        "seed": 7,
    }


@pytest.mark.parametrize(
    ("change", "path", "value"),
    [
        (["set", "listen.port", 443], ("listen", "port"), 443),
        (("listen/port", "replace", 443), ("listen", "port"), 443),
        (["Set the port to 443.", "update", "/listen/port", 443], ("listen", "port"), 443),
        (["SET_VALUE", "listen", "port", 443], ("listen", "port"), 443),
        ({"action": "changeValue", "key": ["listen", "port"], "to": 443}, ("listen", "port"), 443),
        ({"section": "listen", "key": "port", "value": "443"}, ("listen", "port"), "443"),
        ({"set": "listen.port", "value": 443}, ("listen", "port"), 443),
        ({"path": "$.listen.port", "set": 443}, ("listen", "port"), 443),
        ({"op": "replace", "path": "listen.port", "old": 80, "new": 81}, ("listen", "port"), 81),
        (["replace", "listen.hosts", "b", "c"], ("listen", "hosts"), ["a", "c"]),
        (["set", "listen.hosts[-1]", "c"], ("listen", "hosts"), ["a", "c"]),
        (["set", "server.tls.on", True], ("server.tls", "on"), True),
        (["set", "server.tls.min", "1.2"], ("server.tls", "min"), "1.2"),
        (["set", "server.tls", "min", "1.2"], ("server.tls", "min"), "1.2"),
        (["set", 'listen."a.b"', 1], ("listen", "a.b"), 1),
        (["set", "new.deep.key", 1], ("new", "deep", "key"), 1),
        (["set", "stages.1.name", "t"], ("stages", 1, "name"), "t"),
        (["set", "stages[name=lint].name", "l"], ("stages", 0, "name"), "l"),
        (["set", "stages.lint.run[0]", "y"], ("stages", 0, "run"), ["y"]),
        ({"op": "add", "path": "/listen/hosts/0", "value": "z"}, ("listen", "hosts"),
         ["z", "a", "b"]),
        ({"op": "add", "path": "/listen/hosts/-", "value": "z"}, ("listen", "hosts"),
         ["a", "b", "z"]),
        ({"op": "add", "path": "/listen/~1new", "value": 1}, ("listen", "/new"), 1),
        (["add", "listen.hosts", "z"], ("listen", "hosts"), ["a", "b", "z"]),
        (["push", "listen.hosts", "z"], ("listen", "hosts"), ["a", "b", "z"]),
        (["append", "listen", "hosts", "z"], ("listen", "hosts"), ["a", "b", "z"]),
        (["append", "stages[1].run", "z"], ("stages", 1, "run"), ["z"]),
        ({"op": "insert", "list": "listen.hosts", "index": 1, "item": "z"}, ("listen", "hosts"),
         ["a", "z", "b"]),
        (["prepend", "listen.hosts", "z"], ("listen", "hosts"), ["z", "a", "b"]),
        (["extend", "listen.hosts", ["y", "z"]], ("listen", "hosts"), ["a", "b", "y", "z"]),
        (["merge", "listen", {"port": 1, "x": 2}], ("listen",),
         {"port": 1, "hosts": ["a", "b"], "x": 2}),
        (["drop", "listen.hosts", "a"], ("listen", "hosts"), ["b"]),
        ({"op": "remove", "path": "/listen/hosts/0"}, ("listen", "hosts"), ["b"]),
        ({"op": "remove", "path": "listen.hosts", "index": 0}, ("listen", "hosts"), ["b"]),
        ({"op": "delete", "path": ["listen", "hosts"], "value": None}, ("listen",), {"port": 80}),
        (["unset", "listen", "hosts"], ("listen",), {"port": 80}),
        ({"remove": "listen.hosts"}, ("listen",), {"port": 80}),
        ({"path": "listen.hosts", "delete": True}, ("listen",), {"port": 80}),
        (["rename", "listen.port", "gate"], ("listen", "gate"), 80),
        ({"op": "rename", "path": ["listen", "port"], "value": ["listen", "gate"]},
         ("listen", "gate"), 80),
        ({"op": "rename", "section": "listen", "old": "port", "new": "gate"},
         ("listen", "gate"), 80),
        ({"op": "rename", "path": "listen.port", "name": "gate"}, ("listen", "gate"), 80),
        ({"op": "move", "from": "/seed", "path": "/listen/seed"}, ("listen", "seed"), 7),
        ({"op": "move", "from": "/stages/0", "path": "/stages/1"}, ("stages", 0, "name"), "test"),
        (["move", "seed", "listen"], ("listen", "seed"), 7),
        ({"op": "copy", "from": "/listen/hosts", "path": "/hosts"}, ("hosts",), ["a", "b"]),
        ({"op": "test", "path": "/seed", "value": 7}, ("seed",), 7),
    ],
)  # fmt: skip
def test_a_change_is_understood_as_its_author_keeps_it(change, path, value):
    before = file()
    found = changed(before, [change])
    for step in path:
        found = found[step]
    assert found == value and before == file()


@pytest.mark.parametrize(
    "change",
    [
        ["set", "listen.port"],
        ["frobnicate", "listen.port", 1],
        ["set", "listen.port.deeper", 1],
        ["set", "listen.hosts[5]", "c"],
        ["set", "listen.hosts.name", "c"],
        ["drop", "listen.hosts", "zz"],
        ["drop", "listen.port", 81],
        ["delete", "nothing.here"],
        ["append", "seed", 1],
        ["extend", "seed", [1]],
        ["rename", "listen.port", "hosts"],
        ["rename", "stages[0]", "x"],
        ["replace", "seed", 6, 8],
        ["insert", "listen.hosts", "z", 0],
        {"op": "move", "from": "/listen", "path": "/listen/hosts/9/x"},
        {"op": "set", "value": 1},
        {"path": "listen.port"},
        "set listen.port 1",
        None,
    ],
)
def test_a_change_that_does_not_fit_makes_no_file(change):
    assert changed(file(), [["set", "seed", 8], change]) is None


def test_a_number_is_no_truth_in_a_list():
    assert changed({"a": [1, True]}, [["drop", "a", True]]) == {"a": [1]}


def test_a_new_name_stands_where_the_old_one_stood():
    assert list(changed(file(), [["rename", "listen", "bind"]])) == [
        "bind", "server.tls", "stages", "seed"
    ]  # fmt: skip


PARTS = (
    st.none() | st.integers(-2, 2) | st.sampled_from("set drop rename move a.b a[0] / x".split())
)


@given(
    objects(st.integers() | st.text("ab", max_size=2), st.sampled_from("abx")),
    st.lists(
        st.lists(PARTS | st.lists(PARTS, max_size=2), max_size=4)
        | st.dictionaries(st.sampled_from("op path value from to index section".split()), PARTS),
        max_size=3,
    ),
)
def test_any_changes_make_a_file_or_none(value, changes):
    before = json.dumps(value)
    assert changed(value, changes) is None or understood(changes) or not changes
    assert json.dumps(value) == before


def test_columns_of_values_are_no_changes():
    assert not understood([]) and not understood([1, 2]) and not understood([["a", 1], ["b", 2]])
    unsaid = [{"path": "a", "value": 1}]
    assert understood(unsaid) and not understood(unsaid, named=False)


# --- candidates ------------------------------------------------------------------------------


def tasks(prompts, fields):
    pairs = zip(prompts, fields, strict=True)
    return [Task(i, str(i), prompt, fields=one) for i, (prompt, one) in enumerate(pairs)]


def golds(made):
    return {(one.field, one.reading): one.golds for one in config_files(made)}


def test_an_object_is_written_as_the_kind_of_file_that_is_asked_for():
    rows = [{"wanted": {"bed": {"water": n, "lamp": "on"}}} for n in (1, 2)]
    asked = tasks(["Reply with a YAML file."] * 2, rows)
    assert golds(asked)["wanted", "as yaml"][0] == 'bed:\n  water: 1\n  lamp: "on"'
    assert not config_files(tasks(["Reply with JSON."] * 2, rows))
    assert not config_files(tasks(["Hari ini panas. Balas dengan satu kata."] * 2, rows))


def test_a_file_is_converted_and_each_kind_has_a_block_of_its_own_name():
    rows = [{"source": "bed:\n  water: 1"}, {"source": "[bed]\nwater = 2"}]
    found = golds(tasks(["Turn this YAML into TOML.", "Turn this TOML into YAML."], rows))
    assert found["source", "of its prompt's kind"] == ["[bed]\nwater = 1", "bed:\n  water: 2"]
    assert "```yaml\nbed:\n  water: 2\n```" in found["source", "of its prompt's kind, in a block"]


@pytest.mark.parametrize(
    ("prompt", "before", "change", "after"),
    [
        ("Edit this INI file.", "[Bed]\nWater = 5%\n; note\n", ["set", "Bed.Water", 6],
         "[Bed]\nWater = 6"),
        ("Edit `pump.properties`.", "bed.water: 5\nbed.lamp=off\n",
         {"key": "bed.water", "to": "6"}, "bed.water=6\nbed.lamp=off"),
        ("Edit the file.", '{"bed": {"water": 5}}', ["delete", "bed.water"], '{\n  "bed": {}\n}'),
        ("Edit the file.", "[bed]\nwater = [1, 2]\n", ["remove", "bed.water", 2],
         "[bed]\nwater = [\n    1,\n]"),
        ("Edit the .yml file.", "bed:\n  - water: 1\n", ["set", "bed[0].water", 2.5],
         "bed:\n  - water: 2.5"),
    ],
)  # fmt: skip
def test_a_file_with_its_changes_made_is_of_the_same_kind(prompt, before, change, after):
    changes = [[change], [change], [["delete", "nothing.here"]]]
    rows = [{"config": before, "edits": one} for one in changes]
    found = golds(tasks([prompt] * 3, rows))
    assert found["config+edits", "with its changes made, as it was"] == [after, after, None]


def test_prose_beside_rows_with_names_is_no_file_with_changes():
    rows = [{"text": f"To: a\nFrom: b{n}", "rows": [{"name": "To", "value": n}]} for n in (1, 2)]
    assert not config_files(tasks(["Who wrote it?"] * 2, rows))
    asked = tasks(["Reply in YAML: who wrote it?"] * 2, rows)
    assert {one.field for one in config_files(asked)} == {"rows"}


def test_data_with_changes_by_path_is_written_as_json():
    doc = {"bed": {"water": 1, "lamp": 0}}
    rows = [{"doc": doc, "overrides": one} for one in ({"bed.water": 2}, {"bed": {"water": 3}})]
    found = golds(tasks(["Apply the overrides. Reply with the whole JSON."] * 2, rows))
    texts = found["doc+overrides", "with its changes made, as json"]
    assert [json.loads(text)["bed"] for text in texts] == [
        {"water": 2, "lamp": 0}, {"water": 3, "lamp": 0}
    ]  # fmt: skip


def test_a_field_may_say_what_kind_of_file_another_one_is():
    rows = [
        {"file": "bed.ini", "text": "[bed]\nwater = 1", "ops": [{"key": "bed.water", "to": 9}]},
        {"file": "ini", "text": "[bed]", "ops": [{"section": "bed", "key": "lamp", "value": "on"}]},
    ]
    found = golds(tasks(["Make the change."] * 2, rows))
    assert found["text+ops", "with its changes made, as it was"] == [
        "[bed]\nwater = 9", "[bed]\nlamp = on"
    ]  # fmt: skip
