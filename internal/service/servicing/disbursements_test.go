package servicing_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// An advance is in transit from the funding until its transfer is confirmed or returned.
func TestATransferIsFollowed(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		query := fmt.Sprintf("{ deal(id: %d) { disbursements { id amount status method } } }", b.Advance.ID())
		sent := b.Graph(t, query, nil).
			In("deal").
			List("disbursements")
		if len(sent) != 1 || sent[0].Text("amount") != "48450.00" || sent[0].Text("status") != "PENDING" ||
			sent[0].Text("method") != "WIRE" {
			t.Fatalf("%v", sent)
		}
		move := func(input string) apptest.Asked {
			t.Helper()
			return b.Ask(
				t,
				"mutation { moveDisbursement(id: "+sent[0].Text(
					"id",
				)+", input: {"+input+"}) { status sentAt settledAt failureReason } }",
				nil,
			)
		}
		move("status: SETTLED").Refused(t, "conflict")
		if move("status: FAILED").Refused(t, "validation_error")["failureReason"] == "" {
			t.Error("a failure needs no reason")
		}
		move(`status: SENT, externalTransferId: "wr_1"`)
		move(`status: FAILED, failureReason: "Account closed"`)
		if got := move("status: SENT").Data.In("moveDisbursement"); got["failureReason"] != nil {
			t.Errorf("%v", got)
		}
		if got := move("status: SETTLED").Data.In("moveDisbursement"); got.Text("status") != "SETTLED" ||
			got.Text("settledAt") == "" {
			t.Errorf("%v", got)
		}
		move("status: SENT").Refused(t, "conflict")
	})
}
