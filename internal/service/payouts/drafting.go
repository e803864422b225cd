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

// Payouts to syndicators with a known distribution frequency (schedule.Distribution) are drafted automatically,
// on the morning after the period in the tenant's time zone. Staff approve and pay them like manual batches.
// The tenant stores which period of each frequency was drafted last. So a period whose morning no process was
// running for is drafted on the next morning, and no period is drafted twice.

// firstDay is before every payment.
var firstDay = civil.Of(1970, time.January, 1)

// run drafts the payouts of every tenant until the context ends.
func (s Payouts) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{Every: unit.DailyLook, Name: "payout drafts", Work: unit.ErrorOf(s.DraftDue)})
}

// DraftDue drafts the payouts of tenants whose morning has begun, as the system actor, and returns the number
// of batches. An error for one tenant does not stop the others.
func (s Payouts) DraftDue(ctx context.Context) (int, error) {
	tenants, err := identity.AllTenants(auth.AllTenants(ctx, "the payouts of every tenant"), s.core)
	if err != nil {
		return 0, err
	}
	drafted := 0
	var failed []error
	for _, row := range tenants {
		zone, err := time.LoadLocation(row.TimeZone)
		if err == nil && s.core.Store.Now().In(zone).Hour() >= unit.MorningHour {
			var batches []*ent.PayoutBatch
			batches, err = unit.Write(auth.AsSystem(ctx, row.ID, zone, "job_"+rand.Text()), s.core, auth.Write("payouts"),
				draftDue)
			drafted += len(batches)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("payouts of tenant %d: %w", row.ID, err))
		}
	}
	return drafted, errors.Join(failed...)
}

// draftDue drafts a batch for each period that ended since the last run, for the syndicators with that
// frequency.
func draftDue(ctx context.Context, t *unit.Tx) ([]*ent.PayoutBatch, error) {
	paidBy, err := frequencies(ctx, t)
	if err != nil || len(paidBy) == 0 {
		return nil, err
	}
	row, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
	if err != nil {
		return nil, err
	}
	settings := maps.Clone(row.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	due := map[schedule.Period][]int{}
	for f, syndicators := range paidBy {
		period, ok := f.Latest(t.Today())
		if !ok || settings[draftedThrough(f)] >= period.To.String() {
			continue
		}
		// A new frequency starts with the day on which its first period is drafted.
		if settings[draftedThrough(f)] != "" || period.DraftedOn().Equal(t.Today()) {
			due[period] = append(due[period], syndicators...)
		}
		settings[draftedThrough(f)] = period.To.String()
	}
	if maps.Equal(settings, row.Settings) {
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
	return batches, t.Tenant.UpdateOneID(row.ID).SetSettings(settings).SetUpdatedAt(row.UpdatedAt).Exec(ctx)
}

// draftedThrough names the setting that stores the last drafted day of a frequency.
func draftedThrough(f schedule.Distribution) string { return "payouts.draftedThrough." + string(f) }

func byEnd(a, b schedule.Period) int {
	return cmp.Or(cmp.Compare(a.To.String(), b.To.String()), cmp.Compare(a.From.String(), b.From.String()))
}

// frequencies groups the active syndicators by distribution frequency. It leaves out those that staff pay
// manually.
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

// draftShares drafts the batch of a period for the given syndicators; nil if it would be empty. It includes
// payments that were still within their holding period when an earlier batch was drafted.
func draftShares(ctx context.Context, t *unit.Tx, period schedule.Period, syndicators []int) (*ent.PayoutBatch, error) {
	shares, err := sharesDue(ctx, t, firstDay, period.To)
	if err != nil {
		return nil, err
	}
	theirs := slices.DeleteFunc(shares, func(s share) bool { return !slices.Contains(syndicators, s.syndicator) })
	create := t.PayoutBatch.Create().SetKind(payoutbatch.KindPARTICIPATION).
		SetPeriodFrom(period.From).SetPeriodTo(period.To)
	return fillShares(ctx, t, create, theirs, payoutitem.SyndicatorIDIn(syndicators...))
}
