"""From a run to a data set: gather, choose, check, write; every rollout is accounted for."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path
from typing import Any

from lab.command import Progress, script
from lab.report import Report, usage
from lab.untrusted import excerpt
from lab.warmup import checks
from lab.warmup.candidates import Rollout, Source, gather
from lab.warmup.exploits import exploit
from lab.warmup.questions import Barred, golds
from lab.warmup.rules import REASONS, problems
from lab.warmup.select import Example, Selection, select
from lab.warmup.write import MARGIN, card, training_tables, write_dataset

FULL = 0.99
"""Share of the largest possible reward that counts as the full one."""


def export(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    """The whole of export_sft.py after its arguments."""
    _free(args.out, args.force, "--out")
    progress.note(f"reading {', '.join(map(str, args.results))}")
    source = gather(args.results)
    if not source.total:
        raise usage("there are no rollouts", "name the results of an evaluation", id="input.no_rollouts")
    least = _least(args, source)
    location, ledger = _environment(args, source)
    barred = _barred(args.not_in, progress)
    left = source.left_out
    earned, missed, exploits = _sort_out(source, least, barred, left)
    repaired, form = _repair(args, source, missed, least, location, progress)
    left["below_min_reward"] -= len(repaired)
    refused: Counter[str] = Counter()
    trainable = _by_rules([*earned, *repaired], refused, args.drop_reasoning)
    left.update(refused)
    chosen = select(source, trainable, per_task=args.per_task, seed=args.seed, heldout=args.heldout, max_tokens=args.max_length, balance=not args.no_balance)
    model, renderer = _renderer(args, report)
    counted = _exactly(args, chosen, renderer, model, report)
    left.update(chosen.dropped)
    examples = chosen.examples
    facts = _facts(source, examples, least, left, counted, location, ledger, repaired)
    report.subject = {"results": ", ".join(map(str, args.results)), "environment": facts["environment"], "model": ", ".join(facts["source_models"])}
    _judge(report, source, facts, earned, exploits, refused, chosen, barred, ledger, len(repaired), args.repair_format, form)
    report.facts = facts
    if not examples:
        report.next = script("check_reward_distribution.py", "--results", args.results[0])
        return
    _write(args, report, source, examples, facts, model, renderer)


def _free(path: Path, force: bool, flag: str) -> None:
    if path.exists() and not force and (path.is_file() or any(path.iterdir())):
        raise usage(f"{flag} {path} exists", "choose another place, or replace it with --force", id="input.exists")


def _least(args: argparse.Namespace, source: Source) -> float:
    """The smallest reward that is kept: what was said, else the full reward."""
    if args.min_reward is not None:
        return args.min_reward
    full = source.declared or source.highest
    if source.highest >= FULL * full > 0:
        return FULL * full
    raise usage(
        f"no rollout earned the full reward ({full:.3g}); the highest is {source.highest:.3g}",
        f"say what is good enough, for example --min-reward {0.9 * source.highest:.3g}",
        id="input.min_reward",
    )


def _environment(args: argparse.Namespace, source: Source) -> tuple[Any, Any]:
    """The environment and its ledger, where the run or --env names one that is there."""
    from lab.environment import TASKSET, locate
    from lab.ledger import Ledger

    note = source.settings.get("prime_lab")
    named = args.env or (Path(note["environment"]) if isinstance(note, dict) and isinstance(note.get("environment"), str) else None)
    if named is None or (args.env is None and not named.exists()):
        if args.repair_format:
            raise usage("--repair-format needs the environment, and the run does not name one that is here", "name it with --env", id="input.environment")
        return None, None
    location = locate(str(named))
    if args.repair_format and location.api != TASKSET:
        raise usage("--repair-format needs an environment of verifiers 0.4", "leave it out for a classic one", id="input.environment")
    return location, Ledger(location.path) if location.local else None


def _barred(runs: list[Path], progress: Progress) -> Barred:
    """The tasks of the runs that must stay out."""
    found = Barred()
    for run in runs:
        progress.note(f"reading the tasks of {run}")
        found.add(golds(run))
    return found


def _sort_out(source: Source, least: float, barred: Barred, left: Counter[str]) -> tuple[list[Rollout], list[Rollout], Counter[str]]:
    """(earned, missed for their reward alone, exploits by name); the rest is counted in `left`."""
    earned, missed, exploits = [], [], Counter()
    barred.beside((r.question.lower(), r.gold) for r in source.rollouts)
    for rollout in source.rollouts:
        if rollout.fate:
            continue
        if barred.holds(rollout.question.lower(), rollout.gold):
            left["evaluation_task"] += 1
        elif rollout.reward < least - 1e-9:
            left["below_min_reward"] += 1
            missed.append(rollout)
        elif not rollout.right:
            left["not_right"] += 1
        elif name := next(filter(None, (exploit(chat, rollout.gold) for chat in rollout.chats)), ""):
            left["exploit"] += 1
            exploits[name] += 1
        else:
            earned.append(rollout)
    return earned, missed, exploits


def _repair(args: argparse.Namespace, source: Source, missed: list[Rollout], least: float, location: Any, progress: Progress) -> tuple[list[Rollout], str]:
    if not args.repair_format:
        return [], ""
    from lab.warmup.repair import repaired

    wanted = [r for r in missed if len(r.chats) == 1 and not exploit(r.chats[0], r.gold)]
    progress.note(f"looking for right content in the wrong form among {len(wanted)} rollouts")
    return repaired(wanted, location, enough=least, split="" if "," in source.split else source.split, most=max(source.tasks * 4, 200), note=progress.note)


def _run_name(results: Path) -> str:
    """The run as published rows name it: its folder, without the place on this machine."""
    path = results.resolve()
    return path.name if path.is_dir() else f"{path.parent.name}/{path.name}"


def _by_rules(rollouts: list[Rollout], refused: Counter[str], drop_reasoning: bool) -> list[Rollout]:
    """Rollouts with the conversations that the trainer can read; refusals are counted by reason."""
    out = []
    for rollout in rollouts:
        kept = []
        for chat in rollout.chats:
            if drop_reasoning:
                for message in chat.messages:
                    message.pop("reasoning_content", None)
            found = problems(chat)
            if found:
                refused[found[0]] += 1
            else:
                kept.append(chat)
        if kept:
            rollout.chats = kept
            out.append(rollout)
    return out


def _renderer(args: argparse.Namespace, report: Report) -> tuple[str, str]:
    from lab.training.classes import renderers
    from lab.training.defaults import MODEL

    model = args.model or MODEL
    listed = renderers() or {}
    renderer = args.renderer or listed.get(model, "")
    known = set(listed.values())
    if not known:
        report.add(checks.RENDERER.skip("the renderers package is not installed"))
    elif renderer in known:
        report.add(checks.RENDERER.ok(renderer, excerpt(model, 80)))
    else:
        report.add(checks.RENDERER.fail(renderer or "none", f"{excerpt(model, 80)} is not listed", f"name one with --renderer: {', '.join(sorted(known))}"))
    return model, renderer or "auto"


def _exactly(args: argparse.Namespace, chosen: Selection, renderer: str, model: str, report: Report) -> str:
    """With a tokenizer: every row's own length, and no row that the trainer would not train."""
    if not args.tokenizer:
        report.add(checks.EXACT.skip("no --tokenizer was given: lengths are those of the log, or estimates"))
        return "counted by the log or estimated"
    from lab.warmup.exact import Exact

    exact = Exact(args.tokenizer, "" if renderer == "auto" else renderer, model)
    kept: list[Example] = []
    for example in chosen.examples:
        try:
            tokens, trained, stop = exact.length(example.chat.messages, example.chat.tools)
        except Exception as error:  # a renderer may refuse a row in any way; the trainer would end there
            chosen.dropped["renderer_refused"] += 1
            chosen.dropped[f"renderer_{type(error).__name__}"] += 0
            continue
        if not trained:
            chosen.dropped["nothing_trainable"] += 1
        elif not stop:
            chosen.dropped["no_stop_token"] += 1
        elif tokens > args.max_length:
            chosen.dropped["longer_than_limit"] += 1
        else:
            example.tokens = tokens
            kept.append(example)
    lost = len(chosen.examples) - len(kept)
    chosen.examples = kept
    if lost:
        told = ", ".join(f"{k} {v}" for k, v in chosen.dropped.items() if v and k in ("renderer_refused", "nothing_trainable", "no_stop_token", "longer_than_limit"))
        report.add(checks.EXACT.warn(lost, f"{lost} rows are left out: {told}", "look at these rows in the log; another --renderer may read them"))
    else:
        report.add(checks.EXACT.ok(len(kept), f"{len(kept)} rows through {type(exact.renderer).__name__}"))
    return "counted by the trainer's tokenizer"


