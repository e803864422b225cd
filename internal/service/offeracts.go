package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/predicate"
	"paydown/ent/submission"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
)

// CounterInput is what a merchant asks for in the place of an offer's terms; what is left out stays as offered.
type CounterInput struct {
	CounterAmount         Opt[money.Amount] `json:"counterAmount" check:"gt=0" doc:"To be funded" example:"60000.00"`
	CounterFactor         Opt[money.Rate]   `json:"counterFactor" doc:"Factor rate, 1 to 2.5" example:"1.25"`
	CounterTermDays       Opt[int]          `json:"counterTermDays" check:"gte=1" example:"210"`
	CounterBankFeePercent Opt[money.Rate]   `json:"counterBankFeePercent" doc:"Bank fee, in per cent of the amount" example:"2.00"`
	CounterNote           Opt[string]       `json:"counterNote" check:"notes" doc:"In the merchant's words"`
}

// Send makes a draft an offer to the merchant: it stands until it expires, and has a link to a public page. The
// submission moves to the first step of the category OFFERED. Sent again, it stays as it is.
func (s Approvals) Send(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) {
		if o.state == deal.OfferSent {
			return o.approval, nil
		}
		if o.state == deal.OfferCountered {
			return nil, fault.Conflictf("The offer is %s; resolve the counter.", o.state).
				With("state", "needs the counter to be resolved")
		}
		if err := deal.AllowedOfferMove(o.state, deal.OfferSent); err != nil {
			return nil, err
		}
		if err := o.underNegotiation(); err != nil {
			return nil, err
		}
		if err := lacking(o.approval); err != nil {
			return nil, err
		}
		after, err := t.sendOut(ctx, o.approval)
		if err != nil {
			return nil, err
		}
		t.record("approval.send", "approval", id, &after.DealID, o.approval, after)
		return after, t.advance(ctx, o.submission, deal.CategoryOffered)
	})
}

// sendOut stores that a draft is out, until its date or for deal.OfferLife, and gives it a link.
func (t *tx) sendOut(ctx context.Context, draft *ent.Approval) (*ent.Approval, error) {
	until := t.At().Add(deal.OfferLife)
	if draft.ExpiresAt != nil {
		until = *draft.ExpiresAt
	}
	if !until.After(t.At()) {
		return nil, fault.Conflictf("The offer would be past its date already.").With("expiresAt", "must be in the future")
	}
	return t.storeOffer(ctx, draft, []columnChange{
		{approval.FieldState, deal.OfferSent}, {approval.FieldOfferSentAt, t.At()}, {approval.FieldExpiresAt, until},
	}, []byte(auth.NewSecretToken()))
}

// Withdraw voids an offer: a draft, one that is out, or one that was accepted, as long as the deal's terms may change.
func (s Approvals) Withdraw(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) {
		if o.state == deal.OfferVoid {
			return o.approval, nil
		}
		if o.state == deal.OfferAccepted && o.deal.State.TermsFrozen() {
			return nil, fault.Conflictf("The deal is %s on the terms of this offer; it cannot be withdrawn.", o.deal.State).
				With("state", "cannot change while the deal is %s", o.deal.State)
		}
		return t.endOffer(ctx, o, "approval.withdraw", deal.OfferVoid)
	})
}

// Decline notes that the merchant does not take an offer.
func (s Approvals) Decline(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) {
		return t.declineOffer(ctx, o)
	})
}

// declineOffer has the merchant's reason among what else is stored, where one was given.
func (t *tx) declineOffer(ctx context.Context, o *offer, more ...columnChange) (*ent.Approval, error) {
	if o.state == deal.OfferDeclined {
		return o.approval, nil
	}
	return t.endOffer(ctx, o, "approval.decline", deal.OfferDeclined, more...)
}

// endOffer ends an offer as what the write is about, if its state allows.
func (t *tx) endOffer(
	ctx context.Context, o *offer, action string, as deal.OfferState, more ...columnChange,
) (*ent.Approval, error) {
	if err := deal.AllowedOfferMove(o.state, as); err != nil {
		return nil, err
	}
	return t.changeOffer(ctx, o, action, append(more, columnChange{approval.FieldState, as}))
}

