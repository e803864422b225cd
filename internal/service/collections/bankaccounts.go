package collections

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/bankaccounttoken"
	"paydown/ent/deal"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/parties"
	"paydown/internal/service/unit"
)

// BankAccounts are the accounts that merchants are paid into and collected from. Of an account's number only the last four
// digits ever leave.
type BankAccounts struct{ core *unit.Core }

// NewBankAccount is what a bank account is made of.
type NewBankAccount struct {
	MerchantID    input.Opt[int]                          `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant whose account it is"`
	DealID        input.Opt[int]                          `json:"dealId" check:"gte=1" doc:"The one deal of the merchant's that it is for; all of them unless given"`
	HolderName    input.Opt[string]                       `json:"holderName" check:"name" need:"create" doc:"Name that the account is held under"`
	BankName      input.Opt[string]                       `json:"bankName" check:"text"`
	RoutingNumber input.Opt[string]                       `json:"routingNumber" check:"routing" need:"create" doc:"Nine digits of the American Bankers Association"`
	AccountNumber input.Opt[string]                       `json:"accountNumber" check:"account" need:"create" column:"-" doc:"4 to 17 digits; kept sealed and never shown again"`
	AccountType   input.Opt[bankaccounttoken.AccountType] `json:"accountType" need:"value" doc:"CHECKING unless given"`
}

// Get returns one bank account.
func (s BankAccounts) Get(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().BankAccountToken.Get(ctx, id)
	return row, unit.NotFound(err, "bank account")
}

// Add keeps a bank account of a merchant, to be verified. The same account is kept once until it is revoked.
func (s BankAccounts) Add(ctx context.Context, in NewBankAccount) (*ent.BankAccountToken, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.BankAccountToken, error) {
		return addBankAccount(ctx, t, in)
	})
}

func addBankAccount(ctx context.Context, t *unit.Tx, in NewBankAccount) (*ent.BankAccountToken, error) {
	if err := t.Require(ctx, unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}); err != nil {
		return nil, err
	}
	m, err := parties.LockMerchant(ctx, t, in.MerchantID.Or(0)) // so that the same account is not added twice at once
	if err != nil {
		return nil, err
	}
	if id, given := in.DealID.Get(); given {
		of, err := t.Deal.Query().Where(entdeal.ID(id), entdeal.MerchantID(m.ID)).Exist(ctx)
		if err != nil {
			return nil, err
		}
		if !of {
			return nil, fault.Field("dealId", "must be a deal of the merchant")
		}
	}
	number := in.AccountNumber.Or("")
	if err := notKnown(ctx, t, m.ID, in.RoutingNumber.Or(""), number); err != nil {
		return nil, err
	}
	// The number is sealed for its row, so the row comes first.
	create := t.BankAccountToken.Create().SetLast4(number[len(number)-parties.LastDigits:]).SetToken([]byte{})
	row, err := unit.Create(ctx, t, "bankAccountToken", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, err
	}
	t.Record("bankAccountToken.create", "bankAccountToken", row.ID, row.DealID, nil, row)
	sealed := t.Core.Secrets.Seal([]byte(number), AccountNumberOf(row.ID))
	return row, t.BankAccountToken.Update().Where(bankaccounttoken.ID(row.ID)).SetToken(sealed).Exec(ctx)
}

// notKnown refuses an account that the merchant has already.
func notKnown(ctx context.Context, t *unit.Tx, merchantID int, routing, number string) error {
	alike, err := t.BankAccountToken.Query().Where(bankaccounttoken.MerchantID(merchantID),
		bankaccounttoken.RoutingNumber(routing), bankaccounttoken.Last4(number[len(number)-parties.LastDigits:]),
		bankaccounttoken.StatusNEQ(bankaccounttoken.StatusREVOKED)).All(ctx)
	if err != nil {
		return err
	}
	for _, row := range alike {
		known, err := accountNumber(t, row)
		if err != nil {
			return err
		}
		if known == number {
			return fault.Conflictf("The merchant has this bank account already.").
				With("accountNumber", "is that of bank account %d", row.ID)
		}
	}
	return nil
}

