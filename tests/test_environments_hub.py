"""The worked environments on the datasets of their names, through the real client and a local hub.

Each repository has the layout, the configurations and the features of the real one (class labels
too), with a few rows of our own.
"""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lab.cli.report import LabError
from lab.environment import CLASSIC, Environment, locate
from lab.environment.locate import interpreter
from lab.environment.worker import Worker
from marks import soak
from run_script import ROOT
from servers.hub import Hub, Repo

CARD = (
    "---\nconfigs:\n- config_name: {config}\n  data_files:\n{files}dataset_info:\n"
    "- config_name: {config}\n  features:\n{features}---\n"
)


def own(name: str) -> list[dict]:
    """The environment's own rows, which have the form of the real ones."""
    return [
        json.loads(line)
        for line in (ROOT / "environments" / name / name / "data" / "rows.jsonl")
        .read_text()
        .splitlines()
    ]


def repository(config: str, splits: dict[str, list[dict]], features: str) -> Repo:
    """One configuration, a parquet file per split, and the card that says so."""
    files = {}
    for split, rows in splits.items():
        out = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(rows), out)
        files[f"{config}/{split}-00000-of-00001.parquet"] = out.getvalue()
    listed = "".join(f"  - split: {split}\n    path: {config}/{split}-*\n" for split in splits)
    return Repo(
        {**files, "README.md": CARD.format(config=config, files=listed, features=features).encode()}
    )


def feature(name: str, kind: str) -> str:
    return f"  - name: {name}\n    {kind}\n"


TEXT = "dtype: string"


def label(*names: str) -> str:
    return "dtype:\n      class_label:\n        names:\n" + "".join(
        f"          '{number}': {name}\n" for number, name in enumerate(names)
    ).rstrip("\n")


GSM8K, SST2, MMLU = own("gsm8k"), own("sentiment"), own("mmlu")
MATH = [
    {
        "problem": f"What is ${n}^2$?",
        "level": "Level 1",
        "type": "Algebra",
        "solution": f"We square it: $\\boxed{{{n * n}}}$.",
    }
    for n in range(3, 12)
]
REPOS = {
    "openai/gsm8k": repository(
        "main",
        {"train": GSM8K[:20], "test": GSM8K[20:]},
        feature("question", TEXT) + feature("answer", TEXT),
    ),
    "stanfordnlp/sst2": repository(
        "default",
        {
            "train": [{"idx": i, **row} for i, row in enumerate(SST2[:20])],
            "validation": [{"idx": i, **row} for i, row in enumerate(SST2[20:])],
        },
        feature("idx", "dtype: int32")
        + feature("sentence", TEXT)
        + feature("label", label("negative", "positive")),
    ),
    "cais/mmlu": repository(
        "all",
        {"test": MMLU[:20], "auxiliary_train": MMLU[20:]},
        feature("question", TEXT)
        + feature("subject", TEXT)
        + feature("choices", "sequence: string")
        + feature("answer", label("A", "B", "C", "D")),
    ),
    "EleutherAI/hendrycks_math": repository(
        "algebra",
        {"train": MATH[:6], "test": MATH[6:]},
        "".join(feature(name, TEXT) for name in MATH[0]),
    ),
}
MATH_FIELDS = {
    "subset": "algebra",
    "question_field": "problem",
    "answer_field": "solution",
    "eval_split": "test",
}
"""The flags that math_python's README gives for it."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, Hub(REPOS) as server:
        for name, value in {
            **server.env,
            "HF_HOME": str(tmp_path_factory.mktemp("huggingface")),
        }.items():
            patch.setenv(name, value)
        patch.delenv("HF_HUB_OFFLINE", raising=False)
        yield server


@pytest.fixture(scope="module")
def worker(hub):
    with Worker("taskset", variables=list(hub.env)) as shared:
        yield shared


def opened(name: str, worker: Worker, **config) -> Environment:
    return Environment(
        locate(str(ROOT / "environments" / name)), worker=worker, config=config, first=True
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "dataset", "config", "sizes", "right"),
    [
        ("gsm8k", "openai/gsm8k", {}, (20, 10), "So\n#### 135"),
        soak("sentiment", "stanfordnlp/sst2", {}, (20, 12), "<answer>positive</answer>"),
        soak("mmlu", "cais/mmlu", {}, (10, 20), None),
        ("math_python", "EleutherAI/hendrycks_math", MATH_FIELDS, (6, 3), "\\boxed{9}"),
    ],
)
def test_the_real_dataset_gives_both_splits_and_pays_a_gold(
    worker, name, dataset, config, sizes, right
):
    found = []
    for split in ("train", "eval"):
        with opened(name, worker, dataset=dataset, split=split, **config) as env:
            found.append(env.description.total)
            first = env.description.tasks[0]
            if split == "train":
                assert (
                    env.score(0, right or f"<answer>{first.fields['answer']}</answer>").reward > 1.0
                )
                assert env.score(0, "I do not know.").reward == 0.0
                assert env.validate(0).valid is True
    assert tuple(found) == sizes


def test_the_classic_one_reads_the_same_repository(hub):
    try:
        python = interpreter(CLASSIC)
    except LabError as error:
        pytest.skip(f"{error.message}: {error.fix}")
    with (
        Worker(CLASSIC, python=python, variables=list(hub.env)) as shared,
        opened("gsm8k_classic", shared, dataset="openai/gsm8k", subset="main") as env,
    ):
        assert env.description.total == 20
        assert env.score(0, "<answer>135</answer>").reward == pytest.approx(1.25)


def test_a_dataset_that_is_not_there_is_named(worker):
    with pytest.raises(LabError) as error, opened("gsm8k", worker, dataset="openai/no-such-set"):
        pass
    assert "no-such-set" in error.value.message
