package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	entsql "entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/renewalopportunity"
	"paydown/ent/stipulation"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/money"
	"paydown/internal/store"
)

// A write that also changes other records appears in the audit trail of each of them: the old value, the new
// value, and the request that changed it.
func TestTrailOfConsequences(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "trail.test")}
		f.Processes = []*apptest.Client{f.Client}

		t.Run("the deal that a renewal pays off, its payments and its opportunity", func(t *testing.T) {
			prior := f.Funded(t, 10, nil)
			rows := f.PaymentsOf(t, prior, "")
			renewal := f.Fundable(t, 20, nil)
			ctx, read := f.Inside(t)
			var opportunity int
			f.Write(t, func(ctx context.Context, tx *store.Tx) error {
				o, err := tx.RenewalOpportunity.Create().SetPriorDealID(prior.ID()).SetMerchantID(prior.Int("merchantId")).
					SetPaidDownPct(money.MustRate("0")).SetOutstanding(money.Must("1000.00")).Save(ctx)
				if err != nil {
					return err
				}
				opportunity = o.ID
				return tx.Deal.UpdateOneID(renewal.ID()).SetIsRenewal(true).SetRenewedFromDealID(prior.ID()).Exec(ctx)
			})
			answer := f.Do(t, http.MethodPatch, booktest.At("deals", renewal), object{"state": "FUNDED"})
			answer.Want(t, http.StatusOK)
			changedIn(t, f.Desk, answer, "deal", prior.ID(), "state", "FUNDED", "RENEWED")
			for _, p := range rows {
				changedIn(t, f.Desk, answer, "payment", p.ID(), "status", "PENDING", "CANCELLED")
			}
			changedIn(t, f.Desk, answer, "renewalOpportunity", opportunity, "status", "ELIGIBLE", "RENEWED")
			payoff := f.PaymentsOf(t, prior, "&type=RENEWAL_PAYOFF")[0]
			changedIn(t, f.Desk, answer, "payment", payoff.ID(), "status", nil, "PAID")
			history := read.AuditEntry.Query().Where(auditentry.DealID(prior.ID()), auditentry.Entity("deal")).
				Order(auditentry.ByID(entsql.OrderDesc())).FirstX(ctx)
			if history.RequestID != answer.Header.Get("X-Request-Id") {
				t.Errorf("the history of the prior deal ends with %s of %s", history.Action, history.RequestID)
			}
		})

		t.Run("payments that a default calls off, its surcharge and renewals", func(t *testing.T) {
			deal := f.Funded(t, 3, object{"defaultSurcharge": "75.00"})
			rows := f.PaymentsOf(t, deal, "")
			var opportunity int
			f.Write(t, func(ctx context.Context, tx *store.Tx) error {
				o, err := tx.RenewalOpportunity.Create().SetPriorDealID(deal.ID()).SetMerchantID(deal.Int("merchantId")).
					SetPaidDownPct(money.MustRate("0")).SetOutstanding(money.Must("300.00")).Save(ctx)
				if err == nil {
					opportunity = o.ID
				}
				return err
			})
			answer := f.Do(t, http.MethodPatch, booktest.At("deals", deal), object{"state": "DEFAULTED"})
			answer.Want(t, http.StatusOK)
			for _, p := range rows {
				changedIn(t, f.Desk, answer, "payment", p.ID(), "status", "PENDING", "CANCELLED")
			}
			changedIn(t, f.Desk, answer, "payment", f.PaymentsOf(t, deal, "&type=OTHER_FEE")[0].ID(), "status", nil, "PENDING")
			changedIn(t, f.Desk, answer, "renewalOpportunity", opportunity, "status",
				"ELIGIBLE", string(renewalopportunity.StatusDISMISSED))
		})

		t.Run("the deal that a payment closes and opens again", func(t *testing.T) {
			deal := f.Funded(t, 1, nil)
			path := booktest.At("payments", f.PaymentsOf(t, deal, "")[0])
			changedIn(
				t, f.Desk, f.Do(t, http.MethodPatch, path, object{"status": "PAID"}), "deal", deal.ID(), "state", "FUNDED",
				"CLOSED",
			)
			changedIn(
				t, f.Desk, f.Do(t, http.MethodPatch, path, object{"status": "BOUNCED"}), "deal", deal.ID(), "state", "CLOSED",
				"FUNDED",
			)
		})

		t.Run("stipulations that come, change with the product and go with the deal", func(t *testing.T) {
			merchant := f.Post(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"}).In("merchant")
			made := f.Do(t, http.MethodPost, "/deals", object{"merchantId": merchant.ID()})
			deal := made.Want(t, http.StatusCreated).In("deal")
			ctx, read := f.Inside(t)
			asked := func() []int {
				return read.Stipulation.Query().Where(stipulation.DealID(deal.ID())).IDsX(ctx)
			}
			first := asked()
			for _, id := range first {
				changedIn(t, f.Desk, made, "stipulation", id, "status", nil, "REQUESTED")
			}
			answer := f.Do(t, http.MethodPatch, booktest.At("deals", deal), object{"productType": "FACTORING"})
			answer.Want(t, http.StatusOK)
			for _, id := range first {
				changedIn(t, f.Desk, answer, "stipulation", id, "status", "REQUESTED", nil)
			}
			second := asked()
			gone := f.Do(t, http.MethodDelete, booktest.At("deals", deal), nil)
			gone.Want(t, http.StatusOK)
			for _, id := range second {
				changedIn(t, f.Desk, gone, "stipulation", id, "status", "REQUESTED", nil)
			}
		})

		t.Run("contacts and notes that go with a merchant", func(t *testing.T) {
			merchant := f.Post(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"}).In("merchant")
			var contact, note int
			f.Write(t, func(ctx context.Context, tx *store.Tx) error {
				c := tx.MerchantContact.Create().SetMerchantID(merchant.ID()).SetFirstName("Dana").SetLastName("Whitfield")
				n := tx.Note.Create().SetMerchantID(merchant.ID()).SetBody("Call back on Monday.")
				contact, note = c.SaveX(ctx).ID, n.SaveX(ctx).ID
				return nil
			})
			answer := f.Do(t, http.MethodDelete, booktest.At("merchants", merchant), nil)
			answer.Want(t, http.StatusOK)
			changedIn(t, f.Desk, answer, "merchantContact", contact, "first_name", "Dana", nil)
			changedIn(t, f.Desk, answer, "note", note, "body", "Call back on Monday.", nil)
		})
	})
}

