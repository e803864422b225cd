package servicing

import (
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/payment"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Payments is the aggregate of payments: money that is scheduled, submitted, paid or returned.
type Payments struct{ core *unit.Core }

// PaymentFields are the fields that a caller can set when creating or updating a payment.
type PaymentFields struct {
	Status       input.Opt[payment.Status] `json:"status" need:"value" column:"-" doc:"Status of the payment; PAID posts it to the ledger"`
	Method       input.Opt[payment.Method] `json:"method"`
	AccountID    input.Opt[int]            `json:"accountId" check:"gte=1" doc:"Account in the tenant's chart of accounts"`
	SyndicatorID input.Opt[int]            `json:"syndicatorId" check:"gte=1" doc:"Required for participation payouts"`
	BounceCodeID input.Opt[int]            `json:"bounceCodeId" check:"gte=1" doc:"NACHA return code of the payment"`
	ReferenceID  input.Opt[string]         `json:"referenceId" check:"text" doc:"The caller's own reference"`
	Note         input.Opt[string]         `json:"note" check:"notes"`
}

// NewPayment is the input for creating a payment.
type NewPayment struct {
	DealID input.Opt[int]          `json:"dealId" check:"gte=1" need:"create" doc:"Deal of the payment"`
	Type   input.Opt[payment.Type] `json:"type" need:"create"`
	Amount input.Opt[money.Amount] `json:"amount" check:"ne=0" need:"create" doc:"In dollars; negative for an adjustment only" example:"515.88"`
	PaymentFields
}

// PaymentUpdate is the input for updating a payment.
type PaymentUpdate struct {
	Type   input.Opt[payment.Type] `json:"type" need:"value"`
	Amount input.Opt[money.Amount] `json:"amount" check:"ne=0" need:"value" doc:"In dollars; negative for an adjustment only" example:"515.88"`
	PaymentFields
	ClearedDate input.Opt[civil.Date] `json:"clearedDate" doc:"Day the money cleared; default: the day it became PAID" example:"2026-01-06"`
	MadeUpByID  input.Opt[int]        `json:"madeUpById" check:"gte=1" doc:"Payment that makes up for this returned payment"`
}

func (f PaymentFields) references() []unit.Reference {
	return []unit.Reference{
		{Path: "accountId", Record: "Account", ID: f.AccountID.Ptr()},
		{Path: "syndicatorId", Record: "Syndicator", ID: f.SyndicatorID.Ptr()},
		{Path: "bounceCodeId", Record: "BounceCode", ID: f.BounceCodeID.Ptr()},
	}
}

// PaymentExpands are the relations that a payment can be read with.
var PaymentExpands = []list.Expand{{Name: "deal", Scope: auth.Read("deals")}}

// PaymentListing describes the list of payments.
var PaymentListing = &list.Listing[ent.Payment]{
	Resource: "payments", Scope: auth.Read("payments"),
	Sorts: []list.Sort{
		{Name: "amount", Column: entpayment.FieldAmount, Kind: list.IsDecimal},
		{Name: "status", Column: entpayment.FieldStatus, Kind: list.IsText},
		{Name: "scheduledDate", Column: entpayment.FieldScheduledDate, Kind: list.IsDate},
		{Name: "clearedDate", Column: entpayment.FieldClearedDate, Kind: list.IsDate},
	},
	Filters: []list.Filter{
		{Name: "dealId", Column: entpayment.FieldDealID, Kind: list.IsID, Doc: "Only payments on this deal"},
		{
			Name: "status", Column: entpayment.FieldStatus, Kind: list.IsEnum, Values: payment.Status("").Values(),
			Doc: "Only payments of this status",
		},
		{
			Name: "type", Column: entpayment.FieldType, Kind: list.IsEnum, Values: payment.Type("").Values(),
			Doc: "Only payments of this type",
		},
		{
			Name: "scheduledSince", Column: entpayment.FieldScheduledDate, Kind: list.IsDate, Since: true,
			Doc: "Only payments scheduled on or after this day",
		},
	},
	Expands: PaymentExpands,
}

// List returns a page of payments.
func (s Payments) List(ctx context.Context, req list.Request) (*list.Page[ent.Payment], error) {
	q, err := PaymentListing.Authorize(ctx, s.core, req)
	if err != nil {
		return nil, err
	}
	base := s.core.Store.Reader().Payment.Query()
	if q.Wants("deal") {
		base.WithDeal()
	}
	return list.FetchPage(ctx, s.core, q, base)
}

// Get returns one payment with the requested relations.
func (s Payments) Get(ctx context.Context, id int, relations ...string) (*ent.Payment, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	relations, f := list.Expandable(actor, PaymentExpands, relations)
	if f != nil {
		return nil, f
	}
	q := s.core.Store.Reader().Payment.Query().Where(entpayment.ID(id))
	if len(relations) > 0 {
		q.WithDeal()
	}
	row, err := q.Only(ctx)
	return row, unit.NotFound(err, "payment")
}

// noOffset is the message for a payment that must not be paid by OFFSET.
const noOffset = "must not be OFFSET: only a renewal can use it"

// checkFields checks the fields of a payment against each other.
func checkFields(kind payment.Type, amount money.Amount, syndicator bool, method *payment.Method) []fault.Detail {
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
		problems = append(problems, fault.Detail{Path: "syndicatorId", Message: "is required for this type of payment"})
	}
	return problems
}

