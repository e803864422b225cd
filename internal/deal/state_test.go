package deal_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"paydown/internal/deal"
	"paydown/internal/fault"
)

func hexOf(b []byte) string { return hex.EncodeToString(b) }

// moves lists the moves that a caller may request, by state.
var moves = map[deal.State]string{
	deal.Inception: "SUBMITTED WITHDRAWN",
	deal.Submitted: "PREFUNDED INCEPTION WITHDRAWN",
	deal.Prefunded: "FUNDED SUBMITTED WITHDRAWN",
	deal.Funded:    "DEFAULTED CLOSED",
	deal.Defaulted: "FUNDED CLOSED",
	deal.Withdrawn: "INCEPTION",
}

func TestCallerMoves(t *testing.T) {
	for _, from := range deal.States {
		for _, to := range deal.States {
			allowed := slices.Contains(strings.Fields(moves[from]), string(to))
			if from.MayBeAsked(to) != allowed || (deal.AllowedMove(from, to) == nil) != allowed {
				t.Errorf("%s to %s: want allowed %t", from, to, allowed)
			}
		}
	}
}

func TestRefusedMoveListsAllowedMoves(t *testing.T) {
	for _, c := range []struct {
		from, to        deal.State
		message, detail string
	}{
		{
			deal.Inception, deal.Funded, "The deal is INCEPTION and cannot move to FUNDED.",
			"must be SUBMITTED or WITHDRAWN while the deal is INCEPTION",
		},
		{
			deal.Submitted, deal.Funded, "The deal is SUBMITTED and cannot move to FUNDED.",
			"must be PREFUNDED, INCEPTION or WITHDRAWN while the deal is SUBMITTED",
		},
		{
			deal.Withdrawn, deal.Funded, "The deal is WITHDRAWN and cannot move to FUNDED.",
			"must be INCEPTION while the deal is WITHDRAWN",
		},
		{
			deal.Renewed, deal.Funded, "The deal is RENEWED, which is final.",
			"cannot change while the deal is RENEWED",
		},
	} {
		f := fault.As(deal.AllowedMove(c.from, c.to))
		if f == nil || f.Code != fault.Conflict || f.Message != c.message {
			t.Fatalf("%s to %s: %v", c.from, c.to, f)
		}
		if len(f.Details) != 1 || f.Details[0] != (fault.Detail{Path: "state", Message: c.detail}) {
			t.Errorf("%s to %s: %+v", c.from, c.to, f.Details)
		}
	}
}

func TestSystemMoves(t *testing.T) {
	want := map[deal.State]string{deal.Funded: "RENEWED CLOSED", deal.Closed: "FUNDED DEFAULTED", deal.Renewed: "FUNDED"}
	for _, from := range deal.States {
		for _, to := range deal.States {
			if allowed := slices.Contains(strings.Fields(want[from]), string(to)); from.MayFollow(to) != allowed {
				t.Errorf("%s to %s: want allowed %t", from, to, allowed)
			}
		}
	}
}

func TestTermsFrozenAndPaidOut(t *testing.T) {
	for _, s := range deal.States {
		open := s == deal.Inception || s == deal.Submitted || s == deal.Withdrawn
		if s.TermsFrozen() == open {
			t.Errorf("%s: terms frozen is %t", s, s.TermsFrozen())
		}
		if live := !open && s != deal.Prefunded; s.Live() != live {
			t.Errorf("%s: live is %t", s, s.Live())
		}
	}
}