def _facts(source: Source, examples: list[Example], least: float, left: Counter[str], counted: str, location: Any, ledger: Any, repaired: list[Rollout]) -> dict[str, Any]:
    note = source.settings.get("prime_lab")
    sizes = [e.tokens for e in examples]
    return {
        "environment": excerpt(source.settings.get("env") or (location.name if location else "unknown"), 80),
        "content_hash": note.get("content") if isinstance(note, dict) else None,
        "split": source.split,
        "simulated": source.simulated,
        "source_models": sorted({excerpt(r.model, 80) for r in source.rollouts if r.model}),
        "right_rule": source.rule,
        "min_reward": least,
        "source_rollouts": source.total,
        "source_tasks": source.tasks,
        "rows": len(examples),
        "train_rows": sum(not e.heldout for e in examples),
        "heldout_rows": sum(e.heldout for e in examples),
        "tasks": len({e.rollout.identity for e in examples}),
        "repaired": sum(e.rollout.origin == "repaired" for e in examples),
        "difficulty": dict(sorted(Counter(e.band for e in examples).items())),
        "tokens": {"mean": sum(sizes) / len(sizes) if sizes else 0.0, "max": max(sizes, default=0), "counted": counted},
        "left_out": {reason: count for reason, count in sorted(left.items(), key=lambda item: (-item[1], item[0])) if count > 0},
    }


