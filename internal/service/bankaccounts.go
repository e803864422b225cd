package service

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/bankaccounttoken"
	entdeal "paydown/ent/deal"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
)

// BankAccounts are the accounts that merchants are paid into and collected from. Of an account's number only the last four
// digits ever leave.
type BankAccounts struct{ *core }

// NewBankAccount is what a bank account is made of.
type NewBankAccount struct {
	MerchantID    Opt[int]                          `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant whose account it is"`
	DealID        Opt[int]                          `json:"dealId" check:"gte=1" doc:"The one deal of the merchant's that it is for; all of them unless given"`
	HolderName    Opt[string]                       `json:"holderName" check:"name" need:"create" doc:"Name that the account is held under"`
	BankName      Opt[string]                       `json:"bankName" check:"text"`
	RoutingNumber Opt[string]                       `json:"routingNumber" check:"routing" need:"create" doc:"Nine digits of the American Bankers Association"`
	AccountNumber Opt[string]                       `json:"accountNumber" check:"account" need:"create" column:"-" doc:"4 to 17 digits; kept sealed and never shown again"`
	AccountType   Opt[bankaccounttoken.AccountType] `json:"accountType" need:"value" doc:"CHECKING unless given"`
}

// lastDigits is how many digits of a number are shown.
const lastDigits = 4

// Get returns one bank account.
func (s BankAccounts) Get(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	if _, err := permit(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	row, err := s.store.Reader().BankAccountToken.Get(ctx, id)
	return row, missing(err, "bank account")
}

// Add keeps a bank account of a merchant, to be verified. The same account is kept once until it is revoked.
func (s BankAccounts) Add(ctx context.Context, in NewBankAccount) (*ent.BankAccountToken, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.BankAccountToken, error) {
		return t.addBankAccount(ctx, in)
	})
}

func (t *tx) addBankAccount(ctx context.Context, in NewBankAccount) (*ent.BankAccountToken, error) {
	if err := t.require(ctx, reference{"merchantId", "Merchant", in.MerchantID.Ptr()}, reference{"dealId", "Deal", in.DealID.Ptr()}); err != nil {
		return nil, err
	}
	m, err := t.lockMerchant(ctx, in.MerchantID.Or(0)) // so that the same account is not added twice at once
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
	if err := t.notKnown(ctx, m.ID, in.RoutingNumber.Or(""), number); err != nil {
		return nil, err
	}
	// The number is sealed for its row, so the row comes first.
	create := t.BankAccountToken.Create().SetLast4(number[len(number)-lastDigits:]).SetToken([]byte{})
	row, err := made(ctx, t, "bankAccountToken", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, err
	}
	t.record("bankAccountToken.create", "bankAccountToken", row.ID, row.DealID, nil, row)
	sealed := t.core.secrets.Seal([]byte(number), accountNumberOf(row.ID))
	return row, t.BankAccountToken.Update().Where(bankaccounttoken.ID(row.ID)).SetToken(sealed).Exec(ctx)
}

// notKnown refuses an account that the merchant has already.
func (t *tx) notKnown(ctx context.Context, merchantID int, routing, number string) error {
	alike, err := t.BankAccountToken.Query().Where(bankaccounttoken.MerchantID(merchantID),
		bankaccounttoken.RoutingNumber(routing), bankaccounttoken.Last4(number[len(number)-lastDigits:]),
		bankaccounttoken.StatusNEQ(bankaccounttoken.StatusREVOKED)).All(ctx)
	if err != nil {
		return err
	}
	for _, row := range alike {
		known, err := t.accountNumber(row)
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
func (t *tx) sameNumber(a, b *ent.BankAccountToken) (bool, error) {
	if a.RoutingNumber == nil || b.RoutingNumber == nil || *a.RoutingNumber != *b.RoutingNumber || a.Last4 != b.Last4 {
		return false, nil
	}
	one, err := t.accountNumber(a)
	if err != nil {
		return false, err
	}
	other, err := t.accountNumber(b)
	return one == other, err
}

// accountNumber opens the number of an account.
func (t *tx) accountNumber(row *ent.BankAccountToken) (string, error) {
	number, err := t.core.secrets.Unseal(row.Token, accountNumberOf(row.ID))
	if err != nil {
		return "", fmt.Errorf("number of bank account %d: %w", row.ID, err)
	}
	return string(number), nil
}

// accountNumberOf is what a sealed account number is bound to.
func accountNumberOf(id int) string { return fmt.Sprintf("%s/%d", bankaccounttoken.Table, id) }

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
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.BankAccountToken, error) {
		if to == bankaccounttoken.StatusVERIFIED {
			if err := t.lockDealsToCure(ctx, id); err != nil {
				return nil, err
			}
		}
		before, err := t.BankAccountToken.Query().Where(bankaccounttoken.ID(id), locked).Only(ctx)
		if err != nil {
			return nil, missing(err, "bank account")
		}
		if before.Status == to {
			return before, nil
		}
		if err := deal.CheckBank(deal.BankStatus(before.Status), deal.BankStatus(to)); err != nil {
			return nil, err
		}
		update := t.BankAccountToken.Update().Where(bankaccounttoken.ID(id))
		after, err := stored(ctx, t, before, []columnChange{{bankaccounttoken.FieldStatus, to}, {stamp, t.At()}},
			update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		t.record("bankAccountToken.update", "bankAccountToken", id, before.DealID, before, after)
		if to == bankaccounttoken.StatusVERIFIED {
			err = t.cureByAccount(ctx, after)
		}
		return after, err
	})
}

// OfMerchants lists the bank accounts of each of the merchants, by id.
func (s BankAccounts) OfMerchants(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.BankAccountToken, error) {
	return listOfEach(ctx, through, bankaccounttoken.FieldMerchantID, ids, s.store.Reader().BankAccountToken.Query())
}

// OfDeals lists the bank accounts that each of the deals may use, by id: its own, and those of its merchant that are for no
// deal in particular.
func (s BankAccounts) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.BankAccountToken, error) {
	if _, err := permit(ctx, through); err != nil {
		return nil, err
	}
	deals, err := s.store.Reader().Deal.Query().Where(entdeal.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	merchants := make([]int, len(deals))
	for i, d := range deals {
		merchants[i] = d.MerchantID
	}
	rows, err := s.store.Reader().BankAccountToken.Query().Where(bankaccounttoken.MerchantIDIn(merchants...)).
		Order(bankaccounttoken.ByID()).All(ctx)
	of := byOwner(rows, bankaccounttoken.FieldMerchantID)
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
