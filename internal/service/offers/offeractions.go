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

// CounterInput is a merchant's counter to an offer. An absent field keeps the offered term.
type CounterInput struct {
	CounterAmount         input.Opt[money.Amount] `json:"counterAmount" check:"gt=0" doc:"Requested amount" example:"60000.00"`
	CounterFactor         input.Opt[money.Rate]   `json:"counterFactor" doc:"Factor rate, 1 to 2.5" example:"1.25"`
	CounterTermDays       input.Opt[int]          `json:"counterTermDays" check:"gte=1" example:"210"`
	CounterBankFeePercent input.Opt[money.Rate]   `json:"counterBankFeePercent" doc:"Bank fee, in percent of the amount" example:"2.00"`
	CounterNote           input.Opt[string]       `json:"counterNote" check:"notes" doc:"In the merchant's words"`
}

// Send sends a draft to the merchant: the offer is open until it expires and has a link to a public page. The
// submission moves to the first status of the category OFFERED. Sending again changes nothing.
func (s Approvals) Send(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		if o.state == deal.OfferSent {
			return o.approval, nil
		}
		if o.state == deal.OfferCountered {
			return nil, fault.Conflictf("The offer is %s. Resolve the counter first.", o.state).
				With("state", "must not be COUNTERED")
		}
		if err := deal.AllowedOfferMove(o.state, deal.OfferSent); err != nil {
			return nil, err
		}
		if err := o.underNegotiation(); err != nil {
			return nil, err
		}
		if err := requireTerms(o.approval); err != nil {
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

// sendOut stores that a draft was sent, until its expiry date or for deal.OfferLife, and creates its link.
func sendOut(ctx context.Context, t *unit.Tx, draft *ent.Approval) (*ent.Approval, error) {
	until := t.At().Add(deal.OfferLife)
	if draft.ExpiresAt != nil {
		until = *draft.ExpiresAt
	}
	if !until.After(t.At()) {
		return nil, fault.Conflictf("The offer would already be expired.").With("expiresAt", "must be in the future")
	}
	return pipeline.StoreOffer(ctx, t, draft, []input.Change{
		input.Set(approval.FieldState, deal.OfferSent), input.Set(approval.FieldOfferSentAt, t.At()),
		input.Set(approval.FieldExpiresAt, until),
	}, []byte(auth.NewSecretToken()))
}

// Withdraw voids an offer that is a draft, is open, or was accepted, as long as the deal's terms can change.
func (s Approvals) Withdraw(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		if o.state == deal.OfferVoid {
			return o.approval, nil
		}
		if o.state == deal.OfferAccepted && o.deal.State.TermsFrozen() {
			return nil, fault.Conflictf("The deal is %s on the terms of this offer, so the offer cannot be withdrawn.",
				o.deal.State).
				With("state", "cannot change while the deal is %s", o.deal.State)
		}
		return endOffer(ctx, t, o, "approval.withdraw", deal.OfferVoid)
	})
}

// Decline records that the merchant declines an offer.
func (s Approvals) Decline(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return declineOffer(ctx, t, o)
	})
}

// declineOffer declines an offer and stores more columns, such as the merchant's reason.
func declineOffer(ctx context.Context, t *unit.Tx, o *offer, more ...input.Change) (*ent.Approval, error) {
	if o.state == deal.OfferDeclined {
		return o.approval, nil
	}
	return endOffer(ctx, t, o, "approval.decline", deal.OfferDeclined, more...)
}

// endOffer ends an offer as the main change of the write, if its state allows it.
func endOffer(
	ctx context.Context, t *unit.Tx, o *offer, action string, as deal.OfferState, more ...input.Change,
) (*ent.Approval, error) {
	if err := deal.AllowedOfferMove(o.state, as); err != nil {
		return nil, err
	}
	return changeOffer(ctx, t, o, action, append(more, input.Set(approval.FieldState, as)))
}

// Accept records that the merchant accepts an offer: the deal gets its terms, every other offer for the deal
// becomes void, and the submission moves to the first status of the category ACCEPTED. Of two concurrent
// acceptances one succeeds. Accepting again changes nothing.
func (s Approvals) Accept(ctx context.Context, id int) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		return acceptOffer(ctx, t, o)
	})
}

// acceptOffer accepts an offer and stores more columns with the acceptance.
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

// adoptTerms applies the terms of the accepted offer to a deal, by the same rules as any change of the deal.
// If the deal's payment terms conflict with the offer, they are derived from the offer.
func adoptTerms(ctx context.Context, t *unit.Tx, d *ent.Deal, from *ent.Approval) error {
	in := offerUpdate(from)
	after, err := servicing.ChangeDeal(ctx, t, d, in)
	if fault.Is(err, fault.Validation) {
		after, err = servicing.ChangeDeal(ctx, t, d, in.WithDerivedPayments())
	}
	if f := fault.As(err); f != nil && f.Code == fault.Validation {
		refused := fault.Conflictf("The offer's terms conflict with the deal's terms. Change the deal first.")
		refused.Details = f.Details
		return refused
	}
	if err == nil && after != d {
		unit.AlsoUpdated(t, "deal", d, after)
	}
	return err
}

// offerUpdate returns an offer as an update of its deal.
func offerUpdate(from *ent.Approval) servicing.DealUpdate {
	in := servicing.DealUpdate{DealFields: servicing.DealFields{
		FundedAmount: input.Some(*from.FundedAmount), PaybackAmount: input.Some(*from.PaybackAmount),
		FactorRate: input.Some(*from.FactorRate),
	}}
	if from.TermDays != nil {
		in.TermDays = input.Some(*from.TermDays)
	}
	if from.BankFeePercent != nil {
		in.BankFeeBasis, in.BankFeeValue = input.Some(pricing.PercentOfFunded), input.Some(*from.BankFeePercent)
	}
	return in
}

// Counter records the merchant's counter; the offer then waits for an answer. Repeating the same counter
// changes nothing.
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
	if o.state == deal.OfferCountered && hasValues(o.approval, changes) {
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

// hasValues reports whether a record already has all of the values.
func hasValues(record any, changes []input.Change) bool {
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

// ResolveCounter answers a counter. If accept is true, the counter becomes a new offer, which is sent at once
// and returned, and the original offer becomes void. Otherwise the original offer is open again until its
// expiry date.
func (s Approvals) ResolveCounter(ctx context.Context, id int, accept bool) (*ent.Approval, error) {
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		if !accept && o.state == deal.OfferSent && o.approval.CounterAccepted != nil {
			return o.approval, nil
		}
		if o.state != deal.OfferCountered {
			return nil, fault.Conflictf("The offer is %s. There is no counter to answer.", o.state).
				With("state", "must be %s", deal.OfferCountered)
		}
		resolved := []input.Change{
			input.Set(approval.FieldCounterAccepted, accept), input.Set(approval.FieldCounterResolvedAt, t.At()),
		}
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

// offerCountered creates and sends an offer with the terms of the counter.
func offerCountered(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
	a := o.approval
	terms, problems := offerTerms(a).Countered(deal.OfferCounter{
		Amount: a.CounterAmount, Factor: a.CounterFactor, TermDays: a.CounterTermDays,
		BankFeePercent: a.CounterBankFeePercent,
	})
	if len(problems) > 0 {
		refused := fault.Conflictf("The counter's terms are not a valid offer.")
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
