package service

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-openapi/inflect"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	entpayment "paydown/ent/payment"
	"paydown/ent/submission"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// Deals are the financings.
type Deals struct{ *core }

// DealExpands are the relations that a deal can be read with.
var DealExpands = []Expand{
	{"merchant", auth.Read("merchants")},
	{"payments", auth.Read("payments")},
	{"iso", auth.Read("isos")},
	{"submissions", auth.Read("submissions")},
}

// DealListing describes the list of deals.
var DealListing = &Listing[ent.Deal]{
	Resource: "deals", Scope: auth.Read("deals"),
	Sorts: []Sort{
		{"dealNumber", entdeal.FieldDealNumber, IsText},
		{"state", entdeal.FieldState, IsText},
		{"fundedAmount", entdeal.FieldFundedAmount, IsDecimal},
		{"paybackAmount", entdeal.FieldPaybackAmount, IsDecimal},
		{"fundedAt", entdeal.FieldFundedAt, IsTime},
		{"firstPaymentDate", entdeal.FieldFirstPaymentDate, IsDate},
	},
	Filters: []Filter{
		{
			Name: "state", Column: entdeal.FieldState, Kind: IsEnum, Values: deal.State("").Values(),
			Doc: "Only deals in this state",
		},
	},
	Search:  []string{entdeal.FieldDealNumber, entdeal.FieldReferenceID},
	Expands: DealExpands,
}

// List returns a page of deals with the relations that are wanted.
func (s Deals) List(ctx context.Context, params map[string]string) (*Page[ent.Deal], error) {
	q, err := DealListing.parse(ctx, s.core, params)
	if err != nil {
		return nil, err
	}
	page, err := fetch(ctx, s.core, q, withDealRelations(s.store.Reader().Deal.Query(), q.Expand))
	if err == nil && q.Wants("payments") {
		err = s.addPayments(ctx, page.Records, ExpandedPayments/q.Limit)
	}
	return page, err
}

// ExpandedPayments is how many payments an answer brings along, at most: a single deal with so many, every deal of a page
// with an even share of them, which is this number divided by the page's limit.
const ExpandedPayments = 10_000

// addPayments loads the first payments of each deal, at most so many of each, oldest first.
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
	// All of them at once are few, as a rule, and are read several times faster than the first of each.
	query := s.store.Reader().Payment.Query().Order(entpayment.ByDealID(), entpayment.ByID())
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

// withDealRelations includes the relations of which a deal has few.
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

