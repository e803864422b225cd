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

// An ACH debit is drawn on the account that is in force when it goes to the bank. A payment that is SUBMITTED keeps that account,
// so that what comes back says something about it, and about none that was verified since.

// accountInForce is the account that debits of a deal are drawn on now: of those that are not revoked the one that was verified
// last, or else added last. It is nil where the merchant has none.
func accountInForce(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.BankAccountToken, error) {
	return lastVerified(ctx, t, d, nil, bankaccounttoken.RevokedAtIsNil())
}

// accountInForceAt is the account that was in force at a time that is over.
func accountInForceAt(ctx context.Context, t *unit.Tx, d *ent.Deal, at time.Time) (*ent.BankAccountToken, error) {
	return lastVerified(ctx, t, d, &at, bankaccounttoken.CreatedAtLTE(at),
		bankaccounttoken.Or(bankaccounttoken.RevokedAtIsNil(), bankaccounttoken.RevokedAtGT(at)))
}

// lastVerified is that of the accounts a deal may use which was verified last, by a time where one is given, or else added last.
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

// debitedAccount is the account that a payment was debited from: the one it names or, where it names none, the one that was in
// force when it went to the bank, as far as that is known.
func debitedAccount(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) (*ent.BankAccountToken, error) {
	switch {
	case p.BankAccountTokenID != nil:
		return t.BankAccountToken.Get(ctx, *p.BankAccountTokenID)
	case p.InitiatedAt != nil:
		return accountInForceAt(ctx, t, d, *p.InitiatedAt)
	case p.ReturnedAt != nil:
		return accountInForceAt(ctx, t, d, *p.ReturnedAt)
	}
	return accountInForce(ctx, t, d)
}

// AccountToDebit is the account to keep with a payment that becomes SUBMITTED: nil where it keeps one already, debits none or
// none is known. Of a payment that becomes PAID at once, debitedAccount finds it when the payment comes back.
func AccountToDebit(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, to payment.Status) (*int, error) {
	if to != payment.Submitted || p.BankAccountTokenID != nil || !payment.Debits(to, p.Type, p.Amount, p.Method) {
		return nil, nil //nolint:nilnil // there is none
	}
	account, err := debitedAccount(ctx, t, d, p)
	if err != nil || account == nil {
		return nil, err
	}
	return &account.ID, nil
}

// KeepAccount is AccountToDebit as a change of the payment.
func KeepAccount(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, to payment.Status) ([]input.Change, error) {
	account, err := AccountToDebit(ctx, t, d, p, to)
	if err != nil || account == nil {
		return nil, err
	}
	return []input.Change{input.Set(entpayment.FieldBankAccountTokenID, *account)}, nil
}

// replaced reports whether another account than the one that was debited is in force by now, which was verified later: the return
// of the debit says nothing of that one.
func replaced(ctx context.Context, t *unit.Tx, d *ent.Deal, debited *ent.BankAccountToken) (bool, error) {
	if debited == nil {
		return false, nil
	}
	now, err := accountInForce(ctx, t, d)
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
