"""Evaluations: the real vf-eval driven with safe settings, alone or in suites, here or hosted.

`vf_eval` drives the command line, `runs` knows a run's folder, `one` is one environment with one
model from gate to ledger, `batch` is every run of a `suite` file, `hosted` runs on the platform,
`budget` says before the start what it will cost, `findings` what happened, and `policy` makes the
simulated policy of an environment.
"""
