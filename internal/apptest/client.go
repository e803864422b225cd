package apptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Client calls the API over the wire.
type Client struct {
	Base, Host, Token string
	HTTP              *http.Client
	Header            http.Header // sent with every request
}

// Answer is a complete response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// roots are the prefixes of complete paths.
var roots = []string{"/api/", "/apply/", "/auth/", "/documents", "/graphql", "/healthz", "/offers/", "/readyz", "/rpc/"}

// With returns the same client with another header on every request.
func (c *Client) With(name, value string) *Client {
	other := *c
	other.Header = c.Header.Clone()
	if other.Header == nil {
		other.Header = http.Header{}
	}
	other.Header.Add(name, value)
	return &other
}

// Try sends a request. A string body is sent unchanged, any other value as JSON, nil as no body. Paths may omit
// /api/v1.
func (c *Client) Try(method, path string, body any) (*Answer, error) {
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		reader = strings.NewReader(string(raw))
	}
	if !slices.ContainsFunc(roots, func(root string) bool { return strings.HasPrefix(path, root) }) {
		path = "/api/v1" + path
	}
	r, err := http.NewRequestWithContext(context.Background(), method, c.Base+path, reader)
	if err != nil {
		return nil, err
	}
	r.Host = c.Host
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, c.Header)
	resp, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return &Answer{resp.StatusCode, resp.Header, raw}, err
}

// Do is Try, and fails the test if there is no response.
func (c *Client) Do(tb testing.TB, method, path string, body any) *Answer {
	tb.Helper()
	a, err := c.Try(method, path, body)
	if err != nil {
		tb.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

// Get, Post, Patch and Delete fail the test unless the response has the expected status.
func (c *Client) Get(tb testing.TB, path string) Object {
	tb.Helper()
	return c.Do(tb, http.MethodGet, path, nil).Want(tb, http.StatusOK)
}

// Post creates a record.
func (c *Client) Post(tb testing.TB, path string, body any) Object {
	tb.Helper()
	return c.Do(tb, http.MethodPost, path, body).Want(tb, http.StatusCreated)
}

// Patch changes a record.
func (c *Client) Patch(tb testing.TB, path string, body any) Object {
	tb.Helper()
	return c.Do(tb, http.MethodPatch, path, body).Want(tb, http.StatusOK)
}

// Delete removes a record.
func (c *Client) Delete(tb testing.TB, path string) Object {
	tb.Helper()
	return c.Do(tb, http.MethodDelete, path, nil).Want(tb, http.StatusOK)
}

// Want fails the test unless the response has the status; it returns the body.
func (a *Answer) Want(tb testing.TB, status int) Object {
	tb.Helper()
	if a.Status != status {
		tb.Fatalf("status %d, want %d: %s", a.Status, status, a.Body)
	}
	return a.JSON(tb)
}

// JSON returns the body.
func (a *Answer) JSON(tb testing.TB) Object {
	tb.Helper()
	var o Object
	if err := json.Unmarshal(a.Body, &o); err != nil {
		tb.Fatalf("body is no JSON object: %v: %s", err, a.Body)
	}
	return o
}

// Problem fails the test unless the response is that error; it returns the messages by path.
func (a *Answer) Problem(tb testing.TB, status int, code string) map[string]string {
	tb.Helper()
	o := a.Want(tb, status)
	if o["code"] != code {
		tb.Fatalf("code %v, want %s: %s", o["code"], code, a.Body)
	}
	if o["requestId"] == "" || o["requestId"] != a.Header.Get("X-Request-Id") {
		tb.Fatalf("requestId %v is not X-Request-Id %q", o["requestId"], a.Header.Get("X-Request-Id"))
	}
	messages := map[string]string{}
	details, _ := o["details"].([]any)
	for _, d := range details {
		detail := d.(map[string]any)
		messages[fmt.Sprint(detail["path"])] = fmt.Sprint(detail["message"])
	}
	return messages
}

// Object is a JSON object.
type Object map[string]any

// In returns the object under a key.
func (o Object) In(key string) Object {
	inner, _ := o[key].(map[string]any)
	return inner
}

// List returns the objects in the array under a key.
func (o Object) List(key string) []Object {
	array, _ := o[key].([]any)
	list := make([]Object, len(array))
	for i, e := range array {
		list[i], _ = e.(map[string]any)
	}
	return list
}

// ID returns the id of the record.
func (o Object) ID() int { return o.Int("id") }

// Int returns a number.
func (o Object) Int(key string) int {
	n, _ := o[key].(float64)
	return int(n)
}

// Text returns a string; "" if it is null or absent.
func (o Object) Text(key string) string {
	s, _ := o[key].(string)
	return s
}
