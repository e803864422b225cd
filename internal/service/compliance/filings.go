package compliance

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
	"paydown/internal/ucc"
)

// NewUCCFiling describes a financing statement or an amendment to draft.
type NewUCCFiling struct {
	DealID       input.Opt[int]            `json:"dealId" check:"gte=1" need:"create" doc:"Deal whose receivables secure the claim"`
	Type         input.Opt[uccfiling.Type] `json:"type" need:"create"`
	AmendsID     input.Opt[int]            `json:"amendsId" check:"gte=1" doc:"The financing statement of the deal that a UCC-3 amends"`
	Jurisdiction input.Opt[string]         `json:"jurisdiction" check:"usstate" doc:"State where it is filed; default: that of the amended statement or, for a UCC-1, the merchant's state of incorporation, or else its state"`
	Provider     input.Opt[string]         `json:"provider" check:"text" need:"value" doc:"Who files it; default: MANUAL"`
	ExternalID   input.Opt[string]         `json:"externalId" check:"text" doc:"Id at the provider"`
	Collateral   input.Opt[string]         `json:"collateral" check:"notes" doc:"Collateral; default for a UCC-1: all present and future receivables"`
}

// UCCAcceptance is the filing office's acceptance of a filing.
type UCCAcceptance struct {
	FileNumber input.Opt[string]       `json:"fileNumber" check:"name" need:"create" column:"-" doc:"File number"`
	FiledAt    input.Opt[civil.Moment] `json:"filedAt" column:"-" doc:"When it was filed; default: now"`
}

// UCCRejection is the filing office's reason for a rejection.
type UCCRejection struct {
	Reason input.Opt[string] `json:"reason" check:"notes" need:"create" column:"-" doc:"In the office's words"`
}

// Create drafts a filing. A deal can have only one financing statement that is drafted, filed or active.
func (s UCCFilings) Create(ctx context.Context, in NewUCCFiling) (*ent.UCCFiling, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.UCCFiling, error) {
		return draftFiling(ctx, t, in)
	})
}

// draftFiling is Create inside an open write; in must have been checked.
func draftFiling(ctx context.Context, t *unit.Tx, in NewUCCFiling) (*ent.UCCFiling, error) {
	if err := t.Require(ctx,
		unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
		unit.Reference{Path: "amendsId", Record: "UCCFiling", ID: in.AmendsID.Ptr()},
	); err != nil {
		return nil, err
	}
	d, err := books.LockDeal(ctx, t, in.DealID.Or(0))
	if err != nil {
		return nil, err
	}
	if ucc.Type(in.Type.Or("")).Amends() {
		in, err = draftAmendment(ctx, t, d, in)
	} else {
		in, err = draftStatement(ctx, t, d, in)
	}
	if err != nil {
		return nil, err
	}
	in.Provider = input.Some(in.Provider.Or(servicing.ByHand))
	create := t.UCCFiling.Create()
	row, err := unit.Create(ctx, t, "uccFiling", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, unit.Taken(err, "externalId", "UCC filing")
	}
	t.Record("uccFiling.create", "uccFiling", row.ID, &d.ID, nil, row)
	return row, nil
}

// draftStatement fills in the defaults of a UCC-1.
func draftStatement(ctx context.Context, t *unit.Tx, d *ent.Deal, in NewUCCFiling) (NewUCCFiling, error) {
	if in.AmendsID.Given() {
		return in, fault.Field("amendsId", "can only be set on a UCC-3")
	}
	live, err := servicing.LiveStatement(ctx, t, d.ID)
	if err != nil {
		return in, err
	}
	if live != nil {
		return in, fault.Conflictf("The deal already has a financing statement that is %s.", live.Status).
			With("type", "cannot be UCC1 while filing %d is %s", live.ID, live.Status)
	}
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return in, err
	}
	if !in.Jurisdiction.Given() {
		where := servicing.DebtorState(m)
		if where == nil {
			return in, fault.Field("jurisdiction",
				"is required, because the merchant has no state of incorporation or residence")
		}
		in.Jurisdiction = input.Some(*where)
	}
	if !in.Collateral.Given() {
		in.Collateral = input.Some(servicing.ReceivablesOf(m))
	}
	return in, nil
}

