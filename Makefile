# `make help` lists what there is. Everything made goes into .venv/ of this checkout.
# An interpreter of 3.12 or later is found by itself; another one: make PYTHON=/path/to/python test

.DEFAULT_GOAL := help
# The commands share an environment; the suite brings its own workers.
.NOTPARALLEL:
.PHONY: help demo test mutants lint types format bench docs playground dist check lock clean

PYTHON ?=
export PYTHON
# Processes the test suite runs in (four keep two cores busy: many tests wait for other processes),
# and further options for pytest: make test ARGS="-k ddmin -x"
WORKERS ?= 4
ARGS ?=

SH_RUN = env=$$(tools/environment run)
SH_BENCH = env=$$(tools/environment bench)
SH_DEV = env=$$(tools/environment dev)

help: ## List these commands
	@awk 'BEGIN { FS = ":.*## " } /^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: ## Show the critical slice of a sample program
	@$(SH_RUN) && cd examples/sample_programs && check='stdout:/^south has/' && \
	echo "In examples/sample_programs:" && \
	printf '%s\n\n' "$$ stripe trace shops.py --check '$$check'" && \
	"$$env/bin/stripe" trace shops.py --check "$$check"

test: ## Run the whole test suite
	@$(SH_DEV) && "$$env/bin/python" -m pytest -n $(WORKERS) --dist loadfile \
	--no-loadscope-reorder $(ARGS)

mutants: ## Change the source in small ways, and see whether the tests notice: ARGS="dd --count 60"
	@$(SH_DEV) && "$$env/bin/python" -m tools.mutants $(ARGS)

lint: ## Check style, format and who imports whom
	@$(SH_DEV) && "$$env/bin/python" -m ruff check . && "$$env/bin/python" -m ruff format --check . && \
	"$$env/bin/lint-imports" --no-cache

types: ## Check types
	@$(SH_DEV) && "$$env/bin/python" -m mypy

format: ## Repair style and format where a tool can
	@$(SH_DEV) && "$$env/bin/python" -m ruff check --fix . && "$$env/bin/python" -m ruff format .

bench: ## Measure speed and memory, as ratios within one run
	@$(SH_BENCH) && "$$env/bin/python" -m benchmarks $(ARGS)

docs: ## Build the documentation: build/docs/index.html
	@$(SH_DEV) && "$$env/bin/python" -m sphinx -W --keep-going -q -d build/doctrees docs build/docs && \
	echo "file://$(CURDIR)/build/docs/index.html"

playground: ## Build STRIPE for a browser: build/playground/index.html
	@$(SH_DEV) && "$$env/bin/python" -m tools.playground build/playground

dist: ## Build wheels and sdists, and check them: dist/
	@tools/dist dist

check: lint types test ## All of lint, types and test

lock: ## Choose the tools' versions anew and write requirements/
	@tools/lock

clean: ## Remove what make made
	@rm -rf .venv/3.* .venv/uv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@rmdir .venv 2>/dev/null || true
	@find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
