package service

import (
	"bytes"
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// Offers are what merchants see and do on the public page of an offer. Who holds the token of an offer may read its
// terms and accept, counter or decline it, and nothing else; the context is auth.AsOfferHolder's. A token that is wrong,
// another company's, or of an offer that has ended or is past its date, is answered alike: there is no such offer.
type Offers struct{ *core }

// PublicOffer is an offer as its merchant sees it.
type PublicOffer struct {
	State deal.OfferState
	// Merchant is the legal name of who is offered, Funder the name of who offers; "" where that is the company itself.
	Merchant, Funder string
	DealNumber       string

	FundedAmount, PaybackAmount money.Amount
	FactorRate                  money.Rate
	TermDays                    *int
	BankFeePercent              *money.Rate
	EPODiscount                 *money.Amount
	ExpiresAt                   time.Time

	// What the merchant has asked for instead, last.
	CounterAmount         *money.Amount
	CounterFactor         *money.Rate
	CounterTermDays       *int
	CounterBankFeePercent *money.Rate
	CounterNote           *string
}

var errNoOffer = fault.Missing("offer")

// ByToken reads the offer of a token.
func (s Offers) ByToken(ctx context.Context, token string) (*PublicOffer, error) {
	row, err := s.find(ctx, token)
	if err != nil {
		return nil, err
	}
	return publicOffer(row), nil
}

// AcceptByToken accepts the offer of a token, as Approvals.Accept does. Errors: not found, and a conflict where the offer
// stands but the deal has gone on without it.
func (s Offers) AcceptByToken(ctx context.Context, token string) (*PublicOffer, error) {
	return s.act(ctx, token, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) { return t.acceptOffer(ctx, o) })
}

// CounterByToken asks for other terms than those of the offer of a token, as Approvals.Counter does.
func (s Offers) CounterByToken(ctx context.Context, token string, in CounterInput) (*PublicOffer, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) { return t.counterOffer(ctx, o, in) })
}

// DeclineByToken declines the offer of a token, as Approvals.Decline does. The token ends with it.
func (s Offers) DeclineByToken(ctx context.Context, token string) (*PublicOffer, error) {
	return s.act(ctx, token, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) { return t.declineOffer(ctx, o) })
}

// find reads the offer of a token with what is shown beside it.
func (s Offers) find(ctx context.Context, token string) (*ent.Approval, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind != auth.ByMerchant {
		return nil, auth.ErrNoActor
	}
	if !auth.IsSecretToken(token) {
		return nil, errNoOffer
	}
	row, err := s.store.Reader().Approval.Query().Where(approval.ShareTokenHash(auth.HashToken(token))).
		WithDeal(func(q *ent.DealQuery) { q.WithMerchant() }).
		WithSubmission(func(q *ent.SubmissionQuery) { q.WithFunder() }).Only(ctx)
	if ent.IsNotFound(err) || err == nil && !standing(row, s.store.Now()) {
		return nil, errNoOffer
	}
	return row, err
}

// standing reports whether an offer may be seen by its merchant.
func standing(a *ent.Approval, now time.Time) bool {
	return !a.State.Ended() && !past(a.ExpiresAt, now)
}

// act runs what the holder of a token asks for.
func (s Offers) act(
	ctx context.Context, token string, work func(context.Context, *tx, *offer) (*ent.Approval, error),
) (*PublicOffer, error) {
	row, err := s.find(ctx, token)
	if err != nil {
		return nil, err
	}
	after, err := transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *tx) (*ent.Approval, error) {
		o, err := t.lockOffer(ctx, row.ID)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(o.approval.ShareTokenHash, auth.HashToken(token)) || !standing(o.approval, t.At()) {
			return nil, errNoOffer
		}
		return work(ctx, t, o)
	})
	if fault.Is(err, fault.Conflict) {
		// How a company works its deals is not for the public to read.
		return nil, fault.Conflictf("The offer does not stand as it was shown; ask who sent it.").Because(err)
	}
	if err != nil {
		return nil, err
	}
	after.Edges = row.Edges
	return publicOffer(after), nil
}

func publicOffer(a *ent.Approval) *PublicOffer {
	shown := &PublicOffer{
		State: a.State, Merchant: a.Edges.Deal.Edges.Merchant.LegalName, DealNumber: a.Edges.Deal.DealNumber,
		FundedAmount: *a.FundedAmount, PaybackAmount: *a.PaybackAmount, FactorRate: *a.FactorRate,
		TermDays: a.TermDays, BankFeePercent: a.BankFeePercent, EPODiscount: a.EpoDiscount, ExpiresAt: *a.ExpiresAt,
		CounterAmount: a.CounterAmount, CounterFactor: a.CounterFactor, CounterTermDays: a.CounterTermDays,
		CounterBankFeePercent: a.CounterBankFeePercent, CounterNote: a.CounterNote,
	}
	if funder := a.Edges.Submission.Edges.Funder; !funder.IsHouse {
		shown.Funder = funder.Name
	}
	return shown
}
