package apptest

import (
	"fmt"
	"net/http"
	"testing"
)

// Asked is the response to a GraphQL operation.
type Asked struct {
	Data   Object
	Errors []Object
}

// Ask executes a GraphQL operation; variables may be nil.
func (c *Client) Ask(tb testing.TB, query string, variables map[string]any) Asked {
	tb.Helper()
	body := c.Do(tb, http.MethodPost, "/graphql", map[string]any{"query": query, "variables": variables}).
		Want(tb, http.StatusOK)
	return Asked{body.In("data"), body.List("errors")}
}

// Graph is Ask, and fails the test on an error; it returns the data.
func (c *Client) Graph(tb testing.TB, query string, variables map[string]any) Object {
	tb.Helper()
	a := c.Ask(tb, query, variables)
	if len(a.Errors) > 0 {
		tb.Fatalf("%s %v: %v", query, variables, a.Errors)
	}
	return a.Data
}

// Refused fails the test unless there is one error with the code; it returns the messages of its details by
// path.
func (a Asked) Refused(tb testing.TB, code string) map[string]string {
	tb.Helper()
	if len(a.Errors) != 1 || a.Errors[0].In("extensions")["code"] != code {
		tb.Fatalf("not refused with %s: %v %v", code, a.Errors, a.Data)
	}
	messages := map[string]string{}
	for _, d := range a.Errors[0].In("extensions").List("details") {
		messages[fmt.Sprint(d["path"])] = fmt.Sprint(d["message"])
	}
	return messages
}
