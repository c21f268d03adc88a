"""A file of each generation is recognised and converted, every key accounted for."""

from __future__ import annotations

import os
import tomllib

import pytest

from lab.training.classes import renderers
from lab.training.convert import convert
from lab.training.dialects import check_generation, recognise
from lab.training.file import parse
from lab.training.rules import Known, check
from lab.training.schema import ask
from lab.training.write import render
from publishable import write_environment
from run_script import run_script
from training_files import GOOD, HOSTED
from training_samples import FLAT, G0, G1, G3, G4, SAMPLES


def leaves(table, prefix="") -> dict[str, object]:
    out: dict[str, object] = {}
    for key, value in table.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and value:
            out |= leaves(value, path)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for row in value:
                out |= leaves(row, path)
        else:
            out[path] = value
    return out


@pytest.mark.parametrize("generation", SAMPLES)
def test_each_generation_is_recognised(generation):
    found, signs = recognise(parse(SAMPLES[generation]))
    assert found.id == generation and signs
    status = check_generation(parse(SAMPLES[generation]), "convert").status
    assert status == ("pass" if generation in ("G3", "G4") else "fail")


@pytest.mark.parametrize("generation", SAMPLES)
def test_each_comes_out_in_todays_form_and_passes_the_rules(generation):
    done = convert(parse(SAMPLES[generation]), owner="owner")
    text = render(done.data)
    file = parse(text)
    assert recognise(file)[0].id in ("now", "G3", "G4"), "a form that is taken today"
    failing = [
        issue.finding
        for issue in check(file, Known(renderers=renderers()))
        if issue.finding.status == "fail"
    ]
    assert failing == []
    assert file.sources("train")[0].table["group_size"] == (8 if generation == "H" else 16)
    assert file.sources("train")[0].id == "owner/my-env"


@pytest.mark.parametrize("generation", SAMPLES)
def test_every_key_stays_or_has_a_note(generation):
    """No key disappears in silence."""
    old, done = (
        leaves(tomllib.loads(SAMPLES[generation])),
        convert(parse(SAMPLES[generation]), owner="owner"),
    )
    new = leaves(done.data)
    named = [note.old for note in done.notes]
    for path, value in old.items():
        if new.get(path) == value:
            continue
        last = path.rsplit(".", 1)[-1]
        assert any(
            note == path
            or path.startswith(note + ".")
            or note.split("[")[0] in path
            or note.endswith(last)
            for note in named
            if note
        ), f"{path} is gone without a note"


