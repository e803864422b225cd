package servicing_test

import (
	"fmt"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

func TestRenewalsComeAndGo(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "renewals.test")
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		deal := b.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "20000.00", "factorRate": "1.20", "numberOfPayments": 24,
			"collectionFrequency": "DAILY",
		})
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			b.Change(t, booktest.At("deals", deal), object{"state": state})
		}
		scan := func() string {
			t.Helper()
			return booktest.Text(t, b.Graph(t, "mutation { scanRenewals { opened closed updated } }", nil).In("scanRenewals"))
		}
		if got := scan(); got != `{"closed":0,"opened":0,"updated":0}` {
			t.Errorf("nothing is paid down: %s", got)
		}
		b.Collect(t, deal, "ADVANCE_PAYBACK", "12000.00", nil)
		rows := b.PaymentsOf(t, deal, "&status=PENDING")
		scanned, _ := booktest.AskAtOnce(t, b.Client, "mutation { scanRenewals { opened } }", 3)
		opened := 0
		for _, s := range scanned {
			opened += s.Data.In("scanRenewals").Int("opened")
		}
		if opened != 1 {
			t.Fatalf("%d opportunities were opened", opened)
		}
		const list = "{ renewals { nodes { id status paidDownPct outstanding dismissedReason } } }"
		renewal := b.Graph(t, list, nil).In("renewals").List("nodes")[0]
		if renewal.Text("paidDownPct") != "50.00" || renewal.Text("outstanding") != "12000.00" {
			t.Errorf("%v", renewal)
		}
		id := renewal.Text("id")
		b.Graph(t, "mutation { contactRenewal(id: "+id+") { status } }", nil)

		t.Run("a renewal is started once, until it is withdrawn", func(t *testing.T) {
			start := `mutation { startRenewal(renewalId: ` + id + `, input: {fundedAmount: "40000", factorRate: "1.25"}) {
				id state isRenewal renewedFromDealId productType } }`
			made, refused := booktest.AskAtOnce(t, b.Client, start, 3)
			if len(made) != 1 || len(refused) != 2 {
				t.Fatalf("%d were started and %d refused", len(made), len(refused))
			}
			next := made[0].Data.In("startRenewal")
			if next.Text("renewedFromDealId") != fmt.Sprint(deal.ID()) || next["isRenewal"] != true ||
				next.Text("state") != "INCEPTION" {
				t.Errorf("%v", next)
			}
			// During the renewal a return does not end the opportunity.
			b.Bounce(t, rows[0], "R01")
			if got := scan(); got != `{"closed":0,"opened":0,"updated":0}` {
				t.Errorf("%s", got)
			}
		})
		t.Run("a dismissed one is left alone for a while", func(t *testing.T) {
			b.Graph(t, `mutation { dismissRenewal(id: `+id+`, reason: "The owner sells") { status } }`, nil)
			b.Ask(t, "mutation { contactRenewal(id: "+id+") { status } }", nil).Refused(t, "conflict")
			if got := scan(); got != `{"closed":0,"opened":0,"updated":0}` {
				t.Errorf("%s", got)
			}
			a.AdvanceAll(31 * 24 * time.Hour)
			if got := scan(); got != `{"closed":0,"opened":1,"updated":0}` {
				t.Errorf("%s", got)
			}
		})
		t.Run("a return closes it", func(t *testing.T) {
			b.Bounce(t, rows[1], "R01")
			if got := scan(); got != `{"closed":1,"opened":0,"updated":0}` {
				t.Errorf("%s", got)
			}
		})
		t.Run("each company is scanned once a day by itself", func(t *testing.T) {
			scans := func() int {
				n, err := a.Renewals.ScanDue(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			if first, again := scans(), scans(); first != 1 || again != 0 {
				t.Errorf("%d and %d companies were scanned", first, again)
			}
			a.AdvanceAll(25 * time.Hour)
			if n := scans(); n != 1 {
				t.Errorf("%d companies were scanned the day after", n)
			}
		})
		b.CheckBooks(t)
	})
}
