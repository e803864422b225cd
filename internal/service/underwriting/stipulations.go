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

// Stipulations is the aggregate of stipulations.
type Stipulations struct{ core *unit.Core }

// NewStipulation is the input for requesting a stipulation in addition to those of the template.
type NewStipulation struct {
	DealID   input.Opt[int]    `json:"dealId" check:"gte=1" need:"create" doc:"Deal that needs the stipulation"`
	Title    input.Opt[string] `json:"title" check:"name" need:"create" example:"Letter of the accountant"`
	Code     input.Opt[string] `json:"code" check:"code" need:"value" doc:"Code used in rules; default: derived from the title" example:"ACCOUNTANT_LETTER"`
	Required input.Opt[bool]   `json:"required" need:"value" doc:"Whether it can block funding; default: true"`
	Waivable input.Opt[bool]   `json:"waivable" need:"value" doc:"Whether it can be waived; default: true"`
	Months   input.Opt[int]    `json:"months" check:"gte=1,lte=120" doc:"Number of months of statements requested"`
}

// StipulationReceipt is the input for receiving a stipulation.
type StipulationReceipt struct {
	DocumentID input.Opt[int] `json:"documentId" check:"gte=1" doc:"Document of the deal or its merchant to attach"`
}

// Reasoned is the input for an action that requires a reason.
type Reasoned struct {
	Reason input.Opt[string] `json:"reason" check:"words" need:"create"`
}

// OfDeals lists the stipulations of each deal in order.
func (s Stipulations) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Stipulation, error) {
	if _, err := unit.RequireScope(ctx, through); err != nil {
		return nil, err
	}
	rows, err := s.core.Store.Reader().Stipulation.Query().Where(stipulation.DealIDIn(ids...)).
		Order(stipulation.ByPosition(), stipulation.ByID()).All(ctx)
	return list.GroupByOwner(rows, stipulation.FieldDealID), err
}

// Request adds a stipulation to a deal that is not funded yet.
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
			return nil, fault.Conflictf("The deal is %s; it no longer needs stipulations.", d.State).
				With("dealId", "must not name a deal that is %s", d.State)
		}
		requested, err := t.Stipulation.Query().Where(stipulation.DealID(dealID)).All(ctx)
		if err != nil {
			return nil, err
		}
		if in.Code.Absent() {
			in.Code = input.Some(freeCode(in.Title.Or(""), requested))
		}
		place := 0
		for _, other := range requested {
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

// codeLength limits the length of a code derived from a title.
const codeLength = 40

// freeCode derives a code from a title that no other stipulation of the deal has.
func freeCode(title string, requested []*ent.Stipulation) string {
	taken := map[string]bool{}
	for _, s := range requested {
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

// Receive marks a stipulation as received and attaches the document, if one is named. Receiving it again
// replaces the document.
func (s Stipulations) Receive(ctx context.Context, id int, in StipulationReceipt) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, nil, id, func(
		ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.Stipulation,
	) (*ent.Stipulation, error) {
		if err := checkDocument(ctx, t, d, in.DocumentID.Ptr()); err != nil {
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

// checkDocument rejects a document that belongs neither to the deal nor to its merchant.
func checkDocument(ctx context.Context, t *unit.Tx, d *ent.Deal, documentID *int) error {
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
	ofDeal := doc.DealID != nil && *doc.DealID == d.ID
	ofMerchant := doc.DealID == nil && doc.MerchantID != nil && *doc.MerchantID == d.MerchantID
	if ofDeal || ofMerchant {
		return nil
	}
	return fault.UnknownReference(fault.Detail{
		Path: "documentId", Message: "must name a document of this deal or its merchant",
	})
}

// Permissions required to approve or reject what was received, and to waive a stipulation.
var (
	reviewPermissions = []auth.Permission{auth.ApproveStipulations}
	waivePermissions  = []auth.Permission{auth.WaiveStipulations}
)

// Approve approves what was received for a stipulation.
func (s Stipulations) Approve(ctx context.Context, id int) (*ent.Stipulation, error) {
	return s.act(ctx, reviewPermissions, id, func(
		ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation,
	) (*ent.Stipulation, error) {
		return moveStipulation(ctx, t, before, deal.StipApproved,
			input.Set(stipulation.FieldApprovedAt, t.At()), input.Set(stipulation.FieldApprovedByID, member(t)))
	})
}

// Reject rejects what was received for a stipulation, with a reason.
func (s Stipulations) Reject(ctx context.Context, id int, in Reasoned) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.act(ctx, reviewPermissions, id, func(
		ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation,
	) (*ent.Stipulation, error) {
		return moveStipulation(ctx, t, before, deal.StipRejected,
			input.Set(stipulation.FieldRejectedReason, in.Reason.Or("")))
	})
}

// Waive waives a waivable stipulation, with a reason.
func (s Stipulations) Waive(ctx context.Context, id int, in Reasoned) (*ent.Stipulation, error) {
	return s.waive(ctx, id, deal.StipWaived, in)
}

// NotApplicable marks a stipulation as not applicable to the deal, with a reason. Like a waiver, it requires a
// waivable stipulation and the permission to waive.
func (s Stipulations) NotApplicable(ctx context.Context, id int, in Reasoned) (*ent.Stipulation, error) {
	return s.waive(ctx, id, deal.StipNotApplicable, in)
}

func (s Stipulations) waive(
	ctx context.Context, id int, to deal.StipulationStatus, in Reasoned,
) (*ent.Stipulation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.act(ctx, waivePermissions, id, func(
		ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation,
	) (*ent.Stipulation, error) {
		if !before.Waivable {
			return nil, fault.Conflictf("This stipulation cannot be waived.").With("waivable", "must be true")
		}
		return moveStipulation(ctx, t, before, to,
			input.Set(stipulation.FieldWaivedReason, in.Reason.Or("")),
			input.Set(stipulation.FieldWaivedAt, t.At()), input.Set(stipulation.FieldWaivedByID, member(t)))
	})
}

// Reopen requests a stipulation again that was rejected, waived or not applicable. It clears the reason and the
// waiver, which remain in the audit trail.
func (s Stipulations) Reopen(ctx context.Context, id int) (*ent.Stipulation, error) {
	return s.act(ctx, nil, id, func(
		ctx context.Context, t *unit.Tx, _ *ent.Deal, before *ent.Stipulation,
	) (*ent.Stipulation, error) {
		return moveStipulation(ctx, t, before, deal.StipRequested,
			input.Set(stipulation.FieldReceivedAt, nil), input.Set(stipulation.FieldRejectedReason, nil),
			input.Set(stipulation.FieldWaivedReason, nil), input.Set(stipulation.FieldWaivedAt, nil),
			input.Set(stipulation.FieldWaivedByID, nil))
	})
}

// member returns the id of the acting member of staff; nil if the actor is not one.
func member(t *unit.Tx) any {
	if !t.Actor.IsUser() {
		return nil
	}
	return t.Actor.ID
}

// act runs an action on a stipulation, locked after its deal. The actor needs the scope deals:write and the
// given permissions.
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

// moveStipulation moves a stipulation to another status, if the status table allows it, and stores the given
// changes. A move to the current status does nothing.
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
