package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// A change of the terms invalidates their disclosures for good: the merchant needs new ones.
func TestDisclosureEndsWhenTermsChange(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := strict(t, a, "superseded.test")
		merchant := d.Get(t, "/deals/"+d.deal).In("deal").Int("merchantId")
		d.Patch(t, fmt.Sprintf("/merchants/%d", merchant), apptest.Object{"state": "CA"})
		disclose := func() string {
			id := d.Graph(t, "mutation { it: makeDisclosure(dealId: "+d.deal+") { id } }", nil).In("it").Text("id")
			d.Graph(t, "mutation { deliverDisclosure(id: "+id+") { id } }", nil)
			return id
		}
		shows := func(when string, statuses, blocks string) {
			t.Helper()
			var got []string
			for _, shown := range d.Get(t, "/disclosures?dealId="+d.deal).List("disclosures") {
				got = append(got, shown.Text("status"))
			}
			open := slices.DeleteFunc(slices.Sorted(maps.Keys(d.blocks(t, "FUNDED"))), func(code string) bool {
				return !strings.HasPrefix(code, "DISCLOSURE_")
			})
			if !slices.Equal(got, strings.Fields(statuses)) || !slices.Equal(open, strings.Fields(blocks)) {
				t.Errorf("%s: %v with blocks %v, want %s with %s", when, got, open, statuses, blocks)
			}
		}
		shows("at first", "", "DISCLOSURE_UNDELIVERED DISCLOSURE_UNSIGNED")
		first := disclose()
		d.Graph(t, "mutation { signDisclosure(id: "+first+") { id } }", nil)
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"referenceId": "File 7", "position": 2})
		shows("once it is signed, and what is no term changed", "SIGNED", "")
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"wireFee": "75.00"})
		shows("with another fee", "SUPERSEDED", "DISCLOSURE_STALE")
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"wireFee": nil})
		shows("with the fee taken back", "SUPERSEDED", "DISCLOSURE_UNDELIVERED DISCLOSURE_UNSIGNED")
		second := disclose()
		d.Graph(t, "mutation { signDisclosure(id: "+second+") { id } }", nil)
		shows("created again", "SUPERSEDED SIGNED", "")
		d.approved(t)
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "SUBMITTED"})
		shows("back from the approval", "SUPERSEDED SUPERSEDED", "DISCLOSURE_UNDELIVERED DISCLOSURE_UNSIGNED")
	})
}
