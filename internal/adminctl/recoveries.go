package adminctl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"paydown/rpc/adminv1"
)

func upper(s string) string { return strings.ToUpper(s) }

type recoverCmd struct {
	Company
	Since    moment `placeholder:"TIME" help:"Leave deliveries alone that were made before: a time (2026-01-31T09:00:00Z), a day (2026-01-31), or how long ago (24h)."`
	Endpoint uint32 `placeholder:"ID" help:"Only those to this endpoint."`
	Event    string `complete:"event" help:"Only those of this kind of event."`
}

// Help tells what happens when nobody watches.
func (*recoverCmd) Help() string {
	return "The servers carry it out, whether or not somebody watches: interrupting this command ends only the watching. None is sent again " +
		"twice; what was repeated already and what goes to an endpoint that is not active is passed over."
}

// Run orders the recovery and follows it.
func (cmd *recoverCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	stream, err := s.webhooks.RecoverFailed(ctx, &adminv1.RecoverFailedRequest{
		Tenant: s.tenant, Since: cmd.Since.at, EndpointId: cmd.Endpoint, Event: cmd.Event,
	})
	if err != nil {
		return s.problem(ctx, err)
	}
	w := &watching{session: s}
	err = listen(stream, func(m *adminv1.RecoverFailedResponse) error { return w.told(m, m.GetRecovery()) })
	if w.last == nil {
		if err == nil {
			err = errors.New("the server ended before it told anything")
		}
		if ctx.Err() != nil || passes(err) {
			fmt.Fprintln(s.Err, "Whether it was ordered nevertheless, tells: "+s.command("recoveries"))
		}
		return s.problem(ctx, err)
	}
	return w.goOn(ctx, err)
}

type watchCmd struct {
	Company
	ID uint32 `arg:"" help:"Id of the recovery."`
}

// Run follows the recovery.
func (cmd *watchCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	w := &watching{session: s}
	err = w.watch(ctx, cmd.ID)
	if w.last == nil {
		return s.problem(ctx, err)
	}
	return w.goOn(ctx, err)
}

// listen hands on what a stream brings, and returns what ended it; nil where it came to its end. What cannot be told is no
// fault of the server's, and is not asked for again.
func listen[M any](stream *connect.ServerStreamForClient[M], tell func(*M) error) error {
	defer func() { _ = stream.Close() }() // what was wrong with it, Err has said
	for stream.Receive() {
		if err := tell(stream.Msg()); err != nil {
			return &ExitError{ExitRefused, err.Error()}
		}
	}
	return stream.Err()
}

// watching follows a recovery.
type watching struct {
	*session
	last  *adminv1.Recovery // nil until something was told
	shown uint32            // up to where people were told
}

func (w *watching) watch(ctx context.Context, id uint32) error {
	stream, err := w.webhooks.WatchRecovery(ctx, &adminv1.WatchRecoveryRequest{Tenant: w.tenant, Id: id})
	if err != nil {
		return err
	}
	return listen(stream, func(m *adminv1.WatchRecoveryResponse) error { return w.told(m, m.GetRecovery()) })
}

// told prints how the recovery goes.
func (w *watching) told(m proto.Message, r *adminv1.Recovery) error {
	first := w.last == nil
	w.last = r
	if w.json {
		return w.printJSON(m, false)
	}
	over := r.GetRedelivered() + r.GetSkipped()
	line := fmt.Sprintf("Recovery %d: %d of %d failed deliveries seen to, %d sent again, %d passed over",
		r.GetId(), over, r.GetMatched(), r.GetRedelivered(), r.GetSkipped())
	switch {
	case isTerminal(w.Err):
		fmt.Fprintf(w.Err, "\r\x1b[K%s", line)
		if r.GetState() != "RUNNING" {
			fmt.Fprintln(w.Err)
		}
	case first || r.GetState() != "RUNNING" || over >= w.shown+r.GetMatched()/10:
		fmt.Fprintln(w.Err, line)
		w.shown = over
	}
	return nil
}

// goOn follows the recovery until it is over, through servers that stop and connections that end.
func (w *watching) goOn(ctx context.Context, err error) error {
	id := w.last.GetId()
	for again := (patience{}); err != nil && ctx.Err() == nil && passes(err) && again.wait(ctx); {
		before := w.last
		if err = w.watch(ctx, id); w.last != before {
			again = patience{}
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted(fmt.Sprintf("Recovery %d goes on without you. To watch it: %s; to end it: %s",
			id, w.command("watch", id), w.command("cancel", id)))
	}
	if err != nil {
		return w.problem(ctx, err)
	}
	if w.json {
		return nil
	}
	return w.tell(ctx, nil, nil, func(t *table) { recoveryRows(t, []*adminv1.Recovery{w.last}) })
}

// command is the command line of another command about webhooks.
func (s *session) command(name string, args ...any) string {
	words := "paydown webhooks " + name
	if s.CurrentContext {
		words = "paydown admin webhooks " + name
	}
	for _, a := range args {
		words += fmt.Sprint(" ", a)
	}
	return words + " --tenant " + s.tenant
}

// patience is how a stream is asked for again that was cut: after half a second, then less and less soon, for a minute.
type patience struct{ tries int }

// wait waits for the next try; false where there is none.
func (p *patience) wait(ctx context.Context) bool {
	const first, longest, most = 500 * time.Millisecond, 10 * time.Second, 10
	if p.tries++; p.tries > most {
		return false
	}
	timer := time.NewTimer(min(first<<(p.tries-1), longest))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func recoveryRows(t *table, recoveries []*adminv1.Recovery) {
	t.row("ID", "STATE", "FAILED", "SENT AGAIN", "PASSED OVER", "SINCE", "ENDPOINT", "EVENT", "ORDERED BY", "ORDERED", "OVER")
	for _, r := range recoveries {
		t.row(r.GetId(), r.GetState(), r.GetMatched(), r.GetRedelivered(), r.GetSkipped(), r.GetSince(), r.EndpointId, r.GetEvent(),
			r.GetOrderedBy(), r.GetCreatedAt(), r.GetFinishedAt())
	}
}

type recoveriesCmd struct{ Company }

// Run lists the recoveries.
func (cmd *recoveriesCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.webhooks.ListRecoveries(ctx, &adminv1.ListRecoveriesRequest{Tenant: s.tenant})
	return s.tell(ctx, answer, err, func(t *table) { recoveryRows(t, answer.GetRecoveries()) })
}

type cancelCmd struct {
	Company
	ID uint32 `arg:"" help:"Id of the recovery."`
	sure
}

// Run ends the recovery.
func (cmd *cancelCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	if err := s.confirm(cmd.sure, "End recovery %d of %s where it is?", cmd.ID, s.tenant); err != nil {
		return err
	}
	answer, err := s.webhooks.CancelRecovery(ctx, &adminv1.CancelRecoveryRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { recoveryRows(t, []*adminv1.Recovery{answer.GetRecovery()}) })
}
