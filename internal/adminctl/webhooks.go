package adminctl

import (
	"context"
	"fmt"

	"paydown/rpc/adminv1"
)

// Webhooks are the webhooks commands.
type Webhooks struct {
	Endpoints    endpointsCmd      `cmd:"" help:"List the endpoints."`
	Endpoint     endpointCmd       `cmd:"" help:"Show an endpoint with its latest deliveries."`
	Enable       enableEndpointCmd `cmd:"" help:"Turn an endpoint on."`
	Disable      disableCmd        `cmd:"" help:"Turn an endpoint off; pending deliveries to it are not sent."`
	RotateSecret rotateSecretCmd   `cmd:"" help:"Give an endpoint a new signing secret and print it, once; for 24 hours deliveries are signed with both."`
	Test         testCmd           `cmd:"" help:"Send an example of an event to an endpoint."`
	Deliveries   deliveriesCmd     `cmd:"" help:"List deliveries of the last 30 days, newest first."`
	Delivery     deliveryCmd       `cmd:"" help:"Show a delivery with its attempts."`
	Redeliver    redeliverCmd      `cmd:"" help:"Send the event of a delivery that has ended again, as a new delivery."`
	Recover      recoverCmd        `cmd:"" help:"Send all failed deliveries again, and show the progress."`
	Watch        watchCmd          `cmd:"" help:"Show the progress of a recovery until it ends."`
	Recoveries   recoveriesCmd     `cmd:"" help:"List the latest recoveries, newest first."`
	Cancel       cancelCmd         `cmd:"" help:"Cancel a recovery; deliveries that it has created are still sent."`
}

// endpointID identifies an endpoint.
type endpointID struct {
	ID uint32 `arg:"" help:"Id of the endpoint."`
}

type endpointsCmd struct{ Company }

// Run lists the endpoints.
func (cmd *endpointsCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.ListEndpoints(ctx, &adminv1.ListEndpointsRequest{Tenant: s.tenant})
	return s.tell(ctx, answer, err, func(t *table) {
		t.row("ID", "STATE", "FAILURE STREAK", "LAST DELIVERED", "URL", "EVENTS")
		for _, e := range answer.GetEndpoints() {
			t.row(e.GetId(), turned(e), e.GetFailureStreak(), e.GetLastDeliveredAt(), e.GetUrl(), e.GetEvents())
		}
	})
}

// turned describes whether events are delivered to an endpoint.
func turned(e *adminv1.Endpoint) string {
	switch {
	case e.GetIsActive():
		return "active"
	case e.GetDisabledAt() != nil:
		return "paused"
	default:
		return "off"
	}
}

func endpointFields(t *table, e *adminv1.Endpoint) {
	t.fields("Id", e.GetId(), "URL", e.GetUrl(), "Events", e.GetEvents(), "State", turned(e),
		"Failure streak", e.GetFailureStreak(), "Paused", e.GetDisabledAt(), "Reason", e.GetDisabledReason(),
		"Last delivered", e.GetLastDeliveredAt(), "Created", e.GetCreatedAt())
}

type endpointCmd struct {
	Company
	endpointID
}

// Run shows the endpoint.
func (cmd *endpointCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.GetEndpoint(ctx, &adminv1.GetEndpointRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) {
		endpointFields(t, answer.GetEndpoint())
		t.row()
		deliveryRows(t, answer.GetDeliveries())
	})
}

func deliveryRows(t *table, deliveries []*adminv1.Delivery) {
	t.row("ID", "EVENT", "STATUS", "ATTEMPTS", "HTTP", "ERROR", "ENDPOINT", "REPEATS", "CREATED")
	for _, d := range deliveries {
		t.row(d.GetId(), d.GetEvent(), d.GetStatus(), d.GetAttempts(), d.ResponseStatus, d.GetError(), d.GetEndpointId(),
			d.RedeliveryOfId, d.GetCreatedAt())
	}
}

type enableEndpointCmd struct {
	Company
	endpointID
}

// Run turns the endpoint on.
func (cmd *enableEndpointCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.EnableEndpoint(ctx, &adminv1.EnableEndpointRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { endpointFields(t, answer.GetEndpoint()) })
}

