package service

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ucc"
)

// byHand is the provider of a filing that no filing service makes.
const byHand = "MANUAL"

// NewUCCFiling is a financing statement, or an amendment of one, as it is drafted.
type NewUCCFiling struct {
	DealID       Opt[int]            `json:"dealId" check:"gte=1" need:"create" doc:"Deal whose receivables it is about"`
	Type         Opt[uccfiling.Type] `json:"type" need:"create"`
	AmendsID     Opt[int]            `json:"amendsId" check:"gte=1" doc:"The financing statement of the deal that a UCC-3 is about"`
	Jurisdiction Opt[string]         `json:"jurisdiction" check:"usstate" doc:"State where it is filed; that of the statement it amends or, of a UCC-1, where the merchant is incorporated or else resides, unless given"`
	Provider     Opt[string]         `json:"provider" check:"text" need:"value" doc:"Who files it; MANUAL unless given"`
	ExternalID   Opt[string]         `json:"externalId" check:"text" doc:"What the provider calls it"`
	Collateral   Opt[string]         `json:"collateral" check:"notes" doc:"What secures the claim; of a UCC-1 all present and future receivables unless given"`
}

// UCCAcceptance is what the office has said of a filing that it took.
type UCCAcceptance struct {
	FileNumber Opt[string]       `json:"fileNumber" check:"name" need:"create" column:"-" doc:"Under which it is filed"`
	FiledAt    Opt[civil.Moment] `json:"filedAt" column:"-" doc:"When it was filed; now unless given"`
}

// UCCRejection is why the office sent a filing back.
type UCCRejection struct {
	Reason Opt[string] `json:"reason" check:"notes" need:"create" column:"-" doc:"In the office's words"`
}

// Create drafts a filing. A deal has one financing statement at a time that is drafted, filed or in force.
func (s UCCFilings) Create(ctx context.Context, in NewUCCFiling) (*ent.UCCFiling, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *tx) (*ent.UCCFiling, error) {
		return t.draftFiling(ctx, in)
	})
}

// draftFiling is the work of Create: in has been checked.
func (t *tx) draftFiling(ctx context.Context, in NewUCCFiling) (*ent.UCCFiling, error) {
	if err := t.require(ctx, reference{"dealId", "Deal", in.DealID.Ptr()}, reference{"amendsId", "UCCFiling", in.AmendsID.Ptr()}); err != nil {
		return nil, err
	}
	d, err := t.lockDeal(ctx, in.DealID.Or(0))
	if err != nil {
		return nil, err
	}
	if ucc.Type(in.Type.Or("")).Amends() {
		in, err = t.draftAmendment(ctx, d, in)
	} else {
		in, err = t.draftStatement(ctx, d, in)
	}
	if err != nil {
		return nil, err
	}
	in.Provider = Some(in.Provider.Or(byHand))
	create := t.UCCFiling.Create()
	row, err := made(ctx, t, "uccFiling", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, taken(err, "externalId", "UCC filing")
	}
	t.record("uccFiling.create", "uccFiling", row.ID, &d.ID, nil, row)
	return row, nil
}

// draftStatement fills in what a UCC-1 has unless something else is said.
func (t *tx) draftStatement(ctx context.Context, d *ent.Deal, in NewUCCFiling) (NewUCCFiling, error) {
	if in.AmendsID.Given() {
		return in, fault.Field("amendsId", "is for a UCC-3 alone")
	}
	live, err := t.liveStatement(ctx, d.ID)
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
		where := debtorState(m)
		if where == nil {
			return in, fault.Field("jurisdiction", "is required: neither the merchant's state of incorporation nor that of residence is known")
		}
		in.Jurisdiction = Some(*where)
	}
	if !in.Collateral.Given() {
		in.Collateral = Some(receivablesOf(m))
	}
	return in, nil
}

// liveStatement is the financing statement of a deal that is drafted, filed or in force; nil where there is none.
func (t *tx) liveStatement(ctx context.Context, dealID int) (*ent.UCCFiling, error) {
	row, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(uccfiling.TypeUCC1),
		uccfiling.StatusIn(uccfiling.StatusDRAFT, uccfiling.StatusSUBMITTED, uccfiling.StatusACCEPTED)).
		Order(uccfiling.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return row, err
}

// debtorState is where a claim on a merchant's receivables is filed: where the merchant is incorporated or, where that is
// not known, resides; nil where neither is known.
func debtorState(m *ent.Merchant) *string {
	if m.StateOfIncorporation != nil {
		return m.StateOfIncorporation
	}
	return m.State
}

