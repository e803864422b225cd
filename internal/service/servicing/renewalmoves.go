package servicing

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/payment"
	"paydown/ent/predicate"
	"paydown/ent/renewalopportunity"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// RenewalScan is the result of a scan.
type RenewalScan struct {
	// Opened and Closed count opportunities that were opened and closed, Updated those whose figures changed.
	Opened, Closed, Updated int
}

// Scan checks the tenant's funded deals for renewals. A deal that qualifies by deal.Renewals gets an
// opportunity. The open opportunity of a deal that no longer qualifies becomes DISMISSED with the reason,
// unless a renewal was started. Other open opportunities get current figures.
func (s Renewals) Scan(ctx context.Context) (*RenewalScan, error) {
	return unit.Write(ctx, s.core, auth.Write("renewals"), scanRenewals)
}

// candidate is a funded deal as a scan sees it.
type candidate struct {
	deal        *ent.Deal
	open        *ent.RenewalOpportunity // nil if there is none
	dismissed   *civil.Date             // when its last opportunity was dismissed
	returned    []civil.Date
	paidDown    money.Rate
	outstanding money.Amount
	refusal     string
}

func scanRenewals(ctx context.Context, t *unit.Tx) (*RenewalScan, error) {
	scan := &RenewalScan{}
	found, err := renewalCandidates(ctx, t, entdeal.StateEQ(deal.Funded))
	if err != nil {
		return nil, err
	}
	var moving []int
	for _, c := range found {
		if c.moves(t) {
			moving = append(moving, c.deal.ID)
		}
	}
	// Deals with changes are checked again under their locks; most scans change very little.
	for part := range slices.Chunk(moving, unit.RowsAtOnce) {
		if _, err := t.Deal.Query().Where(entdeal.IDIn(part...), unit.Locked).Order(entdeal.ByID()).All(ctx); err != nil {
			return nil, err
		}
		again, err := renewalCandidates(ctx, t, entdeal.IDIn(part...))
		if err != nil {
			return nil, err
		}
		for _, c := range again {
			if !c.moves(t) {
				continue
			}
			if err := moveCandidate(ctx, t, c, scan); err != nil {
				return nil, err
			}
		}
	}
	if t.HasEffects() {
		t.Record("renewal.scan", "tenant", t.Actor.TenantID, nil, nil, nil)
	}
	return scan, nil
}

// moves reports whether the scan has to change anything for the deal.
func (c *candidate) moves(t *unit.Tx) bool {
	if c.open == nil {
		return c.refusal == "" && (c.dismissed == nil || !deal.Renewals.Rests(*c.dismissed, t.Today()))
	}
	if c.refusal != "" {
		return c.open.RenewalDealID == nil
	}
	return !c.open.PaidDownPct.Equal(c.paidDown) || !c.open.Outstanding.Equal(c.outstanding)
}

func moveCandidate(ctx context.Context, t *unit.Tx, c *candidate, scan *RenewalScan) error {
	switch {
	case c.open == nil:
		created, err := openOpportunity(ctx, t, c)
		if err != nil {
			return err
		}
		unit.AlsoCreated(t, "renewalOpportunity", created)
		scan.Opened++
		return nil
	case c.refusal != "":
		scan.Closed++
		_, err := changeOpportunity(ctx, t, c.open, unit.AlsoUpdated,
			input.Set(renewalopportunity.FieldStatus, renewalopportunity.StatusDISMISSED),
			input.Set(renewalopportunity.FieldClosedAt, t.At()),
			input.Set(renewalopportunity.FieldDismissedReason, c.refusal))
		return err
	default:
		scan.Updated++
		_, err := changeOpportunity(ctx, t, c.open, unit.AlsoUpdated,
			input.Set(renewalopportunity.FieldPaidDownPct, c.paidDown),
			input.Set(renewalopportunity.FieldOutstanding, c.outstanding))
		return err
	}
}

func openOpportunity(ctx context.Context, t *unit.Tx, c *candidate) (*ent.RenewalOpportunity, error) {
	return t.RenewalOpportunity.Create().SetPriorDealID(c.deal.ID).SetMerchantID(c.deal.MerchantID).
		SetPaidDownPct(c.paidDown).SetOutstanding(c.outstanding).Save(ctx)
}

// changeOpportunity stores columns of an opportunity and records the change in the audit trail.
func changeOpportunity(
	ctx context.Context, t *unit.Tx, before *ent.RenewalOpportunity,
	note func(t *unit.Tx, entity string, before, after *ent.RenewalOpportunity), changes ...input.Change,
) (*ent.RenewalOpportunity, error) {
	update := t.RenewalOpportunity.Update().Where(renewalopportunity.ID(before.ID))
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		note(t, "renewalOpportunity", before, after)
	}
	return after, err
}

// recordOpportunity records the opportunity as the subject of the write.
func recordOpportunity(t *unit.Tx, entity string, before, after *ent.RenewalOpportunity) {
	t.Record("renewal.update", entity, after.ID, &after.PriorDealID, before, after)
}