def test_the_flat_form_key_by_key():
    done = convert(parse(FLAT))
    data, notes = done.data, {note.old: note for note in done.notes}
    assert data["model"] == {"name": "Qwen/Qwen3-4B-Instruct-2507"} and data["name"] == "arith"
    assert data["trainer"]["optim"]["lr"] == 1e-6 and notes["learning_rate"].action == "changed"
    assert data["orchestrator"]["batch_size"] == 256
    assert data["orchestrator"]["train"]["sampling"] == {
        "max_completion_tokens": 1024,
        "temperature": 0.9,
    }
    source = data["orchestrator"]["train"]["source"][0]
    assert source["group_size"] == 8 and source["env"]["taskset"] == {
        "id": "owner/my-env",
        "count": 100,
    }
    assert source["env"]["agent"] == {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
    held = data["orchestrator"]["eval"]
    assert held["interval"] == 50 and held["group_size"] == 2 and held["skip_first_step"] is True
    assert data["ckpt"] == {"interval": 100} and data["monitors"] == {
        "wandb": {"project": "arith", "name": "one"}
    }
    assert data["env_files"] == ["keys.env"] and data["inference"] == {}
    assert held["num_examples"] == 64
    assert notes["orchestrator.env[0].args"].action == "asked"
    for gone in (
        "lora_alpha",
        "adapters",
        "oversampling_factor",
        "max_async_level",
        "trajectory_strategy",
        "buffer",
        "val",
    ):
        assert notes[gone].action == "dropped" and notes[gone].reason


def test_adapters_stay_on_own_gpus():
    done = convert(parse(FLAT, hosted=False))
    assert done.data["trainer"]["model"]["lora"] == {"alpha": 32, "rank": 16}
    assert done.data["trainer"]["optim"]["lr"] == 5e-5


def test_the_older_prime_rl_forms_key_by_key():
    data = convert(parse(G0), owner="owner").data
    assert data["deployment"] == {"num_train_gpus": 2, "num_infer_gpus": 2}
    assert data["inference"]["vllm"] == {
        "max_model_len": 8192,
        "data_parallel_size": 2,
        "gpu_memory_utilization": 0.8,
    }
    assert data["orchestrator"]["eval"]["skip_first_step"] is False
    assert convert(parse(G1), owner="o").data["orchestrator"]["concurrency"] == {
        "max_inflight": 256
    }
    for sample in (G3, G4):
        source = convert(parse(sample)).data["orchestrator"]["train"]["source"][0]
        assert source["algo"] == {"type": "max_rl"} and source["group_size"] == 16
        difficulty = {"curriculum", "sampler", "min_abs_advantage"}
        assert set(source) - difficulty == {"name", "group_size", "algo", "env"}


def test_an_id_without_an_owner_is_asked_about():
    done = convert(parse(G1))
    assert any(note.action == "asked" and "owner" in note.reason for note in done.notes)


def test_a_file_in_todays_form_comes_through_unchanged():
    for name, (text, hosted) in GOOD.items():
        file = parse(text, hosted=hosted)
        if file.mode == "rl":
            done = convert(file)
            assert done.data == file.data, name
            assert done.notes == [], name


def test_what_is_written_parses_to_what_was_meant():
    for text, _ in GOOD.values():
        data = tomllib.loads(text)
        assert tomllib.loads(render(data)) == data
        assert render(tomllib.loads(render(data))) == render(data), "stable"


@pytest.mark.parametrize(
    "value",
    [
        {"a b": {"c.d": 1}},
        {"rows": [{"x": {"y": [1, 2]}}, {"x": {}}]},
        {"mixed": [1, {"a": 1}]},
        {"text": 'quote " and \\ and \n newline'},
        {"empty": [], "table": {}},
    ],
)
def test_awkward_values_are_written_in_their_place(value):
    data = {**tomllib.loads(HOSTED), "extra": value}
    assert tomllib.loads(render(data)) == data


def test_convert_on_the_command_line(tmp_path):
    (tmp_path / "old.toml").write_text(FLAT)
    ran = run_script("submit_training", "--convert", "old.toml", "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    assert (
        ran.report["facts"]["generation"] == "H"
        and ran.report["facts"]["config"] == "configs/rl/old.toml"
    )
    assert ran.finding("config.converted")["status"] == "warn"
    assert "--config configs/rl/old.toml --dry-run" in ran.report["next"]
    again = run_script(
        "submit_training",
        "--config",
        "configs/rl/old.toml",
        "--dry-run",
        "--json",
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
    )
    assert again.code == 0 and again.finding("config.generation")["status"] == "pass"


def test_a_value_that_is_another_one_afterwards_is_a_finding(tmp_path):
    """The learning rate of adapters is none for all weights: that is said with both numbers."""
    (tmp_path / "old.toml").write_text(FLAT)
    ran = run_script("submit_training", "--convert", "old.toml", "--json", cwd=tmp_path)
    rate = tomllib.loads(FLAT)["learning_rate"]
    found = ran.finding("config.values_changed")
    assert found["status"] == "warn"
    assert f"trainer.optim.lr: {rate:g} is now 1e-06" in found["evidence"]
    note = next(n for n in ran.report["facts"]["notes"] if n["old"] == "learning_rate")
    assert (note["was"], note["now"]) == (f"{rate:g}", "1e-06")
    (tmp_path / "newer.toml").write_text(SAMPLES["G4"])
    same = run_script("submit_training", "--convert", "newer.toml", "--json", cwd=tmp_path)
    assert same.finding("config.values_changed")["status"] == "pass"


def test_the_converted_file_has_the_name_that_is_given(tmp_path):
    (tmp_path / "old.toml").write_text(FLAT)
    out = ("--out", "new/arith.toml", "--json")
    for _ in range(2):
        ran = run_script("submit_training", "--convert", "old.toml", *out, cwd=tmp_path)
        assert ran.code == 0 and ran.report["facts"]["config"] == "new/arith.toml", ran.out
    assert sorted(p.name for p in tmp_path.rglob("*.toml")) == ["arith.toml", "old.toml"]
    over = run_script("submit_training", "--convert", "old.toml", "--out", "old.toml", cwd=tmp_path)
    assert over.code == 2 and (tmp_path / "old.toml").read_text() == FLAT
    alone = run_script("submit_training", "--env", "a/b", "--dry-run", *out, cwd=tmp_path)
    assert alone.code == 2 and "--convert" in alone.finding("input.arguments")["evidence"]


def test_fix_on_the_command_line(tmp_path):
    broken = (
        HOSTED.replace("group_size = 16\n", "")
        .replace("temperature = 1.0", "temperature = 0.0   # greedy")
        .replace("owner/my-env", "owner/little-sums")
    )
    (tmp_path / "mine.toml").write_text(broken)
    write_environment(tmp_path / "environments")
    dry = run_script(
        "submit_training",
        "--config",
        "mine.toml",
        "--dry-run",
        "--json",
        "--force",
        "test",
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
    )
    assert (
        dry.code == 1
        and "--fix" in dry.report["next"]
        and (tmp_path / "mine.toml").read_text() == broken
    )
    ran = run_script("submit_training", "--config", "mine.toml", "--fix", cwd=tmp_path)
    assert ran.code == 0, ran.out
    assert "+group_size = 8" in ran.out and "-temperature = 0.0" in ran.out
    fixed = (tmp_path / "mine.toml").read_text()
    assert "group_size = 8" in fixed and "# greedy" in fixed
    rerun = run_script("submit_training", "--config", "mine.toml", "--fix", "--json", cwd=tmp_path)
    assert rerun.finding("config.fixed")["measured"] == "nothing to repair"


@pytest.mark.skipif(
    not os.environ.get("LAB_RL_CONFIGS"),
    reason="prime-rl-configs is not on PyPI: set LAB_RL_CONFIGS to its src folder",
)
def test_the_real_schema_takes_every_converted_file(tmp_path):
    folder, other = (
        write_environment(tmp_path / "one", "my-env"),
        write_environment(tmp_path / "two", "other-env"),
    )
    files = [parse(render(convert(parse(text), owner="owner").data)) for text in SAMPLES.values()]
    found = ask(files, [os.environ["LAB_RL_CONFIGS"], str(folder), str(other)])
    refused = {
        name: finding.evidence
        for name, finding in zip(SAMPLES, found, strict=True)
        if finding.status != "pass"
    }
    newer = refused.pop("G4", "")
    assert refused == {}
    # A file in the newer form stays in it; classes of August refuse its own keys and no more.
    assert all("Extra inputs" in part for part in newer.split("; ") if part), newer
