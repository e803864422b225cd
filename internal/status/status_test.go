package status_test

import (
	"strings"
	"testing"

	"paydown/internal/fault"
	"paydown/internal/status"
)

func TestCheck(t *testing.T) {
	table := status.Table[string]{"DRAFT": {"SENT", "VOID"}, "SENT": {"DONE"}}
	if err := table.Check("letter", "DRAFT", "VOID"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ from, to, message, detail string }{
		{"DRAFT", "DONE", "The letter is DRAFT and cannot become DONE.", "can become SENT or VOID while it is DRAFT"},
		{"SENT", "DRAFT", "The letter is SENT and cannot become DRAFT.", "can become DONE while it is SENT"},
		{"DONE", "SENT", "The letter is DONE, which is final.", "cannot change once it is DONE"},
		{"DRAFT", "DRAFT", "The letter is DRAFT and cannot become DRAFT.", "can become SENT or VOID while it is DRAFT"},
	} {
		f := fault.As(table.Check("letter", c.from, c.to))
		if f == nil || f.Code != fault.Conflict || f.Message != c.message {
			t.Fatalf("%s to %s: %v", c.from, c.to, f)
		}
		if f.Details[0].Path != "status" || !strings.Contains(f.Details[0].Message, c.detail) {
			t.Errorf("%s to %s: %v", c.from, c.to, f.Details)
		}
	}
}