// renewalCandidates returns deals of renewable products, with what decides whether they qualify.
func renewalCandidates(ctx context.Context, t *unit.Tx, which predicate.Deal) ([]*candidate, error) {
	var products []deal.Product
	for product := range deal.Renewals.Threshold {
		products = append(products, product)
	}
	slices.Sort(products)
	rows, err := t.Deal.Query().Where(which, entdeal.ProductTypeIn(products...)).Order(entdeal.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	all, byID := make([]*candidate, len(rows)), make(map[int]*candidate, len(rows))
	for i, d := range rows {
		all[i] = &candidate{deal: d}
		byID[d.ID] = all[i]
	}
	for part := range slices.Chunk(rows, unit.RowsAtOnce) {
		ids := make([]int, len(part))
		for i, d := range part {
			ids[i] = d.ID
		}
		if err := gatherCandidates(ctx, t, ids, byID); err != nil {
			return nil, err
		}
	}
	for _, c := range all {
		c.refusal = deal.Renewals.Refusal(deal.RenewalFacts{
			State: c.deal.State, Product: c.deal.ProductType, PaidDown: c.paidDown, Returned: c.returned, Today: t.Today(),
		})
	}
	return all, nil
}

// gatherCandidates reads the candidates' balances, opportunities and recent returns.
func gatherCandidates(ctx context.Context, t *unit.Tx, ids []int, byID map[int]*candidate) error {
	sums, err := t.DealsSums(ctx, t.Actor.TenantID, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		c, b := byID[id], books.BalancesOf(sums[id])
		c.outstanding = ledger.Outstanding(b)
		c.paidDown = deal.PaidDown(ledger.Collected(b), books.OrZero(c.deal.PaybackAmount))
	}
	opportunities, err := t.RenewalOpportunity.Query().Where(renewalopportunity.PriorDealIDIn(ids...)).
		Order(renewalopportunity.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, o := range opportunities {
		c := byID[o.PriorDealID]
		switch {
		case o.ClosedAt == nil:
			c.open = o
		case o.Status == renewalopportunity.StatusDISMISSED:
			day := civil.On(*o.ClosedAt, t.Zone())
			c.dismissed = &day
		}
	}
	since := t.Today().AddDays(1 - deal.Renewals.FewReturnsDays).Midnight(t.Zone())
	// A returned transfer to a syndicator says nothing about the merchant.
	returns, err := t.Payment.Query().Where(entpayment.DealIDIn(ids...), entpayment.DirectionEQ(payment.In),
		entpayment.ReturnedAtGTE(since)).Select(entpayment.FieldDealID, entpayment.FieldReturnedAt).All(ctx)
	for _, p := range returns {
		c := byID[p.DealID]
		c.returned = append(c.returned, civil.On(*p.ReturnedAt, t.Zone()))
	}
	return err
}

// lockOpportunity finds and locks an opportunity and its prior deal.
func lockOpportunity(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.RenewalOpportunity, error) {
	dealID, err := t.RenewalOpportunity.Query().Where(renewalopportunity.ID(id)).
		Select(renewalopportunity.FieldPriorDealID).Int(ctx)
	if err != nil {
		return nil, nil, unit.NotFound(err, "renewal")
	}
	d, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return nil, nil, err
	}
	row, err := t.RenewalOpportunity.Query().Where(renewalopportunity.ID(id), unit.Locked).Only(ctx)
	return d, row, unit.NotFound(err, "renewal")
}

// Contact records that the merchant was contacted about an opportunity.
func (s Renewals) Contact(ctx context.Context, id int) (*ent.RenewalOpportunity, error) {
	return s.move(ctx, id, renewalopportunity.StatusCONTACTED)
}

// Dismiss closes an opportunity with a reason. Its deal gets no new one for the number of days in
// deal.Renewals.
func (s Renewals) Dismiss(ctx context.Context, id int, reason string) (*ent.RenewalOpportunity, error) {
	if message := input.Violation(reason, "name"); message != "" {
		return nil, fault.Field("reason", "%s", message)
	}
	return s.move(ctx, id, renewalopportunity.StatusDISMISSED, input.Set(renewalopportunity.FieldDismissedReason, reason))
}

func (s Renewals) move(
	ctx context.Context, id int, to renewalopportunity.Status, more ...input.Change,
) (*ent.RenewalOpportunity, error) {
	return unit.Write(ctx, s.core, auth.Write("renewals"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.RenewalOpportunity, error) {
		_, before, err := lockOpportunity(ctx, t, id)
		if err != nil || before.Status == to {
			return before, err
		}
		if err := deal.Opportunities.Check("renewal", string(before.Status), string(to)); err != nil {
			return nil, err
		}
		changes := append([]input.Change{input.Set(renewalopportunity.FieldStatus, to)}, more...)
		if to == renewalopportunity.StatusDISMISSED {
			changes = append(changes, input.Set(renewalopportunity.FieldClosedAt, t.At()))
		}
		return changeOpportunity(ctx, t, before, recordOpportunity, changes...)
	})
}

// Start creates the deal that will renew the prior deal of an open opportunity. The new deal is in INCEPTION,
// for the same merchant and, by default, the same product. The opportunity is CONTACTED until the new deal
// funds; funding pays off the prior deal and sets the opportunity to RENEWED. A second renewal can be started
// once the first is WITHDRAWN. Like any way to create a deal, this needs the scope deals:write.
func (s Renewals) Start(ctx context.Context, id int, in DealFields) (*ent.Deal, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("deals"))
	if err != nil {
		return nil, err
	}
	if err := input.ValidateBy(ctx, in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Deal, error) {
		prior, opportunity, err := lockOpportunity(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := t.Require(ctx, in.references()...); err != nil {
			return nil, err
		}
		if err := mayStartRenewal(ctx, t, prior, opportunity); err != nil {
			return nil, err
		}
		if !in.ProductType.Given() {
			in.ProductType = input.Some(prior.ProductType)
		}
		created, err := MakeDeal(ctx, t, NewDeal{MerchantID: input.Some(prior.MerchantID), DealFields: in},
			input.Set(entdeal.FieldIsRenewal, true), input.Set(entdeal.FieldRenewedFromDealID, prior.ID))
		if err != nil {
			return nil, err
		}
		_, err = changeOpportunity(ctx, t, opportunity, unit.AlsoUpdated,
			input.Set(renewalopportunity.FieldStatus, renewalopportunity.StatusCONTACTED),
			input.Set(renewalopportunity.FieldRenewalDealID, created.ID))
		return created, err
	})
}

