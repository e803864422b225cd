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

// Offers are the public pages of offers. The holder of an offer's token may read its terms and accept,
// counter or decline it, and nothing else; the context must be auth.AsOfferHolder's. A token that is wrong,
// belongs to another company, or belongs to an offer that has ended or is past its date gets the same
// not-found error. For the last two, Outcome still says how the offer ended.
type Offers struct{ core *unit.Core }

// PublicOffer is an offer as its merchant sees it.
type PublicOffer struct {
	State deal.OfferState
	// Merchant is the merchant's legal name. Funder is the funder's name; "" if the company itself is the
	// funder.
	Merchant, Funder string
	DealNumber       string

	FundedAmount, PaybackAmount money.Amount
	FactorRate                  money.Rate
	TermDays                    *int
	BankFeePercent              *money.Rate
	EPODiscount                 *money.Amount
	ExpiresAt                   time.Time
	Left                        time.Duration // until ExpiresAt
	// Plan is nil if the deal has too few terms for one.
	Plan *OfferPlan

	// The terms of the merchant's latest counter.
	CounterAmount         *money.Amount
	CounterFactor         *money.Rate
	CounterTermDays       *int
	CounterBankFeePercent *money.Rate
	CounterNote           *string

	// Who accepted the offer on the page, and when; nil if it is not accepted or was accepted in another way.
	AcceptedBy *string
	AcceptedAt *time.Time
}

// OfferOutcome is how a closed offer ended.
type OfferOutcome struct {
	// State is EXPIRED, DECLINED, VOID or ACCEPTED; an accepted offer is closed once its page is past its date.
	State     deal.OfferState
	ExpiresAt time.Time
}

// OfferAcceptance says who accepts an offer on its page, and from which address.
type OfferAcceptance struct {
	Name input.Opt[string] `json:"name" check:"name" need:"create" doc:"Full name of the person who accepts, as typed"`
	From string            `json:"-"`
}

// OfferRefusal is the reason for declining an offer.
type OfferRefusal struct {
	Reason input.Opt[string] `json:"reason" check:"notes" doc:"In the merchant's words"`
}

var errNoOffer = fault.Missing("offer")

// ByToken returns the open offer of a token.
func (s Offers) ByToken(ctx context.Context, token string) (*PublicOffer, error) {
	row, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.show(ctx, row)
}

// Outcome returns how a token's offer ended. The error is not found if the offer never existed, belongs to
// another company, or is still open.
func (s Offers) Outcome(ctx context.Context, token string) (*OfferOutcome, error) {
	row, err := s.find(ctx, token)
	if err != nil {
		return nil, err
	}
	if s.isVisible(row) {
		return nil, errNoOffer
	}
	return &OfferOutcome{State: row.State.At(s.core.Store.Now(), row.ExpiresAt), ExpiresAt: *row.ExpiresAt}, nil
}

// AcceptByToken accepts the offer of a token, as Approvals.Accept does, and records who accepted. Accepting
// again changes nothing, whoever does it. Errors: validation, not found, and a conflict if the offer is open
// but the deal can no longer accept it.
func (s Offers) AcceptByToken(ctx context.Context, token string, in OfferAcceptance) (*PublicOffer, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, acceptedNotice, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return acceptOffer(ctx, t, o, input.Set(approval.FieldAcceptedBy, in.Name.Or("")),
			input.Set(approval.FieldAcceptedFrom, in.From))
	})
}

// CounterByToken counters the offer of a token, as Approvals.Counter does.
func (s Offers) CounterByToken(ctx context.Context, token string, in CounterInput) (*PublicOffer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, counteredNotice, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return counterOffer(ctx, t, o, in)
	})
}

// DeclineByToken declines the offer of a token, as Approvals.Decline does. This invalidates the token.
func (s Offers) DeclineByToken(ctx context.Context, token string, in OfferRefusal) (*PublicOffer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, token, declinedNotice, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return declineOffer(ctx, t, o, input.Set(approval.FieldDeclinedReason, input.Nullable(in.Reason.Ptr())))
	})
}

// find returns the offer that a token belongs or belonged to, with the records that the page shows.
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

// open is find for an offer that its merchant may see.
func (s Offers) open(ctx context.Context, token string) (*ent.Approval, error) {
	row, err := s.find(ctx, token)
	if err == nil && !s.isVisible(row) {
		return nil, errNoOffer
	}
	return row, err
}

func (s Offers) isVisible(a *ent.Approval) bool { return isVisible(a, s.core.Store.Now()) }

// isVisible reports whether the merchant may see an offer.
func isVisible(a *ent.Approval, now time.Time) bool {
	return !a.State.Ended() && !unit.Past(a.ExpiresAt, now)
}

// act runs an action of a token's holder, and notifies staff if it changed anything.
func (s Offers) act(
	ctx context.Context, token string, noticeOf func(*offer) workspace.Notice,
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
		if !bytes.Equal(o.approval.ShareTokenHash, auth.HashToken(token)) || !isVisible(o.approval, t.At()) {
			return nil, errNoOffer
		}
		after, err := work(ctx, t, o)
		if err != nil || after == o.approval {
			return after, err
		}
		return after, workspace.Notify(ctx, t, "submissions:write", noticeOf(o))
	})
	if fault.Is(err, fault.Conflict) {
		// The underlying reason is internal to the company and not for the public.
		return nil, fault.Conflictf("The offer is no longer available as shown. Contact the sender.").Because(err)
	}
	if err != nil {
		return nil, err
	}
	after.Edges = row.Edges
	if after.Edges.Deal, err = s.core.Store.Reader().Deal.Query().
		Where(entdeal.ID(row.DealID)).WithMerchant().Only(ctx); err != nil {
		return nil, err
	}
	return s.show(ctx, after)
}

// show returns an offer as its merchant sees it.
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
