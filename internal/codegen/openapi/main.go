// Command openapi writes the machine-readable description of the REST API, as the program serves it, to
// rest/description/openapi.json, indented for review. Run it in the root of the module; `make generate` does.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"paydown/internal/middleware"
	"paydown/internal/service"
	"paydown/rest"
)

const target = "rest/description/openapi.json"

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatalf("openapi: %v", err)
	}
}

// run needs no database: registering the routes defines the API.
func run() error {
	api := rest.New(middleware.Config{Service: service.New(service.Config{})})
	var text bytes.Buffer
	if err := json.Indent(&text, api.Description(), "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	return os.WriteFile(target, text.Bytes(), 0o644) //nolint:gosec // readable by everyone
}
