package rpc

import (
	"context"

	"paydown/ent"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
)

type inbound struct{ service *service.Service }

func inboundView(e *ent.InboundEvent) *adminv1.InboundEvent {
	return &adminv1.InboundEvent{
		Id: number(e.ID), Source: e.Source, ExternalId: e.ExternalID, State: string(e.State), Error: e.Error,
		DealId: optNumber(e.DealID), MerchantId: optNumber(e.MerchantID), ReceivedAt: at(e.ReceivedAt),
		AppliedAt: optAt(e.AppliedAt),
	}
}

func (h inbound) ListEvents(ctx context.Context, req *adminv1.ListEventsRequest) (*adminv1.ListEventsResponse, error) {
	page, err := h.service.Inbound.List(ctx, newestFirst(req.GetLimit(), req.GetCursor(), map[string]string{
		"state": req.GetState(), "source": req.GetSource(),
	}))
	if err != nil {
		return nil, err
	}
	return &adminv1.ListEventsResponse{Events: viewed(page.Records, inboundView), NextCursor: page.NextCursor}, nil
}

func (h inbound) GetEvent(ctx context.Context, req *adminv1.GetEventRequest) (*adminv1.GetEventResponse, error) {
	row, err := h.service.Inbound.Get(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	payload, err := object(row.Payload)
	return &adminv1.GetEventResponse{Event: inboundView(row), Payload: payload}, err
}

func (h inbound) ReapplyEvent(
	ctx context.Context, req *adminv1.ReapplyEventRequest,
) (*adminv1.ReapplyEventResponse, error) {
	row, err := h.service.Inbound.Reapply(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.ReapplyEventResponse{Event: inboundView(row)}, nil
}
