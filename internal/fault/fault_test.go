package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"paydown/internal/fault"
)

func TestFaultIsFoundInErrorChain(t *testing.T) {
	f := fault.Conflictf("The deal is %s.", "FUNDED")
	wrapped := fmt.Errorf("update deal 7: %w", fmt.Errorf("move: %w", f))
	if fault.As(wrapped) != f || !fault.Is(wrapped, fault.Conflict) || fault.Is(wrapped, fault.NotFound) {
		t.Errorf("As(%v) is %v", wrapped, fault.As(wrapped))
	}
	for _, internal := range []error{nil, io.EOF, fmt.Errorf("query: %w", io.EOF)} {
		if got := fault.As(internal); got != nil || fault.Is(internal, fault.Internal) {
			t.Errorf("%v counts as a fault: %v", internal, got)
		}
	}
}

func TestCauseIsOnlyLogged(t *testing.T) {
	f := fault.New(fault.Unavailable, "Try again later.").Because(io.ErrUnexpectedEOF)
	if !errors.Is(f, io.ErrUnexpectedEOF) {
		t.Error("the cause is lost")
	}
	if f.Message != "Try again later." || f.Error() != "unavailable: Try again later." {
		t.Errorf("the message is %q", f)
	}
}

func TestValidationErrorHasAllProblems(t *testing.T) {
	amount := fault.Detail{Path: "amount", Message: "must be greater than 0"}
	name := fault.Detail{Path: "name", Message: "is required"}
	whole := fault.Detail{Message: "is empty"}
	for want, f := range map[string]*fault.Error{
		"amount: must be greater than 0": fault.Invalid(amount),
		"name: must have 3 letters":      fault.Field("name", "must have %d letters", 3),
		"The request has 2 problems.":    fault.Invalid(amount, name),
		"The request has a problem.":     fault.Invalid(whole),
	} {
		if f.Code != fault.Validation || f.Message != want || len(f.Details) == 0 {
			t.Errorf("%+v, want %q", f, want)
		}
	}
	if got := fault.Invalid(amount, name).Details; got[0] != amount || got[1] != name {
		t.Errorf("details are %+v", got)
	}
}

func TestDetailsAreAddedInOrder(t *testing.T) {
	f := fault.Conflictf("Not now.").With("blocks.A", "%d %% of it", 5).With("blocks.B", "wait")
	want := []fault.Detail{{Path: "blocks.A", Message: "5 % of it"}, {Path: "blocks.B", Message: "wait"}}
	if len(f.Details) != 2 || f.Details[0] != want[0] || f.Details[1] != want[1] {
		t.Errorf("details are %+v", f.Details)
	}
	if got := f.Error(); got != "conflict: Not now.; blocks.A: 5 % of it; blocks.B: wait" {
		t.Errorf("the log says %q", got)
	}
}

func TestNotFound(t *testing.T) {
	if f := fault.Missing("deal"); f.Code != fault.NotFound || f.Message != "No such deal." {
		t.Errorf("%+v", f)
	}
	f := fault.UnknownReference(fault.Detail{Path: "merchantId", Message: "no such record"})
	if f.Code != fault.InvalidReference || len(f.Details) != 1 || f.Details[0].Path != "merchantId" {
		t.Errorf("%+v", f)
	}
}

func TestCodesMatchTheContract(t *testing.T) {
	for code, want := range map[fault.Code]string{
		fault.Validation: "validation_error", fault.InvalidID: "invalid_id", fault.InvalidJSON: "invalid_json",
		fault.InvalidSort: "invalid_sort", fault.InvalidExpand: "invalid_expand", fault.InvalidCursor: "invalid_cursor",
		fault.BadRequest: "bad_request", fault.Unauthorized: "unauthorized", fault.Forbidden: "forbidden",
		fault.NotFound: "not_found", fault.MethodNotAllowed: "method_not_allowed", fault.Conflict: "conflict",
		fault.PayloadTooLarge: "payload_too_large", fault.UnsupportedMediaType: "unsupported_media_type",
		fault.InvalidReference: "invalid_reference", fault.IdempotencyKeyReused: "idempotency_key_reused",
		fault.RateLimited: "rate_limited", fault.Internal: "internal_error", fault.Unavailable: "unavailable",
	} {
		if string(code) != want {
			t.Errorf("%s should be %s", code, want)
		}
	}
}
