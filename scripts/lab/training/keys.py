"""The keys of prime-rl's files that this skill knows, table by table.

Both current generations (August and late 2026) are in one table, because a file may be meant
for either. Tables not listed here are not judged: their keys pass.
"""

from __future__ import annotations

_OPTIM = "type lr weight_decay max_norm betas1 betas2 mu momentum nesterov"
_SCHEDULER = "type warmup_steps decay_steps min_lr"
_CKPT = "interval keep_last keep_interval output_dir"
_MODEL = (
    "name trust_remote_code vlm conversion_dir seq_len attn compile ac ac_offloading fsdp_cpu_offload optim_cpu_offload full_offload "
    "reshard_after_forward dp_replicate ep ep_comm_backend deepep_num_sms deepep_token_chunk_size cp cp_style impl optimization_dtype "
    "reduce_dtype moe_router_dtype moe_use_grouped_mm moe_fused_kernel quantization index_cache freeze_moe_router lora debug "
    "fused_lm_head_token_chunk_size"
)
_LORA = "rank alpha dropout target_modules modules_to_save"
_DEPLOYMENT = (
    "type gpus_per_node num_train_gpus num_infer_gpus num_train_nodes num_infer_nodes num_infer_replicas nodes_per_fsdp_group orchestrator_on_inference"
)
_SLURM = "job_name project_dir template_path partition nodelist exclude account time pre_run_command cleanup_grace_period shared_fs"
_SHARED = {
    "ckpt": _CKPT,
    "resume": "step dir",
    "run": "name dir",
    "log": "level json_logging vf_level interval ranks_filter log_data",
    "monitors": "wandb file prime",
    "monitors.wandb": "project entity name group tags offline shared",
    "slurm": _SLURM,
}

TABLES: dict[str, dict[str, str]] = {
    "rl": {
        **_SHARED,
        "": "trainer orchestrator inference env_vars run output_dir clean log ckpt resume monitors model tokenizer max_steps seq_len "
        "weight_broadcast rollout_transport deployment slurm dry_run",
        "model": "name vlm",
        "tokenizer": "name trust_remote_code chat_template",
        "deployment": _DEPLOYMENT,
        "trainer": "model tokenizer data loss optim scheduler ckpt resume weight_broadcast rollout_transport log monitors output_dir "
        "matmul_precision max_steps enable_router_replay memory_profiler_path gc trace_path dist_timeout_seconds heartbeat metrics_server "
        "enable_token_export env_vars",
        "trainer.model": _MODEL,
        "trainer.model.lora": _LORA,
        "trainer.optim": _OPTIM,
        "trainer.scheduler": _SCHEDULER,
        "trainer.loss": "type dppo_mask_low dppo_mask_high adv_tau kl_tau ipo_threshold eps import_path kwargs",
        "trainer.ckpt": _CKPT + " skip_progress skip_scheduler skip_dataloader skip_optimizer",
        "trainer.data": "fake",
        "orchestrator": "algo model train tokenizer renderer eval log env_vars monitors collect_inference_metrics inference_metrics_roles ckpt "
        "resume weight_broadcast rollout_transport output_dir tasks_per_minute env_server_base_port batch_size token_batch_size concurrency "
        "group_size seq_len num_train_workers pad_to_multiple_of max_steps max_off_policy_steps heartbeat constant_trainer_batch_size",
        "orchestrator.train": "source sampling filter_zero_advantages group_size algo env select",
        "orchestrator.eval": "source sampling num_examples group_size interval skip_first_step retrigger_on_resume select env",
        "orchestrator.eval.sampling": "temperature top_p top_k min_p max_completion_tokens reasoning_effort extra_body",
        "orchestrator.concurrency": "initial_inflight min_inflight max_inflight",
        "inference": "server router backend_port vllm log env_vars use_deep_gemm weight_broadcast kv_cache_offload use_pd_kv_transfer deployment "
        "slurm output_dir dry_run",
    },
    "sft": {
        **_SHARED,
        "": "model env_vars tokenizer renderer data val eval inference weight_broadcast optim scheduler ckpt resume log monitors run output_dir "
        "clean matmul_precision max_steps memory_profiler_path gc trace_path dist_timeout_seconds heartbeat deployment slurm dry_run",
        "model": _MODEL,
        "model.lora": _LORA,
        "tokenizer": "name trust_remote_code chat_template",
        "data": "type name subsets splits probabilities batch_size seq_len micro_batch_size num_workers shuffle seed stopping_strategy loss_mask "
        "length input_ids revision columns",
        "data.loss_mask": "system user assistant tool",
        "val": "interval eval_on_start data",
        "optim": _OPTIM,
        "scheduler": _SCHEDULER,
        "ckpt": _CKPT + " skip_progress skip_scheduler skip_dataloader skip_optimizer",
        "deployment": _DEPLOYMENT,
    },
}

