package adminctl

import (
	"context"

	"paydown/rpc/adminv1"
)

type inboundCmd struct {
	List    inboundListCmd    `cmd:"" help:"List events, newest first."`
	Get     inboundGetCmd     `cmd:"" help:"Show an event; with --json its payload too."`
	Reapply inboundReapplyCmd `cmd:"" help:"Apply an event that could not be applied when it was received."`
}

type inboundListCmd struct {
	Company
	paging
	State  string `enum:"all,received,applied,failed" default:"all" aliases:"status" help:"Only events in this state: received, applied or failed. Default: ${default}."`
	Source string `help:"Only events of this source."`
}

// Run lists the events.
func (cmd *inboundListCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	state := ""
	if cmd.State != "all" {
		state = upper(cmd.State)
	}
	all, next, err := pages(&cmd.paging, func(limit uint32, cursor string) ([]*adminv1.InboundEvent, string, error) {
		answer, err := s.inbound.ListEvents(ctx, &adminv1.ListEventsRequest{
			Tenant: s.tenant, State: state, Source: cmd.Source, Limit: limit, Cursor: cursor,
		})
		return answer.GetEvents(), answer.GetNextCursor(), err
	})
	defer s.more(next)
	return s.tell(ctx, &adminv1.ListEventsResponse{Events: all, NextCursor: next}, err,
		func(t *table) { inboundRows(t, all) })
}

func inboundRows(t *table, events []*adminv1.InboundEvent) {
	t.row("ID", "SOURCE", "EXTERNAL ID", "STATE", "DEAL", "MERCHANT", "RECEIVED", "APPLIED", "ERROR")
	for _, e := range events {
		t.row(e.GetId(), e.GetSource(), e.GetExternalId(), e.GetState(), e.DealId, e.MerchantId, e.GetReceivedAt(),
			e.GetAppliedAt(), e.GetError())
	}
}

// eventID identifies an event.
type eventID struct {
	ID uint32 `arg:"" help:"Id of the event."`
}

type inboundGetCmd struct {
	Company
	eventID
}

// Run shows the event.
func (cmd *inboundGetCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.inbound.GetEvent(ctx, &adminv1.GetEventRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { inboundRows(t, []*adminv1.InboundEvent{answer.GetEvent()}) })
}

type inboundReapplyCmd struct {
	Company
	eventID
}

// Run applies the event.
func (cmd *inboundReapplyCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.inbound.ReapplyEvent(ctx, &adminv1.ReapplyEventRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { inboundRows(t, []*adminv1.InboundEvent{answer.GetEvent()}) })
}
