package delivery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"paydown/ent"
	"paydown/ent/tenant"
	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// WebhookEndpoints are the addresses that receive the tenant's events.
type WebhookEndpoints struct {
	core     *unit.Core
	outbound *outbound
}

// MaxWebhookEndpoints is the maximum number of endpoints per tenant.
const MaxWebhookEndpoints = 50

// RecentDeliveries is the number of deliveries returned with an endpoint.
const RecentDeliveries = 50

// WebhookEndpointInput holds what a caller sets on an endpoint.
type WebhookEndpointInput struct {
	URL      input.Opt[string]   `json:"url" check:"text" need:"create" doc:"URL for deliveries: https, at a public address" example:"https://hooks.example.com/paydown"`
	Events   input.Opt[[]string] `json:"events" check:"text" need:"create" doc:"Kinds of events to deliver, or * for all"`
	IsActive input.Opt[bool]     `json:"isActive" need:"value" doc:"Whether events are delivered; default: true on creation. Setting it to true ends a pause and resets the failure count"`
}

// IssuedEndpoint is an endpoint with its new signing secret. The secret is shown only once.
type IssuedEndpoint struct {
	*ent.WebhookEndpoint
	SigningSecret string
}

// WebhookEndpointListing describes the list of endpoints.
var WebhookEndpointListing = &list.Listing[ent.WebhookEndpoint]{
	Resource: "webhookEndpoints", Scope: auth.Read("webhooks"), NoUpdatedAt: true,
}

// requireEndpointAccess refuses an actor who may not manage endpoints. A key needs the scope; a member of staff
// also needs the permission to edit company settings.
func requireEndpointAccess(ctx context.Context) (*auth.Actor, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("webhooks"))
	if err == nil && actor.IsUser() {
		return unit.RequirePermission(ctx, auth.EditCompanySettings)
	}
	return actor, err
}

// writeEndpoints runs a write for an actor who may manage endpoints.
func writeEndpoints[T any](
	ctx context.Context, c *unit.Core, work func(context.Context, *unit.Tx) (T, error),
) (T, error) {
	actor, err := requireEndpointAccess(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return unit.Transact(ctx, c, actor, work)
}

// List returns a page of webhook endpoints.
func (s WebhookEndpoints) List(ctx context.Context, req list.Request) (*list.Page[ent.WebhookEndpoint], error) {
	return list.Read(ctx, s.core, WebhookEndpointListing, req, s.core.Store.Reader().WebhookEndpoint.Query())
}

// Get returns one endpoint with its latest deliveries, newest first.
func (s WebhookEndpoints) Get(ctx context.Context, id int) (*ent.WebhookEndpoint, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("webhooks")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).
		WithDeliveries(func(q *ent.WebhookDeliveryQuery) {
			q.Order(webhookdelivery.ByID(unit.Descending())).Limit(RecentDeliveries)
		}).Only(ctx)
	return row, unit.NotFound(err, "webhook endpoint")
}

// Create creates an endpoint and returns its signing secret, which is shown only once.
func (s WebhookEndpoints) Create(ctx context.Context, in WebhookEndpointInput) (*IssuedEndpoint, error) {
	in, err := s.checked(in, input.ForCreate)
	if err != nil {
		return nil, err
	}
	return writeEndpoints(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*IssuedEndpoint, error) {
		s.outbound.quiet.endAfter(t)
		return newEndpoint(ctx, t, in)
	})
}

func newEndpoint(ctx context.Context, t *unit.Tx, in WebhookEndpointInput) (*IssuedEndpoint, error) {
	if err := checkEndpointLimit(ctx, t); err != nil {
		return nil, err
	}
	last, err := t.LastEvent(ctx)
	if err != nil {
		return nil, err
	}
	// Insert the row first: the secret is sealed for the row's id.
	create := t.WebhookEndpoint.Create().SetSecret([]byte{}).SetEventsAfter(last)
	row, err := unit.Create(ctx, t, "webhookEndpoint", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, err
	}
	secret := webhook.NewSecret()
	err = t.WebhookEndpoint.Update().Where(webhookendpoint.ID(row.ID)).SetSecret(sealSigning(t.Core, row.ID, secret)).
		Exec(ctx)
	return &IssuedEndpoint{row, secret}, err
}