type disableCmd struct {
	Company
	endpointID
	sure
}

// Run turns the endpoint off.
func (cmd *disableCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	err = s.confirm(cmd.sure, "Turn endpoint %d of %s off? Pending deliveries to it are not sent.", cmd.ID, s.tenant)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.DisableEndpoint(ctx, &adminv1.DisableEndpointRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { endpointFields(t, answer.GetEndpoint()) })
}

type rotateSecretCmd struct {
	Company
	endpointID
	sure
}

// Run rotates the secret.
func (cmd *rotateSecretCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	err = s.confirm(
		cmd.sure, "Give endpoint %d of %s a new secret? The old one stops working in 24 hours.", cmd.ID, s.tenant,
	)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.RotateSecret(ctx, &adminv1.RotateSecretRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.issued(ctx, answer, err, answer.GetSecret(),
		fmt.Sprintf("Endpoint %d has a new signing secret; for 24 hours deliveries are signed with both. "+
			"It is shown only once:", cmd.ID))
}

type testCmd struct {
	Company
	endpointID
	Event string `default:"webhook.test" complete:"event" help:"Kind of event. Default: ${default}."`
}

// Run sends the example.
func (cmd *testCmd) Run(ctx context.Context, env *Env) error {
	return cmd.SendTest(ctx, env, cmd.ID, cmd.Event)
}

// SendTest sends an example of an event to an endpoint of the company, and prints the delivery.
func (c *Company) SendTest(ctx context.Context, env *Env, endpoint uint32, event string) error {
	s, err := c.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.SendTest(ctx, &adminv1.SendTestRequest{Tenant: s.tenant, Id: endpoint, Event: event})
	return s.tell(ctx, answer, err, func(t *table) { deliveryRows(t, []*adminv1.Delivery{answer.GetDelivery()}) })
}

type deliveriesCmd struct {
	Company
	paging
	Endpoint uint32 `placeholder:"ID" help:"Only deliveries to this endpoint."`
	Status   string `enum:",pending,delivered,failed" default:"" help:"Only deliveries with this status: pending, delivered or failed."`
	Event    string `complete:"event" help:"Only deliveries of this kind of event."`
}

// Run lists the deliveries.
func (cmd *deliveriesCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	all, next, err := pages(&cmd.paging, func(limit uint32, cursor string) ([]*adminv1.Delivery, string, error) {
		answer, err := s.webhooks.ListDeliveries(ctx, &adminv1.ListDeliveriesRequest{
			Tenant: s.tenant, EndpointId: cmd.Endpoint, Status: upper(cmd.Status), Event: cmd.Event, Limit: limit,
			Cursor: cursor,
		})
		return answer.GetDeliveries(), answer.GetNextCursor(), err
	})
	defer s.more(next)
	return s.tell(ctx, &adminv1.ListDeliveriesResponse{Deliveries: all, NextCursor: next}, err,
		func(t *table) { deliveryRows(t, all) })
}

type deliveryCmd struct {
	Company
	ID uint32 `arg:"" help:"Id of the delivery."`
}

// Run shows the delivery.
func (cmd *deliveryCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.GetDelivery(ctx, &adminv1.GetDeliveryRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) {
		deliveryRows(t, []*adminv1.Delivery{answer.GetDelivery()})
		t.row()
		t.row("ATTEMPT", "HTTP", "ERROR", "MS", "CREATED", "RESPONSE")
		for _, a := range answer.GetAttempts() {
			t.row(a.GetNumber(), a.ResponseStatus, a.GetError(), a.GetDurationMs(), a.GetCreatedAt(), a.GetResponseSnippet())
		}
	})
}

type redeliverCmd struct {
	Company
	ID uint32 `arg:"" help:"Id of the delivery to repeat."`
}

// Run sends the delivery again.
func (cmd *redeliverCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.RedeliverDelivery(ctx, &adminv1.RedeliverDeliveryRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { deliveryRows(t, []*adminv1.Delivery{answer.GetDelivery()}) })
}
