# Everything happens in a virtual environment of its own: `make demo` and `make test` are all the set-up there is.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?= -n auto --dist loadgroup

.PHONY: demo test long differential mixtures lint types bench docs viewer viewer-check clean

demo: $(VENV)/installed
	@$(BIN)/spanscope demo

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# Campaigns, by hand and before a release: they look for what the suite has no time for.
long: differential mixtures
	$(BIN)/python -m pytest $(PYTEST_ARGS) --hypothesis-profile=deep tests/test_laws.py tests/measures tests/io
	$(BIN)/python benchmarks/coverage.py

# Every reader, on many more files that were cut, mixed and put behind each other.
mixtures: $(VENV)/installed-dev
	SPANSCOPE_MIXTURES=20000 $(BIN)/python -m pytest $(PYTEST_ARGS) tests/io/formats/test_fuzz.py

# Every way of reading and counting, on many more generated corpora than the suite has time for.
differential: $(VENV)/installed-dev
	SPANSCOPE_CORPORA=20000 $(BIN)/python -m pytest $(PYTEST_ARGS) tests/engines/test_differential.py tests/engines/test_spark_differential.py

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/spans.py
	$(BIN)/python benchmarks/segments.py
	$(BIN)/python benchmarks/tokens.py
	$(BIN)/python benchmarks/passages.py
	$(BIN)/python benchmarks/statistics.py

docs: $(VENV)/installed-dev
	$(BIN)/python docs/make_pages.py

# The pages are built from viewer/ by Node and committed, so that nobody needs Node to install or use the package.
PAGES := src/spanscope/viewer/pages
viewer: viewer/node_modules/.package-lock.json
	cd viewer && npm run --silent check && npm test --silent && npm run --silent build

# The committed pages must be, byte for byte, what their sources give.
viewer-check: viewer/node_modules/.package-lock.json
	cd viewer && npm run --silent check && npm test --silent && rm -rf ../build/pages && node build.mjs "$(CURDIR)/build/pages"
	diff -rq build/pages $(PAGES) || { echo "$(PAGES) is not what viewer/ gives: make viewer"; exit 1; }

viewer/node_modules/.package-lock.json: viewer/package-lock.json
	cd viewer && npm ci --silent --no-audit --no-fund
	@touch $@

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
