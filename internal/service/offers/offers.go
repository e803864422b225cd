package offers

import (
	"bytes"
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/deal"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// Offers are what merchants see and do on the public page of an offer. Who holds the token of an offer may read its
// terms and accept, counter or decline it, and nothing else; the context is auth.AsOfferHolder's. A token that is wrong,
// another company's, or of an offer that has ended or is past its date, is answered alike: there is no such offer. Of the
// last two the holder may still ask what became of it.
type Offers struct{ core *unit.Core }

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
	Left                        time.Duration // until ExpiresAt
	// Plan is nil where the deal is not priced far enough to say.
	Plan *OfferPlan

	// What the merchant has asked for instead, last.
	CounterAmount         *money.Amount
	CounterFactor         *money.Rate
	CounterTermDays       *int
	CounterBankFeePercent *money.Rate
	CounterNote           *string

	// Who accepted it on the page, and when; nil where it is not accepted, or was accepted otherwise.
	AcceptedBy *string
	AcceptedAt *time.Time
}

// OfferOutcome is what became of an offer that is not open any more.
type OfferOutcome struct {
	// State is EXPIRED, DECLINED, VOID or ACCEPTED, the last where its page is past its date.
	State     deal.OfferState
	ExpiresAt time.Time
}

// OfferAcceptance is who accepts an offer on its page, and from which address.
type OfferAcceptance struct {
	Name input.Opt[string] `json:"name" check:"name" need:"create" doc:"Full name of who accepts, as typed"`
	From string            `json:"-"`
}

// OfferRefusal is why a merchant does not take an offer.
type OfferRefusal struct {
	Reason input.Opt[string] `json:"reason" check:"notes" doc:"In the merchant's words"`
}

var errNoOffer = fault.Missing("offer")

// ByToken reads the offer of a token.
func (s Offers) ByToken(ctx context.Context, token string) (*PublicOffer, error) {
	row, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.show(ctx, row)
}

// Outcome says what became of the offer of a token that is not open any more. Where there never was one, another company
// has it, or it is open, there is no such offer.
func (s Offers) Outcome(ctx context.Context, token string) (*OfferOutcome, error) {
	row, err := s.find(ctx, token)
	if err != nil {
		return nil, err
	}
	if s.standing(row) {
		return nil, errNoOffer
	}
	return &OfferOutcome{State: row.State.At(s.core.Store.Now(), row.ExpiresAt), ExpiresAt: *row.ExpiresAt}, nil
}

// AcceptByToken accepts the offer of a token, as Approvals.Accept does, and keeps who did so. Accepted again, by whom
// ever, it stays as it is. Errors: validation, not found, and a conflict where the offer stands but the deal has gone on
// without it.
func (s Offers) AcceptByToken(ctx context.Context, token string, in OfferAcceptance) (*PublicOffer, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, acceptedNotice, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return acceptOffer(ctx, t, o, input.Set(approval.FieldAcceptedBy, in.Name.Or("")),
			input.Set(approval.FieldAcceptedFrom, in.From))
	})
}

// CounterByToken asks for other terms than those of the offer of a token, as Approvals.Counter does.
func (s Offers) CounterByToken(ctx context.Context, token string, in CounterInput) (*PublicOffer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, counteredNotice, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return counterOffer(ctx, t, o, in)
	})
}

// DeclineByToken declines the offer of a token, as Approvals.Decline does. The token ends with it.
func (s Offers) DeclineByToken(ctx context.Context, token string, in OfferRefusal) (*PublicOffer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, declinedNotice, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return declineOffer(ctx, t, o, input.Set(approval.FieldDeclinedReason, input.Nullable(in.Reason.Ptr())))
	})
}

// find reads the offer that a token is or was of, with what is shown beside it.
func (s Offers) find(ctx context.Context, token string) (*ent.Approval, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind != auth.ByMerchant {
		return nil, auth.ErrNoActor
	}
	if !auth.IsSecretToken(token) {
		return nil, errNoOffer
	}
	row, err := s.core.Store.Reader().Approval.Query().Where(approval.ShareTokenHash(auth.HashToken(token))).
		WithDeal(func(q *ent.DealQuery) { q.WithMerchant() }).
		WithSubmission(func(q *ent.SubmissionQuery) { q.WithFunder() }).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errNoOffer
	}
	return row, err
}

// open is find, of an offer that may be seen by its merchant.
func (s Offers) open(ctx context.Context, token string) (*ent.Approval, error) {
	row, err := s.find(ctx, token)
	if err == nil && !s.standing(row) {
		return nil, errNoOffer
	}
	return row, err
}

func (s Offers) standing(a *ent.Approval) bool { return standing(a, s.core.Store.Now()) }

// standing reports whether an offer may be seen by its merchant.
func standing(a *ent.Approval, now time.Time) bool {
	return !a.State.Ended() && !unit.Past(a.ExpiresAt, now)
}

// act runs what the holder of a token asks for, and tells staff of it where something came of it.
func (s Offers) act(
	ctx context.Context, token string, told func(*offer) workspace.Notice,
	work func(context.Context, *unit.Tx, *offer) (*ent.Approval, error),
) (*PublicOffer, error) {
	row, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	after, err := unit.Transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *unit.Tx) (*ent.Approval, error) {
		o, err := lockOffer(ctx, t, row.ID)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(o.approval.ShareTokenHash, auth.HashToken(token)) || !standing(o.approval, t.At()) {
			return nil, errNoOffer
		}
		after, err := work(ctx, t, o)
		if err != nil || after == o.approval {
			return after, err
		}
		return after, workspace.Notify(ctx, t, "submissions:write", told(o))
	})
	if fault.Is(err, fault.Conflict) {
		// How a company works its deals is not for the public to read.
		return nil, fault.Conflictf("The offer does not stand as it was shown; ask who sent it.").Because(err)
	}
	if err != nil {
		return nil, err
	}
	after.Edges = row.Edges
	if after.Edges.Deal, err = s.core.Store.Reader().Deal.Query().Where(entdeal.ID(row.DealID)).WithMerchant().Only(ctx); err != nil {
		return nil, err
	}
	return s.show(ctx, after)
}

// show is an offer as its merchant sees it.
func (s Offers) show(ctx context.Context, a *ent.Approval) (*PublicOffer, error) {
	shown := &PublicOffer{
		State: a.State, Merchant: a.Edges.Deal.Edges.Merchant.LegalName, DealNumber: a.Edges.Deal.DealNumber,
		FundedAmount: *a.FundedAmount, PaybackAmount: *a.PaybackAmount, FactorRate: *a.FactorRate,
		TermDays: a.TermDays, BankFeePercent: a.BankFeePercent, EPODiscount: a.EpoDiscount, ExpiresAt: *a.ExpiresAt,
		Left:          a.ExpiresAt.Sub(s.core.Store.Now()),
		CounterAmount: a.CounterAmount, CounterFactor: a.CounterFactor, CounterTermDays: a.CounterTermDays,
		CounterBankFeePercent: a.CounterBankFeePercent, CounterNote: a.CounterNote,
		AcceptedBy: a.AcceptedBy, AcceptedAt: a.AcceptedAt,
	}
	if funder := a.Edges.Submission.Edges.Funder; !funder.IsHouse {
		shown.Funder = funder.Name
	}
	var err error
	shown.Plan, err = offerPlan(ctx, s.core.View(auth.From(ctx)), a, a.Edges.Deal, a.Edges.Deal.Edges.Merchant)
	return shown, err
}
