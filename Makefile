# paydown: build, run, test and check. `make` alone lists the targets.

GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT       := mvdan.cc/gofumpt@v0.12.0

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
FOLDERS := $(wildcard cmd ent graph internal proto rest rpc web/*.go)
BENCH   ?=

.DEFAULT_GOAL := help

## help: list the targets
.PHONY: help
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST) | awk -F ': ' '{printf "  %-12s %s\n", $$1, $$2}'

## build: compile bin/paydown
.PHONY: build
build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/paydown ./cmd/paydown

## run: build, fill the default database with a demo tenant (once), print its keys, and serve
.PHONY: run
run: build
	bin/paydown demo
	exec bin/paydown serve

## test: run all tests with the race detector, on SQLite and on a throw-away PostgreSQL
.PHONY: test
test: deps
	CGO_ENABLED=1 go test -race -timeout 15m ./...

## bench: compare with a bare server on both databases, and weigh the binary (BENCH=payment picks requests)
.PHONY: bench
bench: build
	go run ./internal/bench -only '$(BENCH)' compare idle

## bench-pages: page 10,000 of a list of a million records beside page 1
.PHONY: bench-pages
bench-pages: build
	go run ./internal/bench pages

## generate: make the generated code anew
.PHONY: generate
generate:
	go run ./internal/codegen/ent

## migration: write the next migration of both databases from the schema (name=what_it_does)
.PHONY: migration
migration:
	go run ./internal/codegen/migrate -name '$(name)'

## check: formatting, vet, lint, and that generated code is up to date
.PHONY: check
check: format-check vet lint generate-check

## format: format all Go code
.PHONY: format
format:
	go run $(GOFUMPT) -w $(FOLDERS)
	go run $(GOLANGCI_LINT) fmt

.PHONY: format-check
format-check:
	@unformatted=$$(go run $(GOFUMPT) -l $(FOLDERS)) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "not formatted (make format):"; echo "$$unformatted"; exit 1; fi

## vet: run go vet
.PHONY: vet
vet:
	go vet ./...

## lint: run golangci-lint, which also holds the import rule
.PHONY: lint
lint:
	go run $(GOLANGCI_LINT) run

.PHONY: generate-check
generate-check:
	@.ci/unchanged-by $(MAKE) --no-print-directory generate

## deps: install what the tests need besides Go (as root; otherwise say what is missing)
.PHONY: deps
deps:
	@.ci/deps
