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
	Since    moment `placeholder:"TIME" help:"Only deliveries created since a time (2026-01-31T09:00:00Z), a date (2026-01-31), or a duration before now (24h)."`
	Endpoint uint32 `placeholder:"ID" help:"Only deliveries to this endpoint."`
	Event    string `complete:"event" help:"Only deliveries of this kind of event."`
}

// Help explains that the recovery runs on the servers.
func (*recoverCmd) Help() string {
	return "The servers run the recovery. Interrupting this command only stops watching it. No delivery is sent again " +
		"twice. Deliveries that were already repeated, and those to inactive endpoints, are skipped."
}

// Run starts the recovery and follows it.
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
	err = listen(stream, func(m *adminv1.RecoverFailedResponse) error { return w.progress(m, m.GetRecovery()) })
	if w.last == nil {
		if err == nil {
			err = errors.New("the server stopped before it answered")
		}
		if ctx.Err() != nil || isTransient(err) {
			fmt.Fprintln(s.Err, "To see whether it was started: "+s.command("recoveries"))
		}
		return s.problem(ctx, err)
	}
	return w.resume(ctx, err)
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
	return w.resume(ctx, err)
}

// listen isTransient the messages of a stream to tell, and returns the error that ended the stream, or nil. A
// failure to print is not the server's fault, and is not retried.
func listen[M any](stream *connect.ServerStreamForClient[M], tell func(*M) error) error {
	defer func() { _ = stream.Close() }() // Err has already returned any error
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
	last  *adminv1.Recovery // nil until there was a message
	shown uint32            // the progress last shown
}

func (w *watching) watch(ctx context.Context, id uint32) error {
	stream, err := w.webhooks.WatchRecovery(ctx, &adminv1.WatchRecoveryRequest{Tenant: w.tenant, Id: id})
	if err != nil {
		return err
	}
	return listen(stream, func(m *adminv1.WatchRecoveryResponse) error { return w.progress(m, m.GetRecovery()) })
}

// progress prints the progress of the recovery.
func (w *watching) progress(m proto.Message, r *adminv1.Recovery) error {
	first := w.last == nil
	w.last = r
	if w.json {
		return w.printJSON(m, false)
	}
	over := r.GetRedelivered() + r.GetSkipped()
	line := fmt.Sprintf("Recovery %d: %d of %d failed deliveries processed, %d sent again, %d skipped",
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

// resume follows the recovery until it ends, across server restarts and lost connections.
func (w *watching) resume(ctx context.Context, err error) error {
	id := w.last.GetId()
	for again := (backoff{}); err != nil && ctx.Err() == nil && isTransient(err) && again.wait(ctx); {
		before := w.last
		if err = w.watch(ctx, id); w.last != before {
			again = backoff{}
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted(fmt.Sprintf("Recovery %d continues on the servers. To watch it: %s; to cancel it: %s",
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

// command returns the command line of another webhooks command.
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

// backoff limits the retries of a broken stream: after half a second, then at growing intervals, for a minute.
type backoff struct{ tries int }

// wait waits for the next retry; it returns false if none is left.
func (p *backoff) wait(ctx context.Context) bool {
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
	t.row("ID", "STATE", "FAILED", "SENT AGAIN", "SKIPPED", "SINCE", "ENDPOINT", "EVENT", "STARTED BY", "STARTED", "ENDED")
	for _, r := range recoveries {
		t.row(r.GetId(), r.GetState(), r.GetMatched(), r.GetRedelivered(), r.GetSkipped(), r.GetSince(), r.EndpointId,
			r.GetEvent(), r.GetOrderedBy(), r.GetCreatedAt(), r.GetFinishedAt())
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

// Run cancels the recovery.
func (cmd *cancelCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	if err := s.confirm(cmd.sure, "Cancel recovery %d of %s?", cmd.ID, s.tenant); err != nil {
		return err
	}
	answer, err := s.webhooks.CancelRecovery(ctx, &adminv1.CancelRecoveryRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { recoveryRows(t, []*adminv1.Recovery{answer.GetRecovery()}) })
}
