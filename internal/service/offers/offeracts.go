package offers

import (
	"context"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/service/input"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// CounterInput is what a merchant asks for in the place of an offer's terms; what is left out stays as offered.
type CounterInput struct {
	CounterAmount         input.Opt[money.Amount] `json:"counterAmount" check:"gt=0" doc:"To be funded" example:"60000.00"`
	CounterFactor         input.Opt[money.Rate]   `json:"counterFactor" doc:"Factor rate, 1 to 2.5" example:"1.25"`
	CounterTermDays       input.Opt[int]          `json:"counterTermDays" check:"gte=1" example:"210"`
	CounterBankFeePercent input.Opt[money.Rate]   `json:"counterBankFeePercent" doc:"Bank fee, in per cent of the amount" example:"2.00"`
	CounterNote           input.Opt[string]       `json:"counterNote" check:"notes" doc:"In the merchant's words"`
}

// Send makes a draft an offer to the merchant: it stands until it expires, and has a link to a public page. The
// submission moves to the first step of the category OFFERED. Sent again, it stays as it is.
func (s Approvals) Send(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
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
		after, err := sendOut(ctx, t, o.approval)
		if err != nil {
			return nil, err
		}
		t.Record("approval.send", "approval", id, &after.DealID, o.approval, after)
		return after, pipeline.Advance(ctx, t, o.submission, deal.CategoryOffered)
	})
}

// sendOut stores that a draft is out, until its date or for deal.OfferLife, and gives it a link.
func sendOut(ctx context.Context, t *unit.Tx, draft *ent.Approval) (*ent.Approval, error) {
	until := t.At().Add(deal.OfferLife)
	if draft.ExpiresAt != nil {
		until = *draft.ExpiresAt
	}
	if !until.After(t.At()) {
		return nil, fault.Conflictf("The offer would be past its date already.").With("expiresAt", "must be in the future")
	}
	return pipeline.StoreOffer(ctx, t, draft, []input.Change{
		input.Set(approval.FieldState, deal.OfferSent), input.Set(approval.FieldOfferSentAt, t.At()), input.Set(approval.FieldExpiresAt, until),
	}, []byte(auth.NewSecretToken()))
}

// Withdraw voids an offer: a draft, one that is out, or one that was accepted, as long as the deal's terms may change.
func (s Approvals) Withdraw(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		if o.state == deal.OfferVoid {
			return o.approval, nil
		}
		if o.state == deal.OfferAccepted && o.deal.State.TermsFrozen() {
			return nil, fault.Conflictf("The deal is %s on the terms of this offer; it cannot be withdrawn.", o.deal.State).
				With("state", "cannot change while the deal is %s", o.deal.State)
		}
		return endOffer(ctx, t, o, "approval.withdraw", deal.OfferVoid)
	})
}

// Decline notes that the merchant does not take an offer.
func (s Approvals) Decline(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return declineOffer(ctx, t, o)
	})
}

// declineOffer has the merchant's reason among what else is stored, where one was given.
func declineOffer(ctx context.Context, t *unit.Tx, o *offer, more ...input.Change) (*ent.Approval, error) {
	if o.state == deal.OfferDeclined {
		return o.approval, nil
	}
	return endOffer(ctx, t, o, "approval.decline", deal.OfferDeclined, more...)
}

// endOffer ends an offer as what the write is about, if its state allows.
func endOffer(
	ctx context.Context, t *unit.Tx, o *offer, action string, as deal.OfferState, more ...input.Change,
) (*ent.Approval, error) {
	if err := deal.AllowedOfferMove(o.state, as); err != nil {
		return nil, err
	}
	return changeOffer(ctx, t, o, action, append(more, input.Set(approval.FieldState, as)))
}

// Accept notes that the merchant takes an offer: the deal gets its terms, every other offer for the deal is void, and the
// submission moves to the first step of the category ACCEPTED. Of two acceptances at once one wins. Accepted again, it
// stays as it is.
func (s Approvals) Accept(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return acceptOffer(ctx, t, o)
	})
}

// acceptOffer stores along with the acceptance what else is known of it.
func acceptOffer(ctx context.Context, t *unit.Tx, o *offer, more ...input.Change) (*ent.Approval, error) {
	if o.state == deal.OfferAccepted {
		return o.approval, nil
	}
	if err := deal.AllowedOfferMove(o.state, deal.OfferAccepted); err != nil {
		return nil, err
	}
	if err := o.underNegotiation(); err != nil {
		return nil, err
	}
	if err := pipeline.EndOffers(ctx, t, approval.DealID(o.deal.ID), approval.IDNEQ(o.approval.ID)); err != nil {
		return nil, err
	}
	after, err := changeOffer(ctx, t, o, "approval.accept", append(more,
		input.Set(approval.FieldState, deal.OfferAccepted), input.Set(approval.FieldAcceptedAt, t.At()),
	))
	if err != nil {
		return nil, err
	}
	if err := adoptTerms(ctx, t, o.deal, after); err != nil {
		return nil, err
	}
	return after, pipeline.Advance(ctx, t, o.submission, deal.CategoryAccepted)
}

