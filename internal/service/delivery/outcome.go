package delivery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
	"paydown/internal/auth"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// Complete implements webhook.Queue. It locks the endpoint until the transaction ends, so that the results of
// one endpoint are processed one at a time across processes. This keeps the failure streak exact, and pauses
// the endpoint only once.
func (q deliveryQueue) Complete(ctx context.Context, results []webhook.Result) (stale int, err error) {
	ids := make([]int, len(results))
	for i, r := range results {
		ids[i] = r.Endpoint
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	err = q.core.Store.WriteRedoable(ctx, func(ctx context.Context, t *store.Tx) error {
		endpoints, err := t.LockEndpoints(ctx, ids)
		if err != nil {
			return err
		}
		now, err := t.Clock(ctx)
		if err != nil {
			return err
		}
		tries := make([]store.EndedTry, len(results))
		for i, r := range results {
			tries[i] = storedAttempt(now, r, endpoints[r.Endpoint].IsActive)
		}
		accepted, err := t.EndTries(ctx, now, tries)
		if err != nil {
			return err
		}
		stale = len(results) - len(accepted)
		results := slices.DeleteFunc(slices.Clone(results), func(r webhook.Result) bool { return accepted[r.ID] != r.Fence })
		return q.count(ctx, t, now, results, endpoints)
	})
	if err != nil {
		return 0, fmt.Errorf("store outcomes of deliveries: %w", err)
	}
	return stale, nil
}

// storedAttempt returns how to store a result. It schedules no retry at an endpoint that was turned off or paused
// meanwhile.
func storedAttempt(now time.Time, r webhook.Result, active bool) store.EndedTry {
	try := store.EndedTry{Delivery: r.ID, Fence: r.Fence, MessageID: r.MessageID}
	if r.Verdict != webhook.Returned && r.Verdict != webhook.Dropped {
		try.Number, try.ResponseStatus, try.Duration = r.Tries+1, r.Status, r.Duration
		try.Error, try.Snippet = r.Error, r.Snippet
	}
	next := now.Add(r.After)
	switch r.Verdict {
	case webhook.Delivered:
		try.Status = string(webhookdelivery.StatusDELIVERED)
	case webhook.Failed:
		try.Status = string(webhookdelivery.StatusFAILED)
	case webhook.Retry, webhook.Returned, webhook.Dropped: // Dropped: the endpoint may be active again
		try.Status, try.Next = string(webhookdelivery.StatusPENDING), &next
	}
	if !active && r.Verdict != webhook.Delivered && r.Verdict != webhook.Failed {
		try.Status, try.Next, try.Reason = string(webhookdelivery.StatusFAILED), nil, endpointInactive
	}
	return try
}

// count updates the failure streak of each endpoint with the results.
func (q deliveryQueue) count(
	ctx context.Context, t *store.Tx, now time.Time, results []webhook.Result, endpoints map[int]store.EndpointState,
) error {
	outcomes := map[int]*store.EndpointOutcome{}
	paused := map[int]string{} // with the error of the last delivery
	for _, r := range results {
		state := endpoints[r.Endpoint]
		if r.Verdict != webhook.Delivered && (r.Verdict != webhook.Failed || r.Redelivery || !state.IsActive) {
			continue
		}
		o := outcomes[r.Endpoint]
		if o == nil {
			o = &store.EndpointOutcome{Endpoint: r.Endpoint, Streak: state.Streak}
			outcomes[r.Endpoint] = o
		}
		if r.Verdict == webhook.Delivered {
			o.Streak, o.Delivered = 0, true
			continue
		}
		if o.Streak++; o.Streak >= webhook.FailuresToPause {
			state.IsActive = false // later failures no longer count
			endpoints[r.Endpoint] = state
			paused[r.Endpoint] = r.Error
		}
	}
	if len(outcomes) == 0 {
		return nil
	}
	stored := make([]store.EndpointOutcome, 0, len(outcomes))
	for _, o := range outcomes {
		stored = append(stored, *o)
	}
	if err := t.SetOutcomes(ctx, now, stored); err != nil {
		return err
	}
	for id, code := range paused {
		if err := q.pause(ctx, t, endpoints[id].Tenant, id, code); err != nil {
			return fmt.Errorf("pause endpoint %d: %w", id, err)
		}
	}
	return nil
}

// pause turns off a locked endpoint after too many failures in a row, and notifies the administrators.
func (q deliveryQueue) pause(ctx context.Context, stx *store.Tx, tenantID, id int, code string) error {
	company, err := stx.Tenant.Get(ctx, tenantID)
	if err != nil {
		return err
	}
	entry, err := identity.NewTenantEntry(company)
	if err != nil {
		return err
	}
	ctx = auth.AsSystem(ctx, tenantID, entry.Zone, "")
	t := &unit.Tx{Tx: stx, Core: q.core, Actor: auth.From(ctx)}
	before, err := t.WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	reason := fmt.Sprintf("%d deliveries in a row failed", webhook.FailuresToPause)
	update := t.WebhookEndpoint.Update().Where(webhookendpoint.ID(id))
	after, err := unit.Store(ctx, t, before, []input.Change{
		input.Set(webhookendpoint.FieldIsActive, false),
		input.Set(webhookendpoint.FieldDisabledAt, t.At()),
		input.Set(webhookendpoint.FieldDisabledReason, reason),
	}, update.Mutation(), update.Save)
	if err != nil {
		return err
	}
	t.Record("webhookEndpoint.pause", "webhookEndpoint", id, nil, before, after)
	if err := q.outbound.endDeliveries(ctx, t, id); err != nil {
		return err
	}
	notifyCtx, n := ctx, pausedNotice(t, after, webhook.FailuresToPause, code)
	if company.SandboxOfID != nil {
		// A sandbox has no staff of its own: notify the company's staff. They cannot open the endpoint, which is
		// not their tenant's.
		notifyCtx = auth.AsSystem(ctx, *company.SandboxOfID, entry.Zone, "")
		n.Title, n.Entity, n.EntityID = "Sandbox: "+n.Title, "", 0
	}
	if err := workspace.NotifyAdministrators(notifyCtx, t, n); err != nil {
		return err
	}
	t.AfterCommit(func() {
		q.core.Log.InfoContext(ctx, "webhook endpoint paused", "tenant", company.Host, "endpoint", id, "error", code)
	})
	return t.Flush(ctx)
}
