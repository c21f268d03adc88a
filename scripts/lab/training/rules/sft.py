"""Rules about supervised files: the data block, whose defaults are traps."""

from __future__ import annotations

from collections.abc import Iterator

from lab.report import Check
from lab.training.file import TrainingFile
from lab.training.rules.base import DROP, Change, Issue, Known, integer
from lab.untrusted import excerpt

SFT_DATA = Check(
    "config.sft_data",
    title="the conversations are named",
    expected="[data] name; on the platform a path on a volume",
    reason="Hub names do not resolve on the platform; without a name the default dataset of another task is trained on.",
    source="prime 0.18.0: prime train --volume; prime-rl SFTConfig",
)
SFT_LENGTH = Check(
    "config.sft_sequence",
    title="conversations fit into the sequence",
    expected="data.seq_len set, >= 512",
    reason="The default is 128 tokens: longer samples are cut, and those without a trained token are skipped.",
    source="prime-rl SFTConfig: data.seq_len = 128",
)
SFT_MASK = Check(
    "config.sft_loss_mask",
    title="something is learnt from",
    expected="[data.loss_mask] with assistant = true, system and user false",
    reason="A mask without the assistant trains nothing; one with the user teaches the model to ask.",
    source="prime-rl SFTConfig: data.loss_mask",
)
SFT_EVAL = Check(
    "config.sft_evaluation",
    title="an inference server has something to do",
    expected="[eval] together with [inference]",
    reason="[inference] without [eval] is refused.",
    source="prime-rl SFTConfig validation",
)
SFT_BATCH = Check(
    "config.sft_batch",
    title="the batch is counted in packed sequences",
    expected="8 to 512",
    reason="The documentation calls them tokens; a batch of 65,536 sequences is weeks.",
    source="prime-rl SFTConfig, read and run",
)
SFT_VALIDATION = Check(
    "config.sft_validation",
    title="validation reads other conversations than training",
    expected="[val.data] with another name or split",
    reason="A loss on the training rows falls while the model learns them by heart.",
    source="",
)


def data(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if file.get("data.type") == "fake":
        yield Issue(SFT_DATA.ok("fake", "a smoke run"))
        return
    name = file.get("data.name")
    if not isinstance(name, str) or not name:
        yield Issue(SFT_DATA.fail("none", "[data] names no dataset, so the default one would be trained on", 'set name in [data], for example "datasets/mine" on a volume'))
    elif file.hosted and not name.startswith(("/volume/", "datasets/")):
        yield Issue(SFT_DATA.fail(excerpt(name, 80), "the platform reads datasets from a volume only", 'put it on a volume and write name = "datasets/NAME"; volume = "VOLUME" at the top'))
    else:
        yield Issue(SFT_DATA.ok(excerpt(name, 80)))


def sequence(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for path in ["data.seq_len"] + (["val.data.seq_len"] if file.has("val.data") else []):
        length = file.number(path)
        if length is None:
            yield Issue(SFT_LENGTH.fail("128", f"{path} is not set, and its default is 128 tokens", f"set {path} = 4096"), (Change(path, 4096),))
        elif length < 512:
            yield Issue(SFT_LENGTH.warn(f"{length:g}", f"{path} = {length:g} cuts most conversations", f"set {path} = 4096, or check their lengths with --data"))
        else:
            yield Issue(SFT_LENGTH.ok(f"{length:g}", path))


def loss_mask(file: TrainingFile, known: Known) -> Iterator[Issue]:
    mask = file.get("data.loss_mask")
    top = file.get("loss_mask")
    if isinstance(top, dict) and mask is None:
        yield Issue(SFT_MASK.fail("loss_mask", "loss_mask at the top is refused; it belongs to [data]", "write it as [data.loss_mask]"), (Change("data.loss_mask", top), Change("loss_mask", DROP)))
    elif isinstance(mask, dict) and mask.get("assistant", True) is False:
        yield Issue(SFT_MASK.fail("no assistant", "assistant messages are masked out, so nothing is learnt", "set assistant = true in [data.loss_mask]"), (Change("data.loss_mask.assistant", True),))
    elif isinstance(mask, dict) and (mask.get("user") or mask.get("system")):
        yield Issue(SFT_MASK.warn("user or system", "the model learns to write the user's side", "set user and system to false unless that is meant"))
    else:
        yield Issue(SFT_MASK.ok("assistant"))


def evaluation(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if file.has("inference") and not file.has("eval"):
        yield Issue(SFT_EVAL.fail("inference alone", "[inference] without [eval] is refused", "remove [inference], or add [eval] with [[eval.source]]"), (Change("inference", DROP),))


def batch(file: TrainingFile, known: Known) -> Iterator[Issue]:
    size = file.get("data.batch_size", 128)
    if not integer(size) or size < 1:
        yield Issue(SFT_BATCH.fail(size, "data.batch_size must be a positive whole number", "set data.batch_size = 32"))
    elif size > 512 or size < 8:
        yield Issue(SFT_BATCH.warn(size, f"{size} packed sequences of {file.get('data.seq_len', 128)} tokens per step", "32 to 128 are usual"))
    else:
        yield Issue(SFT_BATCH.ok(size))


def agreement(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Values of the data block that must agree with others."""
    size, micro = file.number("data.batch_size", 128), file.number("data.micro_batch_size")
    length, model = file.number("data.seq_len"), file.number("model.seq_len")
    if size and micro and (micro < 1 or size % micro):
        yield Issue(SFT_BATCH.fail(f"{size:g} / {micro:g}", "batch_size is not a multiple of micro_batch_size, which is refused", "set micro_batch_size = 1"), (Change("data.micro_batch_size", DROP),))
    if length and model and model < length:
        yield Issue(SFT_LENGTH.fail(f"{model:g} < {length:g}", f"model.seq_len {model:g} is shorter than data.seq_len {length:g}", "leave model.seq_len out, or set both to the same"))
    if file.get("data.shuffle") is False:
        yield Issue(SFT_DATA.warn("not shuffled", "rows are read in their order: a sorted file teaches one kind after the other", "leave data.shuffle out"))
    held = [split for split in file.get("data.splits") or () if isinstance(split, str) and split.startswith(("test", "valid", "eval", "dev"))]
    if held:
        yield Issue(SFT_DATA.warn(held, f"{', '.join(excerpt(split, 40) for split in held)} is usually kept for measuring", 'set splits = ["train"]'))
    keys = ("name", "subsets", "splits")
    if file.has("val.data") and all(file.get(f"val.data.{key}") == file.get(f"data.{key}") for key in keys):
        yield Issue(SFT_VALIDATION.fail(excerpt(file.get("data.name"), 80), "[val.data] names the rows that are trained on", "name held-out rows (export_sft.py writes them), or remove [val]"))
    elif file.has("val.data"):
        yield Issue(SFT_VALIDATION.ok())


RULES = (data, sequence, loss_mask, evaluation, batch, agreement)