// Create records a payment. A payment that is already PAID is posted at once.
func (s Payments) Create(ctx context.Context, in NewPayment) (*ent.Payment, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("payments"))
	if err != nil {
		return nil, err
	}
	status := in.Status.Or(payment.Pending)
	problems := input.Check(in, input.ForCreate)
	if in.Type.Given() && in.Amount.Given() {
		problems = input.MergeProblems(problems,
			checkFields(in.Type.Or(""), in.Amount.Or(money.Zero), in.SyndicatorID.Given(), in.Method.Ptr()))
	}
	if !status.Initial() {
		problems = input.MergeProblems(problems, []fault.Detail{{
			Path: "status", Message: "must be PENDING, SUBMITTED or PAID for a new payment",
		}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Payment, error) {
		debits := payment.Debits(status, in.Type.Or(""), in.Amount.Or(money.Zero), in.Method.Ptr())
		d, err := dealOfPayment(ctx, t, in.DealID.Or(0), debits || status == payment.Paid, status == payment.Pending)
		if err != nil {
			return nil, err
		}
		if err := requireOnDeal(ctx, t, d, in); err != nil {
			return nil, err
		}
		create := t.Payment.Create().SetDirection(payment.DirectionOf(in.Type.Or(""))).SetSource(t.Source())
		if err := input.SetColumns(create.Mutation(), input.ChangesOf(in, nil, t.Zone())); err != nil {
			return nil, err
		}
		if status != payment.Pending {
			create.SetInitiatedAt(t.At())
		}
		if status == payment.Submitted {
			create.SetStatus(status)
		}
		if status == payment.Paid {
			create.SetStatus(status).SetEpisode(1).SetClearedDate(t.Today())
		}
		account, err := collections.AccountToDebit(ctx, t, d, &ent.Payment{
			Type: in.Type.Or(""), Amount: in.Amount.Or(money.Zero), Method: in.Method.Ptr(),
		}, status)
		if err != nil {
			return nil, err
		}
		create.SetNillableBankAccountTokenID(account)
		if status == payment.Paid {
			return createPaid(ctx, t, d, create)
		}
		if err := mayCreate(ctx, t, d, &ent.Payment{
			DealID: in.DealID.Or(0), Type: in.Type.Or(""), Status: status, Amount: in.Amount.Or(money.Zero),
			Method: in.Method.Ptr(),
		}); err != nil {
			return nil, err
		}
		row, err := unit.CreateLast(ctx, t, func(p *ent.Payment) *int { return &p.ID }, create.Save)
		if err != nil {
			return nil, err
		}
		t.Record("payment.create", "payment", row.ID, &row.DealID, nil, row)
		return row, nil
	})
}

// createPaid stores a new payment that is PAID, and posts it.
func createPaid(ctx context.Context, t *unit.Tx, d *ent.Deal, create *ent.PaymentCreate) (*ent.Payment, error) {
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	if err := mayCreate(ctx, t, d, row); err != nil {
		return nil, err
	}
	t.Record("payment.create", "payment", row.ID, &row.DealID, nil, row)
	return row, postPaid(ctx, t, d, row)
}

// dealOfPayment finds the deal of a new payment; nil if there is none. With lock it locks the deal, which is
// required if the payment will be posted or depends on collection holds. idOnly reads nothing else of the deal.
func dealOfPayment(ctx context.Context, t *unit.Tx, id int, lock, idOnly bool) (*ent.Deal, error) {
	if lock {
		q := t.Deal.Query().Where(entdeal.ID(id), unit.Locked)
		if idOnly {
			q = q.Select(entdeal.FieldID).DealQuery
		}
		d, err := q.Only(ctx)
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

// requireOnDeal checks that the records that a new payment refers to exist, including its deal.
func requireOnDeal(ctx context.Context, t *unit.Tx, d *ent.Deal, in NewPayment) error {
	references := in.references()
	if d == nil {
		references = append([]unit.Reference{{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}}, references...)
	}
	return t.Require(ctx, references...)
}

// Update changes a payment's fields and moves it if another status is given.
func (s Payments) Update(ctx context.Context, id int, in PaymentUpdate) (*ent.Payment, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.Payment, error) {
		d, before, err := LockPayment(ctx, t, id)
		if err != nil {
			return nil, err
		}
		return UpdatePayment(ctx, t, d, before, in)
	})
}