// receivablesOf is the collateral of an advance.
func receivablesOf(m *ent.Merchant) string {
	return "All present and future receivables of " + m.LegalName
}

// draftAmendment fills in what a UCC-3 has from the statement that it amends, which is in force.
func (t *tx) draftAmendment(ctx context.Context, d *ent.Deal, in NewUCCFiling) (NewUCCFiling, error) {
	id, given := in.AmendsID.Get()
	if !given {
		return in, fault.Field("amendsId", "is required for a UCC-3")
	}
	base, err := t.UCCFiling.Query().Where(uccfiling.ID(id), locked).Only(ctx)
	if err != nil {
		return in, err
	}
	if base.DealID != d.ID || base.Type != uccfiling.TypeUCC1 {
		return in, fault.Field("amendsId", "must be a UCC-1 of the deal")
	}
	if err := t.mayAmend(base, in.Type.Or("")); err != nil {
		return in, err
	}
	in.Jurisdiction = Some(in.Jurisdiction.Or(base.Jurisdiction))
	in.Provider = Some(in.Provider.Or(base.Provider))
	return in, nil
}

// mayAmend refuses an amendment of a statement that is not in force, and a continuation at another time than the law says.
func (t *tx) mayAmend(base *ent.UCCFiling, by uccfiling.Type) error {
	if base.Status != uccfiling.StatusACCEPTED {
		return fault.Conflictf("The financing statement is %s; one that is ACCEPTED is amended.", base.Status)
	}
	if by == uccfiling.TypeUCC3_CONTINUATION {
		return ucc.CheckContinuation(base.LapsesAt, t.today())
	}
	return nil
}

// Submit sends a draft to the office.
func (s UCCFilings) Submit(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, func(ctx context.Context, t *tx, f *filing) (*ent.UCCFiling, error) {
		return t.submitFiling(ctx, f)
	})
}

// Accept notes that the office has taken a filing under a number, and has it take effect: a financing statement is good
// for five years, a continuation adds as many, a termination ends the statement, an amendment changes its collateral.
func (s UCCFilings) Accept(ctx context.Context, id int, in UCCAcceptance) (*ent.UCCFiling, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return s.move(ctx, id, func(ctx context.Context, t *tx, f *filing) (*ent.UCCFiling, error) {
		if f.row.Status == uccfiling.StatusACCEPTED {
			return f.row, nil
		}
		at, err := t.moment("filedAt", in.FiledAt)
		if err != nil {
			return nil, err
		}
		return t.acceptFiling(ctx, f, in.FileNumber.Or(""), at)
	})
}

// Reject notes that the office has sent a filing back. It is drafted anew by Create.
func (s UCCFilings) Reject(ctx context.Context, id int, in UCCRejection) (*ent.UCCFiling, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return s.move(ctx, id, func(ctx context.Context, t *tx, f *filing) (*ent.UCCFiling, error) {
		return t.moveFiling(ctx, f, ucc.Rejected, columnChange{uccfiling.FieldRejectionReason, in.Reason.Or("")})
	})
}

// Terminate notes that a financing statement is no longer in force otherwise than by a termination that is kept here.
func (s UCCFilings) Terminate(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, func(ctx context.Context, t *tx, f *filing) (*ent.UCCFiling, error) {
		return t.moveFiling(ctx, f, ucc.Terminated)
	})
}

// Lapse notes that a financing statement has run out.
func (s UCCFilings) Lapse(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return s.move(ctx, id, func(ctx context.Context, t *tx, f *filing) (*ent.UCCFiling, error) {
		if f.row.Status == uccfiling.StatusACCEPTED && !ucc.Type(f.row.Type).Amends() {
			if err := ucc.CheckLapse(f.row.LapsesAt, t.today()); err != nil {
				return nil, err
			}
		}
		return t.moveFiling(ctx, f, ucc.Lapsed)
	})
}

func (s UCCFilings) move(
	ctx context.Context, id int, work func(context.Context, *tx, *filing) (*ent.UCCFiling, error),
) (*ent.UCCFiling, error) {
	return write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *tx) (*ent.UCCFiling, error) {
		f, err := t.lockFiling(ctx, id)
		if err != nil {
			return nil, err
		}
		return work(ctx, t, f)
	})
}

// filing is a UCC filing with the statement that it amends, both locked after their deal.
type filing struct {
	row  *ent.UCCFiling
	base *ent.UCCFiling // nil of a financing statement
}

