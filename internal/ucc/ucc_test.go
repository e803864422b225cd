package ucc_test

import (
	"testing"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ucc"
)

var statuses = []ucc.Status{ucc.Draft, ucc.Submitted, ucc.Accepted, ucc.Rejected, ucc.Lapsed, ucc.Terminated}

func TestFilingMoves(t *testing.T) {
	allowed := map[[2]ucc.Status]bool{
		{ucc.Draft, ucc.Submitted}: true, {ucc.Submitted, ucc.Accepted}: true, {ucc.Submitted, ucc.Rejected}: true,
		{ucc.Accepted, ucc.Terminated}: true, {ucc.Accepted, ucc.Lapsed}: true,
	}
	for _, of := range []ucc.Type{ucc.Statement, ucc.Continuation, ucc.Termination, ucc.Amendment, ucc.Assignment} {
		for _, from := range statuses {
			for _, to := range statuses {
				want := allowed[[2]ucc.Status{from, to}] && (of == ucc.Statement || from != ucc.Accepted)
				if err := ucc.Check(of, from, to); (err == nil) != want || err != nil && !fault.Is(err, fault.Conflict) {
					t.Errorf("%s from %s to %s: %v", of, from, to, err)
				}
			}
		}
	}
}

func TestFinancingStatementTerm(t *testing.T) {
	for filed, lapses := range map[string]string{
		"2026-01-05": "2031-01-05", "2024-02-29": "2029-02-28", "2023-12-31": "2028-12-31", "2019-02-28": "2024-02-28",
	} {
		if got := ucc.Lapses(civil.Must(filed)); got.String() != lapses {
			t.Errorf("filed on %s it lapses on %s, want %s", filed, got, lapses)
		}
	}
}

func TestContinuationWindow(t *testing.T) {
	for _, c := range []struct {
		lapses, on string
		ok         bool
	}{
		{"2031-01-05", "2030-07-04", false},
		{"2031-01-05", "2030-07-05", true},
		{"2031-01-05", "2031-01-05", true},
		{"2031-01-05", "2031-01-06", false},
		{"2028-08-31", "2028-02-28", false},
		{"2028-08-31", "2028-02-29", true},
	} {
		lapses := civil.Must(c.lapses)
		err := ucc.CheckContinuation(&lapses, civil.Must(c.on))
		if (err == nil) != c.ok || err != nil && !fault.Is(err, fault.Conflict) {
			t.Errorf("%s of one that lapses on %s: %v", c.on, c.lapses, err)
		}
		if lapsed := ucc.CheckLapse(&lapses, civil.Must(c.on)) == nil; lapsed != lapses.Before(civil.Must(c.on)) {
			t.Errorf("on %s one that lapses on %s has lapsed: %t", c.on, c.lapses, lapsed)
		}
	}
	if ucc.CheckContinuation(nil, civil.Must("2026-01-05")) == nil ||
		ucc.CheckLapse(nil, civil.Must("2026-01-05")) == nil {
		t.Error("a statement without a lapse date can be continued, or lapses")
	}
}