// LockPayment finds and locks a payment and its deal. Deals are always locked before their payments, to prevent
// deadlocks.
func LockPayment(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.Payment, error) {
	d, err := t.Deal.Query().Where(withPayment(id), unit.Locked).Only(ctx)
	if err != nil {
		return nil, nil, unit.NotFound(err, "payment")
	}
	p, err := t.Payment.Query().Where(entpayment.ID(id), unit.Locked).Only(ctx)
	return d, p, unit.NotFound(err, "payment")
}

// UpdatePayment changes a payment that is locked with its deal and records the change in the audit trail. also
// are columns that API callers cannot set; they take precedence.
func UpdatePayment(
	ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.Payment, in PaymentUpdate, also ...input.Change,
) (*ent.Payment, error) {
	after, err := changePayment(ctx, t, d, before, in, also...)
	if err != nil {
		return nil, err
	}
	if after != before {
		t.Record("payment.update", "payment", before.ID, &d.ID, before, after)
	}
	return after, nil
}

// withPayment matches the deal of a payment by a subquery on the payment's id. With Ent's own predicate SQLite
// would scan all deals.
func withPayment(id int) predicate.Deal {
	return func(s *sql.Selector) {
		payments := sql.Table(entpayment.Table)
		s.Where(sql.In(s.C(entdeal.FieldID), sql.Select(payments.C(entpayment.FieldDealID)).From(payments).
			Where(sql.EQ(payments.C(entpayment.FieldID), id))))
	}
}

// changePayment stores what the input changes; it returns before itself if nothing changes.
func changePayment(
	ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.Payment, in PaymentUpdate, also ...input.Change,
) (*ent.Payment, error) {
	references := append(in.references(), unit.Reference{Path: "madeUpById", Record: "Payment", ID: in.MadeUpByID.Ptr()})
	if err := t.Require(ctx, references...); err != nil {
		return nil, err
	}
	becomesPaid := in.Status.Or(before.Status) == payment.Paid && before.Status != payment.Paid
	if becomesPaid && !in.ClearedDate.Given() && before.ClearedDate != nil {
		in.ClearedDate = input.Some(*before.ClearedDate) // it was given earlier
	}
	changes := input.ChangesOf(in, before, t.Zone())
	next := *before
	input.Apply(&next, changes)
	method := next.Method
	if !hasColumn(changes, entpayment.FieldMethod) && !hasColumn(changes, entpayment.FieldType) {
		method = nil // do not check an OFFSET that the system set as if the caller had asked for it
	}
	if problems := checkFields(next.Type, next.Amount, next.SyndicatorID != nil, method); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	if before.Status.Frozen() {
		if err := refuseFrozenPayment(before, changes); err != nil {
			return nil, err
		}
	}
	to := in.Status.Or(before.Status)
	if err := mayClear(t, d, to, in.ClearedDate, clearedDate); err != nil {
		return nil, err
	}
	if err := checkMakeUp(ctx, t, before, &next, in); err != nil {
		return nil, err
	}
	if err := mayChange(ctx, t, d, before, &next, in); err != nil {
		return nil, err
	}
	if to != before.Status {
		moved, err := movePayment(ctx, t, before, &next, to, in)
		if err != nil {
			return nil, err
		}
		kept, err := collections.KeepAccount(ctx, t, d, &next, to)
		if err != nil {
			return nil, err
		}
		changes = slices.Concat(changes, moved, kept)
	}
	if hasColumn(changes, entpayment.FieldType) {
		changes = append(changes, input.Set(entpayment.FieldDirection, payment.DirectionOf(next.Type)))
	}
	changes = append(changes, also...)
	if len(changes) == 0 {
		return before, nil
	}
	after, err := savePayment(ctx, t, before, changes)
	if err != nil {
		return nil, err
	}
	if to == before.Status {
		if to == payment.Paid && hasColumn(changes, entpayment.FieldClearedDate) {
			return after, books.MoveToDay(ctx, t, after)
		}
		return after, recoded(ctx, t, d, before, after)
	}
	switch to { //nolint:exhaustive // nothing else posts
	case payment.Paid:
		err = paidAfterAll(ctx, t, d, before, after)
	case payment.Bounced:
		err = returned(ctx, t, d, before, after)
	}
	return after, err
}
