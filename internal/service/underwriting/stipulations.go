package underwriting

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"paydown/ent"
	"paydown/ent/stipulation"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Stipulations are the papers and proofs that deals need before they are funded.
type Stipulations struct{ core *unit.Core }

// NewStipulation is what a stipulation is made of that somebody asks for besides those of the template.
type NewStipulation struct {
	DealID   input.Opt[int]    `json:"dealId" check:"gte=1" need:"create" doc:"Deal that needs it"`
	Title    input.Opt[string] `json:"title" check:"name" need:"create" example:"Letter of the accountant"`
	Code     input.Opt[string] `json:"code" check:"code" need:"value" doc:"What rules call it; made of the title unless given" example:"ACCOUNTANT_LETTER"`
	Required input.Opt[bool]   `json:"required" need:"value" doc:"Whether it can hold up the funding; true unless given"`
	Waivable input.Opt[bool]   `json:"waivable" need:"value" doc:"Whether it can be waived; true unless given"`
	Months   input.Opt[int]    `json:"months" check:"gte=1,lte=120" doc:"How many months of statements are asked for"`
}

// StipulationReceipt is what came in for a stipulation.
type StipulationReceipt struct {
	DocumentID input.Opt[int] `json:"documentId" check:"gte=1" doc:"Document of the deal or its merchant that answers it"`
}

// Reasoned is why somebody does something that needs a reason.
type Reasoned struct {
	Reason input.Opt[string] `json:"reason" check:"words" need:"create"`
}

// OfDeals lists the stipulations of each of the deals in their order.
func (s Stipulations) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Stipulation, error) {
	if _, err := unit.RequireScope(ctx, through); err != nil {
		return nil, err
	}
	rows, err := s.core.Store.Reader().Stipulation.Query().Where(stipulation.DealIDIn(ids...)).
		Order(stipulation.ByPosition(), stipulation.ByID()).All(ctx)
	return list.GroupByOwner(rows, stipulation.FieldDealID), err
}

// Request asks for something besides what the template has, on a deal that is not funded yet.
func (s Stipulations) Request(ctx context.Context, in NewStipulation) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *unit.Tx) (*ent.Stipulation, error) {
		dealID := in.DealID.Or(0)
		if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: &dealID}); err != nil {
			return nil, err
		}
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return nil, err
		}
		if d.State.Live() {
			return nil, fault.Conflictf("The deal is %s; nothing is needed for its funding any more.", d.State).
				With("dealId", "is a deal in %s", d.State)
		}
		asked, err := t.Stipulation.Query().Where(stipulation.DealID(dealID)).All(ctx)
		if err != nil {
			return nil, err
		}
		if in.Code.Absent() {
			in.Code = input.Some(freeCode(in.Title.Or(""), asked))
		}
		place := 0
		for _, other := range asked {
			place = max(place, other.Position)
		}
		in.Waivable = input.Some(in.Waivable.Or(true))
		create := t.Stipulation.Create().SetPosition(place + list.PlacesApart)
		row, err := unit.Create(ctx, t, "stipulation", in, create.Mutation(), create.Save)
		if err == nil {
			t.Record("stipulation.create", "stipulation", row.ID, &dealID, nil, row)
		}
		return row, list.TakenCode(err)
	})
}

// codeLength is how long a code is that is made of a title.
const codeLength = 40

// freeCode makes a code of a title that none of the deal's stipulations has.
func freeCode(title string, asked []*ent.Stipulation) string {
	taken := map[string]bool{}
	for _, s := range asked {
		taken[s.Code] = true
	}
	var b strings.Builder
	for _, r := range strings.ToUpper(title) {
		switch {
		case b.Len() >= codeLength:
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !unicode.IsControl(r) && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	base := strings.TrimSuffix(b.String(), "_")
	if base == "" {
		base = "OTHER"
	}
	code := base
	for n := 2; taken[code]; n++ {
		code = fmt.Sprintf("%s_%d", base, n)
	}
	return code
}

// Receive notes that something came in, and files the document that it is, where there is one. Received again with
// another document, that takes the place of the first.
func (s Stipulations) Receive(ctx context.Context, id int, in StipulationReceipt) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, nil, id, func(ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.Stipulation) (*ent.Stipulation, error) {
		if err := fileable(ctx, t, d, in.DocumentID.Ptr()); err != nil {
			return nil, err
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if before.Status == deal.StipReceived {
			return changeStipulation(ctx, t, before, changes)
		}
		return moveStipulation(ctx, t, before, deal.StipReceived, append(changes,
			input.Set(stipulation.FieldReceivedAt, t.At()))...)
	})
}

// fileable refuses a document that is neither of the deal nor of its merchant.
func fileable(ctx context.Context, t *unit.Tx, d *ent.Deal, documentID *int) error {
	if documentID == nil {
		return nil
	}
	if err := t.Require(ctx, unit.Reference{Path: "documentId", Record: "Document", ID: documentID}); err != nil {
		return err
	}
	doc, err := t.Document.Get(ctx, *documentID)
	if err != nil {
		return err
	}
	if doc.DealID != nil && *doc.DealID == d.ID || doc.DealID == nil && doc.MerchantID != nil && *doc.MerchantID == d.MerchantID {
		return nil
	}
	return fault.UnknownReference(fault.Detail{Path: "documentId", Message: "is a document of neither this deal nor its merchant"})
}

// judging are what it takes to say that what was received is good or is not, and waiving what it takes to do without.
var (
	judging = []auth.Permission{auth.ApproveStipulations}
	waiving = []auth.Permission{auth.WaiveStipulations}
)

// Approve says that what was received is good.
func (s Stipulations) Approve(ctx context.Context, id int) (*ent.Stipulation, error) {
	return s.act(ctx, judging, id, func(ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation) (*ent.Stipulation, error) {
		return moveStipulation(ctx, t, before, deal.StipApproved,
			input.Set(stipulation.FieldApprovedAt, t.At()), input.Set(stipulation.FieldApprovedByID, member(t)))
	})
}

// Reject says that what was received is not good, and why.
func (s Stipulations) Reject(ctx context.Context, id int, in Reasoned) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.act(ctx, judging, id, func(ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation) (*ent.Stipulation, error) {
		return moveStipulation(ctx, t, before, deal.StipRejected,
			input.Set(stipulation.FieldRejectedReason, in.Reason.Or("")))
	})
}