KNOWN: dict[str, frozenset[str]] = {
    mode: frozenset(f"{table}.{key}" if table else key for table, keys in tables.items() for key in keys.split())
    for mode, tables in TABLES.items()
}
"""Dotted paths by mode."""

REMOVED: dict[str, str] = {
    "model_name": "the model is [model] name",
    "rollouts_per_example": "it is group_size, on each source",
    "learning_rate": "it is trainer.optim.lr",
    "batch_size": "it is orchestrator.batch_size",
    "group_size": "it is group_size, on each source",
    "lora_alpha": "it is trainer.model.lora.alpha",
    "sampling": "it is [orchestrator.train.sampling], with max_completion_tokens",
    "env": "environments are [[orchestrator.train.source]] with env.taskset.id",
    "eval": "it is [orchestrator.eval] with [[orchestrator.eval.source]]",
    "val": "it is [orchestrator.eval]",
    "buffer": "the buffer is gone",
    "checkpoints": "it is [ckpt]",
    "adapters": "it is [trainer.model.lora]",
    "wandb": "it is [monitors.wandb]",
    "trajectory_strategy": "it is gone; rollouts are always interleaved",
    "oversampling_factor": "it is orchestrator.concurrency",
    "max_async_level": "it is gone; see orchestrator.max_off_policy_steps",
    "inference_gpu_ids": "it is deployment.num_infer_gpus",
    "trainer_gpu_ids": "it is deployment.num_train_gpus",
    "orchestrator.env": "it is [[orchestrator.train.source]]",
    "orchestrator.sampling": "it is [orchestrator.train.sampling]",
    "orchestrator.rollouts_per_example": "it is group_size, on each source",
    "orchestrator.buffer": "the buffer is gone",
    "orchestrator.max_async_level": "it is gone; see orchestrator.max_off_policy_steps",
    "orchestrator.oversampling_factor": "it is orchestrator.concurrency",
    "orchestrator.max_inflight_rollouts": "it is orchestrator.concurrency.max_inflight",
    "orchestrator.trajectory_strategy": "it is gone",
    "orchestrator.pre_batch_filters": "filters are gone",
    "orchestrator.post_batch_filters": "filters are gone",
    "orchestrator.train.env": "it is [[orchestrator.train.source]]",
    "orchestrator.eval.env": "it is [[orchestrator.eval.source]]",
    "orchestrator.eval.eval_base_model": "it is skip_first_step, inverted",
    "orchestrator.eval.rollouts_per_example": "it is orchestrator.eval.group_size",
    "inference.model": "it is inference.vllm.model, or [model] for all",
    "inference.parallel": "it is inference.vllm.tensor_parallel_size and data_parallel_size",
    "inference.gpu_memory_utilization": "it is inference.vllm.gpu_memory_utilization",
    "inference.max_model_len": "it is inference.vllm.max_model_len",
    "trainer.wandb": "it is [monitors.wandb]",
    "orchestrator.wandb": "it is [monitors.wandb]",
    "trainer.lora": "it is [trainer.model.lora]",
    "model.lora": "in a run it is [trainer.model.lora]",
    "loss_mask": "it is [data.loss_mask]",
}
"""Keys of earlier generations, with where they went."""


def open_below(path: str, mode: str) -> bool:
    """Whether the table that holds `path` is one whose keys are not judged here."""
    table = path.rpartition(".")[0]
    return table not in TABLES[mode]


def removed(path: str) -> str:
    """What became of a key of an earlier generation; "" for any other."""
    return REMOVED.get(path, "")
