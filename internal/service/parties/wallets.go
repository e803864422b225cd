package parties

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// WalletInput is money that a syndicator pays into the wallet or draws from it.
type WalletInput struct {
	Amount      input.Opt[money.Amount] `json:"amount" check:"gt=0" need:"create" doc:"In dollars" example:"25000.00"`
	ReferenceID input.Opt[string]       `json:"referenceId" check:"text" doc:"The caller's own reference, such as that of the transfer"`
}

// Deposit books what a syndicator has paid into the wallet.
func (s Syndicators) Deposit(ctx context.Context, id int, in WalletInput) (*ent.Syndicator, error) {
	return s.moveWallet(ctx, id, in, false)
}

// Withdraw books what a syndicator has drawn from the wallet. More than there is in it is a conflict.
func (s Syndicators) Withdraw(ctx context.Context, id int, in WalletInput) (*ent.Syndicator, error) {
	return s.moveWallet(ctx, id, in, true)
}

func (s Syndicators) moveWallet(ctx context.Context, id int, in WalletInput, out bool) (*ent.Syndicator, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *unit.Tx) (*ent.Syndicator, error) {
		row, err := lockSyndicator(ctx, t, id)
		if err != nil {
			return nil, err
		}
		amount := in.Amount.Or(money.Zero)
		if out {
			have, err := WalletBalance(ctx, t, id)
			if err != nil {
				return nil, err
			}
			if have.Less(amount) {
				return nil, fault.Conflictf("There is %s in the wallet.", have).With("amount", "must be at most %s", have)
			}
			amount = amount.Neg()
		}
		return row, bookWallet(ctx, t, id, amount, in.ReferenceID.Ptr())
	})
}

// bookWallet books money into a wallet, or out of it where the amount is negative. The syndicator is locked.
func bookWallet(ctx context.Context, t *unit.Tx, syndicatorID int, amount money.Amount, reference *string) error {
	entries, err := ledger.MoveWallet(syndicatorID, amount)
	if err != nil {
		return err
	}
	for i := range entries {
		if reference != nil {
			entries[i].Memo = fmt.Sprintf("%s: %s", entries[i].Memo, *reference)
		}
	}
	if err := books.Post(ctx, t, books.Posting{Entries: entries}); err != nil {
		return err
	}
	action := "syndicator.deposit"
	if amount.Sign() < 0 {
		action = "syndicator.withdraw"
	}
	t.Record(action, "syndicator", syndicatorID, nil, nil, map[string]any{"amount": amount.Abs(), "reference_id": reference})
	return nil
}

// WalletBalance is what a syndicator has in the wallet.
func WalletBalance(ctx context.Context, t *unit.Tx, syndicatorID int) (money.Amount, error) {
	cents, err := t.WalletCents(ctx, t.Actor.TenantID, syndicatorID, string(ledger.SyndicatorWallet))
	return money.Cents(-cents), err
}