// endOffers voids the open offers that the predicates name, as a consequence; those past their date have expired. Their
// deal is locked.
func (t *tx) endOffers(ctx context.Context, which ...predicate.Approval) error {
	open, err := t.Approval.Query().Where(which...).Where(locked,
		approval.StateIn(deal.OfferDraft, deal.OfferSent, deal.OfferCountered, deal.OfferAccepted)).
		Order(approval.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, before := range open {
		as := deal.OfferVoid
		if before.State.At(t.At(), before.ExpiresAt) == deal.OfferLapsed {
			as = deal.OfferLapsed
		}
		after, err := t.storeOffer(ctx, before, []columnChange{{approval.FieldState, as}}, nil)
		if err != nil {
			return err
		}
		alsoChanged(t, "approval", before, after)
	}
	return nil
}

// endOffersOn voids the open offers on a submission that has come to nothing. One on whose terms the deal stands is kept.
func (t *tx) endOffersOn(ctx context.Context, s *ent.Submission) error {
	d, err := t.Deal.Get(ctx, s.DealID)
	if err != nil {
		return err
	}
	which := []predicate.Approval{approval.SubmissionID(s.ID)}
	if d.State.TermsFrozen() {
		which = append(which, notAccepted())
	}
	return t.endOffers(ctx, which...)
}

// notAccepted leaves out the offer that was accepted.
func notAccepted() predicate.Approval { return approval.StateNEQ(deal.OfferAccepted) }

// Accept notes that the merchant takes an offer: the deal gets its terms, every other offer for the deal is void, and the
// submission moves to the first step of the category ACCEPTED. Of two acceptances at once one wins. Accepted again, it
// stays as it is.
func (s Approvals) Accept(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) {
		return t.acceptOffer(ctx, o)
	})
}

// acceptOffer stores along with the acceptance what else is known of it.
func (t *tx) acceptOffer(ctx context.Context, o *offer, more ...columnChange) (*ent.Approval, error) {
	if o.state == deal.OfferAccepted {
		return o.approval, nil
	}
	if err := deal.AllowedOfferMove(o.state, deal.OfferAccepted); err != nil {
		return nil, err
	}
	if err := o.underNegotiation(); err != nil {
		return nil, err
	}
	if err := t.endOffers(ctx, approval.DealID(o.deal.ID), approval.IDNEQ(o.approval.ID)); err != nil {
		return nil, err
	}
	after, err := t.changeOffer(ctx, o, "approval.accept", append(more,
		columnChange{approval.FieldState, deal.OfferAccepted}, columnChange{approval.FieldAcceptedAt, t.At()},
	))
	if err != nil {
		return nil, err
	}
	if err := t.adoptTerms(ctx, o.deal, after); err != nil {
		return nil, err
	}
	return after, t.advance(ctx, o.submission, deal.CategoryAccepted)
}

// adoptTerms gives a deal the terms of the offer that was accepted, by the same rules as anybody who changes them. Where
// the payments that the deal has do not go with them, these follow from the offer.
func (t *tx) adoptTerms(ctx context.Context, d *ent.Deal, from *ent.Approval) error {
	in := offered(from)
	after, err := t.changeDeal(ctx, d, in)
	if fault.Is(err, fault.Validation) {
		after, err = t.changeDeal(ctx, d, in.withoutPayments())
	}
	if f := fault.As(err); f != nil && f.Code == fault.Validation {
		refused := fault.Conflictf("The offer's terms do not go with the deal's; change the deal first.")
		refused.Details = f.Details
		return refused
	}
	if err == nil && after != d {
		alsoChanged(t, "deal", d, after)
	}
	return err
}

// offered is an offer as the change that it makes of its deal.
func offered(from *ent.Approval) DealUpdate {
	in := DealUpdate{DealFields: DealFields{
		FundedAmount: Some(*from.FundedAmount), PaybackAmount: Some(*from.PaybackAmount), FactorRate: Some(*from.FactorRate),
	}}
	if from.TermDays != nil {
		in.TermDays = Some(*from.TermDays)
	}
	if from.BankFeePercent != nil {
		in.BankFeeBasis, in.BankFeeValue = Some(pricing.PercentOfFunded), Some(*from.BankFeePercent)
	}
	return in
}

// withoutPayments is the change that also has the deal's payments follow from the other terms.
func (in DealUpdate) withoutPayments() DealUpdate {
	in.NumberOfPayments, in.PaymentAmount = Opt[int]{state: null}, Opt[money.Amount]{state: null}
	return in
}

// Counter notes what the merchant asks for instead; the offer waits for an answer. The same counter again stays as it is.
func (s Approvals) Counter(ctx context.Context, id int, in CounterInput) (*ent.Approval, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, id, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) {
		return t.counterOffer(ctx, o, in)
	})
}

