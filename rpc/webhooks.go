package rpc

import (
	"context"

	"paydown/ent"
	"paydown/internal/service"
	"paydown/internal/webhook"
	"paydown/rpc/adminv1"
)

type webhooks struct{ service *service.Service }

func endpointView(e *ent.WebhookEndpoint) *adminv1.Endpoint {
	return &adminv1.Endpoint{
		Id: number(e.ID), Url: e.URL, Events: e.Events, IsActive: e.IsActive, FailureStreak: number(e.FailureStreak),
		DisabledAt: optAt(e.DisabledAt), DisabledReason: e.DisabledReason, LastDeliveredAt: optAt(e.LastDeliveredAt),
		CreatedAt: at(e.CreatedAt),
	}
}

func deliveryView(d *ent.WebhookDelivery) (*adminv1.Delivery, error) {
	payload, err := object(d.Payload)
	return &adminv1.Delivery{
		Id: number(d.ID), EndpointId: number(d.EndpointID), Event: d.Event, Payload: payload, Status: string(d.Status),
		Attempts: number(d.Attempts), ResponseStatus: optNumber(d.ResponseStatus), Error: d.Error,
		DurationMs: optNumber(d.DurationMs), ResponseSnippet: d.ResponseSnippet,
		RedeliveryOfId: optNumber(d.RedeliveryOfID), NextAttemptAt: optAt(d.NextAttemptAt),
		DeliveredAt: optAt(d.DeliveredAt), CreatedAt: at(d.CreatedAt), UpdatedAt: at(d.UpdatedAt),
	}, err
}

func deliveryViews(rows []*ent.WebhookDelivery) ([]*adminv1.Delivery, error) {
	views := make([]*adminv1.Delivery, len(rows))
	for i, row := range rows {
		var err error
		if views[i], err = deliveryView(row); err != nil {
			return nil, err
		}
	}
	return views, nil
}

func attemptView(a *ent.DeliveryAttempt) *adminv1.Attempt {
	return &adminv1.Attempt{
		Number: number(
			a.Number,
		), ResponseStatus: optNumber(a.ResponseStatus), DurationMs: number(a.DurationMs), Error: a.Error,
		ResponseSnippet: a.ResponseSnippet, CreatedAt: at(a.CreatedAt),
	}
}

func (h webhooks) ListEndpoints(
	ctx context.Context, _ *adminv1.ListEndpointsRequest,
) (*adminv1.ListEndpointsResponse, error) {
	page, err := h.service.WebhookEndpoints.List(ctx, pageOf(service.MaxWebhookEndpoints, ""))
	if err != nil {
		return nil, err
	}
	return &adminv1.ListEndpointsResponse{Endpoints: viewed(page.Records, endpointView)}, nil
}

func (h webhooks) GetEndpoint(
	ctx context.Context, req *adminv1.GetEndpointRequest,
) (*adminv1.GetEndpointResponse, error) {
	row, err := h.service.WebhookEndpoints.Get(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	deliveries, err := deliveryViews(row.Edges.Deliveries)
	return &adminv1.GetEndpointResponse{Endpoint: endpointView(row), Deliveries: deliveries}, err
}

// setActive turns an endpoint on or off.
func (h webhooks) setActive(ctx context.Context, id uint32, on bool) (*adminv1.Endpoint, error) {
	row, err := h.service.WebhookEndpoints.Update(ctx, int(id), service.WebhookEndpointInput{IsActive: service.Some(on)})
	if err != nil {
		return nil, err
	}
	return endpointView(row), nil
}

func (h webhooks) EnableEndpoint(
	ctx context.Context, req *adminv1.EnableEndpointRequest,
) (*adminv1.EnableEndpointResponse, error) {
	view, err := h.setActive(ctx, req.GetId(), true)
	return &adminv1.EnableEndpointResponse{Endpoint: view}, err
}

func (h webhooks) DisableEndpoint(
	ctx context.Context, req *adminv1.DisableEndpointRequest,
) (*adminv1.DisableEndpointResponse, error) {
	view, err := h.setActive(ctx, req.GetId(), false)
	return &adminv1.DisableEndpointResponse{Endpoint: view}, err
}

func (h webhooks) RotateSecret(
	ctx context.Context, req *adminv1.RotateSecretRequest,
) (*adminv1.RotateSecretResponse, error) {
	issued, err := h.service.WebhookEndpoints.Rotate(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.RotateSecretResponse{Endpoint: endpointView(issued.WebhookEndpoint), Secret: issued.SigningSecret}, nil
}

func (h webhooks) SendTest(ctx context.Context, req *adminv1.SendTestRequest) (*adminv1.SendTestResponse, error) {
	event := req.GetEvent()
	if event == "" {
		event = webhook.Test{}.Event()
	}
	row, err := h.service.WebhookEndpoints.Test(ctx, int(req.GetId()), event)
	if err != nil {
		return nil, err
	}
	view, err := deliveryView(row)
	return &adminv1.SendTestResponse{Delivery: view}, err
}

func (h webhooks) ListDeliveries(
	ctx context.Context, req *adminv1.ListDeliveriesRequest,
) (*adminv1.ListDeliveriesResponse, error) {
	request := newestFirst(req.GetLimit(), req.GetCursor(), map[string]string{
		"status": req.GetStatus(), "event": req.GetEvent(),
	})
	if id := req.GetEndpointId(); id > 0 {
		request.Filters["endpointId"] = service.IDFilter(int(id))
	}
	page, err := h.service.WebhookDeliveries.List(ctx, request)
	if err != nil {
		return nil, err
	}
	views, err := deliveryViews(page.Records)
	return &adminv1.ListDeliveriesResponse{Deliveries: views, NextCursor: page.NextCursor}, err
}

func (h webhooks) GetDelivery(
	ctx context.Context, req *adminv1.GetDeliveryRequest,
) (*adminv1.GetDeliveryResponse, error) {
	row, err := h.service.WebhookDeliveries.Get(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	view, err := deliveryView(row)
	return &adminv1.GetDeliveryResponse{Delivery: view, Attempts: viewed(row.Edges.Tries, attemptView)}, err
}

func (h webhooks) RedeliverDelivery(
	ctx context.Context, req *adminv1.RedeliverDeliveryRequest,
) (*adminv1.RedeliverDeliveryResponse, error) {
	row, err := h.service.WebhookDeliveries.Redeliver(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	view, err := deliveryView(row)
	return &adminv1.RedeliverDeliveryResponse{Delivery: view}, err
}
