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

// BankAccounts is the aggregate of bank accounts that merchants are paid into and collected from. Only the last
// four digits of an account number are ever shown.
type BankAccounts struct{ core *unit.Core }

// NewBankAccount is the input for adding a bank account.
type NewBankAccount struct {
	MerchantID    input.Opt[int]                          `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant that owns the account"`
	DealID        input.Opt[int]                          `json:"dealId" check:"gte=1" doc:"The one deal of the merchant that may use the account; default: all of them"`
	HolderName    input.Opt[string]                       `json:"holderName" check:"name" need:"create" doc:"Name of the account holder"`
	BankName      input.Opt[string]                       `json:"bankName" check:"text"`
	RoutingNumber input.Opt[string]                       `json:"routingNumber" check:"routing" need:"create" doc:"ABA routing number, nine digits"`
	AccountNumber input.Opt[string]                       `json:"accountNumber" check:"account" need:"create" column:"-" doc:"4 to 17 digits; stored encrypted and never shown again"`
	AccountType   input.Opt[bankaccounttoken.AccountType] `json:"accountType" need:"value" doc:"Default: CHECKING"`
}

// Get returns one bank account.
func (s BankAccounts) Get(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().BankAccountToken.Get(ctx, id)
	return row, unit.NotFound(err, "bank account")
}

// Add stores a merchant's bank account, to be verified. The same account cannot be added again until it is
// revoked.
func (s BankAccounts) Add(ctx context.Context, in NewBankAccount) (*ent.BankAccountToken, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.BankAccountToken, error) {
		return addBankAccount(ctx, t, in)
	})
}

func addBankAccount(ctx context.Context, t *unit.Tx, in NewBankAccount) (*ent.BankAccountToken, error) {
	if err := t.Require(ctx,
		unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()},
		unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}); err != nil {
		return nil, err
	}
	m, err := parties.LockMerchant(ctx, t, in.MerchantID.Or(0)) // prevents adding the same account twice at the same time
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
	if err := refuseDuplicate(ctx, t, m.ID, in.RoutingNumber.Or(""), number); err != nil {
		return nil, err
	}
	// The number is sealed with the row's id, so the row is created first.
	create := t.BankAccountToken.Create().SetLast4(number[len(number)-parties.LastDigits:]).SetToken([]byte{})
	row, err := unit.Create(ctx, t, "bankAccountToken", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, err
	}
	t.Record("bankAccountToken.create", "bankAccountToken", row.ID, row.DealID, nil, row)
	sealed := t.Core.Secrets.Seal([]byte(number), AccountNumberOf(row.ID))
	return row, t.BankAccountToken.Update().Where(bankaccounttoken.ID(row.ID)).SetToken(sealed).Exec(ctx)
}

// refuseDuplicate rejects an account that the merchant already has.
func refuseDuplicate(ctx context.Context, t *unit.Tx, merchantID int, routing, number string) error {
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
			return fault.Conflictf("The merchant already has this bank account.").
				With("accountNumber", "is the number of bank account %d", row.ID)
		}
	}
	return nil
}

// sameNumber reports whether two rows have the same account number at the same bank.
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

// accountNumber decrypts an account number.
func accountNumber(t *unit.Tx, row *ent.BankAccountToken) (string, error) {
	number, err := t.Core.Secrets.Unseal(row.Token, AccountNumberOf(row.ID))
	if err != nil {
		return "", fmt.Errorf("number of bank account %d: %w", row.ID, err)
	}
	return string(number), nil
}

// AccountNumberOf returns the context that a sealed account number is bound to.
func AccountNumberOf(id int) string { return fmt.Sprintf("%s/%d", bankaccounttoken.Table, id) }

// Verify records that an account was proved to be the merchant's. It ends the holds of deals whose debits
// waited for another account. Verifying a verified account changes nothing.
func (s BankAccounts) Verify(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return s.move(ctx, id, bankaccounttoken.StatusVERIFIED, bankaccounttoken.FieldVerifiedAt)
}

// Revoke records that an account must never be used again. Revoking a revoked account changes nothing.
func (s BankAccounts) Revoke(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return s.move(ctx, id, bankaccounttoken.StatusREVOKED, bankaccounttoken.FieldRevokedAt)
}

func (s BankAccounts) move(
	ctx context.Context, id int, to bankaccounttoken.Status, stamp string,
) (*ent.BankAccountToken, error) {
	return unit.Write(ctx, s.core, auth.Write("payments"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.BankAccountToken, error) {
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
		changes := []input.Change{input.Set(bankaccounttoken.FieldStatus, to), input.Set(stamp, t.At())}
		after, err := unit.Store(ctx, t, before, changes,
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

// OfMerchants lists the bank accounts of each merchant, by its id.
func (s BankAccounts) OfMerchants(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.BankAccountToken, error) {
	return list.ReadOfEach(ctx, through, bankaccounttoken.FieldMerchantID, ids,
		s.core.Store.Reader().BankAccountToken.Query())
}

// OfDeals lists the bank accounts that each deal may use, by its id: the deal's own, and those that its
// merchant uses for all deals.
func (s BankAccounts) OfDeals(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.BankAccountToken, error) {
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
