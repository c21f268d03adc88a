"""One training file per generation of the schema, in the keys and the style of its time."""

from __future__ import annotations

FLAT = """\
name = "arith"
model = "Qwen/Qwen3-4B-Instruct-2507"
max_steps = 200
batch_size = 256
rollouts_per_example = 8
learning_rate = 5e-5
lora_alpha = 32
oversampling_factor = 2.0
max_async_level = 2
trajectory_strategy = "interleaved"
env_file = "keys.env"

[sampling]
max_tokens = 1024
temperature = 0.9
repetition_penalty = 1.0

[[env]]
id = "owner/my-env"
args = { count = 100 }

[eval]
interval = 50
num_examples = 64
rollouts_per_example = 2
eval_base_model = false

[[eval.env]]
id = "owner/other-env"

[val]
num_examples = 32

[buffer]
online_difficulty_filtering = true

[wandb]
project = "arith"
name = "one"

[checkpoints]
interval = 100

[adapters]
interval = 100
"""

G0 = """\
inference_gpu_ids = [0, 1]
trainer_gpu_ids = [2, 3]
max_steps = 100
seq_len = 4096
max_async_level = 2

[model]
name = "Qwen/Qwen3-1.7B"

[wandb]
project = "arith"

[trainer.optim]
lr = 1e-6

[orchestrator]
batch_size = 128
rollouts_per_example = 16
oversampling_factor = 2.0
trajectory_strategy = "branching"

[orchestrator.sampling]
max_tokens = 1024

[orchestrator.buffer]
easy_threshold = 0.9

[[orchestrator.env]]
id = "my-env"
args = { count = 50 }

[orchestrator.eval]
interval = 20
eval_base_model = true
rollouts_per_example = 4

[[orchestrator.eval.env]]
id = "other-env"

[inference]
gpu_memory_utilization = 0.8

[inference.model]
max_model_len = 8192

[inference.parallel]
dp = 2

[ckpt]
interval = 50
"""

G1 = """\
max_steps = 50
seq_len = 2048

[model]
name = "Qwen/Qwen3-0.6B"

[wandb]
project = "arith"

[trainer.optim]
lr = 3e-6

[orchestrator]
batch_size = 128
group_size = 16
max_inflight_rollouts = 256

[orchestrator.renderer]
name = "qwen3"

[orchestrator.train.sampling]
max_completion_tokens = 256

[[orchestrator.train.env]]
id = "my-env"

[ckpt]
interval = 25

[inference]
"""

G2 = """\
max_steps = 20
seq_len = 2048

[model]
name = "Qwen/Qwen3-0.6B"

[wandb]
project = "arith"
name = "two"

[trainer.optim]
lr = 3e-6

[orchestrator]
batch_size = 128
group_size = 16
oversampling_factor = 2.0

[[orchestrator.pre_batch_filters]]
type = "zero_advantage"

[orchestrator.train.sampling]
max_completion_tokens = 128

[[orchestrator.train.source]]
name = "my-env"
env.taskset.id = "my-env-v1"
env.agent.harness.id = "null"
env.agent.runtime.type = "subprocess"

[inference.model]
enforce_eager = true
"""

G3 = """\
max_steps = 40
seq_len = 2048

[model]
name = "Qwen/Qwen3-0.6B"

[trainer.optim]
lr = 3e-6

[trainer.loss]
type = "ipo"

[orchestrator]
batch_size = 128
group_size = 16

[orchestrator.algo]
type = "max_rl"

[orchestrator.train]
filter_zero_advantages = true

[orchestrator.train.sampling]
max_completion_tokens = 128

[[orchestrator.train.source]]
name = "my-env"
env.taskset.id = "owner/my-env"
env.agent.harness.id = "null"
env.agent.runtime.type = "subprocess"
curriculum.gates.live = { type = "advantage_range", reject_min = 0, reject_max = 0 }

[orchestrator.eval]
interval = 20
num_examples = 64

[[orchestrator.eval.source]]
env.taskset.id = "owner/other-env"
env.agent.harness.id = "null"
env.agent.runtime.type = "subprocess"

[monitors.wandb]
project = "arith"

[inference]
"""

G4 = """\
max_steps = 40
seq_len = 2048

[model]
name = "Qwen/Qwen3-0.6B"

[trainer.optim]
lr = 3e-6

[orchestrator]
batch_size = 128
constant_trainer_batch_size = true

[orchestrator.train]
group_size = 16
algo.type = "max_rl"

[orchestrator.train.sampling]
max_completion_tokens = 128
top_p = 1.0

[[orchestrator.train.source]]
name = "my-env"
min_abs_advantage = 1e-6
env.taskset.id = "owner/my-env"
env.agent.harness.id = "null"
env.agent.runtime.type = "subprocess"
sampler.type = "difficulty_pool"

[orchestrator.eval]
interval = 20
select.limit = 64

[[orchestrator.eval.source]]
env.taskset.id = "owner/other-env"
env.agent.harness.id = "null"
env.agent.runtime.type = "subprocess"

[inference]
"""

SAMPLES = {"H": FLAT, "G0": G0, "G1": G1, "G2": G2, "G3": G3, "G4": G4}
