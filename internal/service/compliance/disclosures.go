package compliance

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/internal/auth"
	"paydown/internal/civil"
	rules "paydown/internal/disclosure"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// Disclosures are what state law has merchants told before they sign.
type Disclosures struct{ core *unit.Core }

// DisclosureListing describes the list.
var DisclosureListing = &list.Listing[ent.Disclosure]{
	Resource: "disclosures", Scope: auth.Read("compliance"),
	Sorts: []list.Sort{
		{Name: "state", Column: entdisclosure.FieldState, Kind: list.IsText},
		{Name: "status", Column: entdisclosure.FieldStatus, Kind: list.IsText},
	},
	Filters: []list.Filter{
		{Name: "dealId", Column: entdisclosure.FieldDealID, Kind: list.IsID, Doc: "Only disclosures of this deal"},
		{Name: "state", Column: entdisclosure.FieldState, Kind: list.IsText, Doc: "Only disclosures under the law of this state"},
		{
			Name: "status", Column: entdisclosure.FieldStatus, Kind: list.IsEnum, Values: entdisclosure.Status("").Values(),
			Doc: "Only disclosures of this status",
		},
	},
}

// List returns a page of them.
func (s Disclosures) List(ctx context.Context, req list.Request) (*list.Page[ent.Disclosure], error) {
	return list.Read(ctx, s.core, DisclosureListing, req, s.core.Store.Reader().Disclosure.Query())
}

// DisclosureMoment says when something became of a disclosure.
type DisclosureMoment struct {
	At input.Opt[civil.Moment] `json:"at" column:"-" doc:"When it was; now unless given"`
}

// Make drafts the disclosure that the law of the merchant's state demands of a deal that is priced and not yet funded, in
// the place of one that showed other terms. One that shows the present terms already stays as it is.
func (s Disclosures) Make(ctx context.Context, dealID int) (*ent.Disclosure, error) {
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *unit.Tx) (*ent.Disclosure, error) {
		return disclose(ctx, t, dealID)
	})
}

// disclose is the work of Make.
func disclose(ctx context.Context, t *unit.Tx, dealID int) (*ent.Disclosure, error) {
	d, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return nil, err
	}
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return nil, err
	}
	if m.State == nil {
		return nil, fault.Conflictf("The merchant has no state; set it, so that it is known whether the law requires a disclosure.")
	}
	if d.FundedAmount == nil {
		return nil, fault.Conflictf("A deal is disclosed once it is priced.")
	}
	law, required := rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
	if !required {
		return nil, fault.Conflictf("The law of %s demands no disclosure of this deal.", *m.State)
	}
	if d.State.Live() {
		return nil, fault.Conflictf("The deal is %s; a disclosure is made before a deal is funded.", d.State)
	}
	hash := servicing.TermsHash(t, d)
	inForce, err := t.Disclosure.Query().Where(entdisclosure.DealID(dealID), entdisclosure.State(law.State),
		entdisclosure.StatusNEQ(entdisclosure.StatusSUPERSEDED), unit.Locked).Only(ctx)
	if err == nil && bytes.Equal(inForce.InputsHash, hash) {
		return inForce, nil
	}
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	if err := servicing.SupersedeDisclosures(ctx, t, dealID, ""); err != nil {
		return nil, err
	}
	show, err := WriteDisclosure(ctx, t, d, m, law)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(show)
	if err != nil {
		return nil, err
	}
	made, err := t.Disclosure.Create().SetDealID(dealID).SetState(law.State).SetComputed(raw).SetInputsHash(hash).Save(ctx)
	if err == nil {
		t.Record("disclosure.create", "disclosure", made.ID, &dealID, nil, made)
	}
	return made, err
}

// Deliver notes that the merchant has a disclosure. One that shows other terms than the deal has now is refused.
func (s Disclosures) Deliver(ctx context.Context, id int, in DisclosureMoment) (*ent.Disclosure, error) {
	return s.move(ctx, id, entdisclosure.StatusDELIVERED, in)
}

// Sign notes that the merchant has signed a disclosure that was delivered, as on paper. What is signed through a signature
// request follows from that.
func (s Disclosures) Sign(ctx context.Context, id int, in DisclosureMoment) (*ent.Disclosure, error) {
	return s.move(ctx, id, entdisclosure.StatusSIGNED, in)
}

func (s Disclosures) move(
	ctx context.Context, id int, to entdisclosure.Status, in DisclosureMoment,
) (*ent.Disclosure, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *unit.Tx) (*ent.Disclosure, error) {
		d, before, err := lockDisclosure(ctx, t, id)
		if err != nil || before.Status == to {
			return before, err
		}
		at, err := OccurredAt(t, "at", in.At)
		if err != nil {
			return nil, err
		}
		if civil.On(at, t.Zone()).Before(civil.On(before.CreatedAt, t.Zone())) {
			return nil, fault.Field("at", "must not lie before the disclosure was made")
		}
		return MoveDisclosure(ctx, t, d, before, to, at)
	})
}

// OccurredAt is when something was that somebody notes: now, where nothing is said, and never ahead of now.
func OccurredAt(t *unit.Tx, path string, in input.Opt[civil.Moment]) (time.Time, error) {
	given, ok := in.Get()
	if !ok {
		return t.At(), nil
	}
	at := given.At(t.Zone())
	if at.After(t.At()) {
		return at, fault.Field(path, "must not lie in the future")
	}
	return at, nil
}

// lockDisclosure locks a disclosure after the deal that it is of.
func lockDisclosure(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.Disclosure, error) {
	unlocked, err := t.Disclosure.Get(ctx, id)
	if err != nil {
		return nil, nil, unit.NotFound(err, "disclosure")
	}
	d, err := books.LockDeal(ctx, t, unlocked.DealID)
	if err != nil {
		return nil, nil, err
	}
	row, err := t.Disclosure.Query().Where(entdisclosure.ID(id), unit.Locked).Only(ctx)
	return d, row, unit.NotFound(err, "disclosure")
}

// MoveDisclosure moves a disclosure that is locked with its deal, and says when that was.
func MoveDisclosure(
	ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.Disclosure, to entdisclosure.Status, at time.Time,
) (*ent.Disclosure, error) {
	if err := rules.Check(rules.Status(before.Status), rules.Status(to)); err != nil {
		return nil, err
	}
	if !bytes.Equal(before.InputsHash, servicing.TermsHash(t, d)) {
		return nil, fault.Conflictf("The deal's terms have changed since the disclosure was drafted; make another one.")
	}
	stamp := entdisclosure.FieldDeliveredAt
	if to == entdisclosure.StatusSIGNED {
		stamp = entdisclosure.FieldSignedAt
	}
	update := t.Disclosure.Update().Where(entdisclosure.ID(before.ID))
	after, err := unit.Store(ctx, t, before, []input.Change{input.Set(entdisclosure.FieldStatus, to), input.Set(stamp, at)}, update.Mutation(), update.Save)
	if err == nil {
		t.Record("disclosure.update", "disclosure", before.ID, &before.DealID, before, after)
	}
	return after, err
}