// checkEndpointLimit refuses to exceed MaxWebhookEndpoints. It locks the tenant's row until the transaction
// ends, so that endpoints of one tenant are created one at a time.
func checkEndpointLimit(ctx context.Context, t *unit.Tx) error {
	if _, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).OnlyID(ctx); err != nil {
		return err
	}
	n, err := t.WebhookEndpoint.Query().Count(ctx)
	if err == nil && n >= MaxWebhookEndpoints {
		err = fault.Conflictf("You have reached the limit of %d webhook endpoints. Delete one first.", n)
	}
	return err
}

// Update changes an endpoint. Turning it on resets its failure count.
func (s WebhookEndpoints) Update(ctx context.Context, id int, in WebhookEndpointInput) (*ent.WebhookEndpoint, error) {
	in, err := s.checked(in, input.ForUpdate)
	if err != nil {
		return nil, err
	}
	return writeEndpoints(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.WebhookEndpoint, error) {
		before, err := lockEndpoint(ctx, t, id)
		if err != nil {
			return nil, err
		}
		var restart []input.Change
		if in.IsActive.Or(false) && !before.IsActive {
			restart = []input.Change{
				input.Set(webhookendpoint.FieldFailureStreak, 0),
				input.Set(webhookendpoint.FieldDisabledAt, nil),
				input.Set(webhookendpoint.FieldDisabledReason, nil),
			}
		}
		update := t.WebhookEndpoint.Update().Where(webhookendpoint.ID(id))
		after, err := unit.Update(ctx, t, "webhookEndpoint", id, before, in, update.Mutation(), update.Save, restart...)
		if err != nil {
			return nil, err
		}
		if after.URL != before.URL || !after.IsActive {
			s.outbound.closeConnections(t, id)
		}
		if after.IsActive {
			return after, nil
		}
		return after, s.outbound.endDeliveries(ctx, t, id)
	})
}

// Rotate replaces an endpoint's signing secret and returns the new one, which is shown only once. For
// webhook.RotationOverlap deliveries are also signed with the previous secret. Older secrets stop signing at
// once.
func (s WebhookEndpoints) Rotate(ctx context.Context, id int) (*IssuedEndpoint, error) {
	return writeEndpoints(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*IssuedEndpoint, error) {
		before, err := lockEndpoint(ctx, t, id)
		if err != nil {
			return nil, err
		}
		now, err := t.Clock(ctx)
		if err != nil {
			return nil, err
		}
		secret := webhook.NewSecret()
		update := t.WebhookEndpoint.Update().Where(webhookendpoint.ID(id)).
			SetSecret(sealSigning(t.Core, id, secret)).SetPreviousSecret(before.Secret)
		after, err := unit.Store(ctx, t, before, []input.Change{
			input.Set(webhookendpoint.FieldPreviousSecretExpiresAt, now.Add(webhook.RotationOverlap)),
		}, update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		t.Record("webhookEndpoint.rotate", "webhookEndpoint", id, nil, before, after)
		return &IssuedEndpoint{after, secret}, nil
	})
}

