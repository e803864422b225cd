package booktest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// Verify requires every integrity check to pass.
func Verify(t *testing.T, a *apptest.App) {
	t.Helper()
	report, err := a.Integrity.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range report.Checks {
		if !check.OK {
			t.Errorf("%s: %s", check.Name, check.Detail)
		}
	}
}

// At is the path of a record.
func At(collection string, record apptest.Object) string {
	return fmt.Sprintf("/%s/%d", collection, record.ID())
}

// Singular is the key of a record in its collection: lead of /leads/7.
func Singular(path string) string {
	collection, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return strings.TrimSuffix(collection, "s")
}

// Text is a value as JSON with its names in order.
func Text(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Canonical is JSON with its names in order.
func Canonical(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	return Text(t, value)
}

// SameList requires two lists to be equal, and shows the first difference.
func SameList[E comparable](t *testing.T, what string, got, want []E) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s %d of %d is missing: %v", what, i+1, len(want), want[i])
		case i >= len(want):
			t.Fatalf("%s %d is one too many: %v", what, i+1, got[i])
		case got[i] != want[i]:
			t.Fatalf("%s %d is\n%v, want\n%v", what, i+1, got[i], want[i])
		}
	}
}

// Says checks that a message contains each of the parts.
func Says(t *testing.T, message string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(message, part) {
			t.Errorf("%q does not say %q", message, part)
		}
	}
}

// Shows checks fields of a record.
func Shows(t *testing.T, record, want apptest.Object) {
	t.Helper()
	for name, value := range want {
		if record[name] != value {
			t.Errorf("%s is %v, want %v", name, record[name], value)
		}
	}
}

// WantWords requires words in their order.
func WantWords(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
