package service

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/internal/auth"
	"paydown/internal/deal"
)

const (
	expireEvery = time.Minute
	expireJob   = "offers"
	// expireLease outlives a round by far. A process that dies with the lease holds the job up for so long.
	expireLease = time.Minute
	// expireAtOnce is how many offers a round ends.
	expireAtOnce = 200
)

// run ends offers that are past their date until the context ends.
func (s Approvals) run(ctx context.Context) {
	s.repeat(ctx, periodic{every: expireEvery, failure: "cannot end offers that are past their date yet", work: errorOf(s.Expire)})
}

// Expire stores of the offers of all tenants that are past their date that they are EXPIRED, and ends their links, those
// of accepted offers too; it returns how many. Nothing waits for it: an offer past its date counts as expired at once.
// Where another process is at it, it does nothing.
func (s Approvals) Expire(ctx context.Context) (int, error) {
	lease, err := s.store.TakeLease(ctx, expireJob, s.holder, expireLease)
	if err != nil || lease == nil {
		return 0, err
	}
	due, err := s.store.Reader().Approval.Query().
		Where(approval.ShareTokenNotNil(), approval.ExpiresAtLTE(s.store.Now())).
		Order(approval.ByExpiresAt()).Limit(expireAtOnce).
		Select(approval.FieldID, approval.FieldTenantID).All(auth.AllTenants(ctx, "offers that are past their date"))
	ended := 0
	for _, row := range due {
		if err == nil {
			err = s.expire(auth.AsSystem(ctx, row.TenantID, time.UTC, ""), row.ID)
			ended++
		}
	}
	if err != nil {
		return ended, err
	}
	return ended, s.store.ReleaseLease(ctx, lease)
}

// expire ends one offer. Two processes at once do it once: the second finds nothing left to do.
func (s Approvals) expire(ctx context.Context, id int) error {
	_, err := transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *tx) (*ent.Approval, error) {
		o, err := t.lockOffer(ctx, id)
		if ent.IsNotFound(err) || err == nil && (len(o.approval.ShareToken) == 0 || !past(o.approval.ExpiresAt, t.At())) {
			return nil, nil //nolint:nilnil // nothing is left to do
		}
		if err != nil {
			return nil, err
		}
		if o.state == deal.OfferLapsed {
			return t.changeOffer(ctx, o, "approval.expire", []columnChange{{approval.FieldState, deal.OfferLapsed}})
		}
		err = t.Approval.Update().Where(approval.ID(id)).ClearShareToken().Exec(ctx)
		t.record("approval.end_link", "approval", id, &o.approval.DealID, nil, nil)
		return o.approval, err
	})
	return err
}