// Get returns one deal with the relations that are wanted.
func (s Deals) Get(ctx context.Context, id int, relations ...string) (*ent.Deal, error) {
	actor, err := permit(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	relations, f := expandable(actor, DealExpands, relations)
	if f != nil {
		return nil, f
	}
	row, err := withDealRelations(s.store.Reader().Deal.Query().Where(entdeal.ID(id)), relations).Only(ctx)
	if err == nil && slices.Contains(relations, "payments") {
		err = s.addPayments(ctx, []*ent.Deal{row}, ExpandedPayments)
	}
	return row, missing(err, "deal")
}

// Create makes a deal in INCEPTION: with its number, its derived economics, the house submission and the stipulations
// that its product asks for.
func (s Deals) Create(ctx context.Context, in NewDeal) (*ent.Deal, error) {
	actor, err := permitWrite(ctx, auth.Write("deals"))
	if err != nil {
		return nil, err
	}
	_, misfits := in.planNew(zoneOf(actor), s.store.Now())
	if problems := Check(in, ForCreate); len(problems) > 0 {
		return nil, fault.Invalid(mergeProblems(problems, misfits)...)
	}
	// Terms are judged by the day it is. So a repeat with the same Idempotency-Key, which may come on a later day, is
	// answered as the first was before they are; but where the key was used for another body, they come first.
	row, err := transact(ctx, s.core, actor, func(ctx context.Context, t *tx) (*ent.Deal, error) { return t.makeDeal(ctx, in) })
	if fault.Is(err, fault.IdempotencyKeyReused) && len(misfits) > 0 {
		err = fault.Invalid(misfits...)
	}
	return row, err
}

// makeDeal is the work of Create: in has been checked, but for its terms. also are columns that no caller can set.
func (t *tx) makeDeal(ctx context.Context, in NewDeal, also ...columnChange) (*ent.Deal, error) {
	changes, problems := in.planNew(t.zone(), t.At())
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	references := append([]reference{{"merchantId", "Merchant", in.MerchantID.Ptr()}}, in.references()...)
	if err := t.require(ctx, references...); err != nil {
		return nil, err
	}
	number, err := t.NextDealNumber(ctx, t.actor.TenantID)
	if err != nil {
		return nil, err
	}
	create := t.Deal.Create().SetDealNumber(fmt.Sprintf("D-%06d", number))
	if err := setColumns(create.Mutation(), append(changes, also...)); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.record("deal.create", "deal", row.ID, &row.ID, nil, row)
	if err := t.submitToHouse(ctx, row); err != nil {
		return nil, fmt.Errorf("house submission: %w", err)
	}
	if err := t.askStipulations(ctx, row); err != nil {
		return nil, fmt.Errorf("stipulations: %w", err)
	}
	t.emit("deal", row.ID, webhook.DealCreated{
		DealID: row.ID, DealNumber: row.DealNumber, MerchantID: row.MerchantID,
		State: string(row.State), ProductType: string(row.ProductType), FundedAmount: row.FundedAmount,
	})
	return row, nil
}

// planNew works out the columns of a new deal as of an instant.
func (in NewDeal) planNew(zone *time.Location, at time.Time) ([]columnChange, []fault.Detail) {
	blank := &ent.Deal{CollectionSchedule: schedule.BankingDays}
	return in.plan(blank, columnsOf(in, nil, zone), zone, civil.On(at, zone), nil)
}

// mergeProblems adds what later checks found of fields that earlier ones have not named yet.
func mergeProblems(first, more []fault.Detail) []fault.Detail {
	named := map[string]bool{}
	for _, d := range first {
		named[d.Path] = true
	}
	for _, d := range more {
		if !named[d.Path] {
			first = append(first, d)
		}
	}
	return first
}

// Update changes a deal's fields and, where a state is asked for, moves it. Changed terms are judged together with the
// terms that stay; those of a deal that is past its approval are frozen.
func (s Deals) Update(ctx context.Context, id int, in DealUpdate) (*ent.Deal, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *tx) (*ent.Deal, error) {
		before, err := t.lockDeal(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := t.unchanged(ctx, in.Unchanged, "deal", "deal", id, before.UpdatedAt); err != nil {
			return nil, err
		}
		if err := t.require(ctx, in.references()...); err != nil {
			return nil, err
		}
		after, err := t.changeDeal(ctx, before, in)
		if err != nil {
			return nil, err
		}
		if to, ok := in.State.Get(); ok {
			if after, err = t.move(ctx, after, to, t.trigger()); err != nil {
				return nil, err
			}
		}
		if after != before {
			t.record("deal.update", "deal", id, &id, before, after)
		}
		return after, nil
	})
}

// trigger is what a caller's move is called in events.
func (t *tx) trigger() deal.Trigger {
	switch t.actor.Kind {
	case auth.ByUser, auth.ByOperator:
		return deal.ByStaff
	case auth.BySystem:
		return deal.ByAutomation
	default:
		return deal.ByAPI
	}
}

// changeDeal stores changed fields; it returns before itself where nothing changes. While terms may be edited, those that
// follow from others are worked out anew.
func (t *tx) changeDeal(ctx context.Context, before *ent.Deal, in DealUpdate) (*ent.Deal, error) {
	changes := columnsOf(in, before, t.zone())
	if editable(before, in) && touchesTerms(in.DealFields) {
		revenue, err := t.monthlyRevenue(ctx, before.ID)
		if err != nil {
			return nil, err
		}
		var problems []fault.Detail
		if changes, problems = in.plan(before, changes, t.zone(), t.today(), revenue); len(problems) > 0 {
			return nil, fault.Invalid(problems...)
		}
	}
	if len(changes) == 0 {
		return before, nil
	}
	if err := refuseFrozen(before, in, changes); err != nil {
		return nil, err
	}
	if err := t.datesFit(before, changes); err != nil {
		return nil, err
	}
	if err := t.keepsLine(ctx, before, in); err != nil {
		return nil, err
	}
	after, err := t.saveDeal(ctx, before, changes)
	if err == nil && after.ProductType != before.ProductType {
		err = t.askOtherStipulations(ctx, after)
	}
	if err == nil {
		err = t.repriced(ctx, before, after)
	}
	return after, err
}

