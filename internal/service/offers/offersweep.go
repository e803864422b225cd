package offers

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

const (
	expireEvery = time.Minute
	expireJob   = "offers"
	// expireLease is far longer than a round takes. A process that dies with the lease delays the job by this
	// time.
	expireLease = time.Minute
	// expireBatch is the maximum number of offers per round.
	expireBatch = 200
)

// run expires offers until the context ends.
func (s Approvals) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{Every: expireEvery, Name: "expired offers", Work: unit.ErrorOf(s.Expire)})
}

// Expire stores the state EXPIRED for the offers of all tenants that are past their date, and ends their
// links, including those of accepted offers. It returns how many it changed. Nothing depends on it: an offer
// past its date counts as expired at once. It does nothing if another process is running it.
func (s Approvals) Expire(ctx context.Context) (int, error) {
	lease, err := s.core.Store.TakeLease(ctx, expireJob, s.core.Holder, expireLease)
	if err != nil || lease == nil {
		return 0, err
	}
	due, err := s.core.Store.Reader().Approval.Query().
		Where(approval.ShareTokenNotNil(), approval.ExpiresAtLTE(s.core.Store.Now())).
		Order(approval.ByExpiresAt()).Limit(expireBatch).
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
	return ended, s.core.Store.ReleaseLease(ctx, lease)
}

// expire ends one offer. If two processes try at once, the second finds nothing to do.
func (s Approvals) expire(ctx context.Context, id int) error {
	_, err := unit.Transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *unit.Tx) (*ent.Approval, error) {
		o, err := lockOffer(ctx, t, id)
		if ent.IsNotFound(err) || err == nil &&
			(len(o.approval.ShareToken) == 0 || !unit.Past(o.approval.ExpiresAt, t.At())) {
			return nil, nil //nolint:nilnil // nothing to do
		}
		if err != nil {
			return nil, err
		}
		if o.state == deal.OfferLapsed {
			return changeOffer(ctx, t, o, "approval.expire", []input.Change{input.Set(approval.FieldState, deal.OfferLapsed)})
		}
		err = t.Approval.Update().Where(approval.ID(id)).ClearShareToken().Exec(ctx)
		t.Record("approval.end_link", "approval", id, &o.approval.DealID, nil, nil)
		return o.approval, err
	})
	return err
}
