package books

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/deal"
	"paydown/ent/locdraw"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// FurtherDraws returns the amounts of the deal's draws after the first one, which is the deal's own funding:
// what was paid out, and its payback amount. It is zero for a deal without a credit facility.
func FurtherDraws(ctx context.Context, t *unit.Tx, d *ent.Deal) (funded, payback money.Amount, err error) {
	if d.ProductType != deal.LOC {
		return funded, payback, nil
	}
	draws, err := t.LocDraw.Query().Where(locdraw.HasFacilityWith(creditfacility.TenantID(t.Actor.TenantID),
		creditfacility.HasDealWith(entdeal.TenantID(t.Actor.TenantID), entdeal.ID(d.ID)))).Order(locdraw.ByID()).All(ctx)
	if err != nil || len(draws) == 0 {
		return funded, payback, err
	}
	for _, draw := range draws[1:] {
		if draw.Status == locdraw.StatusFUNDED || draw.Status == locdraw.StatusREPAID {
			funded, payback = funded.Add(draw.Amount), payback.Add(OrZero(draw.PaybackAmount))
		}
	}
	return funded, payback, nil
}

// TermsOf returns the economics stored in a deal's row.
func TermsOf(d *ent.Deal, zone *time.Location) pricing.Terms {
	t := pricing.Terms{
		FundedAmount: d.FundedAmount, PaybackAmount: d.PaybackAmount, FactorRate: d.FactorRate, BuyRate: d.BuyRate,
		NumberOfPayments: d.NumberOfPayments, PaymentAmount: d.PaymentAmount, TermDays: d.TermDays,
		Frequency: d.CollectionFrequency, Schedule: &d.CollectionSchedule, CollectionDay: d.CollectionDay,
		FirstPaymentDate: d.FirstPaymentDate, SpecifiedPercentage: d.SpecifiedPercentage,
		CommissionBasis: d.CommissionBasis, CommissionValue: d.CommissionValue,
		BankFeeBasis: d.BankFeeBasis, BankFeeValue: d.BankFeeValue,
		ApplicationFee: d.ApplicationFee, WireFee: d.WireFee, DefaultSurcharge: d.DefaultSurcharge,
		EPOFactorRate: d.EpoFactorRate, EPOWindowDays: d.EpoWindowDays,
		EPOCommissionBasis: d.EpoCommissionBasis, EPOCommissionValue: d.EpoCommissionValue,
	}
	if d.CollectionSchedule == "" {
		t.Schedule = nil
	}
	if d.FundedAt != nil {
		day := civil.On(*d.FundedAt, zone)
		t.FundedOn = &day
	}
	return t
}

// StoreDeal stores deal columns that the deal's own funding sets. Funding overrides stay valid, because the
// deal was checked with them.
func StoreDeal(ctx context.Context, t *unit.Tx, before *ent.Deal, changes []input.Change) (*ent.Deal, error) {
	update := t.Deal.Update().Where(entdeal.ID(before.ID))
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	return after, unit.TakenExternal(err, "deal")
}

// LockDeal locks a deal until the transaction ends and returns it. Errors: not found.
func LockDeal(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, error) {
	row, err := t.Deal.Query().Where(entdeal.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "deal")
}
