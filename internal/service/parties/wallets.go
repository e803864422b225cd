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

// WalletInput is the input for a deposit into, or a withdrawal from, a syndicator's wallet.
type WalletInput struct {
	Amount      input.Opt[money.Amount] `json:"amount" check:"gt=0" need:"create" doc:"In dollars" example:"25000.00"`
	ReferenceID input.Opt[string]       `json:"referenceId" check:"text" doc:"The caller's own reference, such as the transfer's"`
}

// Deposit posts a deposit into a syndicator's wallet.
func (s Syndicators) Deposit(ctx context.Context, id int, in WalletInput) (*ent.Syndicator, error) {
	return s.moveWallet(ctx, id, in, false)
}

// Withdraw posts a withdrawal from a syndicator's wallet. More than the wallet holds is a conflict.
func (s Syndicators) Withdraw(ctx context.Context, id int, in WalletInput) (*ent.Syndicator, error) {
	return s.moveWallet(ctx, id, in, true)
}

func (s Syndicators) moveWallet(ctx context.Context, id int, in WalletInput, out bool) (*ent.Syndicator, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Syndicator, error) {
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
				return nil, fault.Conflictf("The wallet holds %s.", have).With("amount", "must be at most %s", have)
			}
			amount = amount.Neg()
		}
		return row, moveWallet(ctx, t, id, amount, in.ReferenceID.Ptr())
	})
}

// moveWallet posts a deposit into a wallet, or a withdrawal if the amount is negative. The syndicator is
// locked.
func moveWallet(ctx context.Context, t *unit.Tx, syndicatorID int, amount money.Amount, reference *string) error {
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
	details := map[string]any{"amount": amount.Abs(), "reference_id": reference}
	t.Record(action, "syndicator", syndicatorID, nil, nil, details)
	return nil
}

// WalletBalance returns the cash in a syndicator's wallet.
func WalletBalance(ctx context.Context, t *unit.Tx, syndicatorID int) (money.Amount, error) {
	cents, err := t.WalletCents(ctx, t.Actor.TenantID, syndicatorID, string(ledger.SyndicatorWallet))
	return money.Cents(-cents), err
}