func mayStartRenewal(ctx context.Context, t *unit.Tx, prior *ent.Deal, o *ent.RenewalOpportunity) error {
	if o.ClosedAt != nil {
		return fault.Conflictf("The renewal is %s.", o.Status).With("status", "must be ELIGIBLE or CONTACTED")
	}
	if prior.State != deal.Funded {
		return fault.Conflictf("The deal to renew is %s, not FUNDED.", prior.State).
			With("priorDealId", "must name a deal that is FUNDED")
	}
	// A renewal that was funded has paid off this deal, which reopened only because one of its payments was
	// returned.
	other, err := t.Deal.Query().Where(entdeal.RenewedFromDealID(prior.ID),
		entdeal.StateIn(deal.Inception, deal.Submitted, deal.Prefunded)).
		Order(entdeal.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return fault.Conflictf("Deal %s already renews it.", other.DealNumber).
		With("renewalDealId", "deal %d is %s; withdraw it first", other.ID, other.State)
}

// run scans every tenant once a day until the context ends.
func (s Renewals) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{Every: unit.DailyLook, Name: "renewal scan", Work: unit.ErrorOf(s.ScanDue)})
}

// ScanDue scans the tenants that no process has scanned today, as the system actor, and returns how many it
// scanned. A lease until the tenant's next morning marks it as scanned. An error for one tenant does not stop
// the others.
func (s Renewals) ScanDue(ctx context.Context) (int, error) {
	tenants, err := identity.AllTenants(auth.AllTenants(ctx, "the renewals of every tenant"), s.core)
	if err != nil {
		return 0, err
	}
	scanned := 0
	var failed []error
	for _, tenant := range tenants {
		done, err := s.scanTenant(ctx, tenant)
		if err != nil {
			failed = append(failed, fmt.Errorf("renewals of tenant %d: %w", tenant.ID, err))
		}
		if done {
			scanned++
		}
	}
	return scanned, errors.Join(failed...)
}

// scanTenant scans a tenant unless it has been scanned today or another process is scanning it.
func (s Renewals) scanTenant(ctx context.Context, tenant *ent.Tenant) (bool, error) {
	zone, err := time.LoadLocation(tenant.TimeZone)
	if err != nil {
		return false, err
	}
	lease, err := s.core.Store.TakeLease(ctx, fmt.Sprintf("renewals of %d", tenant.ID), s.core.Holder, unit.ScanLease)
	if err != nil || lease == nil {
		return false, err
	}
	if _, err := s.Scan(auth.AsSystem(ctx, tenant.ID, zone, "job_"+rand.Text())); err != nil {
		return false, err
	}
	return true, s.holdUntilMorning(ctx, lease, zone)
}

// holdUntilMorning extends a lease until the next morning in the zone.
func (s Renewals) holdUntilMorning(ctx context.Context, lease *store.Lease, zone *time.Location) error {
	now := s.core.Store.Now()
	day := civil.On(now.Add(-unit.MorningHour*time.Hour), zone).AddDays(1)
	morning := day.Midnight(zone).Add(unit.MorningHour * time.Hour)
	return s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.KeepLease(ctx, lease, morning.Sub(now))
		return err
	})
}
