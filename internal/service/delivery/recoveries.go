package delivery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/predicate"
	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
	"paydown/ent/webhookrecovery"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// WebhookRecoveries are jobs that send failed deliveries again.
//
// A recovery is a row with a cursor. The process that holds the job's lease works on it in batches: each
// batch creates its deliveries and moves the cursor in one transaction, under the lease's fence. If a process
// dies, nothing is lost or sent twice, and another process continues from the cursor. A recovery skips
// deliveries that someone has already redelivered: if the redelivery failed too, it is the one to repeat.
type WebhookRecoveries struct {
	core     *unit.Core
	outbound *outbound
}

// RecoveryOrder selects the failed deliveries to send again; the zero value selects all.
type RecoveryOrder struct {
	Since      *time.Time // excludes older deliveries
	EndpointID int        // 0: any endpoint
	Event      string     // "": any kind
}

// RecoveriesShown is the maximum number of recoveries in a list.
const RecoveriesShown = 100

const (
	recoveryJob = "webhook-recoveries"
	// recoveryLease is far longer than a batch takes, even on a slow database.
	recoveryLease = 30 * time.Second
	// recoveryBatch is the number of deliveries per transaction, small enough not to delay other work.
	recoveryBatch = 200
	// recoveryEvery is how often each process looks for recoveries that no process is working on.
	recoveryEvery = 2 * time.Second
	// recoveryPoll is how often Follow polls a recovery.
	recoveryPoll = 200 * time.Millisecond
)

// Order starts a recovery and returns it.
func (s WebhookRecoveries) Order(ctx context.Context, in RecoveryOrder) (*ent.WebhookRecovery, error) {
	if in.Event != "" && !webhook.Known(in.Event) {
		return nil, fault.Field("event", "must be one of %s", strings.Join(webhook.Events(), ", "))
	}
	return writeEndpoints(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.WebhookRecovery, error) {
		if in.EndpointID != 0 {
			if _, err := lockEndpoint(ctx, t, in.EndpointID); err != nil {
				return nil, err
			}
		}
		last, err := t.WebhookDelivery.Query().Order(webhookdelivery.ByID(unit.Descending())).FirstID(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return nil, err
		}
		matched, err := t.WebhookDelivery.Query().Where(in.failed(0, last)...).Count(ctx)
		if err != nil {
			return nil, err
		}
		row, err := in.begin(t).SetLastID(last).SetMatched(matched).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("webhookRecovery.create", "webhookRecovery", row.ID, nil, nil, row)
		t.AfterCommit(s.outbound.wakeRecoveries)
		return row, nil
	})
}

// begin starts the record of a recovery, including who ordered it.
func (in RecoveryOrder) begin(t *unit.Tx) *ent.WebhookRecoveryCreate {
	create := t.WebhookRecovery.Create().SetNillableSince(in.Since).SetActorKind(string(t.Actor.Kind)).
		SetActorName(t.Actor.Name).SetSurface(string(t.Actor.Surface)).SetRequestID(t.Actor.RequestID)
	if t.Actor.ID != 0 {
		create.SetActorID(t.Actor.ID)
	}
	if in.EndpointID != 0 {
		create.SetEndpointID(in.EndpointID)
	}
	if in.Event != "" {
		create.SetEvent(in.Event)
	}
	return create
}

// orderOf returns the order of a recovery.
func orderOf(row *ent.WebhookRecovery) RecoveryOrder {
	in := RecoveryOrder{Since: row.Since}
	if row.EndpointID != nil {
		in.EndpointID = *row.EndpointID
	}
	if row.Event != nil {
		in.Event = *row.Event
	}
	return in
}

// failed selects the deliveries of an order with above < id <= upTo.
func (in RecoveryOrder) failed(above, upTo int) []predicate.WebhookDelivery {
	where := []predicate.WebhookDelivery{
		webhookdelivery.StatusEQ(webhookdelivery.StatusFAILED), webhookdelivery.IDGT(above), webhookdelivery.IDLTE(upTo),
	}
	if in.Since != nil {
		where = append(where, webhookdelivery.CreatedAtGTE(*in.Since))
	}
	if in.EndpointID != 0 {
		where = append(where, webhookdelivery.EndpointID(in.EndpointID))
	}
	if in.Event != "" {
		where = append(where, webhookdelivery.Event(in.Event))
	}
	return where
}

// List returns the latest recoveries, newest first.
func (s WebhookRecoveries) List(ctx context.Context) ([]*ent.WebhookRecovery, error) {
	if _, err := requireEndpointAccess(ctx); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().WebhookRecovery.Query().
		Order(webhookrecovery.ByID(unit.Descending())).Limit(RecoveriesShown).All(ctx)
}

