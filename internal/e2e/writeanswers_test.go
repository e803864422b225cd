package e2e

import (
	"net/http"
	"testing"

	"paydown/internal/booktest"
)

// The answer to a write has no relations: the key may lack the scopes to read them.
func TestWritesAnswerWithoutRelations(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		merchant := f.Post(t, "/merchants", object{
			"legalName": "Harbor Street Bakery LLC", "federalId": "12-3456789", "state": "NY",
		}).In("merchant")
		writer := f.App.As(f.Host, f.App.Key(t, f.Host, "deals:write").Token)
		bare := func(deal object) {
			t.Helper()
			for _, relation := range []string{"merchant", "iso", "payments", "submissions"} {
				if _, there := deal[relation]; there {
					t.Errorf("a deal that is %s is answered with its %s", deal.Text("state"), relation)
				}
			}
		}
		deal := writer.Do(t, http.MethodPost, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "800.00", "factorRate": "1.25", "numberOfPayments": 10,
			"collectionFrequency": "DAILY",
		}).Want(t, http.StatusCreated).In("deal")
		bare(deal)
		for _, state := range []string{
			"WITHDRAWN", "INCEPTION", "SUBMITTED", "PREFUNDED", "FUNDED", "DEFAULTED", "FUNDED", "DEFAULTED", "CLOSED",
		} {
			if state == "CLOSED" {
				f.Collect(t, deal, "ADVANCE_PAYBACK", "1000.00", object{"method": "WIRE"})
			}
			moved := writer.Patch(t, booktest.At("deals", deal), object{"state": state}).In("deal")
			booktest.Shows(t, moved, object{"state": state})
			bare(moved)
		}
	})
}
