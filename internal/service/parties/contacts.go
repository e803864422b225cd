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

// MerchantContactInput is the input for updating a merchant's contact.
type MerchantContactInput struct {
	FirstName    input.Opt[string]     `json:"firstName" check:"name" need:"create" example:"Dana"`
	LastName     input.Opt[string]     `json:"lastName" check:"name" need:"create" example:"Whitfield"`
	Email        input.Opt[string]     `json:"email" check:"email" example:"dana@harborstreet.example"`
	Phone        input.Opt[string]     `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	Title        input.Opt[string]     `json:"title" check:"text" example:"Owner"`
	SSN          input.Opt[string]     `json:"ssn" check:"ssn" column:"-" doc:"Social security number; stored encrypted, only the last four digits are ever shown"`
	OwnershipPct input.Opt[money.Rate] `json:"ownershipPct" check:"gte=0,lte=100000000" doc:"Percentage of the business owned" example:"60.00"`
	IsGuarantor  input.Opt[bool]       `json:"isGuarantor" need:"value" doc:"Guarantees the advance; default: false"`
	IsPrimary    input.Opt[bool]       `json:"isPrimary" need:"value" doc:"Primary contact; a merchant has at most one. Default: false"`
}

// NewMerchantContact is the input for adding a contact to a merchant.
type NewMerchantContact struct {
	MerchantID input.Opt[int] `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant of the contact"`
	MerchantContactInput
}

// AddContact adds a contact to a merchant. A new primary contact replaces the current one.
func (s Merchants) AddContact(ctx context.Context, in NewMerchantContact) (*ent.MerchantContact, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.MerchantContact, error) {
		if err := t.Require(ctx, unit.Reference{
			Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr(),
		}); err != nil {
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

// AddContact adds a contact to a locked merchant.
func AddContact(
	ctx context.Context, t *unit.Tx, merchantID int, in MerchantContactInput,
) (*ent.MerchantContact, error) {
	if err := checkOwnership(ctx, t, merchantID, 0, in.OwnershipPct.Or(money.Rate{})); err != nil {
		return nil, err
	}
	if in.IsPrimary.Or(false) {
		if err := clearPrimary(ctx, t, merchantID); err != nil {
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

// UpdateContact changes a contact.
func (s Merchants) UpdateContact(ctx context.Context, id int, in MerchantContactInput) (*ent.MerchantContact, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.MerchantContact, error) {
		before, err := lockContact(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if part, given := in.OwnershipPct.Get(); given {
			if err := checkOwnership(ctx, t, before.MerchantID, id, part); err != nil {
				return nil, err
			}
		}
		if in.IsPrimary.Or(false) && !before.IsPrimary {
			if err := clearPrimary(ctx, t, before.MerchantID); err != nil {
				return nil, err
			}
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if !in.SSN.Absent() {
			// The stored number is not decrypted for comparison: the given one is stored.
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

// DeleteContact deletes a contact.
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

// lockContact locks a contact after its merchant, so that contacts of one merchant change one after the other.
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

// checkOwnership rejects an ownership percentage that would bring all contacts of the merchant above 100 in
// total; the contact except is not counted.
func checkOwnership(ctx context.Context, t *unit.Tx, merchantID, except int, part money.Rate) error {
	others, err := t.MerchantContact.Query().
		Where(merchantcontact.MerchantID(merchantID), merchantcontact.IDNEQ(except),
			merchantcontact.OwnershipPctNotNil()).All(ctx)
	if err != nil {
		return err
	}
	all := part.Decimal()
	for _, o := range others {
		all = all.Add(o.OwnershipPct.Decimal())
	}
	if all.GreaterThan(decimal.NewFromInt(100)) {
		return fault.Field("ownershipPct", "is too high: the percentages of all contacts must not exceed 100 in total")
	}
	return nil
}

// clearPrimary unsets the merchant's primary contact.
func clearPrimary(ctx context.Context, t *unit.Tx, merchantID int) error {
	rows, err := t.MerchantContact.Query().
		Where(merchantcontact.MerchantID(merchantID), merchantcontact.IsPrimary(true)).Order(merchantcontact.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, before := range rows {
		update := t.MerchantContact.Update().Where(merchantcontact.ID(before.ID))
		changes := []input.Change{input.Set(merchantcontact.FieldIsPrimary, false)}
		after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "merchantContact", before, after)
	}
	return nil
}

// lastFourOf returns the visible digits of a social security number.
func lastFourOf(ssn input.Opt[string]) *string {
	number, given := ssn.Get()
	if !given {
		return nil
	}
	last := number[len(number)-LastDigits:]
	return &last
}

// keepSSN seals and stores a contact's social security number, or deletes it if the input is null.
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

// SSNOf returns the context that a sealed social security number is bound to.
func SSNOf(contactID int) string { return fmt.Sprintf("%s/%d", merchantcontact.Table, contactID) }