// Waive does without a stipulation that may be waived, and says why.
func (s Stipulations) Waive(ctx context.Context, id int, in Reasoned) (*ent.Stipulation, error) {
	return s.doWithout(ctx, id, deal.StipWaived, in)
}

// NotApplicable finds that a stipulation does not apply to the deal, and says why. As that too does without one, it is
// bound by what binds waiving.
func (s Stipulations) NotApplicable(ctx context.Context, id int, in Reasoned) (*ent.Stipulation, error) {
	return s.doWithout(ctx, id, deal.StipNotApplicable, in)
}

func (s Stipulations) doWithout(
	ctx context.Context, id int, to deal.StipulationStatus, in Reasoned,
) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.act(ctx, waiving, id, func(ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation) (*ent.Stipulation, error) {
		if !before.Waivable {
			return nil, fault.Conflictf("The deal cannot do without this stipulation.").With("waivable", "is false")
		}
		return moveStipulation(ctx, t, before, to,
			input.Set(stipulation.FieldWaivedReason, in.Reason.Or("")),
			input.Set(stipulation.FieldWaivedAt, t.At()), input.Set(stipulation.FieldWaivedByID, member(t)))
	})
}

// Reopen asks for a stipulation again that was rejected, waived or found not to apply. What was noted of that is
// forgotten; the audit trail keeps it.
func (s Stipulations) Reopen(ctx context.Context, id int) (*ent.Stipulation, error) {
	return s.act(ctx, nil, id, func(ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation) (*ent.Stipulation, error) {
		return moveStipulation(ctx, t, before, deal.StipRequested,
			input.Set(stipulation.FieldReceivedAt, nil), input.Set(stipulation.FieldRejectedReason, nil),
			input.Set(stipulation.FieldWaivedReason, nil), input.Set(stipulation.FieldWaivedAt, nil),
			input.Set(stipulation.FieldWaivedByID, nil))
	})
}

// member is the id of the member of staff who acts; nil where it is somebody else.
func member(t *unit.Tx) any {
	if !t.Actor.IsUser() {
		return nil
	}
	return t.Actor.ID
}

// act runs an act on a stipulation, locked after its deal, by somebody who may write deals and has the permissions.
func (s Stipulations) act(
	ctx context.Context, needs []auth.Permission, id int,
	work func(context.Context, *unit.Tx, *ent.Deal, *ent.Stipulation) (*ent.Stipulation, error),
) (*ent.Stipulation, error) {
	for _, p := range needs {
		if _, err := unit.RequirePermission(ctx, p); err != nil {
			return nil, err
		}
	}
	return unit.Write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *unit.Tx) (*ent.Stipulation, error) {
		unlocked, err := t.Stipulation.Get(ctx, id)
		if err != nil {
			return nil, unit.NotFound(err, "stipulation")
		}
		d, err := books.LockDeal(ctx, t, unlocked.DealID)
		if err != nil {
			return nil, err
		}
		before, err := t.Stipulation.Query().Where(stipulation.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "stipulation")
		}
		return work(ctx, t, d, before)
	})
}

// moveStipulation takes a stipulation to another status, if it may move there, and stores what is noted of it. The status
// that it has already is no move.
func moveStipulation(
	ctx context.Context, t *unit.Tx, before *ent.Stipulation, to deal.StipulationStatus, also ...input.Change,
) (*ent.Stipulation, error) {
	if before.Status == to {
		return before, nil
	}
	if err := deal.AllowedStipulationMove(before.Status, to); err != nil {
		return nil, err
	}
	return changeStipulation(ctx, t, before,
		append(also, input.Set(stipulation.FieldStatus, to)))
}

func changeStipulation(
	ctx context.Context, t *unit.Tx, before *ent.Stipulation, changes []input.Change,
) (*ent.Stipulation, error) {
	if len(changes) == 0 {
		return before, nil
	}
	update := t.Stipulation.Update().Where(stipulation.ID(before.ID))
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		t.Record("stipulation.update", "stipulation", before.ID, &before.DealID, before, after)
	}
	return after, err
}
