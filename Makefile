# Two commands: `make demo` walks the whole ladder, `make test` runs the tests. Both set up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?=
ENV ?=
UV_INSTALL := $(BIN)/uv pip install --quiet --system-certs
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help demo test test-long soak lint bench drift schema setup classic clean

help:
	@echo "make demo [DATA=file.jsonl]   set up, then walk the whole ladder on a bundled or your own dataset"
	@echo "make demo ENV=gsm8k          walk a worked environment instead (a folder of environments/)"
	@echo "make test                     set up, then lint and run the tests"
	@echo "make test-long                the slow walks, each with real evaluations, packages or many processes"
	@echo "make soak                     more of the same: other environments, 10,000 inputs, kills at many moments"
	@echo "make lint | bench | clean     style and type checks | benchmarks | remove what set-up made"
	@echo "make drift                    what the newest verifiers and prime no longer have of what is used here"
	@echo "make schema [RL=DIR|URL]      the training files against prime-rl's own classes, taken from a checkout or cloned"

demo: setup $(if $(findstring classic,$(ENV)),classic)
	@$(BIN)/python demo/walk.py $(if $(DATA),--data "$(DATA)") $(if $(ENV),--env "$(ENV)")

test: setup classic lint
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

test-long: setup classic
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m 'long and not soak'

soak: setup classic
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m soak

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/xenon --max-absolute C scripts templates environments benchmarks evals demo install.py

bench: setup
	@$(BIN)/python -m benchmarks

drift: setup
	@PYTHONPATH=scripts $(BIN)/python -m lab.upkeep.drift

# prime-rl's classes are not on PyPI. RL is a checkout or an address, COMMIT the newest if left out.
RL ?= https://github.com/PrimeIntellect-ai/prime-rl
COMMIT ?= HEAD
schema: setup
	@PYTHONPATH=scripts $(BIN)/python -m lab.upkeep.rl_schema "$(RL)" "$(COMMIT)" --to outputs/prime-rl
	@export LAB_RL_CONFIGS="$(CURDIR)/outputs/prime-rl/packages/prime-rl-configs/src"; \
	$(BIN)/python -m pytest -n auto -k "schema or worked or parts" tests/test_training_rules.py \
		tests/test_rl_schema.py tests/test_training_wanted.py tests/test_training_convert.py \
		tests/test_training_own_gpus.py \
	&& $(BIN)/python -m benchmarks training_files

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] < (3, 15) else "Python 3.11 to 3.14 is needed, $(PYTHON) is %d.%d: set PYTHON=python3.12" % sys.version_info[:2])'
	@echo "set-up 1/3: virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing: on Debian, apt-get install python3-venv"; exit 1; }
	@echo "set-up 2/3: uv"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@echo "set-up 3/3: verifiers, prime, datasets and the test tools (about 1 GB, once)"
	@$(UV_INSTALL) --compile-bytecode --python $(BIN)/python -r pyproject.toml --group dev
	@touch $@

classic: $(VENV)-classic/.ready

# Environments of the classic API (verifiers 0.1.10 to 0.3.1) run in an environment of their own.
$(VENV)-classic/.ready: requirements-classic.txt | $(VENV)/.ready
	@echo "set-up: $(VENV)-classic for environments of the classic API"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-classic
	@$(UV_INSTALL) --compile-bytecode --python $(VENV)-classic/bin/python -r requirements-classic.txt
	@touch $@

clean:
	rm -rf $(VENV) .venv-classic outputs demo/work .pytest_cache .ruff_cache .mypy_cache .hypothesis
