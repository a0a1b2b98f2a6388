# Everything happens in a virtual environment of its own: `make demo` and `make test` are all the set-up there is.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?= -n auto
# Where Firefox or Spark is among the tests, one process has all that need it, so that it is started once.
GROUPED := $(PYTEST_ARGS) --dist loadgroup

.PHONY: help release-check oldest newest demo test test-browser test-spark test-all long differential mixtures lint types bench docs site site-serve viewer viewer-check clean

demo: $(VENV)/installed ## score the corpus that ships with Spanscope
	@$(BIN)/spanscope demo

test: $(VENV)/installed-dev ## run the suite, but for what needs a browser or Java
	$(BIN)/python -m pytest $(PYTEST_ARGS) --dist worksteal -m "not browser and not spark"

test-browser: $(VENV)/installed-dev ## try the pages in Chromium and Firefox
	$(BIN)/python -m pytest $(GROUPED) -m browser tests/viewer tests/serve

test-spark: $(VENV)/installed-dev ## try Spark, on two cores and with two workers
	$(BIN)/python -m pytest -m spark tests/engines

test-all: $(VENV)/installed-dev ## run the whole suite, as .ci/run does
	$(BIN)/python -m pytest $(GROUPED)

# Campaigns, by hand and before a release: they look for what the suite has no time for.
long: differential mixtures ## run the campaigns, about an hour
	SPANSCOPE_DAMAGED=2000 $(BIN)/python -m pytest $(PYTEST_ARGS) tests/io/test_damaged_tables.py
	SPANSCOPE_KILLS=100 $(BIN)/python -m pytest $(PYTEST_ARGS) --timeout 3600 tests/serve/test_killed.py
	SPANSCOPE_CANARIES=1 $(BIN)/python -m pytest $(PYTEST_ARGS) --timeout 7200 tests/test_canary.py tests/test_canary_folders.py \
		tests/test_more_canaries.py tests/test_rare_canaries.py
	$(BIN)/python -m pytest $(PYTEST_ARGS) --hypothesis-profile=deep tests/test_laws.py tests/measures tests/io
	$(BIN)/python benchmarks/coverage.py

# Every reader, on many more files that were cut, mixed and put behind each other.
mixtures: $(VENV)/installed-dev ## read 20,000 files that were cut and mixed
	SPANSCOPE_MIXTURES=20000 $(BIN)/python -m pytest $(PYTEST_ARGS) tests/io/formats/test_fuzz.py

# Every way of reading and counting, on many more generated corpora than the suite has time for.
differential: $(VENV)/installed-dev ## hold every way of reading to the strict reader, 20,000 corpora
	SPANSCOPE_CORPORA=20000 $(BIN)/python -m pytest $(GROUPED) tests/engines/test_differential.py tests/engines/test_spark_differential.py

lint: $(VENV)/installed-dev ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev ## check types
	$(BIN)/mypy

bench: $(VENV)/installed-dev ## run the benchmarks
	$(BIN)/python benchmarks/spans.py
	$(BIN)/python benchmarks/segments.py
	$(BIN)/python benchmarks/tokens.py
	$(BIN)/python benchmarks/passages.py
	$(BIN)/python benchmarks/statistics.py

docs: $(VENV)/installed-dev ## write the pages that come from the code
	$(BIN)/python docs/make_pages.py
	$(MAKE) site

# The documentation site, in build/site: a warning, or a link that leads nowhere, is an error. `make site-serve` shows it.
site: $(VENV)/installed-docs ## build the documentation site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

site-serve: $(VENV)/installed-docs ## show the documentation site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

# The pages are built from viewer/ by Node and committed, so that nobody needs Node to install or use the package.
PAGES := src/spanscope/viewer/pages
viewer: viewer/node_modules/.package-lock.json ## build the pages of the viewer
	cd viewer && npm run --silent check && npm test --silent && npm run --silent build

# The committed pages must be, byte for byte, what their sources give.
viewer-check: viewer/node_modules/.package-lock.json ## check that the committed pages are what their sources give
	cd viewer && npm run --silent check && npm test --silent && rm -rf ../build/pages && node build.mjs "$(CURDIR)/build/pages"
	diff -rq build/pages $(PAGES) || { echo "$(PAGES) is not what viewer/ gives: make viewer"; exit 1; }

viewer/node_modules/.package-lock.json: viewer/package-lock.json
	cd viewer && npm ci --silent --no-audit --no-fund
	@touch $@

help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

release-check: ## build the archives and try what they install
	.ci/release-check

# The quick part of the suite with the oldest, and with the newest, versions of what the package needs.
QUICK := tests/measures tests/settings tests/commands tests/cli
OLD_EXTRAS := pandas legal fuzzy
comma := ,
space := $() $()
oldest: ## try the oldest versions allowed of every dependency
	rm -rf .venv-oldest && $(PYTHON) -m venv .venv-oldest
	$(PYTHON) .ci/lowest.py $(OLD_EXTRAS) > .venv-oldest/lowest.txt
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check -c .venv-oldest/lowest.txt -e ".[$(subst $(space),$(comma),$(OLD_EXTRAS))]" pytest pytest-xdist pytest-timeout hypothesis jsonschema
	.venv-oldest/bin/python -m pytest $(QUICK)

newest: ## try the newest versions allowed of every dependency
	rm -rf .venv-newest && $(PYTHON) -m venv .venv-newest
	.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade -e ".[dev]"
	.venv-newest/bin/python -m pytest $(PYTEST_ARGS) $(QUICK)

clean: ## remove what was built
	rm -rf $(VENV) build dist bench-data .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-docs: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

$(VENV)/installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/installed
