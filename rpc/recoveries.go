package rpc

import (
	"context"

	"connectrpc.com/connect"

	"paydown/ent"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
)

func recoveryView(r *ent.WebhookRecovery) *adminv1.Recovery {
	return &adminv1.Recovery{
		Id: number(r.ID), State: string(r.State), Matched: number(r.Matched), Redelivered: number(r.Redelivered),
		Skipped: number(r.Skipped), Since: optAt(r.Since), EndpointId: optNumber(r.EndpointID), Event: r.Event,
		OrderedBy: r.ActorName, CreatedAt: at(r.CreatedAt), FinishedAt: optAt(r.FinishedAt),
	}
}

func (h webhooks) RecoverFailed(
	ctx context.Context, req *adminv1.RecoverFailedRequest, out *connect.ServerStream[adminv1.RecoverFailedResponse],
) error {
	row, err := h.service.WebhookRecoveries.Order(ctx, service.RecoveryOrder{
		Since: since(req.GetSince()), EndpointID: int(req.GetEndpointId()), Event: req.GetEvent(),
	})
	if err != nil {
		return err
	}
	return h.service.WebhookRecoveries.Follow(ctx, row.ID, func(row *ent.WebhookRecovery) error {
		return out.Send(&adminv1.RecoverFailedResponse{Recovery: recoveryView(row)})
	})
}

func (h webhooks) WatchRecovery(
	ctx context.Context, req *adminv1.WatchRecoveryRequest, out *connect.ServerStream[adminv1.WatchRecoveryResponse],
) error {
	return h.service.WebhookRecoveries.Follow(ctx, int(req.GetId()), func(row *ent.WebhookRecovery) error {
		return out.Send(&adminv1.WatchRecoveryResponse{Recovery: recoveryView(row)})
	})
}

func (h webhooks) ListRecoveries(
	ctx context.Context, _ *adminv1.ListRecoveriesRequest,
) (*adminv1.ListRecoveriesResponse, error) {
	rows, err := h.service.WebhookRecoveries.List(ctx)
	return &adminv1.ListRecoveriesResponse{Recoveries: viewed(rows, recoveryView)}, err
}

func (h webhooks) CancelRecovery(
	ctx context.Context, req *adminv1.CancelRecoveryRequest,
) (*adminv1.CancelRecoveryResponse, error) {
	row, err := h.service.WebhookRecoveries.Cancel(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.CancelRecoveryResponse{Recovery: recoveryView(row)}, nil
}
