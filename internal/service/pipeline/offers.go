package pipeline

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/predicate"
	"paydown/ent/submission"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// StoreOffer stores columns of an offer, with a new token if one is given. When an offer ends, its link ends
// too: the page then only shows the outcome.
func StoreOffer(
	ctx context.Context, t *unit.Tx, before *ent.Approval, changes []input.Change, token []byte,
) (*ent.Approval, error) {
	update := t.Approval.Update().Where(approval.ID(before.ID))
	next := *before
	input.Apply(&next, changes)
	sealed := before.ShareToken
	switch {
	case len(token) > 0:
		sealed = t.Core.Secrets.Seal(token, TokenBound(before.ID))
		update.SetShareToken(sealed).SetShareTokenHash(auth.HashToken(string(token)))
	case next.State.Ended():
		if before.AcceptedAt != nil {
			changes = append(changes, input.Set(approval.FieldAcceptedAt, nil))
		}
		sealed = nil
		update.ClearShareToken()
	}
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		after.ShareToken = sealed
	}
	return after, err
}

// TokenBound returns the context that an offer's sealed token is bound to.
func TokenBound(id int) string { return fmt.Sprintf("%s/%d", approval.Table, id) }

// EndOffers ends the matching open offers as a side effect of a write: those past their expiration date become
// expired, the others void. Their deal is locked.
func EndOffers(ctx context.Context, t *unit.Tx, which ...predicate.Approval) error {
	open, err := t.Approval.Query().Where(which...).Where(unit.Locked,
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
		after, err := StoreOffer(ctx, t, before, []input.Change{input.Set(approval.FieldState, as)}, nil)
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "approval", before, after)
	}
	return nil
}

// endOffersOn ends the open offers of a submission that ended. It keeps an accepted offer whose terms the deal
// has frozen.
func endOffersOn(ctx context.Context, t *unit.Tx, s *ent.Submission) error {
	d, err := t.Deal.Get(ctx, s.DealID)
	if err != nil {
		return err
	}
	which := []predicate.Approval{approval.SubmissionID(s.ID)}
	if d.State.TermsFrozen() {
		which = append(which, notAccepted())
	}
	return EndOffers(ctx, t, which...)
}

// notAccepted excludes the accepted offer.
func notAccepted() predicate.Approval { return approval.StateNEQ(deal.OfferAccepted) }

// OffersFunded updates a deal's offers after funding: the submission of the accepted offer moves to the first
// status of the category FUNDED, and all other open offers end.
func OffersFunded(ctx context.Context, t *unit.Tx, dealID int) error {
	if err := EndOffers(ctx, t, approval.DealID(dealID), notAccepted()); err != nil {
		return err
	}
	accepted, err := t.Approval.Query().Where(approval.DealID(dealID), approval.StateEQ(deal.OfferAccepted)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	on, err := t.Submission.Query().Where(submission.ID(accepted.SubmissionID), unit.Locked).WithStatus().Only(ctx)
	if err != nil {
		return err
	}
	return Advance(ctx, t, on, deal.CategoryFunded)
}