// Test queues the catalogue's example of an event kind to one endpoint, even if the endpoint does not
// subscribe to that kind. The endpoint must be active.
func (s WebhookEndpoints) Test(ctx context.Context, id int, event string) (*ent.WebhookDelivery, error) {
	data, known := exampleFor(id, event)
	if !known {
		return nil, fault.Field("event", "must be one of %s", strings.Join(webhook.Events(), ", "))
	}
	return unit.Write(ctx, s.core, auth.Write("webhooks"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.WebhookDelivery, error) {
		row, err := lockEndpoint(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if !row.IsActive {
			return nil, fault.Conflictf("The webhook endpoint is not active. Turn it on first.").
				With("isActive", "must be true")
		}
		create, err := deliveryOf(t, id, webhook.NewEnvelope(event, webhook.Version, t.At(), data))
		if err != nil {
			return nil, err
		}
		made, err := queue(ctx, t, create)
		if err != nil {
			return nil, err
		}
		t.Record("webhookEndpoint.test", "webhookEndpoint", id, nil, nil, nil)
		unit.AlsoCreated(t, "webhookDelivery", made)
		return made, nil
	})
}

// exampleFor returns the payload of a test. The payload of webhook.test names the endpoint.
func exampleFor(endpointID int, event string) (data webhook.Payload, known bool) {
	if test := (webhook.Test{EndpointID: endpointID, Message: webhook.TestMessage}); event == test.Event() {
		return test, true
	}
	at := slices.IndexFunc(webhook.Catalogue, func(k webhook.Kind) bool { return k.Event == event })
	if at < 0 {
		return nil, false
	}
	return webhook.Catalogue[at].Example, true
}

// Delete deletes an endpoint with its deliveries, including pending ones.
func (s WebhookEndpoints) Delete(ctx context.Context, id int) (int, error) {
	return writeEndpoints(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.WebhookEndpoint.Query().Where(webhookendpoint.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "webhook endpoint")
		}
		deliveryIDs, err := t.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(id)).
			Order(webhookdelivery.ByID()).IDs(ctx)
		if err != nil {
			return 0, err
		}
		t.Affect("webhookDelivery", unit.Deleted, deliveryIDs...)
		if err := t.WebhookEndpoint.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, err
		}
		s.outbound.closeConnections(t, id)
		t.Record("webhookEndpoint.delete", "webhookEndpoint", id, nil, before, nil)
		return id, nil
	})
}

func lockEndpoint(ctx context.Context, t *unit.Tx, id int) (*ent.WebhookEndpoint, error) {
	row, err := t.WebhookEndpoint.Query().Where(webhookendpoint.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "webhook endpoint")
}

// checked reports every problem of an input that can be found without network access, and returns the input
// with duplicate events removed.
func (s WebhookEndpoints) checked(in WebhookEndpointInput, mode input.Mode) (WebhookEndpointInput, error) {
	problems := input.Check(in, mode)
	var more []fault.Detail
	if url, ok := in.URL.Get(); ok {
		if err := s.outbound.guard.CheckURL(url); err != nil {
			more = append(more, fault.Detail{Path: "url", Message: err.Error()})
		}
	}
	if events, ok := in.Events.Get(); ok {
		more = append(more, eventProblems(events)...)
		var once []string
		for _, e := range events {
			if !slices.Contains(once, e) {
				once = append(once, e)
			}
		}
		in.Events = input.Some(once)
	}
	if problems = input.MergeProblems(problems, more); len(problems) > 0 {
		return in, fault.Invalid(problems...)
	}
	return in, nil
}

func eventProblems(events []string) []fault.Detail {
	if len(events) == 0 {
		return []fault.Detail{{Path: "events", Message: "must have at least one event, or * for all events"}}
	}
	if len(events) > input.MaxEntries {
		return nil // input.Check reports it
	}
	others := slices.ContainsFunc(events, func(e string) bool { return e != webhook.AllEvents })
	var problems []fault.Detail
	for i, e := range events {
		path := fmt.Sprintf("events.%d", i)
		switch {
		case e == webhook.AllEvents && others:
			problems = append(problems, fault.Detail{Path: path, Message: "must be the only entry, because it means all events"})
		case e != webhook.AllEvents && !webhook.Known(e):
			problems = append(problems, fault.Detail{Path: path, Message: eventNames()})
		}
	}
	return problems
}

func eventNames() string {
	return "must be one of " + strings.Join(webhook.Events(), ", ") + ", or * for all events"
}

// sealSigning seals an endpoint's signing secret for that endpoint.
func sealSigning(c *unit.Core, endpointID int, secret string) []byte {
	return c.Secrets.Seal([]byte(secret), SigningBound(endpointID))
}

// SigningBound returns the context that an endpoint's current and previous sealed secrets are bound to.
func SigningBound(endpointID int) string {
	return fmt.Sprintf("%s/%d", webhookendpoint.Table, endpointID)
}