// changedIn checks that a request left one entry about a record, with the old and new value of the column; nil
// if the record did not exist.
func changedIn(
	t *testing.T, d *booktest.Desk, answer *apptest.Answer, entity string, id int, column string, before, after any,
) {
	t.Helper()
	ctx, read := d.Inside(t)
	entries := read.AuditEntry.Query().Where(auditentry.RequestID(answer.Header.Get("X-Request-Id")),
		auditentry.Entity(entity), auditentry.EntityID(id)).AllX(ctx)
	if len(entries) != 1 {
		t.Fatalf("%d entries about %s %d", len(entries), entity, id)
	}
	booktest.CheckSides(t, entries[0])
	got := []any{columnIn(t, entries[0].Before, column), columnIn(t, entries[0].After, column)}
	if want := []any{before, after}; !slices.Equal(got, want) {
		t.Errorf("%s of %s %d: %s went from %v to %v, want %v to %v",
			entries[0].Action, entity, id, column, got[0], got[1], before, after)
	}
	checkVerb(t, entries[0])
}

// checkVerb checks that the action's name matches what happened.
func checkVerb(t *testing.T, e *ent.AuditEntry) {
	t.Helper()
	verb := map[[2]bool]string{{false, true}: "create", {true, true}: "update", {true, false}: "delete"}
	if want := e.Entity + "." + verb[[2]bool{len(e.Before) > 0, len(e.After) > 0}]; e.Action != want {
		t.Errorf("the action is %s, want %s", e.Action, want)
	}
}

func columnIn(t *testing.T, side json.RawMessage, column string) any {
	t.Helper()
	if len(side) == 0 {
		return nil
	}
	var record map[string]any
	if err := json.Unmarshal(side, &record); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", side, err))
	}
	return record[column]
}
