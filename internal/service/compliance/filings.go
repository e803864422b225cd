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

// NewUCCFiling is a financing statement, or an amendment of one, as it is drafted.
type NewUCCFiling struct {
	DealID       input.Opt[int]            `json:"dealId" check:"gte=1" need:"create" doc:"Deal whose receivables it is about"`
	Type         input.Opt[uccfiling.Type] `json:"type" need:"create"`
	AmendsID     input.Opt[int]            `json:"amendsId" check:"gte=1" doc:"The financing statement of the deal that a UCC-3 is about"`
	Jurisdiction input.Opt[string]         `json:"jurisdiction" check:"usstate" doc:"State where it is filed; that of the statement it amends or, of a UCC-1, where the merchant is incorporated or else resides, unless given"`
	Provider     input.Opt[string]         `json:"provider" check:"text" need:"value" doc:"Who files it; MANUAL unless given"`
	ExternalID   input.Opt[string]         `json:"externalId" check:"text" doc:"What the provider calls it"`
	Collateral   input.Opt[string]         `json:"collateral" check:"notes" doc:"What secures the claim; of a UCC-1 all present and future receivables unless given"`
}

// UCCAcceptance is what the office has said of a filing that it took.
type UCCAcceptance struct {
	FileNumber input.Opt[string]       `json:"fileNumber" check:"name" need:"create" column:"-" doc:"Under which it is filed"`
	FiledAt    input.Opt[civil.Moment] `json:"filedAt" column:"-" doc:"When it was filed; now unless given"`
}

// UCCRejection is why the office sent a filing back.
type UCCRejection struct {
	Reason input.Opt[string] `json:"reason" check:"notes" need:"create" column:"-" doc:"In the office's words"`
}

// Create drafts a filing. A deal has one financing statement at a time that is drafted, filed or in force.
func (s UCCFilings) Create(ctx context.Context, in NewUCCFiling) (*ent.UCCFiling, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *unit.Tx) (*ent.UCCFiling, error) {
		return draftFiling(ctx, t, in)
	})
}

// draftFiling is the work of Create: in has been checked.
func draftFiling(ctx context.Context, t *unit.Tx, in NewUCCFiling) (*ent.UCCFiling, error) {
	if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}, unit.Reference{Path: "amendsId", Record: "UCCFiling", ID: in.AmendsID.Ptr()}); err != nil {
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

// draftStatement fills in what a UCC-1 has unless something else is said.
func draftStatement(ctx context.Context, t *unit.Tx, d *ent.Deal, in NewUCCFiling) (NewUCCFiling, error) {
	if in.AmendsID.Given() {
		return in, fault.Field("amendsId", "is for a UCC-3 alone")
	}
	live, err := servicing.LiveStatement(ctx, t, d.ID)
	if err != nil {
		return in, err
	}
	if live != nil {
		return in, fault.Conflictf("The deal has a financing statement, which is %s.", live.Status).
			With("type", "cannot be UCC1 while filing %d is %s", live.ID, live.Status)
	}
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return in, err
	}
	if !in.Jurisdiction.Given() {
		where := servicing.DebtorState(m)
		if where == nil {
			return in, fault.Field("jurisdiction", "is required: neither the merchant's state of incorporation nor that of residence is known")
		}
		in.Jurisdiction = input.Some(*where)
	}
	if !in.Collateral.Given() {
		in.Collateral = input.Some(servicing.ReceivablesOf(m))
	}
	return in, nil
}

// draftAmendment fills in what a UCC-3 has from the statement that it amends, which is in force.
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
	if err := mayAmend(t, base, in.Type.Or("")); err != nil {
		return in, err
	}
	in.Jurisdiction = input.Some(in.Jurisdiction.Or(base.Jurisdiction))
	in.Provider = input.Some(in.Provider.Or(base.Provider))
	return in, nil
}

// mayAmend refuses an amendment of a statement that is not in force, and a continuation at another time than the law says.
func mayAmend(t *unit.Tx, base *ent.UCCFiling, by uccfiling.Type) error {
	if base.Status != uccfiling.StatusACCEPTED {
		return fault.Conflictf("The financing statement is %s; one that is ACCEPTED is amended.", base.Status)
	}
	if by == uccfiling.TypeUCC3_CONTINUATION {
		return ucc.CheckContinuation(base.LapsesAt, t.Today())
	}
	return nil
}

// Submit sends a draft to the office.
func (s UCCFilings) Submit(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, submitFiling)
}

// Accept notes that the office has taken a filing under a number, and has it take effect: a financing statement is good
// for five years, a continuation adds as many, a termination ends the statement, an amendment changes its collateral.
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

// Reject notes that the office has sent a filing back. It is drafted anew by Create.
func (s UCCFilings) Reject(ctx context.Context, id int, in UCCRejection) (*ent.UCCFiling, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.move(ctx, id, func(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
		return moveFiling(ctx, t, f, ucc.Rejected, input.Set(uccfiling.FieldRejectionReason, in.Reason.Or("")))
	})
}

// Terminate notes that a financing statement is no longer in force otherwise than by a termination that is kept here.
func (s UCCFilings) Terminate(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, func(ctx context.Context, t *unit.Tx, f *lockedFiling) (*ent.UCCFiling, error) {
		return moveFiling(ctx, t, f, ucc.Terminated)
	})
}

// Lapse notes that a financing statement has run out.
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
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *unit.Tx) (*ent.UCCFiling, error) {
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
	base *ent.UCCFiling // nil of a financing statement
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
		if err := mayAmend(t, f.base, f.row.Type); err != nil {
			return nil, err
		}
	}
	return moveFiling(ctx, t, f, ucc.Submitted, input.Set(uccfiling.FieldFiledAt, t.At()))
}

func acceptFiling(ctx context.Context, t *unit.Tx, f *lockedFiling, number string, at time.Time) (*ent.UCCFiling, error) {
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

// amend has an amendment that was accepted take effect on its statement.
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
	case ucc.Statement, ucc.Assignment: // nothing of what is kept changes
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

// moveFiling moves a filing that is locked. The status it has already is no move.
func moveFiling(ctx context.Context, t *unit.Tx, f *lockedFiling, to ucc.Status, more ...input.Change) (*ent.UCCFiling, error) {
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

// AmendmentsOf lists the amendments of each of the filings, by id.
func (s UCCFilings) AmendmentsOf(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.UCCFiling, error) {
	return list.ReadOfEach(ctx, through, uccfiling.FieldAmendsID, ids, s.core.Store.Reader().UCCFiling.Query())
}

// ByIDs returns those of the filings that there are, by id.
func (s UCCFilings) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.UCCFiling, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().UCCFiling.Query())
}