// datesFit refuses a first payment on or before the day of funding, where terms are frozen and not judged as a whole.
func (t *tx) datesFit(before *ent.Deal, changes []columnChange) error {
	next := *before
	assign(&next, changes)
	if next.FundedAt == nil || next.FirstPaymentDate == nil || slices.Contains(next.DerivedFields, string(pricing.FirstPaymentDate)) {
		return nil
	}
	if !next.FirstPaymentDate.After(civil.On(*next.FundedAt, t.zone())) {
		return fault.Field(string(pricing.FirstPaymentDate), "must be after the day of fundedAt")
	}
	return nil
}

// editable reports whether the terms may be edited: in the state the deal is in, or in the one it is asked back to.
func editable(d *ent.Deal, in DealUpdate) bool {
	to, moves := in.State.Get()
	return !d.State.TermsFrozen() || (moves && d.State.MayBeAsked(to) && !to.TermsFrozen())
}

// refuseFrozen refuses changes of terms that no longer change in the deal's state.
func refuseFrozen(d *ent.Deal, in DealUpdate, changes []columnChange) error {
	var fields []pricing.Field
	if !editable(d, in) {
		fields = append(pricing.FrozenOncePrefunded(), "productType")
	}
	if d.State.Live() {
		fields = append(fields, pricing.FrozenOnceFunded()...)
	}
	refused := fault.Conflictf("The terms of a deal in %s no longer change.", d.State)
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

func hasColumn(changes []columnChange, column string) bool {
	return slices.ContainsFunc(changes, func(c columnChange) bool { return c.column == column })
}

// saveDeal writes changed columns and returns the deal as it is then. Where its terms change, what staff allowed for them
// counts no more, nor what was disclosed of them.
func (t *tx) saveDeal(ctx context.Context, before *ent.Deal, changes []columnChange) (*ent.Deal, error) {
	after, err := t.storeDeal(ctx, before, changes)
	if err != nil {
		return nil, err
	}
	if after.State.Live() || bytes.Equal(t.termsHash(before), t.termsHash(after)) {
		return after, nil
	}
	if err := t.voidOverrides(ctx, after.ID); err != nil {
		return nil, err
	}
	return after, t.supersedeDisclosures(ctx, after.ID, "")
}

// storeDeal is saveDeal for what the deal's own funding settles, which was judged with the overrides that there are.
func (t *tx) storeDeal(ctx context.Context, before *ent.Deal, changes []columnChange) (*ent.Deal, error) {
	update := t.Deal.Update().Where(entdeal.ID(before.ID))
	return stored(ctx, t, before, changes, update.Mutation(), update.Save)
}

func touchesTerms(f DealFields) bool {
	for name := range namesGiven(f) {
		if isTerm(name) {
			return true
		}
	}
	return false
}

// Delete removes a deal that has not gone anywhere, with its house submission, its stipulations and the notes about it.
func (s Deals) Delete(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Deal.Query().Where(entdeal.ID(id), lockedToDelete).Only(ctx)
		if err != nil {
			return 0, missing(err, "deal")
		}
		if err := t.undeletable(ctx, before); err != nil {
			return 0, err
		}
		if err := t.dropPapers(ctx, id); err != nil {
			return 0, inUse(err, "deal")
		}
		if err := t.Deal.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, inUse(err, "deal")
		}
		t.record("deal.delete", "deal", id, &id, before, nil)
		return id, nil
	})
}

func (t *tx) lockDeal(ctx context.Context, id int) (*ent.Deal, error) {
	row, err := t.Deal.Query().Where(entdeal.ID(id), locked).Only(ctx)
	return row, missing(err, "deal")
}