// Get returns a recovery. Errors: forbidden, not found.
func (s WebhookRecoveries) Get(ctx context.Context, id int) (*ent.WebhookRecovery, error) {
	if _, err := requireEndpointAccess(ctx); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().WebhookRecovery.Get(ctx, id)
	return row, unit.NotFound(err, "webhook recovery")
}

// Follow calls tell with a recovery now and after each change, and returns when the recovery is over or tell
// returns an error.
func (s WebhookRecoveries) Follow(ctx context.Context, id int, tell func(*ent.WebhookRecovery) error) error {
	look := time.NewTicker(recoveryPoll)
	defer look.Stop()
	reported := -1
	for {
		row, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		over := row.State != webhookrecovery.StateRUNNING
		if row.Cursor != reported || over {
			if err := tell(row); err != nil {
				return err
			}
			reported = row.Cursor
		}
		if over {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
	}
}

// Cancel stops a recovery. It does nothing to one that is over.
func (s WebhookRecoveries) Cancel(ctx context.Context, id int) (*ent.WebhookRecovery, error) {
	return writeEndpoints(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.WebhookRecovery, error) {
		before, err := lockRecovery(ctx, t, id)
		if err != nil || before.State != webhookrecovery.StateRUNNING {
			return before, err
		}
		return changeRecovery(ctx, t, before, "webhookRecovery.cancel", []input.Change{
			input.Set(webhookrecovery.FieldState, webhookrecovery.StateCANCELLED),
			input.Set(webhookrecovery.FieldFinishedAt, t.At()),
		})
	})
}

func lockRecovery(ctx context.Context, t *unit.Tx, id int) (*ent.WebhookRecovery, error) {
	row, err := t.WebhookRecovery.Query().Where(webhookrecovery.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "webhook recovery")
}

func changeRecovery(
	ctx context.Context, t *unit.Tx, before *ent.WebhookRecovery, action string, changes []input.Change,
) (*ent.WebhookRecovery, error) {
	update := t.WebhookRecovery.Update().Where(webhookrecovery.ID(before.ID))
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	t.Record(action, "webhookRecovery", before.ID, nil, before, after)
	return after, nil
}

// wakeRecoveries makes this process look for new recoveries at once.
func (o *outbound) wakeRecoveries() {
	select {
	case o.recoveries <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// run works on recoveries until the context ends.
func (s WebhookRecoveries) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{
		Every: recoveryEvery, Wake: s.outbound.recoveries, Name: "webhook recoveries", Work: s.CarryOut,
	})
}

// CarryOut works on the recoveries of all tenants, unless another process is doing so. Recoveries take turns
// batch by batch; one that fails is left for the next round and does not delay the others.
func (s WebhookRecoveries) CarryOut(ctx context.Context) error {
	allTenants := auth.AllTenants(ctx, "recoveries of webhooks")
	running, err := s.core.Store.Reader().WebhookRecovery.Query().
		Where(webhookrecovery.FinishedAtIsNil()).Order(webhookrecovery.ByID()).All(allTenants)
	if err != nil || len(running) == 0 {
		return err
	}
	lease, err := s.core.Store.TakeLease(ctx, recoveryJob, s.core.Holder, recoveryLease)
	if err != nil || lease == nil {
		return err
	}
	defer func() {
		if err := s.core.Store.ReleaseLease(context.WithoutCancel(ctx), lease); err != nil {
			s.core.Log.WarnContext(ctx, "cannot release the lease on webhook recoveries", "error", err)
		}
	}()
	var failed error
	for len(running) > 0 {
		left := running[:0]
		for _, row := range running {
			over, err := s.advance(ctx, lease, row)
			switch {
			case errors.Is(err, errLeaseLost) || ctx.Err() != nil:
				return errors.Join(failed, err)
			case err != nil:
				failed = errors.Join(failed, fmt.Errorf("recovery %d: %w", row.ID, err))
			case !over:
				left = append(left, row)
			}
		}
		running = left
	}
	return failed
}

var errLeaseLost = errors.New("another process has the lease")

