package payouts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/ent/syndicator"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/schedule"
	"paydown/internal/service/identity"
	"paydown/internal/service/unit"
)

// The product drafts the payouts of syndicators that are paid at a frequency it knows (schedule.Distribution), in the morning
// of the company's day after the period. Staff approve and pay them as those they made by hand. Which period of a frequency
// was drafted last is kept with the company, so that one whose morning no process saw is drafted on the next, and none twice.

// firstDay is before every payment.
var firstDay = civil.Of(1970, time.January, 1)

// run drafts the payouts of every company until the context ends.
func (s Payouts) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{Every: unit.DailyLook, Name: "payout drafts", Work: unit.ErrorOf(s.DraftDue)})
}

// DraftDue drafts the payouts of companies whose morning has begun, as the product itself, and returns how many batches
// those are. Where those of one company cannot be drafted the others are.
func (s Payouts) DraftDue(ctx context.Context) (int, error) {
	companies, err := identity.AllTenants(auth.AllTenants(ctx, "the payouts of every company"), s.core)
	if err != nil {
		return 0, err
	}
	drafted := 0
	var failed []error
	for _, company := range companies {
		zone, err := time.LoadLocation(company.TimeZone)
		if err == nil && s.core.Store.Now().In(zone).Hour() >= unit.MorningHour {
			var batches []*ent.PayoutBatch
			batches, err = unit.Write(auth.AsSystem(ctx, company.ID, zone, "job_"+rand.Text()), s.core, auth.Write("payouts"),
				draftDue)
			drafted += len(batches)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("payouts of tenant %d: %w", company.ID, err))
		}
	}
	return drafted, errors.Join(failed...)
}

// draftDue drafts a batch for each period that ended since the last time, of the syndicators that are paid by it.
func draftDue(ctx context.Context, t *unit.Tx) ([]*ent.PayoutBatch, error) {
	paidBy, err := frequencies(ctx, t)
	if err != nil || len(paidBy) == 0 {
		return nil, err
	}
	company, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
	if err != nil {
		return nil, err
	}
	settings := maps.Clone(company.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	due := map[schedule.Period][]int{}
	for f, syndicators := range paidBy {
		period, ok := f.Latest(t.Today())
		if !ok || settings[draftedThrough(f)] >= period.To.String() {
			continue
		}
		// Of a frequency that is new, what there is waits for the day on which its first period is drafted.
		if settings[draftedThrough(f)] != "" || period.DraftedOn().Equal(t.Today()) {
			due[period] = append(due[period], syndicators...)
		}
		settings[draftedThrough(f)] = period.To.String()
	}
	if maps.Equal(settings, company.Settings) {
		return nil, nil
	}
	if err := Serialize(ctx, t, ledger.SyndicatorPayable); err != nil {
		return nil, err
	}
	var batches []*ent.PayoutBatch
	for _, period := range slices.SortedFunc(maps.Keys(due), byEnd) {
		batch, err := draftShares(ctx, t, period, due[period])
		if err != nil {
			return nil, err
		}
		if batch != nil {
			batches = append(batches, batch)
		}
	}
	return batches, t.Tenant.UpdateOneID(company.ID).SetSettings(settings).SetUpdatedAt(company.UpdatedAt).Exec(ctx)
}

// draftedThrough names the setting that says up to which day the payouts of a frequency are drafted.
func draftedThrough(f schedule.Distribution) string { return "payouts.draftedThrough." + string(f) }

func byEnd(a, b schedule.Period) int {
	return cmp.Or(cmp.Compare(a.To.String(), b.To.String()), cmp.Compare(a.From.String(), b.From.String()))
}

// frequencies are the active syndicators, by how often they are paid; those that staff pay are left out.
func frequencies(ctx context.Context, t *unit.Tx) (map[schedule.Distribution][]int, error) {
	rows, err := t.Syndicator.Query().Where(syndicator.IsActive(true), syndicator.DistributionFrequencyNotNil()).
		Order(syndicator.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	paidBy := map[schedule.Distribution][]int{}
	for _, row := range rows {
		if f, ok := schedule.ParseDistribution(*row.DistributionFrequency); ok {
			paidBy[f] = append(paidBy[f], row.ID)
		}
	}
	return paidBy, nil
}

// draftShares drafts the batch of a period for some syndicators; nil where it would be empty. What was held on the day on
// which an earlier one was drafted comes with it.
func draftShares(ctx context.Context, t *unit.Tx, period schedule.Period, syndicators []int) (*ent.PayoutBatch, error) {
	shares, err := sharesDue(ctx, t, firstDay, period.To)
	if err != nil {
		return nil, err
	}
	theirs := slices.DeleteFunc(shares, func(s share) bool { return !slices.Contains(syndicators, s.syndicator) })
	create := t.PayoutBatch.Create().SetKind(payoutbatch.KindPARTICIPATION).SetPeriodFrom(period.From).SetPeriodTo(period.To)
	return fillShares(ctx, t, create, theirs, payoutitem.SyndicatorIDIn(syndicators...))
}
