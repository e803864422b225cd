package deal_test

import (
	"strings"
	"testing"
	"time"

	"paydown/internal/deal"
	"paydown/internal/fault"
)

func offerStates() []deal.OfferState {
	var all []deal.OfferState
	for _, s := range deal.OfferState("").Values() {
		all = append(all, deal.OfferState(s))
	}
	return all
}

func TestOfferMoves(t *testing.T) {
	want := map[deal.OfferState]string{
		deal.OfferDraft: "SENT VOID", deal.OfferSent: "ACCEPTED COUNTERED DECLINED VOID EXPIRED",
		deal.OfferCountered: "SENT DECLINED VOID EXPIRED", deal.OfferAccepted: "VOID",
		deal.OfferDeclined: "", deal.OfferVoid: "", deal.OfferLapsed: "",
	}
	if len(want) != len(offerStates()) {
		t.Errorf("there are %d states", len(offerStates()))
	}
	for _, from := range offerStates() {
		for _, to := range offerStates() {
			allowed := strings.Contains(" "+want[from]+" ", " "+string(to)+" ")
			err := deal.AllowedOfferMove(from, to)
			if from.CanBecome(to) != allowed || (err == nil) != allowed {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if err != nil && (!fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), string(from))) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
		if from.Ended() != (want[from] == "") {
			t.Errorf("%s has ended: %t", from, from.Ended())
		}
	}
}

func TestOverdueOfferIsExpired(t *testing.T) {
	end := time.Date(2026, time.January, 20, 12, 0, 0, 0, time.UTC)
	for _, s := range offerStates() {
		if got := s.At(end.Add(-time.Millisecond), &end); got != s {
			t.Errorf("%s before its date is %s", s, got)
		}
		want := s
		if s == deal.OfferSent || s == deal.OfferCountered {
			want = deal.OfferLapsed
		}
		if got := s.At(end, &end); got != want {
			t.Errorf("%s on its date is %s, want %s", s, got, want)
		}
		if got := s.At(end, nil); got != s {
			t.Errorf("%s without a date is %s", s, got)
		}
	}
}
