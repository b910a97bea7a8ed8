# mnemic: the few commands that people and CI share. `make help` lists them.
#
# Every target makes the private environment .venv by itself, and completes it when a requirement file changed.
# Only that needs the network, once. PYTHON=/path/to/python3 chooses the interpreter.

SHELL := /bin/sh
BIN := .venv/bin
RUN := $(BIN)/python -m
LOCKED := pyproject.toml requirements/build.txt tools/environment

# Worker processes of the tests: one a core, not more than eight. ARGS= goes to pytest: make test ARGS="-k recall"
JOBS ?= auto
ARGS ?=

# What `make demo` and `make bench` may be told.
DATA ?=
Q ?=
N ?= 5000
LOCOMO ?=
PAIRS ?= benchmarks/data/pairs-dev.json

.DEFAULT_GOAL := help
.PHONY: help demo test test-agents check docs build lock bench format clean

# Show this list.
help:
	@awk '/^# /{doc = doc (doc ? "\n                    " : "") substr($$0, 3); next} \
	  /^[a-z-]+:/{split($$0, name, ":"); if (doc) printf "  make %-11s  %s\n", name[1], doc} {doc = ""}' Makefile

# See it work: import a month of conversations, remember notes, ask in five languages.
# With a file of your own: make demo DATA=chat.jsonl Q="a question"
demo: export DEMO_DATA = $(DATA)
demo: export DEMO_QUESTION = $(Q)
demo: .venv/ready-local
	@$(BIN)/python examples/demo/run.py

# Run all tests.
test: .venv/ready-dev
	$(RUN) pytest -n $(JOBS) --maxprocesses 8 --dist loadfile $(ARGS)

# Run Claude Code, Codex, opencode, pi and MCP clients as they are, with a scripted model.
# Fetches them once into .test-agents, 1.6 GB; wants npm. ARGS= goes to pytest here too.
test-agents: .venv/ready-dev .test-agents/ready
	$(RUN) pytest tests_agents $(ARGS)

# Everything a machine can say about the code without running all of it: style, types, layers, docs.
check: .venv/ready-dev
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy
	$(BIN)/lint-imports
	$(RUN) pytest -q tests/test_architecture.py tests/test_docs.py

# Check the docs: links, examples, and that every command, setting and error code has its line.
docs: .venv/ready-dev
	$(RUN) pytest -q tests/test_docs.py

# Build the wheel and the source archive into dist/.
build: .venv/ready-dev
	$(RUN) hatchling build

# Pin all packages anew from pyproject.toml. Needs the network.
lock: .venv/ready-dev
	$(BIN)/python tools/lock.py

# Measure recall on our own pairs, and speed on a made-up bundle of N memories.
# With a data set that you have: make bench N=5000 LOCOMO=locomo10.json
bench: .venv/ready-local
	$(BIN)/mnemic bench pairs "$(PAIRS)"
	$(if $(LOCOMO),$(BIN)/mnemic bench locomo "$(LOCOMO)")
	$(BIN)/mnemic bench scale --n $(N)

# Bring the code into the form that `make check` asks for.
format: .venv/ready-dev
	$(RUN) ruff check --fix --exit-zero .
	$(RUN) ruff format .

# Remove what the other targets made, but not .venv and not demo/yours.
clean:
	rm -rf dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks demo/memory
	find src tests tools examples -name __pycache__ -type d -prune -exec rm -rf {} +

.test-agents/ready: tests_agents/package.json tests_agents/install
	@tests_agents/install

.venv/ready-local: requirements/local.txt $(LOCKED)
	@PYTHON="$(PYTHON)" tools/environment local

.venv/ready-dev: requirements/dev.txt $(LOCKED)
	@PYTHON="$(PYTHON)" tools/environment dev