// sameNumber reports whether two rows are of one account at one bank.
func sameNumber(t *unit.Tx, a, b *ent.BankAccountToken) (bool, error) {
	if a.RoutingNumber == nil || b.RoutingNumber == nil || *a.RoutingNumber != *b.RoutingNumber || a.Last4 != b.Last4 {
		return false, nil
	}
	one, err := accountNumber(t, a)
	if err != nil {
		return false, err
	}
	other, err := accountNumber(t, b)
	return one == other, err
}

// accountNumber opens the number of an account.
func accountNumber(t *unit.Tx, row *ent.BankAccountToken) (string, error) {
	number, err := t.Core.Secrets.Unseal(row.Token, AccountNumberOf(row.ID))
	if err != nil {
		return "", fmt.Errorf("number of bank account %d: %w", row.ID, err)
	}
	return string(number), nil
}

// AccountNumberOf is what a sealed account number is bound to.
func AccountNumberOf(id int) string { return fmt.Sprintf("%s/%d", bankaccounttoken.Table, id) }

// Verify notes that an account has been proved to be the merchant's, which ends the holds of deals whose debits waited for
// another account. One that is verified already stays as it is.
func (s BankAccounts) Verify(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return s.move(ctx, id, bankaccounttoken.StatusVERIFIED, bankaccounttoken.FieldVerifiedAt)
}

// Revoke notes that an account may no longer be used, for good. One that is revoked already stays as it is.
func (s BankAccounts) Revoke(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return s.move(ctx, id, bankaccounttoken.StatusREVOKED, bankaccounttoken.FieldRevokedAt)
}

func (s BankAccounts) move(
	ctx context.Context, id int, to bankaccounttoken.Status, stamp string,
) (*ent.BankAccountToken, error) {
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.BankAccountToken, error) {
		if to == bankaccounttoken.StatusVERIFIED {
			if err := lockDealsToCure(ctx, t, id); err != nil {
				return nil, err
			}
		}
		before, err := t.BankAccountToken.Query().Where(bankaccounttoken.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "bank account")
		}
		if before.Status == to {
			return before, nil
		}
		if err := deal.CheckBank(deal.BankStatus(before.Status), deal.BankStatus(to)); err != nil {
			return nil, err
		}
		update := t.BankAccountToken.Update().Where(bankaccounttoken.ID(id))
		after, err := unit.Store(ctx, t, before, []input.Change{input.Set(bankaccounttoken.FieldStatus, to), input.Set(stamp, t.At())},
			update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		t.Record("bankAccountToken.update", "bankAccountToken", id, before.DealID, before, after)
		if to == bankaccounttoken.StatusVERIFIED {
			err = cureByAccount(ctx, t, after)
		}
		return after, err
	})
}

// OfMerchants lists the bank accounts of each of the merchants, by id.
func (s BankAccounts) OfMerchants(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.BankAccountToken, error) {
	return list.ReadOfEach(ctx, through, bankaccounttoken.FieldMerchantID, ids, s.core.Store.Reader().BankAccountToken.Query())
}

// OfDeals lists the bank accounts that each of the deals may use, by id: its own, and those of its merchant that are for no
// deal in particular.
func (s BankAccounts) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.BankAccountToken, error) {
	if _, err := unit.RequireScope(ctx, through); err != nil {
		return nil, err
	}
	deals, err := s.core.Store.Reader().Deal.Query().Where(entdeal.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	merchants := make([]int, len(deals))
	for i, d := range deals {
		merchants[i] = d.MerchantID
	}
	rows, err := s.core.Store.Reader().BankAccountToken.Query().Where(bankaccounttoken.MerchantIDIn(merchants...)).
		Order(bankaccounttoken.ByID()).All(ctx)
	of := list.GroupByOwner(rows, bankaccounttoken.FieldMerchantID)
	found := make(map[int][]*ent.BankAccountToken, len(deals))
	for _, d := range deals {
		for _, row := range of[d.MerchantID] {
			if row.DealID == nil || *row.DealID == d.ID {
				found[d.ID] = append(found[d.ID], row)
			}
		}
	}
	return found, err
}