// draftAmendment fills in the defaults of a UCC-3 from the statement that it amends, which must be active.
func draftAmendment(ctx context.Context, t *unit.Tx, d *ent.Deal, in NewUCCFiling) (NewUCCFiling, error) {
	id, given := in.AmendsID.Get()
	if !given {
		return in, fault.Field("amendsId", "is required for a UCC-3")
	}
	base, err := t.UCCFiling.Query().Where(uccfiling.ID(id), unit.Locked).Only(ctx)
	if err != nil {
		return in, err
	}
	if base.DealID != d.ID || base.Type != uccfiling.TypeUCC1 {
		return in, fault.Field("amendsId", "must be a UCC-1 of the deal")
	}
	if err := checkAmendment(t, base, in.Type.Or("")); err != nil {
		return in, err
	}
	in.Jurisdiction = input.Some(in.Jurisdiction.Or(base.Jurisdiction))
	in.Provider = input.Some(in.Provider.Or(base.Provider))
	return in, nil
}

// checkAmendment refuses an amendment of a statement that is not active, and a continuation outside of the period
// that the law allows.
func checkAmendment(t *unit.Tx, base *ent.UCCFiling, by uccfiling.Type) error {
	if base.Status != uccfiling.StatusACCEPTED {
		return fault.Conflictf("The financing statement is %s. It must be ACCEPTED before it can be amended.", base.Status)
	}
	if by == uccfiling.TypeUCC3_CONTINUATION {
		return ucc.CheckContinuation(base.LapsesAt, t.Today())
	}
	return nil
}

// Submit records that a draft was sent to the filing office.
func (s UCCFilings) Submit(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, submitFiling)
}

// Accept records that the filing office accepted a filing under a number, and applies the filing: a financing
// statement is effective for five years, a continuation extends it by five years, a termination ends the
// statement, and an amendment changes its collateral.
func (s UCCFilings) Accept(ctx context.Context, id int, in UCCAcceptance) (*ent.UCCFiling, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.move(ctx, id, func(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
		if f.row.Status == uccfiling.StatusACCEPTED {
			return f.row, nil
		}
		at, err := OccurredAt(t, "filedAt", in.FiledAt)
		if err != nil {
			return nil, err
		}
		return acceptFiling(ctx, t, f, in.FileNumber.Or(""), at)
	})
}

// Reject records that the filing office rejected a filing. Create drafts a new one.
func (s UCCFilings) Reject(ctx context.Context, id int, in UCCRejection) (*ent.UCCFiling, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.move(ctx, id, func(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
		return moveFiling(ctx, t, f, ucc.Rejected, input.Set(uccfiling.FieldRejectionReason, in.Reason.Or("")))
	})
}

// Terminate records that a financing statement was terminated by a filing that is not recorded here.
func (s UCCFilings) Terminate(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, func(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
		return moveFiling(ctx, t, f, ucc.Terminated)
	})
}

// Lapse records that a financing statement has lapsed.
func (s UCCFilings) Lapse(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, func(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
		if f.row.Status == uccfiling.StatusACCEPTED && !ucc.Type(f.row.Type).Amends() {
			if err := ucc.CheckLapse(f.row.LapsesAt, t.Today()); err != nil {
				return nil, err
			}
		}
		return moveFiling(ctx, t, f, ucc.Lapsed)
	})
}

func (s UCCFilings) move(
	ctx context.Context, id int, work func(context.Context, *unit.Tx, *lockedFiling) (*ent.UCCFiling, error),
) (*ent.UCCFiling, error) {
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.UCCFiling, error) {
		f, err := lockFiling(ctx, t, id)
		if err != nil {
			return nil, err
		}
		return work(ctx, t, f)
	})
}

// lockedFiling is a UCC filing with the statement that it amends, both locked after their deal.
type lockedFiling struct {
	row  *ent.UCCFiling
	base *ent.UCCFiling // nil for a financing statement
}

