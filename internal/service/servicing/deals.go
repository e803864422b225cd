package servicing

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-openapi/inflect"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/payment"
	"paydown/ent/submission"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/unit"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// Deals is the aggregate of deals.
type Deals struct{ core *unit.Core }

// DealExpands are the relations that a deal can be read with.
var DealExpands = []list.Expand{
	{Name: "merchant", Scope: auth.Read("merchants")},
	{Name: "payments", Scope: auth.Read("payments")},
	{Name: "iso", Scope: auth.Read("isos")},
	{Name: "submissions", Scope: auth.Read("submissions")},
}

// DealListing describes the list of deals.
var DealListing = &list.Listing[ent.Deal]{
	Resource: "deals", Scope: auth.Read("deals"),
	Sorts: []list.Sort{
		{Name: "dealNumber", Column: entdeal.FieldDealNumber, Kind: list.IsText},
		{Name: "state", Column: entdeal.FieldState, Kind: list.IsText},
		{Name: "fundedAmount", Column: entdeal.FieldFundedAmount, Kind: list.IsDecimal},
		{Name: "paybackAmount", Column: entdeal.FieldPaybackAmount, Kind: list.IsDecimal},
		{Name: "fundedAt", Column: entdeal.FieldFundedAt, Kind: list.IsTime},
		{Name: "firstPaymentDate", Column: entdeal.FieldFirstPaymentDate, Kind: list.IsDate},
	},
	Filters: []list.Filter{
		{
			Name: "state", Column: entdeal.FieldState, Kind: list.IsEnum, Values: deal.State("").Values(),
			Doc: "Only deals in this state",
		},
	},
	Search:  []string{entdeal.FieldDealNumber, entdeal.FieldReferenceID},
	Expands: DealExpands,
}

// List returns a page of deals with the requested relations.
func (s Deals) List(ctx context.Context, req list.Request) (*list.Page[ent.Deal], error) {
	q, err := DealListing.Authorize(ctx, s.core, req)
	if err != nil {
		return nil, err
	}
	page, err := list.FetchPage(ctx, s.core, q, withDealRelations(s.core.Store.Reader().Deal.Query(), q.Expand))
	if err == nil && q.Wants("payments") {
		err = s.addPayments(ctx, page.Records, ExpandedPayments/q.Limit)
	}
	return page, err
}

// ExpandedPayments is the maximum number of payments in one answer: a single deal has up to this many, and each
// deal on a page has up to this number divided by the page's limit.
const ExpandedPayments = 10_000

// addPayments loads up to each payments of every deal, oldest first.
func (s Deals) addPayments(ctx context.Context, deals []*ent.Deal, each int) error {
	byID := make(map[int]*ent.Deal, len(deals))
	ids := make([]int, len(deals))
	for i, d := range deals {
		byID[d.ID], ids[i] = d, d.ID
		d.Edges.Payments = []*ent.Payment{}
	}
	if len(deals) == 0 {
		return nil
	}
	// There are usually few payments in all, and one query for all is several times faster than the first of each.
	query := s.core.Store.Reader().Payment.Query().Order(entpayment.ByDealID(), entpayment.ByID())
	rows, err := query.Clone().Where(entpayment.DealIDIn(ids...)).Limit(ExpandedPayments + 1).All(ctx)
	if len(rows) > ExpandedPayments {
		first := store.FirstOfEach(auth.From(ctx).TenantID, entpayment.FieldDealID, ids, each)
		rows, err = query.Where(first).All(ctx)
	}
	for _, p := range rows {
		if d := byID[p.DealID]; len(d.Edges.Payments) < each {
			d.Edges.Payments = append(d.Edges.Payments, p)
		}
	}
	return err
}

// withDealRelations loads the small relations; addPayments loads payments.
func withDealRelations(q *ent.DealQuery, expand []string) *ent.DealQuery {
	for _, relation := range expand {
		switch relation {
		case "merchant":
			q.WithMerchant()
		case "iso":
			q.WithIso()
		case "submissions":
			q.WithSubmissions(func(q *ent.SubmissionQuery) { q.Order(submission.ByID()) })
		}
	}
	return q
}

// Get returns one deal with the requested relations.
func (s Deals) Get(ctx context.Context, id int, relations ...string) (*ent.Deal, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	relations, f := list.Expandable(actor, DealExpands, relations)
	if f != nil {
		return nil, f
	}
	row, err := withDealRelations(s.core.Store.Reader().Deal.Query().Where(entdeal.ID(id)), relations).Only(ctx)
	if err == nil && slices.Contains(relations, "payments") {
		err = s.addPayments(ctx, []*ent.Deal{row}, ExpandedPayments)
	}
	return row, unit.NotFound(err, "deal")
}

