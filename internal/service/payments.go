package service

import (
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	entpayment "paydown/ent/payment"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// Payments are the money that is due, under way, received or returned.
type Payments struct{ *core }

// PaymentFields are what a caller sets of a payment at any time.
type PaymentFields struct {
	Status       Opt[payment.Status] `json:"status" need:"value" column:"-" doc:"Where the payment stands; PAID posts it to the ledger"`
	Method       Opt[payment.Method] `json:"method"`
	AccountID    Opt[int]            `json:"accountId" check:"gte=1" doc:"Account of the tenant's chart"`
	SyndicatorID Opt[int]            `json:"syndicatorId" check:"gte=1" doc:"Needed by participation payouts"`
	BounceCodeID Opt[int]            `json:"bounceCodeId" check:"gte=1" doc:"NACHA return code the payment came back with"`
	ReferenceID  Opt[string]         `json:"referenceId" check:"text" doc:"The caller's own reference"`
	Note         Opt[string]         `json:"note" check:"notes"`
}

// NewPayment is what a payment is made of.
type NewPayment struct {
	DealID Opt[int]          `json:"dealId" check:"gte=1" need:"create" doc:"Deal it is on"`
	Type   Opt[payment.Type] `json:"type" need:"create"`
	Amount Opt[money.Amount] `json:"amount" check:"ne=0" need:"create" doc:"In dollars; negative for an adjustment only" example:"515.88"`
	PaymentFields
}

// PaymentUpdate is what a caller changes of a payment.
type PaymentUpdate struct {
	Type   Opt[payment.Type] `json:"type" need:"value"`
	Amount Opt[money.Amount] `json:"amount" check:"ne=0" need:"value" doc:"In dollars; negative for an adjustment only" example:"515.88"`
	PaymentFields
	ClearedDate Opt[civil.Date] `json:"clearedDate" doc:"Day the money cleared; the day it became PAID unless given" example:"2026-01-06"`
	MadeUpByID  Opt[int]        `json:"madeUpById" check:"gte=1" doc:"Payment that makes up for this one, which bounced"`
}

func (f PaymentFields) references() []reference {
	return []reference{
		{"accountId", "Account", f.AccountID.Ptr()},
		{"syndicatorId", "Syndicator", f.SyndicatorID.Ptr()},
		{"bounceCodeId", "BounceCode", f.BounceCodeID.Ptr()},
	}
}

// PaymentExpands are the relations that a payment can be read with.
var PaymentExpands = []Expand{{"deal", auth.Read("deals")}}

// PaymentListing describes the list of payments.
var PaymentListing = &Listing[ent.Payment]{
	Resource: "payments", Scope: auth.Read("payments"),
	Sorts: []Sort{
		{"amount", entpayment.FieldAmount, IsDecimal},
		{"status", entpayment.FieldStatus, IsText},
		{"scheduledDate", entpayment.FieldScheduledDate, IsDate},
		{"clearedDate", entpayment.FieldClearedDate, IsDate},
	},
	Filters: []Filter{
		{Name: "dealId", Column: entpayment.FieldDealID, Kind: IsID, Doc: "Only payments on this deal"},
		{
			Name: "status", Column: entpayment.FieldStatus, Kind: IsEnum, Values: payment.Status("").Values(),
			Doc: "Only payments of this status",
		},
		{
			Name: "type", Column: entpayment.FieldType, Kind: IsEnum, Values: payment.Type("").Values(),
			Doc: "Only payments of this type",
		},
		{
			Name: "scheduledSince", Column: entpayment.FieldScheduledDate, Kind: IsDate, Since: true,
			Doc: "Only payments scheduled on or after this day",
		},
	},
	Expands: PaymentExpands,
}

// List returns a page of payments.
func (s Payments) List(ctx context.Context, params map[string]string) (*Page[ent.Payment], error) {
	q, err := PaymentListing.parse(ctx, s.core, params)
	if err != nil {
		return nil, err
	}
	base := s.store.Reader().Payment.Query()
	if q.Wants("deal") {
		base.WithDeal()
	}
	return fetch(ctx, s.core, q, base)
}

// Get returns one payment with the relations that are wanted.
func (s Payments) Get(ctx context.Context, id int, relations ...string) (*ent.Payment, error) {
	actor, err := permit(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	relations, f := expandable(actor, PaymentExpands, relations)
	if f != nil {
		return nil, f
	}
	q := s.store.Reader().Payment.Query().Where(entpayment.ID(id))
	if len(relations) > 0 {
		q.WithDeal()
	}
	row, err := q.Only(ctx)
	return row, missing(err, "payment")
}

// noOffset is said of a payment that was to be settled by offset, and cannot be.
const noOffset = "must not be OFFSET: only what a renewal settles moves no money"

// fits checks what the fields of a payment demand of each other.
func fits(kind payment.Type, amount money.Amount, syndicator bool, method *payment.Method) []fault.Detail {
	var problems []fault.Detail
	if method != nil && *method == payment.Offset && !kind.MayOffset() {
		problems = append(problems, fault.Detail{Path: "method", Message: noOffset})
	}
	if amount.Sign() < 0 && !kind.Signed() {
		problems = append(problems, fault.Detail{
			Path: "amount", Message: "must be greater than 0: only adjustments may be negative",
		})
	}
	if kind.ToSyndicator() && !syndicator {
		problems = append(problems, fault.Detail{Path: "syndicatorId", Message: "is required by this type of payment"})
	}
	return problems
}

// Create records a payment. One that is PAID already is posted at once.
func (s Payments) Create(ctx context.Context, in NewPayment) (*ent.Payment, error) {
	actor, err := permitWrite(ctx, auth.Write("payments"))
	if err != nil {
		return nil, err
	}
	status := in.Status.Or(payment.Pending)
	problems := Check(in, ForCreate)
	if in.Type.Given() && in.Amount.Given() {
		problems = mergeProblems(problems, fits(in.Type.Or(""), in.Amount.Or(money.Zero), in.SyndicatorID.Given(), in.Method.Ptr()))
	}
	if !status.Initial() {
		problems = mergeProblems(problems, []fault.Detail{{
			Path: "status", Message: "must be PENDING, SUBMITTED or PAID on a new payment",
		}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return transact(ctx, s.core, actor, func(ctx context.Context, t *tx) (*ent.Payment, error) {
		debits := payment.Debits(status, in.Type.Or(""), in.Amount.Or(money.Zero), in.Method.Ptr())
		d, err := t.dealOfPayment(ctx, in.DealID.Or(0), debits || status == payment.Paid)
		if err != nil {
			return nil, err
		}
		if err := t.requireOnDeal(ctx, d, in); err != nil {
			return nil, err
		}
		create := t.Payment.Create().SetDirection(payment.DirectionOf(in.Type.Or(""))).SetSource(t.source())
		if err := setColumns(create.Mutation(), columnsOf(in, nil, t.zone())); err != nil {
			return nil, err
		}
		if status != payment.Pending {
			create.SetInitiatedAt(t.At())
		}
		if status == payment.Submitted {
			create.SetStatus(status)
		}
		if status == payment.Paid {
			create.SetStatus(status).SetEpisode(1).SetClearedDate(t.today())
		}
		account, err := t.accountToDebit(ctx, d, &ent.Payment{
			Type: in.Type.Or(""), Amount: in.Amount.Or(money.Zero), Method: in.Method.Ptr(),
		}, status)
		if err != nil {
			return nil, err
		}
		create.SetNillableBankAccountTokenID(account)
		row, err := create.Save(ctx)
		if err != nil {
			return nil, err
		}
		if err := t.mayCreate(ctx, d, row); err != nil {
			return nil, err
		}
		t.record("payment.create", "payment", row.ID, &row.DealID, nil, row)
		if status == payment.Paid {
			if err := t.postPaid(ctx, d, row); err != nil {
				return nil, err
			}
		}
		return row, nil
	})
}

// dealOfPayment finds the deal of a new payment; locked, where the payment will be posted or must wait for a hold. It is nil
// where there is none.
func (t *tx) dealOfPayment(ctx context.Context, id int, lock bool) (*ent.Deal, error) {
	if lock {
		d, err := t.Deal.Query().Where(entdeal.ID(id), locked).Only(ctx)
		if ent.IsNotFound(err) {
			return nil, nil
		}
		return d, err
	}
	if found, err := t.Has(ctx, "Deal", id); err != nil || !found {
		return nil, err
	}
	return &ent.Deal{ID: id}, nil
}

// requireOnDeal checks the references of a new payment, the deal among them.
func (t *tx) requireOnDeal(ctx context.Context, d *ent.Deal, in NewPayment) error {
	references := in.references()
	if d == nil {
		references = append([]reference{{"dealId", "Deal", in.DealID.Ptr()}}, references...)
	}
	return t.require(ctx, references...)
}

// source is who a payment comes from.
func (t *tx) source() payment.Source {
	switch {
	case t.actor.Surface == auth.Inbound:
		return payment.FromProcessor
	case t.actor.Kind == auth.ByUser || t.actor.Kind == auth.ByOperator:
		return payment.FromStaff
	case t.actor.Kind == auth.BySystem:
		return payment.FromSystem
	default:
		return payment.FromAPI
	}
}

// Update changes a payment's fields and, where another status is asked for, moves it there.
func (s Payments) Update(ctx context.Context, id int, in PaymentUpdate) (*ent.Payment, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.Payment, error) {
		d, before, err := t.lockPayment(ctx, id)
		if err != nil {
			return nil, err
		}
		return t.updatePayment(ctx, d, before, in)
	})
}

// lockPayment finds a payment and its deal, and locks both. Deals are locked before their payments, everywhere, so that
// two writes cannot wait for each other.
func (t *tx) lockPayment(ctx context.Context, id int) (*ent.Deal, *ent.Payment, error) {
	d, err := t.Deal.Query().Where(withPayment(id), locked).Only(ctx)
	if err != nil {
		return nil, nil, missing(err, "payment")
	}
	p, err := t.Payment.Query().Where(entpayment.ID(id), locked).Only(ctx)
	return d, p, missing(err, "payment")
}

// updatePayment changes a payment that is locked with its deal, and notes it for the audit trail. also are columns that
// no caller can set and that this write knows better.
func (t *tx) updatePayment(
	ctx context.Context, d *ent.Deal, before *ent.Payment, in PaymentUpdate, also ...columnChange,
) (*ent.Payment, error) {
	after, err := t.changePayment(ctx, d, before, in, also...)
	if err != nil {
		return nil, err
	}
	if after != before {
		t.record("payment.update", "payment", before.ID, &d.ID, before, after)
	}
	return after, nil
}

// withPayment is the deal of a payment, looked up by its id. Of Ent's own predicate SQLite makes a walk over all deals, to
// see which of them has it.
func withPayment(id int) predicate.Deal {
	return func(s *sql.Selector) {
		payments := sql.Table(entpayment.Table)
		s.Where(sql.In(s.C(entdeal.FieldID), sql.Select(payments.C(entpayment.FieldDealID)).From(payments).
			Where(sql.EQ(payments.C(entpayment.FieldID), id))))
	}
}

// changePayment stores what the input changes; it returns before itself where nothing does.
func (t *tx) changePayment(
	ctx context.Context, d *ent.Deal, before *ent.Payment, in PaymentUpdate, also ...columnChange,
) (*ent.Payment, error) {
	references := append(in.references(), reference{"madeUpById", "Payment", in.MadeUpByID.Ptr()})
	if err := t.require(ctx, references...); err != nil {
		return nil, err
	}
	if in.Status.Or(before.Status) == payment.Paid && before.Status != payment.Paid && !in.ClearedDate.Given() && before.ClearedDate != nil {
		in.ClearedDate = Some(*before.ClearedDate) // it was given before
	}
	changes := columnsOf(in, before, t.zone())
	next := *before
	assign(&next, changes)
	method := next.Method
	if !hasColumn(changes, entpayment.FieldMethod) && !hasColumn(changes, entpayment.FieldType) {
		method = nil // what the system settled by offset is not judged as if the caller had asked for that
	}
	if problems := fits(next.Type, next.Amount, next.SyndicatorID != nil, method); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	if before.Status.Frozen() {
		if err := frozenPayment(before, changes); err != nil {
			return nil, err
		}
	}
	to := in.Status.Or(before.Status)
	if err := t.mayClear(d, to, in.ClearedDate, clearedDate); err != nil {
		return nil, err
	}
	if err := t.makesUp(ctx, before, &next, in); err != nil {
		return nil, err
	}
	if err := t.mayChange(ctx, d, before, &next, in); err != nil {
		return nil, err
	}
	if to != before.Status {
		moved, err := t.movePayment(ctx, before, &next, to, in)
		if err != nil {
			return nil, err
		}
		kept, err := t.keptAccount(ctx, d, &next, to)
		if err != nil {
			return nil, err
		}
		changes = slices.Concat(changes, moved, kept)
	}
	if hasColumn(changes, entpayment.FieldType) {
		changes = append(changes, columnChange{entpayment.FieldDirection, payment.DirectionOf(next.Type)})
	}
	changes = append(changes, also...)
	if len(changes) == 0 {
		return before, nil
	}
	after, err := t.savePayment(ctx, before, changes)
	if err != nil {
		return nil, err
	}
	if to == before.Status {
		if to == payment.Paid && hasColumn(changes, entpayment.FieldClearedDate) {
			return after, t.rebook(ctx, after)
		}
		return after, t.recoded(ctx, d, before, after)
	}
	switch to { //nolint:exhaustive // nothing else posts
	case payment.Paid:
		err = t.paidAfterAll(ctx, d, before, after)
	case payment.Bounced:
		err = t.returned(ctx, d, before, after)
	}
	return after, err
}