func lockFiling(ctx context.Context, t *unit.Tx, id int) (*lockedFiling, error) {
	unlocked, err := t.UCCFiling.Get(ctx, id)
	if err != nil {
		return nil, unit.NotFound(err, "UCC filing")
	}
	if _, err := books.LockDeal(ctx, t, unlocked.DealID); err != nil {
		return nil, err
	}
	f := &lockedFiling{}
	if unlocked.AmendsID != nil {
		if f.base, err = t.UCCFiling.Query().Where(uccfiling.ID(*unlocked.AmendsID), unit.Locked).Only(ctx); err != nil {
			return nil, err
		}
	}
	f.row, err = t.UCCFiling.Query().Where(uccfiling.ID(id), unit.Locked).Only(ctx)
	return f, unit.NotFound(err, "UCC filing")
}

func submitFiling(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
	if f.base != nil && f.row.Status == uccfiling.StatusDRAFT {
		if err := checkAmendment(t, f.base, f.row.Type); err != nil {
			return nil, err
		}
	}
	return moveFiling(ctx, t, f, ucc.Submitted, input.Set(uccfiling.FieldFiledAt, t.At()))
}

func acceptFiling(
	ctx context.Context, t *unit.Tx, f *lockedFiling, number string, at time.Time,
) (*ent.UCCFiling, error) {
	changes := []input.Change{input.Set(uccfiling.FieldFileNumber, number), input.Set(uccfiling.FieldFiledAt, at)}
	if f.base == nil {
		changes = append(changes, input.Set(uccfiling.FieldLapsesAt, ucc.Lapses(civil.On(at, t.Zone()))))
	}
	before := f.row
	after, err := moveFiling(ctx, t, f, ucc.Accepted, changes...)
	if err != nil || f.base == nil || after == before {
		return after, err
	}
	return after, amend(ctx, t, f)
}

// amend applies an accepted amendment to its statement.
func amend(ctx context.Context, t *unit.Tx, f *lockedFiling) error {
	var changes []input.Change
	switch ucc.Type(f.row.Type) {
	case ucc.Continuation:
		if f.base.LapsesAt != nil {
			changes = []input.Change{input.Set(uccfiling.FieldLapsesAt, ucc.Lapses(*f.base.LapsesAt))}
		}
	case ucc.Termination:
		if err := ucc.Check(ucc.Statement, ucc.Status(f.base.Status), ucc.Terminated); err != nil {
			return err
		}
		changes = []input.Change{input.Set(uccfiling.FieldStatus, uccfiling.StatusTERMINATED)}
	case ucc.Amendment:
		if f.row.Collateral != nil {
			changes = []input.Change{input.Set(uccfiling.FieldCollateral, *f.row.Collateral)}
		}
	case ucc.Statement, ucc.Assignment: // no stored data changes
	}
	if len(changes) == 0 {
		return nil
	}
	update := t.UCCFiling.Update().Where(uccfiling.ID(f.base.ID))
	after, err := unit.Store(ctx, t, f.base, changes, update.Mutation(), update.Save)
	if err == nil {
		unit.AlsoUpdated(t, "uccFiling", f.base, after)
	}
	return err
}

// moveFiling moves a locked filing to another status. Moving it to its current status does nothing.
func moveFiling(
	ctx context.Context, t *unit.Tx, f *lockedFiling, to ucc.Status, more ...input.Change,
) (*ent.UCCFiling, error) {
	before := f.row
	if ucc.Status(before.Status) == to {
		return before, nil
	}
	if err := ucc.Check(ucc.Type(before.Type), ucc.Status(before.Status), to); err != nil {
		return nil, err
	}
	update := t.UCCFiling.Update().Where(uccfiling.ID(before.ID))
	after, err := unit.Store(ctx, t, before, append(more, input.Set(uccfiling.FieldStatus, uccfiling.Status(to))),
		update.Mutation(), update.Save)
	if err == nil {
		t.Record("uccFiling.update", "uccFiling", before.ID, &before.DealID, before, after)
	}
	return after, err
}

// AmendmentsOf returns the amendments of each filing, by the filing's id.
func (s UCCFilings) AmendmentsOf(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.UCCFiling, error) {
	return list.ReadOfEach(ctx, through, uccfiling.FieldAmendsID, ids, s.core.Store.Reader().UCCFiling.Query())
}

// ByIDs returns the existing filings among ids, by id.
func (s UCCFilings) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.UCCFiling, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().UCCFiling.Query())
}
