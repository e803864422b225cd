package service

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
)

// MerchantContactInput is what a caller sets of a person behind a merchant.
type MerchantContactInput struct {
	FirstName    Opt[string]     `json:"firstName" check:"name" need:"create" example:"Dana"`
	LastName     Opt[string]     `json:"lastName" check:"name" need:"create" example:"Whitfield"`
	Email        Opt[string]     `json:"email" check:"email" example:"dana@harborstreet.example"`
	Phone        Opt[string]     `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	Title        Opt[string]     `json:"title" check:"text" example:"Owner"`
	SSN          Opt[string]     `json:"ssn" check:"ssn" column:"-" doc:"Social security number; kept sealed, and of it only the last four digits are ever shown"`
	OwnershipPct Opt[money.Rate] `json:"ownershipPct" check:"gte=0,lte=100000000" doc:"Part of the business, in per cent" example:"60.00"`
	IsGuarantor  Opt[bool]       `json:"isGuarantor" need:"value" doc:"Guarantees the advance; false unless given"`
	IsPrimary    Opt[bool]       `json:"isPrimary" need:"value" doc:"The one to speak to, of whom a merchant has one at most; false unless given"`
}

// NewMerchantContact is a person who is added to a merchant.
type NewMerchantContact struct {
	MerchantID Opt[int] `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant whose contact it is"`
	MerchantContactInput
}

// AddContact adds a person to a merchant. One who is primary takes the place of who was.
func (s Merchants) AddContact(ctx context.Context, in NewMerchantContact) (*ent.MerchantContact, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *tx) (*ent.MerchantContact, error) {
		if err := t.require(ctx, reference{"merchantId", "Merchant", in.MerchantID.Ptr()}); err != nil {
			return nil, err
		}
		m, err := t.lockMerchant(ctx, in.MerchantID.Or(0))
		if err != nil {
			return nil, err
		}
		row, err := t.addContact(ctx, m.ID, in.MerchantContactInput)
		if err == nil {
			t.record("merchantContact.create", "merchantContact", row.ID, nil, nil, row)
		}
		return row, err
	})
}

// addContact adds a person to a merchant that is locked.
func (t *tx) addContact(ctx context.Context, merchantID int, in MerchantContactInput) (*ent.MerchantContact, error) {
	if err := t.ownedInAll(ctx, merchantID, 0, in.OwnershipPct.Or(money.Rate{})); err != nil {
		return nil, err
	}
	if in.IsPrimary.Or(false) {
		if err := t.noLongerPrimary(ctx, merchantID); err != nil {
			return nil, err
		}
	}
	create := t.MerchantContact.Create().SetMerchantID(merchantID).SetNillableSsnLast4(lastFourOf(in.SSN))
	if err := setColumns(create.Mutation(), columnsOf(in, nil, t.zone())); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	return row, t.keepSSN(ctx, row.ID, in.SSN)
}

// UpdateContact changes a person behind a merchant.
func (s Merchants) UpdateContact(ctx context.Context, id int, in MerchantContactInput) (*ent.MerchantContact, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *tx) (*ent.MerchantContact, error) {
		before, err := t.lockContact(ctx, id)
		if err != nil {
			return nil, err
		}
		if part, given := in.OwnershipPct.Get(); given {
			if err := t.ownedInAll(ctx, before.MerchantID, id, part); err != nil {
				return nil, err
			}
		}
		if in.IsPrimary.Or(false) && !before.IsPrimary {
			if err := t.noLongerPrimary(ctx, before.MerchantID); err != nil {
				return nil, err
			}
		}
		changes := columnsOf(in, before, t.zone())
		if !in.SSN.Absent() {
			// Whether it is the same number nobody looks up: what was given is kept.
			changes = append(changes, columnChange{merchantcontact.FieldSsnLast4, nullable(lastFourOf(in.SSN))})
		}
		if len(changes) == 0 {
			return before, nil
		}
		update := t.MerchantContact.Update().Where(merchantcontact.ID(id))
		after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		t.record("merchantContact.update", "merchantContact", id, nil, before, after)
		return after, t.keepSSN(ctx, id, in.SSN)
	})
}

// DeleteContact removes a person from a merchant.
func (s Merchants) DeleteContact(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *tx) (int, error) {
		before, err := t.lockContact(ctx, id)
		if err != nil {
			return 0, err
		}
		if err := t.unreferenced(ctx, "contact", ent.TypeMerchantContact, id); err != nil {
			return 0, err
		}
		if err := t.MerchantContact.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, inUse(err, "contact")
		}
		t.record("merchantContact.delete", "merchantContact", id, nil, before, nil)
		return id, nil
	})
}

// lockContact locks a contact after its merchant, so that those of one merchant change one after the other.
func (t *tx) lockContact(ctx context.Context, id int) (*ent.MerchantContact, error) {
	unlocked, err := t.MerchantContact.Get(ctx, id)
	if err != nil {
		return nil, missing(err, "contact")
	}
	if _, err := t.lockMerchant(ctx, unlocked.MerchantID); err != nil {
		return nil, err
	}
	row, err := t.MerchantContact.Query().Where(merchantcontact.ID(id), locked).Only(ctx)
	return row, missing(err, "contact")
}

// ownedInAll refuses a part of the business that would make those of all contacts, but the given one's present part, come
// to more than the whole.
func (t *tx) ownedInAll(ctx context.Context, merchantID, but int, part money.Rate) error {
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
func (t *tx) noLongerPrimary(ctx context.Context, merchantID int) error {
	rows, err := t.MerchantContact.Query().
		Where(merchantcontact.MerchantID(merchantID), merchantcontact.IsPrimary(true)).Order(merchantcontact.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, before := range rows {
		update := t.MerchantContact.Update().Where(merchantcontact.ID(before.ID))
		after, err := stored(ctx, t, before, []columnChange{{merchantcontact.FieldIsPrimary, false}}, update.Mutation(), update.Save)
		if err != nil {
			return err
		}
		alsoChanged(t, "merchantContact", before, after)
	}
	return nil
}

// lastFourOf is what is shown of a social security number.
func lastFourOf(ssn Opt[string]) *string {
	number, given := ssn.Get()
	if !given {
		return nil
	}
	last := number[len(number)-lastDigits:]
	return &last
}

// keepSSN seals a social security number for its contact, or forgets it where it is null.
func (t *tx) keepSSN(ctx context.Context, id int, ssn Opt[string]) error {
	update := t.MerchantContact.Update().Where(merchantcontact.ID(id))
	switch number, given := ssn.Get(); {
	case given:
		digits := strings.ReplaceAll(number, "-", "")
		return update.SetSsn(t.core.secrets.Seal([]byte(digits), ssnOf(id))).Exec(ctx)
	case ssn.IsNull():
		return update.ClearSsn().Exec(ctx)
	default:
		return nil
	}
}

// ssnOf is what a sealed social security number is bound to.
func ssnOf(contactID int) string { return fmt.Sprintf("%s/%d", merchantcontact.Table, contactID) }
