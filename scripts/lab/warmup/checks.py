"""What holds for warm-up data before a trainer sees it."""

from __future__ import annotations

from lab.report import Check

SPLIT = Check(
    "warmup.split",
    title="no row is of an evaluation split",
    expected="the run says that it is of a training split, and no task of --not-in is a row",
    reason="A model that was trained on the tasks that measure it measures nothing.",
    source="contamination reports; GSM8K against GSM1k, 2405.00332",
)
ROWS = Check(
    "warmup.rows",
    title="there are enough rows",
    expected=">= 100 rows (fail at 0, warn below 100)",
    reason="A warm-up teaches a form in a few hundred rows; from a few dozen it learns them by heart.",
    source="prime-rl reverse-text: 1,000 rows before reinforcement learning",
)
TRAINABLE = Check(
    "warmup.trainable",
    title="every row passes the trainer's rules",
    expected="all that earned their reward (warn at a refusal, fail above half)",
    reason="One row with invalid tool arguments ends the run; a prompt with assistant turns is trained as the model's own.",
    source="prime-rl trainer/sft/data/dataset.py, late 2026",
)
POLICY = Check(
    "warmup.policy",
    title="the rollouts are a model's",
    expected="no simulated policy",
    reason="A simulated policy fills its replies with words without sense: it shows the machinery and teaches nothing.",
)
EXPLOITS = Check(
    "warmup.exploits",
    title="no paid rollout looks like an exploit",
    expected="0 (warn at one, fail above 0.05 of the paid ones)",
    reason="A warm-up on exploits teaches them for good.",
    source="the exploits of test_reward.py",
)
TESTED = Check(
    "warmup.reward_tested",
    title="the reward that chose the rows was tested",
    expected="test_reward.py passed for this content of the environment",
    reason="Rejection sampling with a reward that pays wrong answers selects wrong answers.",
)
CUT = Check(
    "warmup.unfinished",
    title="few rollouts were cut, empty or failed",
    expected="<= 0.20 of the rollouts",
    reason="What is left of a run that often fails are its easy tasks and short answers.",
)
BALANCE = Check(
    "warmup.difficulty",
    title="rows are not all of easy tasks",
    expected=">= 0.20 of the rows of tasks solved in at most 3 of 4 rollouts",
    reason="What the model does already is not worth a warm-up; hard tasks are what it lacks.",
)
COVERAGE = Check(
    "warmup.tasks",
    title="the rows cover the tasks",
    expected=">= 0.30 of the evaluated tasks",
    reason="Rows of few tasks teach those tasks.",
)
COPIES = Check(
    "warmup.copies",
    title="replies differ",
    expected="<= 0.30 of the paid conversations are copies or near copies",
    reason="A run at temperature 0, or a cached endpoint, answers each task once however often it is asked.",
)
LENGTH = Check(
    "warmup.length",
    title="every row fits into the sequence length of the file",
    expected="longest row with margin <= data.seq_len",
    reason="The trainer's default of 128 tokens cuts nearly every row before its answer.",
    source="prime-rl: SFTDataConfig.seq_len = 128",
)
EXACT = Check(
    "warmup.tokens",
    title="the trainer's own tokens agree",
    expected="a stop token and trainable tokens in every row, within data.seq_len",
    reason="The trainer asserts a stop token and skips a row without a trainable one.",
    source="renderers: build_training_sample",
)
RENDERER = Check(
    "warmup.renderer",
    title="a typed renderer is known for the model",
    expected="the model is in the renderers package, or --renderer names one",
    reason="The supervised trainer refuses the default renderer.",
    source="prime-rl: SFTConfig; renderers 0.1.12",
)
TURNS_TWICE = Check(
    "warmup.branches",
    title="no message is trained in several rows",
    expected="each rollout has one branch",
    reason="Branches share their beginning: a shared message of the model counts once per branch.",
    source="verifiers 0.4: Trace.branches",
)
REPAIRED = Check(
    "warmup.repaired",
    title="corrected rows are the smaller part",
    expected="<= 0.50 of the rows",
    reason="A corrected row has an ending that the model did not write.",
)
