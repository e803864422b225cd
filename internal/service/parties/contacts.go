package parties

import (
	"context"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/ent/merchantcontact"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// LastDigits is how many digits of a number are shown.
const LastDigits = 4

// MerchantContactInput is what a caller sets of a person behind a merchant.
type MerchantContactInput struct {
	FirstName    input.Opt[string]     `json:"firstName" check:"name" need:"create" example:"Dana"`
	LastName     input.Opt[string]     `json:"lastName" check:"name" need:"create" example:"Whitfield"`
	Email        input.Opt[string]     `json:"email" check:"email" example:"dana@harborstreet.example"`
	Phone        input.Opt[string]     `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	Title        input.Opt[string]     `json:"title" check:"text" example:"Owner"`
	SSN          input.Opt[string]     `json:"ssn" check:"ssn" column:"-" doc:"Social security number; kept sealed, and of it only the last four digits are ever shown"`
	OwnershipPct input.Opt[money.Rate] `json:"ownershipPct" check:"gte=0,lte=100000000" doc:"Part of the business, in per cent" example:"60.00"`
	IsGuarantor  input.Opt[bool]       `json:"isGuarantor" need:"value" doc:"Guarantees the advance; false unless given"`
	IsPrimary    input.Opt[bool]       `json:"isPrimary" need:"value" doc:"The one to speak to, of whom a merchant has one at most; false unless given"`
}

// NewMerchantContact is a person who is added to a merchant.
type NewMerchantContact struct {
	MerchantID input.Opt[int] `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant whose contact it is"`
	MerchantContactInput
}

// AddContact adds a person to a merchant. One who is primary takes the place of who was.
func (s Merchants) AddContact(ctx context.Context, in NewMerchantContact) (*ent.MerchantContact, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *unit.Tx) (*ent.MerchantContact, error) {
		if err := t.Require(ctx, unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}); err != nil {
			return nil, err
		}
		m, err := LockMerchant(ctx, t, in.MerchantID.Or(0))
		if err != nil {
			return nil, err
		}
		row, err := AddContact(ctx, t, m.ID, in.MerchantContactInput)
		if err == nil {
			t.Record("merchantContact.create", "merchantContact", row.ID, nil, nil, row)
		}
		return row, err
	})
}

// AddContact adds a person to a merchant that is locked.
func AddContact(ctx context.Context, t *unit.Tx, merchantID int, in MerchantContactInput) (*ent.MerchantContact, error) {
	if err := ownedInAll(ctx, t, merchantID, 0, in.OwnershipPct.Or(money.Rate{})); err != nil {
		return nil, err
	}
	if in.IsPrimary.Or(false) {
		if err := noLongerPrimary(ctx, t, merchantID); err != nil {
			return nil, err
		}
	}
	create := t.MerchantContact.Create().SetMerchantID(merchantID).SetNillableSsnLast4(lastFourOf(in.SSN))
	if err := input.SetColumns(create.Mutation(), input.ChangesOf(in, nil, t.Zone())); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	return row, keepSSN(ctx, t, row.ID, in.SSN)
}

// UpdateContact changes a person behind a merchant.
func (s Merchants) UpdateContact(ctx context.Context, id int, in MerchantContactInput) (*ent.MerchantContact, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *unit.Tx) (*ent.MerchantContact, error) {
		before, err := lockContact(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if part, given := in.OwnershipPct.Get(); given {
			if err := ownedInAll(ctx, t, before.MerchantID, id, part); err != nil {
				return nil, err
			}
		}
		if in.IsPrimary.Or(false) && !before.IsPrimary {
			if err := noLongerPrimary(ctx, t, before.MerchantID); err != nil {
				return nil, err
			}
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if !in.SSN.Absent() {
			// Whether it is the same number nobody looks up: what was given is kept.
			changes = append(changes, input.Set(merchantcontact.FieldSsnLast4, input.Nullable(lastFourOf(in.SSN))))
		}
		if len(changes) == 0 {
			return before, nil
		}
		update := t.MerchantContact.Update().Where(merchantcontact.ID(id))
		after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		t.Record("merchantContact.update", "merchantContact", id, nil, before, after)
		return after, keepSSN(ctx, t, id, in.SSN)
	})
}

// DeleteContact removes a person from a merchant.
func (s Merchants) DeleteContact(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := lockContact(ctx, t, id)
		if err != nil {
			return 0, err
		}
		if err := t.Unreferenced(ctx, "contact", ent.TypeMerchantContact, id); err != nil {
			return 0, err
		}
		if err := t.MerchantContact.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "contact")
		}
		t.Record("merchantContact.delete", "merchantContact", id, nil, before, nil)
		return id, nil
	})
}

// lockContact locks a contact after its merchant, so that those of one merchant change one after the other.
func lockContact(ctx context.Context, t *unit.Tx, id int) (*ent.MerchantContact, error) {
	unlocked, err := t.MerchantContact.Get(ctx, id)
	if err != nil {
		return nil, unit.NotFound(err, "contact")
	}
	if _, err := LockMerchant(ctx, t, unlocked.MerchantID); err != nil {
		return nil, err
	}
	row, err := t.MerchantContact.Query().Where(merchantcontact.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "contact")
}

// ownedInAll refuses a part of the business that would make those of all contacts, but the given one's present part, come
// to more than the whole.
func ownedInAll(ctx context.Context, t *unit.Tx, merchantID, but int, part money.Rate) error {
	others, err := t.MerchantContact.Query().
		Where(merchantcontact.MerchantID(merchantID), merchantcontact.IDNEQ(but), merchantcontact.OwnershipPctNotNil()).All(ctx)
	if err != nil {
		return err
	}
	all := part.Decimal()
	for _, o := range others {
		all = all.Add(o.OwnershipPct.Decimal())
	}
	if all.GreaterThan(decimal.NewFromInt(100)) {
		return fault.Field("ownershipPct", "would make the parts of all contacts come to more than 100")
	}
	return nil
}

// noLongerPrimary makes room for another primary contact of a merchant.
func noLongerPrimary(ctx context.Context, t *unit.Tx, merchantID int) error {
	rows, err := t.MerchantContact.Query().
		Where(merchantcontact.MerchantID(merchantID), merchantcontact.IsPrimary(true)).Order(merchantcontact.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, before := range rows {
		update := t.MerchantContact.Update().Where(merchantcontact.ID(before.ID))
		after, err := unit.Store(ctx, t, before, []input.Change{input.Set(merchantcontact.FieldIsPrimary, false)}, update.Mutation(), update.Save)
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "merchantContact", before, after)
	}
	return nil
}

// lastFourOf is what is shown of a social security number.
func lastFourOf(ssn input.Opt[string]) *string {
	number, given := ssn.Get()
	if !given {
		return nil
	}
	last := number[len(number)-LastDigits:]
	return &last
}

// keepSSN seals a social security number for its contact, or forgets it where it is null.
func keepSSN(ctx context.Context, t *unit.Tx, id int, ssn input.Opt[string]) error {
	update := t.MerchantContact.Update().Where(merchantcontact.ID(id))
	switch number, given := ssn.Get(); {
	case given:
		digits := strings.ReplaceAll(number, "-", "")
		return update.SetSsn(t.Core.Secrets.Seal([]byte(digits), SSNOf(id))).Exec(ctx)
	case ssn.IsNull():
		return update.ClearSsn().Exec(ctx)
	default:
		return nil
	}
}

// SSNOf is what a sealed social security number is bound to.
func SSNOf(contactID int) string { return fmt.Sprintf("%s/%d", merchantcontact.Table, contactID) }