// Create creates a deal in INCEPTION with its number, its derived economics, its house submission and the
// stipulations of its product.
func (s Deals) Create(ctx context.Context, in NewDeal) (*ent.Deal, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("deals"))
	if err != nil {
		return nil, err
	}
	if err := input.RefuseStaffFields(ctx, in); err != nil {
		return nil, err
	}
	// The broker's commission only fills in terms and cannot invalidate them, so this check does not load it.
	zone := unit.ZoneOf(actor)
	_, termProblems := in.planNew(zone, pricing.Context{Today: civil.On(s.core.Store.Now(), zone)})
	if problems := input.Check(in, input.ForCreate); len(problems) > 0 {
		return nil, fault.Invalid(input.MergeProblems(problems, termProblems)...)
	}
	// Terms are checked against today's date. A repeat with the same Idempotency-Key may come on a later day and
	// must still get the first answer, so the terms are checked inside the write. But if the key was used for
	// another body, problems with the terms are reported first.
	row, err := unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Deal, error) {
		return MakeDeal(ctx, t, in)
	})
	if fault.Is(err, fault.IdempotencyKeyReused) && len(termProblems) > 0 {
		err = fault.Invalid(termProblems...)
	}
	return row, err
}

// MakeDeal creates a deal within an open write. The caller has checked in, except for its terms. also are
// columns that API callers cannot set.
func MakeDeal(ctx context.Context, t *unit.Tx, in NewDeal, also ...input.Change) (*ent.Deal, error) {
	blank := &ent.Deal{CollectionSchedule: schedule.BankingDays}
	input.Apply(blank, also)
	basis, err := PricingOf(ctx, t, blank, in.DealFields)
	if err != nil {
		return nil, err
	}
	changes, problems := in.planNew(t.Zone(), basis)
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	references := append(
		[]unit.Reference{{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}}, in.references()...,
	)
	if err := t.Require(ctx, references...); err != nil {
		return nil, err
	}
	if err := checkCommissionOffer(ctx, t, blank, in.DealFields); err != nil {
		return nil, err
	}
	number, err := t.NextDealNumber(ctx, t.Actor.TenantID)
	if err != nil {
		return nil, err
	}
	create := t.Deal.Create().SetDealNumber(fmt.Sprintf("D-%06d", number))
	if err := input.SetColumns(create.Mutation(), append(changes, also...)); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, unit.TakenExternal(err, "deal")
	}
	t.Record("deal.create", "deal", row.ID, &row.ID, nil, row)
	if err := pipeline.SubmitToHouse(ctx, t, row); err != nil {
		return nil, fmt.Errorf("house submission: %w", err)
	}
	if err := addStipulations(ctx, t, row); err != nil {
		return nil, fmt.Errorf("stipulations: %w", err)
	}
	t.Emit("deal", row.ID, webhook.DealCreated{
		DealID: row.ID, DealNumber: row.DealNumber, MerchantID: row.MerchantID,
		State: string(row.State), ProductType: string(row.ProductType), FundedAmount: row.FundedAmount,
	})
	return row, nil
}

// planNew computes the columns of a new deal.
func (in NewDeal) planNew(zone *time.Location, from pricing.Context) ([]input.Change, []fault.Detail) {
	blank := &ent.Deal{CollectionSchedule: schedule.BankingDays}
	return in.Plan(blank, input.ChangesOf(in, nil, zone), zone, from)
}

// Update changes a deal's fields and moves it if a state is given. Changed terms are checked together with the
// unchanged ones. Terms are frozen once the deal is past approval.
func (s Deals) Update(ctx context.Context, id int, in DealUpdate) (*ent.Deal, error) {
	if err := input.ValidateBy(ctx, in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *unit.Tx) (*ent.Deal, error) {
		before, err := books.LockDeal(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := t.Unchanged(ctx, in.Unchanged, "deal", "deal", id, before.UpdatedAt); err != nil {
			return nil, err
		}
		if err := t.Require(ctx, in.references()...); err != nil {
			return nil, err
		}
		if err := checkCommissionOffer(ctx, t, before, in.DealFields); err != nil {
			return nil, err
		}
		after, err := ChangeDeal(ctx, t, before, in)
		if err != nil {
			return nil, err
		}
		if to, ok := in.State.Get(); ok {
			if after, err = move(ctx, t, after, to, trigger(t)); err != nil {
				return nil, err
			}
		}
		if after != before {
			t.Record("deal.update", "deal", id, &id, before, after)
		}
		return after, nil
	})
}

// trigger names the source of a caller's move in events.
func trigger(t *unit.Tx) deal.Trigger {
	switch t.Actor.Kind {
	case auth.ByUser, auth.ByOperator:
		return deal.ByStaff
	case auth.BySystem:
		return deal.ByAutomation
	default:
		return deal.ByAPI
	}
}

