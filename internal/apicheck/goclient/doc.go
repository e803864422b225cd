// Package goclient holds the Go client that oapi-codegen generates from rest/description/openapi.json
// (client.gen.go, not committed), and the test that drives a running server with it. `make api-check` generates
// the one and runs the other.
package goclient
