package rpc

import (
	"context"
	"encoding/json"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"paydown/ent"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
)

type operations struct{ service *service.Service }

func (h operations) GetHealth(ctx context.Context, _ *adminv1.GetHealthRequest) (*adminv1.GetHealthResponse, error) {
	depth, err := h.service.WebhookDeliveries.QueueDepth(ctx)
	if service.Unreachable(err) {
		return &adminv1.GetHealthResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &adminv1.GetHealthResponse{
		Ready: h.service.SecretKeys.Ready() == nil, DeliveriesWaiting: number(depth.Waiting),
		DeliveriesDue:    number(depth.Due),
		OldestDueSeconds: depth.OldestDue.Seconds(), EventsWaiting: number(depth.Events),
		OldestEventSeconds: depth.OldestEvent.Seconds(), MailWaiting: number(depth.Mail),
		EndpointsSound: number(depth.Healthy), EndpointsFailing: number(depth.Failing), EndpointsPaused: number(depth.Paused),
		SendsInFlight: number(h.service.WebhookDeliveries.InFlight()),
	}, nil
}

func jobView(j *ent.JobLease) *adminv1.Job {
	return &adminv1.Job{Name: j.Name, Holder: j.Holder, HeldUntil: at(j.Until), Runs: j.Fence}
}

func (h operations) ListJobs(ctx context.Context, _ *adminv1.ListJobsRequest) (*adminv1.ListJobsResponse, error) {
	rows, err := h.service.Retention.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	answer := &adminv1.ListJobsResponse{Jobs: viewed(rows, jobView)}
	if last := h.service.Retention.LastSweep(); !last.IsZero() {
		answer.LastSweepAt = at(last)
	}
	return answer, nil
}

func (h operations) CheckIntegrity(
	ctx context.Context, _ *adminv1.CheckIntegrityRequest, out *connect.ServerStream[adminv1.CheckIntegrityResponse],
) error {
	return h.service.Integrity.Follow(ctx, func(c service.IntegrityCheck, done, total int) error {
		return out.Send(&adminv1.CheckIntegrityResponse{
			Name: c.Name, Ok: c.OK, Detail: c.Detail, Done: number(done), Total: number(total),
		})
	})
}

func auditView(e *ent.AuditEntry) (*adminv1.ReadAuditResponse, error) {
	before, err := recordView(e.Before)
	if err != nil {
		return nil, err
	}
	after, err := recordView(e.After)
	return &adminv1.ReadAuditResponse{
		Id: number(e.ID), CreatedAt: at(e.CreatedAt), ActorKind: e.ActorKind, ActorId: optNumber(e.ActorID),
		ActorName: e.ActorName, Surface: e.Surface, Action: e.Action, Entity: e.Entity, EntityId: number(e.EntityID),
		DealId: optNumber(e.DealID), RequestId: e.RequestID, Before: before, After: after,
	}, err
}

// recordView is a record of the audit trail, with the field names of the other surfaces.
func recordView(stored json.RawMessage) (*structpb.Struct, error) {
	fields, err := service.WireNames(stored)
	if err != nil {
		return nil, err
	}
	return object(fields)
}

func (h operations) ReadAudit(
	ctx context.Context, req *adminv1.ReadAuditRequest, out *connect.ServerStream[adminv1.ReadAuditResponse],
) error {
	return h.service.Audit.Read(ctx, service.AuditQuery{
		After: int(req.GetAfterId()), Since: since(req.GetSince()), Entity: req.GetEntity(), EntityID: int(req.GetEntityId()),
		Limit: int(req.GetLimit()), Follow: req.GetFollow(),
	}, func(e *ent.AuditEntry) error {
		view, err := auditView(e)
		if err != nil {
			return err
		}
		return out.Send(view)
	})
}
