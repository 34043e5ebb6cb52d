# The two commands are `make run` and `make test`; both build .venv by themselves.
BIN := .venv/bin
ARGS ?=
# Tests wait for processes a third of their time: three workers keep two cores busy.
PYTEST := $(BIN)/pytest -n 3 --dist worksteal
# The suite starts hundreds of processes; each finds compiled what those before it have imported.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-studio lint style format generate clean

help:
	@echo "make run [ARGS='--port 9000']  serve Quire on 127.0.0.1:8765"
	@echo "make test                      lint, types and the suite"
	@echo "make test-all                  the same with the long rounds"
	@echo "make test-studio [DOCUMENTS=DIR]  every kind of artifact with each option, of a folder's files too"
	@echo "make lint | format             check style and types | rewrite style"
	@echo "make generate                  write what is derived from the capabilities"
	@echo "make clean                     remove what was built"

run:
	@scripts/setup run
	@exec $(BIN)/quire serve $(ARGS)

test: ROUNDS := not long
test-all: ROUNDS :=
# Types are checked beside the suite, which waits for its processes now and then; each is seen to its end.
test test-all: style
	@$(BIN)/mypy & types=$$!; $(PYTEST) -m "$(ROUNDS)"; suite=$$?; wait $$types && exit $$suite

DOCUMENTS ?= $(wildcard ../shared/data/documents/files)
test-studio:
	@scripts/setup test
	@QUIRE_DOCUMENTS="$(DOCUMENTS)" $(BIN)/pytest tests/studio $(ARGS)

lint: style
	@$(BIN)/mypy

style:
	@scripts/setup test
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

format:
	@scripts/setup test
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

generate:
	@scripts/setup test
	@$(BIN)/python scripts/make_stub.py
	@$(BIN)/python -m quire.entry.reference

clean:
	@rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
