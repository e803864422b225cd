package collections

import (
	"cmp"
	"context"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/bankaccounttoken"
	"paydown/ent/payment"
	"paydown/ent/predicate"
	"paydown/internal/payment"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// An ACH debit uses the account that is current when it is submitted. The SUBMITTED payment keeps that account,
// so that a return affects this account and not one that was verified later.

// currentAccount returns the account that debits of a deal currently use: of those that are not revoked the
// last verified one, else the last added one. It is nil if the merchant has none.
func currentAccount(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.BankAccountToken, error) {
	return lastVerified(ctx, t, d, nil, bankaccounttoken.RevokedAtIsNil())
}

// accountAt returns the account that was current at a past time.
func accountAt(ctx context.Context, t *unit.Tx, d *ent.Deal, at time.Time) (*ent.BankAccountToken, error) {
	return lastVerified(ctx, t, d, &at, bankaccounttoken.CreatedAtLTE(at),
		bankaccounttoken.Or(bankaccounttoken.RevokedAtIsNil(), bankaccounttoken.RevokedAtGT(at)))
}

// lastVerified returns the matching account of a deal that was verified last, not counting verifications after by
// if it is set; without any verification, the account that was added last.
func lastVerified(
	ctx context.Context, t *unit.Tx, d *ent.Deal, by *time.Time, which ...predicate.BankAccountToken,
) (*ent.BankAccountToken, error) {
	known, err := t.BankAccountToken.Query().Where(which...).Where(bankaccounttoken.MerchantID(d.MerchantID),
		bankaccounttoken.Or(bankaccounttoken.DealID(d.ID), bankaccounttoken.DealIDIsNil())).All(ctx)
	if err != nil || len(known) == 0 {
		return nil, err
	}
	verified := func(a *ent.BankAccountToken) time.Time {
		if a.VerifiedAt == nil || by != nil && a.VerifiedAt.After(*by) {
			return time.Time{}
		}
		return *a.VerifiedAt
	}
	return slices.MaxFunc(known, func(a, b *ent.BankAccountToken) int {
		return cmp.Or(verified(a).Compare(verified(b)), cmp.Compare(a.ID, b.ID))
	}), nil
}

// debitedAccount returns the account that a payment was debited from: the one it names, else the one that was
// current when it was submitted, as far as that is known.
func debitedAccount(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) (*ent.BankAccountToken, error) {
	switch {
	case p.BankAccountTokenID != nil:
		return t.BankAccountToken.Get(ctx, *p.BankAccountTokenID)
	case p.InitiatedAt != nil:
		return accountAt(ctx, t, d, *p.InitiatedAt)
	case p.ReturnedAt != nil:
		return accountAt(ctx, t, d, *p.ReturnedAt)
	}
	return currentAccount(ctx, t, d)
}

// AccountToDebit returns the account to store on a payment that becomes SUBMITTED: nil if the payment has one,
// is not a debit, or no account is known. For a payment that becomes PAID directly, debitedAccount finds the
// account if it is returned.
func AccountToDebit(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, to payment.Status) (*int, error) {
	if to != payment.Submitted || p.BankAccountTokenID != nil || !payment.Debits(to, p.Type, p.Amount, p.Method) {
		return nil, nil //nolint:nilnil // not needed
	}
	account, err := debitedAccount(ctx, t, d, p)
	if err != nil || account == nil {
		return nil, err
	}
	return &account.ID, nil
}

// KeepAccount returns AccountToDebit as a change of the payment.
func KeepAccount(
	ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, to payment.Status,
) ([]input.Change, error) {
	account, err := AccountToDebit(ctx, t, d, p, to)
	if err != nil || account == nil {
		return nil, err
	}
	return []input.Change{input.Set(entpayment.FieldBankAccountTokenID, *account)}, nil
}

// replaced reports whether the debited account is no longer the current one and the current one was verified
// later, so that the return says nothing about it.
func replaced(ctx context.Context, t *unit.Tx, d *ent.Deal, debited *ent.BankAccountToken) (bool, error) {
	if debited == nil {
		return false, nil
	}
	now, err := currentAccount(ctx, t, d)
	if err != nil || now == nil || now.VerifiedAt == nil || now.ID == debited.ID {
		return false, err
	}
	if debited.VerifiedAt != nil &&
		cmp.Or(now.VerifiedAt.Compare(*debited.VerifiedAt), cmp.Compare(now.ID, debited.ID)) < 0 {
		return false, nil
	}
	same, err := sameNumber(t, debited, now)
	return !same, err
}