// advance processes the next batch of a recovery in one transaction, and reports whether the recovery is
// over.
func (s WebhookRecoveries) advance(
	ctx context.Context, lease *store.Lease, row *ent.WebhookRecovery,
) (over bool, err error) {
	company, err := s.core.Store.Reader().Tenant.Get(ctx, row.TenantID)
	if err != nil {
		return false, err
	}
	entry, err := identity.NewTenantEntry(company)
	if err != nil {
		return false, err
	}
	actor := orderedBy(row, entry)
	err = s.core.Store.Write(auth.With(ctx, actor), func(ctx context.Context, stx *store.Tx) error {
		held, err := stx.KeepLease(ctx, lease, recoveryLease)
		if err != nil {
			return err
		}
		if !held {
			return errLeaseLost
		}
		t := &unit.Tx{Tx: stx, Core: s.core, Actor: actor}
		before, err := lockRecovery(ctx, t, row.ID)
		if err != nil {
			return err
		}
		if over = before.State != webhookrecovery.StateRUNNING; over {
			return nil
		}
		if over, err = recoverBatch(ctx, t, before); err != nil {
			return err
		}
		return t.Flush(ctx)
	})
	return over, err
}

// orderedBy returns the actor who ordered the recovery; the recovery runs in their name.
func orderedBy(row *ent.WebhookRecovery, company *identity.TenantEntry) *auth.Actor {
	actor := &auth.Actor{
		Kind: auth.ActorKind(row.ActorKind), Name: row.ActorName, TenantID: company.ID, Zone: company.Zone,
		Scopes: auth.Scopes{auth.Write("webhooks")}, Surface: auth.Surface(row.Surface), RequestID: row.RequestID,
	}
	if row.ActorID != nil {
		actor.ID = *row.ActorID
	}
	return actor
}

// recoverBatch creates the next deliveries of a locked recovery and moves its cursor.
func recoverBatch(ctx context.Context, t *unit.Tx, before *ent.WebhookRecovery) (over bool, err error) {
	failed, err := t.WebhookDelivery.Query().Where(orderOf(before).failed(before.Cursor, before.LastID)...).
		Order(webhookdelivery.ByID()).Limit(recoveryBatch).All(ctx)
	if err != nil {
		return false, err
	}
	due, err := recoverable(ctx, t, failed)
	if err != nil {
		return false, err
	}
	if err := repeatAll(ctx, t, due); err != nil {
		return false, err
	}
	changes := []input.Change{
		input.Set(webhookrecovery.FieldRedelivered, before.Redelivered+len(due)),
		input.Set(webhookrecovery.FieldSkipped, before.Skipped+len(failed)-len(due)),
	}
	if over = len(failed) < recoveryBatch; over {
		changes = append(changes,
			input.Set(webhookrecovery.FieldCursor, before.LastID),
			input.Set(webhookrecovery.FieldState, webhookrecovery.StateDONE),
			input.Set(webhookrecovery.FieldFinishedAt, t.At()))
	} else {
		changes = append(changes, input.Set(webhookrecovery.FieldCursor, failed[len(failed)-1].ID))
	}
	_, err = changeRecovery(ctx, t, before, "webhookRecovery.update", changes)
	return over, err
}

// recoverable returns the deliveries whose endpoint is active and that have not been redelivered yet. It
// locks the endpoints, so that nobody redelivers them meanwhile.
func recoverable(ctx context.Context, t *unit.Tx, failed []*ent.WebhookDelivery) ([]*ent.WebhookDelivery, error) {
	if len(failed) == 0 {
		return nil, nil
	}
	ids, endpoints := make([]int, len(failed)), make([]int, len(failed))
	for i, d := range failed {
		ids[i], endpoints[i] = d.ID, d.EndpointID
	}
	slices.Sort(endpoints)
	reached, err := t.WebhookEndpoint.Query().Where(webhookendpoint.IDIn(slices.Compact(endpoints)...), unit.Locked).
		Order(webhookendpoint.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	active := map[int]bool{}
	for _, e := range reached {
		active[e.ID] = e.IsActive
	}
	repeats, err := t.WebhookDelivery.Query().Where(webhookdelivery.RedeliveryOfIDIn(ids...)).
		Select(webhookdelivery.FieldRedeliveryOfID).Ints(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(failed), func(d *ent.WebhookDelivery) bool {
		return !active[d.EndpointID] || slices.Contains(repeats, d.ID)
	}), nil
}

// repeatAll creates redeliveries.
func repeatAll(ctx context.Context, t *unit.Tx, due []*ent.WebhookDelivery) error {
	if len(due) == 0 {
		return nil
	}
	now, err := t.Clock(ctx)
	if err != nil {
		return err
	}
	rows := make([]*ent.WebhookDeliveryCreate, len(due))
	for i, before := range due {
		create, err := repeat(t, before)
		if err != nil {
			return err
		}
		rows[i] = create.SetNextAttemptAt(now)
	}
	made, err := t.WebhookDelivery.CreateBulk(rows...).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "webhookDelivery", made...)
	t.SignalDeliveries(ctx)
	return nil
}