// ChangeDeal stores changed fields; it returns before itself if nothing changes. While terms may be edited, it
// derives dependent terms again.
func ChangeDeal(ctx context.Context, t *unit.Tx, before *ent.Deal, in DealUpdate) (*ent.Deal, error) {
	changes := input.ChangesOf(in, before, t.Zone())
	if editable(before, in) && touchesTerms(in.DealFields) {
		from, err := PricingOf(ctx, t, before, in.DealFields)
		if err != nil {
			return nil, err
		}
		var problems []fault.Detail
		if changes, problems = in.Plan(before, changes, t.Zone(), from); len(problems) > 0 {
			return nil, fault.Invalid(problems...)
		}
	}
	if len(changes) == 0 {
		return before, nil
	}
	if err := refuseFrozen(before, in, changes); err != nil {
		return nil, err
	}
	if err := checkPaymentDate(t, before, changes); err != nil {
		return nil, err
	}
	if err := checkProductChange(ctx, t, before, in); err != nil {
		return nil, err
	}
	after, err := saveDeal(ctx, t, before, changes)
	if err == nil && after.ProductType != before.ProductType {
		err = replaceStipulations(ctx, t, after)
	}
	if err == nil {
		err = repriced(ctx, t, before, after)
	}
	return after, err
}

// checkPaymentDate rejects a first payment on or before the day of funding. It covers frozen terms, which are
// not checked as a whole.
func checkPaymentDate(t *unit.Tx, before *ent.Deal, changes []input.Change) error {
	next := *before
	input.Apply(&next, changes)
	derived := slices.Contains(next.DerivedFields, string(pricing.FirstPaymentDate))
	if next.FundedAt == nil || next.FirstPaymentDate == nil || derived {
		return nil
	}
	if !next.FirstPaymentDate.After(civil.On(*next.FundedAt, t.Zone())) {
		return fault.Field(string(pricing.FirstPaymentDate), "must be after the day of fundedAt")
	}
	return nil
}

// editable reports whether the terms may be edited, either in the current state or in the requested one.
func editable(d *ent.Deal, in DealUpdate) bool {
	to, moves := in.State.Get()
	return !d.State.TermsFrozen() || (moves && d.State.MayBeAsked(to) && !to.TermsFrozen())
}

// refuseFrozen rejects changes to terms that are frozen in the deal's state.
func refuseFrozen(d *ent.Deal, in DealUpdate, changes []input.Change) error {
	var fields []pricing.Field
	if !editable(d, in) {
		fields = append(pricing.FrozenOncePrefunded(), "productType", "commissionOfferId")
	}
	if d.State.Live() {
		fields = append(fields, pricing.FrozenOnceFunded()...)
	}
	refused := fault.Conflictf("The terms of a deal in %s are frozen.", d.State)
	for _, f := range fields {
		if hasColumn(changes, inflect.Underscore(string(f))) {
			refused = refused.With(string(f), "is frozen in %s", d.State)
		}
	}
	if len(refused.Details) > 0 {
		return refused
	}
	return nil
}

func hasColumn(changes []input.Change, column string) bool {
	return slices.ContainsFunc(changes, func(c input.Change) bool { return c.Column == column })
}

// saveDeal stores changed columns and returns the stored deal. If terms change before funding, it voids funding
// overrides and supersedes disclosures, because both were made for the old terms.
func saveDeal(ctx context.Context, t *unit.Tx, before *ent.Deal, changes []input.Change) (*ent.Deal, error) {
	after, err := books.StoreDeal(ctx, t, before, changes)
	if err != nil {
		return nil, err
	}
	if after.State.Live() || bytes.Equal(TermsHash(t, before), TermsHash(t, after)) {
		return after, nil
	}
	if err := voidOverrides(ctx, t, after.ID); err != nil {
		return nil, err
	}
	return after, SupersedeDisclosures(ctx, t, after.ID, "")
}

func touchesTerms(f DealFields) bool {
	for name := range input.GivenFields(f) {
		if isTerm(name) || name == "commissionOfferId" {
			return true
		}
	}
	return false
}

// Delete deletes a deal that nothing else refers to, with its house submission, its stipulations and its notes.
func (s Deals) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.Deal.Query().Where(entdeal.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "deal")
		}
		if err := checkDeletable(ctx, t, before); err != nil {
			return 0, err
		}
		if err := deleteDealRecords(ctx, t, id); err != nil {
			return 0, unit.InUse(err, "deal")
		}
		if err := t.Deal.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "deal")
		}
		t.Record("deal.delete", "deal", id, &id, before, nil)
		return id, nil
	})
}
