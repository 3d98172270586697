# From a bare clone: `make up` serves Sluice, `make test` tests it. Both need python3 (3.11 to 3.14) with venv, and make.
# Another Python: make PYTHON=/path/to/python3.13 up

PYTHON ?= python3
UV ?= uv
BIN := .venv/bin
WORKERS ?= 4
BROWSERS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(WORKERS)

# Compiled files (.gitignore knows them) make every start a second faster, and the tests start many.
unexport PYTHONDONTWRITEBYTECODE

# Tests keep their files out of the data directory that `make up` uses.
test test-services test-browser: export SLUICE_DATA_DIR ?= $(CURDIR)/.pytest_cache/data

# What the tests write need not outlive a power cut.
test-services: export PGOPTIONS ?= -c synchronous_commit=off

.DEFAULT_GOAL := help
.PHONY: help venv up test test-services test-browser bench-arguments bench-models check messages lock

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

venv: ## .venv, as requirements.lock says
	@$(PYTHON) .ci/venv

up: venv ## serve on http://127.0.0.1:8000/ until Ctrl-C (PORT, HOST, SLUICE_DATA_DIR)
	@exec $(BIN)/python manage.py up

test: venv ## all tests that need no browser; no outside service is needed
	@$(PYTEST) -m "not browser"

test-services: venv ## those of them with real transactions or a real server, on the services DATABASE_URL and REDIS_URL name
	@test -n "$$DATABASE_URL" && test -n "$$REDIS_URL" || { echo "Set DATABASE_URL (postgresql://…) and REDIS_URL (redis://…)."; exit 1; }
	@$(PYTEST) -m "not browser" --services $(TESTS)

test-browser: venv ## the tests that drive Chromium; says what is missing
	@$(BIN)/python .ci/browser-ready
	@$(BIN)/python -m pytest -n $(BROWSERS) --dist loadfile -m browser

bench-arguments: venv ## how long the argument check takes, beside plain json.loads and jsonschema-rs
	@$(BIN)/python -m tests.bench.arguments

bench-models: venv ## what reading models costs, beside the bare SDKs and a bare loop
	@$(BIN)/python -m tests.bench.models

check: venv ## style, types, migrations, deployment settings, import directions, translations
	@.ci/check

messages: venv ## gather the texts people see, then compile their translations (needs gettext)
	@$(BIN)/python .ci/messages gather
	@$(BIN)/python manage.py compilemessages --ignore .venv --verbosity 0

lock: ## renew requirements.lock and .ci/browser.lock from pyproject.toml (needs uv)
	@command -v $(UV) >/dev/null || { echo "uv is needed: pip install uv, or make UV=/path/to/uv lock"; exit 1; }
	@$(UV) pip compile pyproject.toml --group test -o requirements.lock $(LOCK_FLAGS)
	@echo 'playwright>=1.65,<2' | $(UV) pip compile - -c requirements.lock -o .ci/browser.lock $(LOCK_FLAGS)

LOCK_FLAGS := --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate
