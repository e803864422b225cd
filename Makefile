# paydown: build, run, test and check. `make` alone lists the targets.

GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT       := mvdan.cc/gofumpt@v0.12.0
OASDIFF       := github.com/oasdiff/oasdiff@v1.33.0
OAPI_CODEGEN  := github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
FOLDERS := $(wildcard cmd ent graph internal proto rest rpc web/*.go)
PORTAL  := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -path web/e2e -prune -o -path web/screenshots -prune -o -type f -print)
BENCH   ?=
PACKAGES ?= ./...

# All targets and all clones share the build cache: builds depend neither on a C compiler nor on the path of the clone. Only
# the race detector needs a C compiler.
export CGO_ENABLED := 0
export GOFLAGS     := -trimpath

# The race detector does not check SQLite itself: that is C code in the form of Go, which uses memory outside of the Go
# heap, where the detector sees nothing. It would double the processor time of most tests.
RACE_EXCEPT := -gcflags=modernc.org/sqlite/lib=-race=false

.DEFAULT_GOAL := help

## help: list the targets
.PHONY: help
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST) | awk -F ': ' '{printf "  %-12s %s\n", $$1, $$2}'

## build: build the portal, and compile bin/paydown, which embeds it
.PHONY: build
build: portal
	go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/paydown ./cmd/paydown

## run: build, fill the default database with a demo tenant (once), print its keys, and serve
.PHONY: run
run: build
	bin/paydown demo
	exec bin/paydown serve

## portal: build the staff portal into web/dist, if its sources are newer
.PHONY: portal
portal: web/dist/index.html

web/dist/index.html: $(PORTAL)
	.ci/npm-ci web
	cd web && npx --no-install vite build --logLevel warn

## screenshots: take the README's screenshots of the portal again, from the demo
.PHONY: screenshots
screenshots: deps build
	cd web && node screenshots.mjs

## test: run all tests with the race detector, on SQLite and a temporary PostgreSQL; long simulations run short
.PHONY: test
test: deps portal
	.ci/npm-ci web
	CGO_ENABLED=1 go test -race $(RACE_EXCEPT) -timeout 25m $(PACKAGES)

## soak: run all tests without the race detector, long simulations in full and from new seeds; takes hours
.PHONY: soak
soak: deps portal
	.ci/npm-ci web
	PAYDOWN_TEST_SOAK=1 go test -count=1 -timeout 24h ./...

## bench: benchmark requests and deliveries on both databases, the idle process and floods (BENCH=payment selects some)
.PHONY: bench
bench: build
	go run ./internal/bench -only '$(BENCH)' compare deliveries idle floods

## bench-pages: compare page 10,000 of a list of a million records with page 1
.PHONY: bench-pages
bench-pages: build
	go run ./internal/bench pages

## generate: regenerate the generated code
.PHONY: generate
generate:
	go run ./internal/codegen/ent
	go run ./internal/codegen/openapi
	go run ./internal/codegen/graphql
	.ci/buf generate --path paydown
	.ci/npm-ci web
	node web/codegen.mjs
	go test ./internal/webhook/vectors -run TestVectorsAreUpToDate -write

## migration: write the next migration for each database from the schema (name=what_it_does)
.PHONY: migration
migration:
	go run ./internal/codegen/migrate -name '$(name)'

## check: check formatting, vet, lint, generated code, the API descriptions and the portal
.PHONY: check
check: format-check vet lint generate-check rpc-check api-check portal-check

## format: format all Go code and the portal
.PHONY: format
format:
	go run $(GOFUMPT) -w $(FOLDERS)
	go run $(GOLANGCI_LINT) fmt
	.ci/npm-ci web
	cd web && npx --no-install biome check --write .

.PHONY: format-check
format-check:
	@unformatted=$$(go run $(GOFUMPT) -l $(FOLDERS)) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "not formatted (make format):"; echo "$$unformatted"; exit 1; fi

## vet: run go vet
.PHONY: vet
vet:
	go vet ./...

## lint: run golangci-lint, which also enforces the import rule
.PHONY: lint
lint:
	go run $(GOLANGCI_LINT) run

.PHONY: generate-check
generate-check:
	@.ci/unchanged-by $(MAKE) --no-print-directory generate

## api-check: lint rest/description/openapi.json, test the generated clients, and compare it with the last release
.PHONY: api-check
api-check:
	@OASDIFF=$(OASDIFF) OAPI_CODEGEN=$(OAPI_CODEGEN) .ci/api-check

## rpc-check: lint proto/ and compare it with the last release
.PHONY: rpc-check
rpc-check:
	.ci/buf lint
	.ci/buf format --diff --exit-code --path paydown
	.ci/buf breaking --against released.binpb --path paydown

## rpc-release: save proto/ as released, for later compatibility checks; part of a release
.PHONY: rpc-release
rpc-release:
	.ci/buf build --path paydown --exclude-source-info -o released.binpb

## portal-check: check types, lint and formatting of the portal
.PHONY: portal-check
portal-check:
	.ci/npm-ci web
	cd web && npx --no-install tsc --noEmit && npx --no-install tsc --noEmit -p e2e && npx --no-install biome ci --error-on-warnings .

## api-release: save the API description as released, for later compatibility checks; part of a release
.PHONY: api-release
api-release:
	@OASDIFF=$(OASDIFF) OAPI_CODEGEN=$(OAPI_CODEGEN) .ci/api-release

## deps: install what the tests need besides Go (as root; otherwise name what is missing)
.PHONY: deps
deps:
	@.ci/deps