func (t *tx) counterOffer(ctx context.Context, o *offer, in CounterInput) (*ent.Approval, error) {
	changes := []columnChange{
		{approval.FieldCounterAmount, nullable(in.CounterAmount.Ptr())},
		{approval.FieldCounterFactor, nullable(in.CounterFactor.Ptr())},
		{approval.FieldCounterTermDays, nullable(in.CounterTermDays.Ptr())},
		{approval.FieldCounterBankFeePercent, nullable(in.CounterBankFeePercent.Ptr())},
		{approval.FieldCounterNote, nullable(in.CounterNote.Ptr())},
	}
	if o.state == deal.OfferCountered && same(o.approval, changes) {
		return o.approval, nil
	}
	if err := deal.AllowedOfferMove(o.state, deal.OfferCountered); err != nil {
		return nil, err
	}
	if err := o.underNegotiation(); err != nil {
		return nil, err
	}
	if _, problems := offerTerms(o.approval).Countered(in.terms()); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return t.changeOffer(ctx, o, "approval.counter", append(changes,
		columnChange{approval.FieldState, deal.OfferCountered},
		columnChange{approval.FieldCounterAt, t.At()},
		columnChange{approval.FieldCounterAccepted, nil},
		columnChange{approval.FieldCounterResolvedAt, nil},
	))
}

// same reports whether a record has all of the values already.
func same(record any, changes []columnChange) bool {
	for _, c := range changes {
		if !sameColumn(record, c.column, c.value) {
			return false
		}
	}
	return true
}

func (in CounterInput) terms() deal.OfferCounter {
	return deal.OfferCounter{
		Amount: in.CounterAmount.Ptr(), Factor: in.CounterFactor.Ptr(), TermDays: in.CounterTermDays.Ptr(),
		BankFeePercent: in.CounterBankFeePercent.Ptr(),
	}
}

// ResolveCounter answers a counter. Accepted, it becomes an offer of its own, which is sent at once and returned, and the
// one it was made to is void. Otherwise that one stands again, for as long as it did.
func (s Approvals) ResolveCounter(ctx context.Context, id int, accept bool) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *tx, o *offer) (*ent.Approval, error) {
		if !accept && o.state == deal.OfferSent && o.approval.CounterAccepted != nil {
			return o.approval, nil
		}
		if o.state != deal.OfferCountered {
			return nil, fault.Conflictf("The offer is %s; there is no counter to answer.", o.state).
				With("state", "must be %s", deal.OfferCountered)
		}
		resolved := []columnChange{{approval.FieldCounterAccepted, accept}, {approval.FieldCounterResolvedAt, t.At()}}
		if !accept {
			return t.changeOffer(ctx, o, "approval.resolve_counter",
				append(resolved, columnChange{approval.FieldState, deal.OfferSent}))
		}
		if err := o.underNegotiation(); err != nil {
			return nil, err
		}
		if _, err := t.changeOffer(ctx, o, "approval.resolve_counter",
			append(resolved, columnChange{approval.FieldState, deal.OfferVoid})); err != nil {
			return nil, err
		}
		return t.offerCountered(ctx, o)
	})
}

// offerCountered makes the offer that a counter asked for, and sends it.
func (t *tx) offerCountered(ctx context.Context, o *offer) (*ent.Approval, error) {
	a := o.approval
	terms, problems := offerTerms(a).Countered(deal.OfferCounter{
		Amount: a.CounterAmount, Factor: a.CounterFactor, TermDays: a.CounterTermDays, BankFeePercent: a.CounterBankFeePercent,
	})
	if len(problems) > 0 {
		refused := fault.Conflictf("The counter's terms cannot be offered.")
		refused.Details = problems
		return nil, refused
	}
	draft, err := t.Approval.Create().SetSubmissionID(a.SubmissionID).SetDealID(a.DealID).
		SetNillableFundedAmount(terms.FundedAmount).SetNillablePaybackAmount(terms.PaybackAmount).
		SetNillableFactorRate(terms.FactorRate).SetNillableTermDays(terms.TermDays).
		SetNillableBankFeePercent(terms.BankFeePercent).SetNillableEpoDiscount(terms.EPODiscount).
		SetNillableNotes(a.Notes).Save(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := t.sendOut(ctx, draft)
	if err == nil {
		alsoMade(t, "approval", sent)
	}
	return sent, err
}

// offersFunded has offers follow the funding of their deal: the submission whose offer was accepted moves to the first
// step of the category FUNDED, and whatever else was offered is void.
func (t *tx) offersFunded(ctx context.Context, dealID int) error {
	if err := t.endOffers(ctx, approval.DealID(dealID), notAccepted()); err != nil {
		return err
	}
	taken, err := t.Approval.Query().Where(approval.DealID(dealID), approval.StateEQ(deal.OfferAccepted)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	on, err := t.Submission.Query().Where(submission.ID(taken.SubmissionID), locked).WithStatus().Only(ctx)
	if err != nil {
		return err
	}
	return t.advance(ctx, on, deal.CategoryFunded)
}
