# Everything happens in a virtual environment of its own: `make demo` and `make test` are all the set-up there is.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=

.PHONY: demo test lint types bench docs clean

demo: $(VENV)/installed
	@$(BIN)/spanscope demo

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/spans.py
	$(BIN)/python benchmarks/segments.py
	$(BIN)/python benchmarks/tokens.py

docs: $(VENV)/installed-dev
	$(BIN)/python docs/make_pages.py

clean:
	rm -rf $(VENV) build dist bench-data .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/installed
