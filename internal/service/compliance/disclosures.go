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

// Disclosures are the disclosures that state law requires before a merchant signs.
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
		{
			Name: "state", Column: entdisclosure.FieldState, Kind: list.IsText,
			Doc: "Only disclosures under the law of this state",
		},
		{
			Name: "status", Column: entdisclosure.FieldStatus, Kind: list.IsEnum, Values: entdisclosure.Status("").Values(),
			Doc: "Only disclosures of this status",
		},
	},
}

// List returns a page of disclosures.
func (s Disclosures) List(ctx context.Context, req list.Request) (*list.Page[ent.Disclosure], error) {
	return list.Read(ctx, s.core, DisclosureListing, req, s.core.Store.Reader().Disclosure.Query())
}

// DisclosureMoment says when a disclosure was delivered or signed.
type DisclosureMoment struct {
	At input.Opt[civil.Moment] `json:"at" column:"-" doc:"Date and time; default: now"`
}

// Draft creates the disclosure that the law of the merchant's state requires for a deal that is priced but not
// funded. It replaces a disclosure with other terms, and returns an existing one with the current terms
// unchanged.
func (s Disclosures) Draft(ctx context.Context, dealID int) (*ent.Disclosure, error) {
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Disclosure, error) {
		return disclose(ctx, t, dealID)
	})
}

// disclose is Draft inside an open write.
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
		return nil, fault.Conflictf("The merchant has no state. Set it first: " +
			"state law determines whether a disclosure is required.")
	}
	if d.FundedAmount == nil {
		return nil, fault.Conflictf("The deal must be priced before it can be disclosed.")
	}
	law, required := rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
	if !required {
		return nil, fault.Conflictf("The law of %s does not require a disclosure for this deal.", *m.State)
	}
	if d.State.Live() {
		return nil, fault.Conflictf("The deal is %s. A disclosure can only be created before the deal is funded.", d.State)
	}
	hash := servicing.TermsHash(t, d)
	current, err := t.Disclosure.Query().Where(entdisclosure.DealID(dealID), entdisclosure.State(law.State),
		entdisclosure.StatusNEQ(entdisclosure.StatusSUPERSEDED), unit.Locked).Only(ctx)
	if err == nil && bytes.Equal(current.InputsHash, hash) {
		return current, nil
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

// Deliver records that the merchant has received a disclosure. It refuses a disclosure whose terms differ
// from the deal's current terms.
func (s Disclosures) Deliver(ctx context.Context, id int, in DisclosureMoment) (*ent.Disclosure, error) {
	return s.move(ctx, id, entdisclosure.StatusDELIVERED, in)
}

// Sign records that the merchant has signed a delivered disclosure, for example on paper. Signature requests
// record their signatures themselves.
func (s Disclosures) Sign(ctx context.Context, id int, in DisclosureMoment) (*ent.Disclosure, error) {
	return s.move(ctx, id, entdisclosure.StatusSIGNED, in)
}

func (s Disclosures) move(
	ctx context.Context, id int, to entdisclosure.Status, in DisclosureMoment,
) (*ent.Disclosure, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Disclosure, error) {
		d, before, err := lockDisclosure(ctx, t, id)
		if err != nil || before.Status == to {
			return before, err
		}
		at, err := OccurredAt(t, "at", in.At)
		if err != nil {
			return nil, err
		}
		if civil.On(at, t.Zone()).Before(civil.On(before.CreatedAt, t.Zone())) {
			return nil, fault.Field("at", "must not be before the disclosure was created")
		}
		return MoveDisclosure(ctx, t, d, before, to, at)
	})
}

// OccurredAt returns the time of a recorded event: now by default, and never in the future.
func OccurredAt(t *unit.Tx, path string, in input.Opt[civil.Moment]) (time.Time, error) {
	given, ok := in.Get()
	if !ok {
		return t.At(), nil
	}
	at := given.At(t.Zone())
	if at.After(t.At()) {
		return at, fault.Field(path, "must not be in the future")
	}
	return at, nil
}

// lockDisclosure locks a disclosure after its deal.
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

// MoveDisclosure moves a disclosure that is locked with its deal to another status, as of the given time.
func MoveDisclosure(
	ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.Disclosure, to entdisclosure.Status, at time.Time,
) (*ent.Disclosure, error) {
	if err := rules.Check(rules.Status(before.Status), rules.Status(to)); err != nil {
		return nil, err
	}
	if !bytes.Equal(before.InputsHash, servicing.TermsHash(t, d)) {
		return nil, fault.Conflictf(
			"The deal's terms have changed since the disclosure was drafted. Create a new disclosure.")
	}
	stamp := entdisclosure.FieldDeliveredAt
	if to == entdisclosure.StatusSIGNED {
		stamp = entdisclosure.FieldSignedAt
	}
	update := t.Disclosure.Update().Where(entdisclosure.ID(before.ID))
	after, err := unit.Store(ctx, t, before,
		[]input.Change{input.Set(entdisclosure.FieldStatus, to), input.Set(stamp, at)}, update.Mutation(), update.Save)
	if err == nil {
		t.Record("disclosure.update", "disclosure", before.ID, &before.DealID, before, after)
	}
	return after, err
}
