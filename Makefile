# One word for each thing that people do here. `make` alone lists them.

PY := .venv/bin/python
# `make run SITE=https://example.com PORT=8001`; `make test ARGS="-k crawl"`.
SITE ?=
PORT ?=
ARGS ?=

.DEFAULT_GOAL := words
.PHONY: words run test check bench evaluate clean

words: ## List these words
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## Set up what is missing and run everything; SITE=https://... for a real site, PORT=8000
	@scripts/make_venv.sh
	@exec $(PY) manage.py run_everything $(if $(SITE),--site "$(SITE)") $(if $(PORT),--port "$(PORT)")

test: ## Set up what is missing, then lint, check types and run the whole test suite
	@scripts/make_venv.sh dev
	@$(MAKE) --no-print-directory check
	@$(PY) -m pytest $(ARGS)

check: ## ruff and mypy
	@scripts/make_venv.sh dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy .

bench: ## Speed and memory, each beside the plain method that it replaces
	@scripts/make_venv.sh dev
	@$(PY) -m benchmarks

evaluate: ## Recommendations measured on links that editors really made
	@scripts/make_venv.sh dev
	@$(PY) -m benchmarks.evaluate $(ARGS)

clean: ## Remove .venv and the tools' caches; var/ with your data stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
