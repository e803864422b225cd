// Package goclient holds the Go client that oapi-codegen makes from rest/description/openapi.json (client.gen.go, not
// kept), and the test that drives a running server with it. `make api-check` makes the one and runs the other.
package goclient
