package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/internal/auth"
	"paydown/internal/civil"
	rules "paydown/internal/disclosure"
	"paydown/internal/fault"
)

// Disclosures are what state law has merchants told before they sign.
type Disclosures struct{ *core }

// DisclosureListing describes the list.
var DisclosureListing = &Listing[ent.Disclosure]{
	Resource: "disclosures", Scope: auth.Read("compliance"),
	Sorts: []Sort{
		{"state", entdisclosure.FieldState, IsText},
		{"status", entdisclosure.FieldStatus, IsText},
	},
	Filters: []Filter{
		{Name: "dealId", Column: entdisclosure.FieldDealID, Kind: IsID, Doc: "Only disclosures of this deal"},
		{Name: "state", Column: entdisclosure.FieldState, Kind: IsText, Doc: "Only disclosures under the law of this state"},
		{
			Name: "status", Column: entdisclosure.FieldStatus, Kind: IsEnum, Values: entdisclosure.Status("").Values(),
			Doc: "Only disclosures of this status",
		},
	},
}

// List returns a page of them.
func (s Disclosures) List(ctx context.Context, params map[string]string) (*Page[ent.Disclosure], error) {
	return page(ctx, s.core, DisclosureListing, params, s.store.Reader().Disclosure.Query())
}

// DisclosureMoment says when something became of a disclosure.
type DisclosureMoment struct {
	At Opt[civil.Moment] `json:"at" column:"-" doc:"When it was; now unless given"`
}

// errNotRequired says that no law demands a disclosure of a deal.
var errNotRequired = errors.New("no disclosure is required")

// Make drafts the disclosure that the law of the merchant's state demands of a deal that is priced and not yet funded, in
// the place of one that showed other terms. One that shows the present terms already stays as it is.
func (s Disclosures) Make(ctx context.Context, dealID int) (*ent.Disclosure, error) {
	return write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *tx) (*ent.Disclosure, error) {
		return t.disclose(ctx, dealID)
	})
}

// disclose is the work of Make. Where no law demands a disclosure the error is a conflict because of errNotRequired.
func (t *tx) disclose(ctx context.Context, dealID int) (*ent.Disclosure, error) {
	d, err := t.lockDeal(ctx, dealID)
	if err != nil {
		return nil, err
	}
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return nil, err
	}
	if m.State == nil {
		return nil, fault.Conflictf("The merchant has no state; set it, so that it is known whether the law requires a disclosure.").
			Because(errNotRequired)
	}
	if d.FundedAmount == nil {
		return nil, fault.Conflictf("A deal is disclosed once it is priced.").Because(errNotRequired)
	}
	law, required := rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
	if !required {
		return nil, fault.Conflictf("The law of %s demands no disclosure of this deal.", *m.State).Because(errNotRequired)
	}
	if d.State.Live() {
		return nil, fault.Conflictf("The deal is %s; a disclosure is made before a deal is funded.", d.State)
	}
	hash := t.termsHash(d)
	inForce, err := t.Disclosure.Query().Where(entdisclosure.DealID(dealID), entdisclosure.State(law.State),
		entdisclosure.StatusNEQ(entdisclosure.StatusSUPERSEDED), locked).Only(ctx)
	if err == nil && bytes.Equal(inForce.InputsHash, hash) {
		return inForce, nil
	}
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	if err := t.supersedeDisclosures(ctx, dealID, ""); err != nil {
		return nil, err
	}
	show, err := t.show(ctx, d, m, law)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(show)
	if err != nil {
		return nil, err
	}
	made, err := t.Disclosure.Create().SetDealID(dealID).SetState(law.State).SetComputed(raw).SetInputsHash(hash).Save(ctx)
	if err == nil {
		t.record("disclosure.create", "disclosure", made.ID, &dealID, nil, made)
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
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *tx) (*ent.Disclosure, error) {
		d, before, err := t.lockDisclosure(ctx, id)
		if err != nil || before.Status == to {
			return before, err
		}
		at, err := t.moment("at", in.At)
		if err != nil {
			return nil, err
		}
		if civil.On(at, t.zone()).Before(civil.On(before.CreatedAt, t.zone())) {
			return nil, fault.Field("at", "must not lie before the disclosure was made")
		}
		return t.moveDisclosure(ctx, d, before, to, at)
	})
}

// moment is when something was that somebody notes: now, where nothing is said, and never ahead of now.
func (t *tx) moment(path string, in Opt[civil.Moment]) (time.Time, error) {
	given, ok := in.Get()
	if !ok {
		return t.At(), nil
	}
	at := given.At(t.zone())
	if at.After(t.At()) {
		return at, fault.Field(path, "must not lie in the future")
	}
	return at, nil
}

// lockDisclosure locks a disclosure after the deal that it is of.
func (t *tx) lockDisclosure(ctx context.Context, id int) (*ent.Deal, *ent.Disclosure, error) {
	unlocked, err := t.Disclosure.Get(ctx, id)
	if err != nil {
		return nil, nil, missing(err, "disclosure")
	}
	d, err := t.lockDeal(ctx, unlocked.DealID)
	if err != nil {
		return nil, nil, err
	}
	row, err := t.Disclosure.Query().Where(entdisclosure.ID(id), locked).Only(ctx)
	return d, row, missing(err, "disclosure")
}

// moveDisclosure moves a disclosure that is locked with its deal, and says when that was.
func (t *tx) moveDisclosure(
	ctx context.Context, d *ent.Deal, before *ent.Disclosure, to entdisclosure.Status, at time.Time,
) (*ent.Disclosure, error) {
	if err := rules.Check(rules.Status(before.Status), rules.Status(to)); err != nil {
		return nil, err
	}
	if !bytes.Equal(before.InputsHash, t.termsHash(d)) {
		return nil, fault.Conflictf("The deal's terms have changed since the disclosure was drafted; make another one.")
	}
	stamp := entdisclosure.FieldDeliveredAt
	if to == entdisclosure.StatusSIGNED {
		stamp = entdisclosure.FieldSignedAt
	}
	update := t.Disclosure.Update().Where(entdisclosure.ID(before.ID))
	after, err := stored(ctx, t, before, []columnChange{{entdisclosure.FieldStatus, to}, {stamp, at}}, update.Mutation(), update.Save)
	if err == nil {
		t.record("disclosure.update", "disclosure", before.ID, &before.DealID, before, after)
	}
	return after, err
}