def _judge(report: Report, source: Source, facts: dict[str, Any], earned: list[Rollout], exploits: Counter[str], refused: Counter[str],
           chosen: Selection, barred: Barred, ledger: Any, repaired: int, asked_repair: bool, form: str) -> None:  # fmt: skip
    left, rows, total = facts["left_out"], facts["rows"], source.total
    if source.split:
        report.add(checks.SPLIT.ok(source.split, f"{left.get('evaluation_task', 0)} rollouts of tasks of --not-in were left out" if barred else ""))
    elif barred:
        report.add(checks.SPLIT.ok(left.get("evaluation_task", 0), "the run does not say its split; tasks of --not-in were left out"))
    else:
        report.add(checks.SPLIT.warn("not said", "the run does not say which split it is of", "name the evaluation runs whose tasks must stay out with --not-in"))
    if source.simulated:
        report.add(checks.POLICY.warn("simulated", "a run is of a simulated policy", "evaluate a model (run_eval.py ENV -m MODEL) before anything is trained on this"))
    else:
        report.add(checks.POLICY.ok())
    paid = len(earned) + sum(exploits.values())
    if not rows:
        report.add(checks.ROWS.fail(0, f"of {total} rollouts none is left: {', '.join(f'{k} {v}' for k, v in left.items())}", "lower --min-reward, evaluate a stronger model, or try --repair-format"))
    elif rows < 100:
        report.add(checks.ROWS.warn(rows, f"{rows} rows of {facts['tasks']} tasks", "evaluate more tasks of the training split with a strong model"))
    else:
        report.add(checks.ROWS.ok(rows))
    bad = sum(refused.values())
    if bad:
        told = "; ".join(f"{name} {count}: {REASONS[name]}" for name, count in refused.most_common(4))
        make = checks.TRAINABLE.fail if bad > 0.5 * max(1, paid) else checks.TRAINABLE.warn
        report.add(make(bad, told, "they are left out; evaluate with another harness or model if they are many"))
    else:
        report.add(checks.TRAINABLE.ok(0))
    hit = sum(exploits.values())
    if hit:
        make = checks.EXPLOITS.fail if hit > 0.05 * paid else checks.EXPLOITS.warn
        report.add(make(hit, f"{', '.join(f'{k} {v}' for k, v in exploits.most_common())} of {paid} paid rollouts; they are left out", f"mend the reward first: {script('test_reward.py', 'ENV')}"))
    else:
        report.add(checks.EXPLOITS.ok(0))
    _tested(report, source, ledger)
    cut = sum(left.get(k, 0) for k in ("truncated", "empty", "error", "no_reward", "judge_failed")) / max(1, total)
    told = ", ".join(f"{k} {left[k]}" for k in ("error", "truncated", "empty", "judge_failed", "no_reward") if left.get(k))
    report.add(checks.CUT.warn(cut, told, "raise --max-tokens of the evaluation, or mend what fails") if cut > 0.20 else checks.CUT.ok(cut, told))
    if rows:
        _shape(report, source, facts, chosen, left, rows)
    if asked_repair:
        share = facts["repaired"] / max(1, rows)
        told = f"{facts['repaired']} of {rows} rows, from {repaired} corrected replies; form: {form}"
        report.add(checks.REPAIRED.warn(share, told, "use them for a short warm-up only, then sample again") if share > 0.5 else checks.REPAIRED.ok(share, told))


