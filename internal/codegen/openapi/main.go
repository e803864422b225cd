// Command openapi writes the machine-readable description of the REST API, as the program serves it, to
// rest/description/openapi.json: indented, so that a change of it can be read in review. Run it from the root of the module; `make generate` does.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"paydown/internal/gate"
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

// run needs no database: what the API offers is known once its routes are registered.
func run() error {
	api := rest.New(gate.Config{Service: service.New(service.Config{})})
	var text bytes.Buffer
	if err := json.Indent(&text, api.Description(), "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	return os.WriteFile(target, text.Bytes(), 0o644) //nolint:gosec // for everyone to read
}