func (t *tx) lockFiling(ctx context.Context, id int) (*filing, error) {
	unlocked, err := t.UCCFiling.Get(ctx, id)
	if err != nil {
		return nil, missing(err, "UCC filing")
	}
	if _, err := t.lockDeal(ctx, unlocked.DealID); err != nil {
		return nil, err
	}
	f := &filing{}
	if unlocked.AmendsID != nil {
		if f.base, err = t.UCCFiling.Query().Where(uccfiling.ID(*unlocked.AmendsID), locked).Only(ctx); err != nil {
			return nil, err
		}
	}
	f.row, err = t.UCCFiling.Query().Where(uccfiling.ID(id), locked).Only(ctx)
	return f, missing(err, "UCC filing")
}

func (t *tx) submitFiling(ctx context.Context, f *filing) (*ent.UCCFiling, error) {
	if f.base != nil && f.row.Status == uccfiling.StatusDRAFT {
		if err := t.mayAmend(f.base, f.row.Type); err != nil {
			return nil, err
		}
	}
	return t.moveFiling(ctx, f, ucc.Submitted, columnChange{uccfiling.FieldFiledAt, t.At()})
}

func (t *tx) acceptFiling(ctx context.Context, f *filing, number string, at time.Time) (*ent.UCCFiling, error) {
	changes := []columnChange{{uccfiling.FieldFileNumber, number}, {uccfiling.FieldFiledAt, at}}
	if f.base == nil {
		changes = append(changes, columnChange{uccfiling.FieldLapsesAt, ucc.Lapses(civil.On(at, t.zone()))})
	}
	before := f.row
	after, err := t.moveFiling(ctx, f, ucc.Accepted, changes...)
	if err != nil || f.base == nil || after == before {
		return after, err
	}
	return after, t.amend(ctx, f)
}

// amend has an amendment that was accepted take effect on its statement.
func (t *tx) amend(ctx context.Context, f *filing) error {
	var changes []columnChange
	switch ucc.Type(f.row.Type) {
	case ucc.Continuation:
		if f.base.LapsesAt != nil {
			changes = []columnChange{{uccfiling.FieldLapsesAt, ucc.Lapses(*f.base.LapsesAt)}}
		}
	case ucc.Termination:
		if err := ucc.Check(ucc.Statement, ucc.Status(f.base.Status), ucc.Terminated); err != nil {
			return err
		}
		changes = []columnChange{{uccfiling.FieldStatus, uccfiling.StatusTERMINATED}}
	case ucc.Amendment:
		if f.row.Collateral != nil {
			changes = []columnChange{{uccfiling.FieldCollateral, *f.row.Collateral}}
		}
	case ucc.Statement, ucc.Assignment: // nothing of what is kept changes
	}
	if len(changes) == 0 {
		return nil
	}
	update := t.UCCFiling.Update().Where(uccfiling.ID(f.base.ID))
	after, err := stored(ctx, t, f.base, changes, update.Mutation(), update.Save)
	if err == nil {
		alsoChanged(t, "uccFiling", f.base, after)
	}
	return err
}

// moveFiling moves a filing that is locked. The status it has already is no move.
func (t *tx) moveFiling(ctx context.Context, f *filing, to ucc.Status, more ...columnChange) (*ent.UCCFiling, error) {
	before := f.row
	if ucc.Status(before.Status) == to {
		return before, nil
	}
	if err := ucc.Check(ucc.Type(before.Type), ucc.Status(before.Status), to); err != nil {
		return nil, err
	}
	update := t.UCCFiling.Update().Where(uccfiling.ID(before.ID))
	after, err := stored(ctx, t, before, append(more, columnChange{uccfiling.FieldStatus, uccfiling.Status(to)}),
		update.Mutation(), update.Save)
	if err == nil {
		t.record("uccFiling.update", "uccFiling", before.ID, &before.DealID, before, after)
	}
	return after, err
}

// AmendmentsOf lists the amendments of each of the filings, by id.
func (s UCCFilings) AmendmentsOf(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.UCCFiling, error) {
	return listOfEach(ctx, through, uccfiling.FieldAmendsID, ids, s.store.Reader().UCCFiling.Query())
}

// ByIDs returns those of the filings that there are, by id.
func (s UCCFilings) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.UCCFiling, error) {
	return byIDs(ctx, through, ids, s.store.Reader().UCCFiling.Query())
}