// adoptTerms gives a deal the terms of the offer that was accepted, by the same rules as anybody who changes them. Where
// the payments that the deal has do not go with them, these follow from the offer.
func adoptTerms(ctx context.Context, t *unit.Tx, d *ent.Deal, from *ent.Approval) error {
	in := offered(from)
	after, err := servicing.ChangeDeal(ctx, t, d, in)
	if fault.Is(err, fault.Validation) {
		after, err = servicing.ChangeDeal(ctx, t, d, in.WithDerivedPayments())
	}
	if f := fault.As(err); f != nil && f.Code == fault.Validation {
		refused := fault.Conflictf("The offer's terms do not go with the deal's; change the deal first.")
		refused.Details = f.Details
		return refused
	}
	if err == nil && after != d {
		unit.AlsoUpdated(t, "deal", d, after)
	}
	return err
}

// offered is an offer as the change that it makes of its deal.
func offered(from *ent.Approval) servicing.DealUpdate {
	in := servicing.DealUpdate{DealFields: servicing.DealFields{
		FundedAmount: input.Some(*from.FundedAmount), PaybackAmount: input.Some(*from.PaybackAmount), FactorRate: input.Some(*from.FactorRate),
	}}
	if from.TermDays != nil {
		in.TermDays = input.Some(*from.TermDays)
	}
	if from.BankFeePercent != nil {
		in.BankFeeBasis, in.BankFeeValue = input.Some(pricing.PercentOfFunded), input.Some(*from.BankFeePercent)
	}
	return in
}

// Counter notes what the merchant asks for instead; the offer waits for an answer. The same counter again stays as it is.
func (s Approvals) Counter(ctx context.Context, id int, in CounterInput) (*ent.Approval, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return counterOffer(ctx, t, o, in)
	})
}

func counterOffer(ctx context.Context, t *unit.Tx, o *offer, in CounterInput) (*ent.Approval, error) {
	changes := []input.Change{
		input.Set(approval.FieldCounterAmount, input.Nullable(in.CounterAmount.Ptr())),
		input.Set(approval.FieldCounterFactor, input.Nullable(in.CounterFactor.Ptr())),
		input.Set(approval.FieldCounterTermDays, input.Nullable(in.CounterTermDays.Ptr())),
		input.Set(approval.FieldCounterBankFeePercent, input.Nullable(in.CounterBankFeePercent.Ptr())),
		input.Set(approval.FieldCounterNote, input.Nullable(in.CounterNote.Ptr())),
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
	return changeOffer(ctx, t, o, "approval.counter", append(changes,
		input.Set(approval.FieldState, deal.OfferCountered),
		input.Set(approval.FieldCounterAt, t.At()),
		input.Set(approval.FieldCounterAccepted, nil),
		input.Set(approval.FieldCounterResolvedAt, nil),
	))
}

// same reports whether a record has all of the values already.
func same(record any, changes []input.Change) bool {
	for _, c := range changes {
		if !input.SameColumn(record, c.Column, c.Value) {
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
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		if !accept && o.state == deal.OfferSent && o.approval.CounterAccepted != nil {
			return o.approval, nil
		}
		if o.state != deal.OfferCountered {
			return nil, fault.Conflictf("The offer is %s; there is no counter to answer.", o.state).
				With("state", "must be %s", deal.OfferCountered)
		}
		resolved := []input.Change{input.Set(approval.FieldCounterAccepted, accept), input.Set(approval.FieldCounterResolvedAt, t.At())}
		if !accept {
			return changeOffer(ctx, t, o, "approval.resolve_counter",
				append(resolved, input.Set(approval.FieldState, deal.OfferSent)))
		}
		if err := o.underNegotiation(); err != nil {
			return nil, err
		}
		if _, err := changeOffer(ctx, t, o, "approval.resolve_counter",
			append(resolved, input.Set(approval.FieldState, deal.OfferVoid))); err != nil {
			return nil, err
		}
		return offerCountered(ctx, t, o)
	})
}

// offerCountered makes the offer that a counter asked for, and sends it.
func offerCountered(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
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
	sent, err := sendOut(ctx, t, draft)
	if err == nil {
		unit.AlsoCreated(t, "approval", sent)
	}
	return sent, err
}