def _tested(report: Report, source: Source, ledger: Any) -> None:
    if ledger is None:
        report.add(checks.TESTED.skip("the environment is not here"))
        return
    entry = ledger.entry("test_reward")
    note = source.settings.get("prime_lab")
    content = note.get("content") if isinstance(note, dict) else None
    verdict = entry.get("verdict")
    if not entry or (content and entry.get("content") != content):
        report.add(checks.TESTED.warn("not tested", "there is no reward test of the content that was evaluated", f"run {script('test_reward.py', ledger.environment)}"))
    elif verdict not in ("pass", "warn"):
        report.add(checks.TESTED.fail(verdict, f"the reward test ended with {verdict}: what it pays is not right for sure", f"mend what {script('test_reward.py', ledger.environment)} names, and evaluate again"))
    else:
        report.add(checks.TESTED.ok(verdict))


def _shape(report: Report, source: Source, facts: dict[str, Any], chosen: Selection, left: dict[str, int], rows: int) -> None:
    beyond = 1 - facts["difficulty"].get("easy", 0) / rows
    told = ", ".join(f"{k} {v}" for k, v in facts["difficulty"].items())
    report.add(checks.BALANCE.ok(beyond, told) if beyond >= 0.20 else checks.BALANCE.warn(beyond, told, "evaluate harder tasks, or a model that solves them sometimes"))
    share = facts["tasks"] / max(1, facts["source_tasks"])
    report.add(checks.COVERAGE.ok(share) if share >= 0.30 else checks.COVERAGE.warn(share, f"rows of {facts['tasks']} of {facts['source_tasks']} tasks", "evaluate with a stronger model or more rollouts per task"))
    copies = left.get("duplicate", 0) + left.get("near_duplicate", 0)
    part = copies / max(1, copies + rows + left.get("above_per_task", 0))
    report.add(checks.COPIES.ok(part) if part <= 0.30 else checks.COPIES.warn(part, f"{copies} copies were left out", "evaluate at temperature 1.0 without a cache"))
    many = sum(e.chat.branches > 1 for e in chosen.examples)
    report.add(checks.TURNS_TWICE.warn(many, f"{many} rows are branches of rollouts that have several", "nothing to do where branches share little; else train one branch each") if many else checks.TURNS_TWICE.ok(0))


def _write(args: argparse.Namespace, report: Report, source: Source, examples: list[Example], facts: dict[str, Any], model: str, renderer: str) -> None:
    from lab.files import write_whole
    from lab.training.classes import renderers
    from lab.training.file import parse
    from lab.training.rules import Known, check
    from lab.training.write import render

    name = re.sub(r"[^A-Za-z0-9._-]+", "-", facts["environment"].rsplit("/", 1)[-1]).strip("-.") or "warmup"
    config = args.config or Path("configs") / "sft" / f"{name}.toml"
    if not args.force:
        _free(config, False, "the training file")
    splits = ["train"] + (["validation"] if facts["heldout_rows"] else [])
    tables = training_tables(args.data_name or str(args.out), model, renderer, examples, heldout=bool(facts["heldout_rows"]))
    seq_len = tables["data"]["seq_len"]
    longest = facts["tokens"]["max"]
    report.add(checks.LENGTH.ok(seq_len, f"longest row {longest} tokens, margin {MARGIN:g}") if longest * (1 if args.tokenizer else MARGIN) <= seq_len else checks.LENGTH.fail(seq_len, f"longest row {longest} tokens", "lower --max-length"))
    text = render(tables)
    for issue in check(parse(text, hosted=False), Known(renderers=renderers())):
        if issue.finding.status != "pass":
            report.add(issue.finding)
    if report.with_status("fail"):
        report.next = "mend what failed, then run the same command again: nothing was written"
        return
    files = write_dataset(args.out, examples, _run_name(args.results[0]), card(f"{facts['environment']} warm-up", facts, splits))
    write_whole(config, text)
    facts |= {"out": str(args.out), "files": {k: str(v) for k, v in files.items()}, "config": str(config), "seq_len": seq_len, "max_steps": tables["max_steps"], "model": model, "renderer": renderer}
    report.section("rows", [
        f"{facts['rows']} rows of {facts['tasks']} tasks: {facts['train_rows']} train, {facts['heldout_rows']} held out by task, {facts['repaired']} repaired",
        f"difficulty {', '.join(f'{k} {v}' for k, v in facts['difficulty'].items())}; tokens {facts['tokens']['mean']:.0f} on average, {longest} at most",
    ])
    report.section("left out", [f"{count:>7}  {reason.replace('_', ' ')}" for reason, count in facts["left_out"].items()] or ["nothing"])
    report.section("written", [str(args.out), str(config)])
    report.next = script("run_eval.py", facts["environment"], "-m", "MODEL", "--split", "train") if facts["simulated"] else f"uv run sft @ {config}"
