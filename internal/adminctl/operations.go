package adminctl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paydown/rpc/adminv1"
)

type operationsCmd struct {
	Health operationsHealthCmd `cmd:"" help:"Show whether the server is ready and how far its queues are behind; exit code 1 if it is not ready."`
	Queues operationsQueuesCmd `cmd:"" help:"Show the queues and their age."`
	Jobs   operationsJobsCmd   `cmd:"" help:"List the jobs that run in one process at a time, and their holders."`
	Check  operationsCheckCmd  `cmd:"" help:"Verify that the records of all companies agree; exit code 1 if a check fails."`
	Audit  operationsAuditCmd  `cmd:"" help:"Read the audit trail of a company, oldest first."`
}

// seconds formats a duration for people.
func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

// notReady names both possible reasons; /readyz says which one applies.
const notReady = "the server is not ready: its database is not responding, or a secret key is missing"

type operationsHealthCmd struct{ remote }

// Run shows the health.
func (cmd *operationsHealthCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.operations.GetHealth(ctx, &adminv1.GetHealthRequest{})
	err = s.tell(ctx, answer, err, func(t *table) {
		t.fields("Ready", answer.GetReady())
		if answer.GetReady() {
			t.fields("Deliveries due", answer.GetDeliveriesDue(), "Oldest due for", seconds(answer.GetOldestDueSeconds()),
				"Endpoints healthy", answer.GetEndpointsSound(), "Endpoints failing", answer.GetEndpointsFailing(),
				"Endpoints paused", answer.GetEndpointsPaused(), "Sends in flight", answer.GetSendsInFlight())
		}
	})
	if err == nil && !answer.GetReady() {
		err = &ExitError{ExitRefused, notReady}
	}
	return err
}

type operationsQueuesCmd struct{ remote }

// Run shows the queues.
func (cmd *operationsQueuesCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.operations.GetHealth(ctx, &adminv1.GetHealthRequest{})
	if err == nil && !answer.GetReady() {
		return &ExitError{ExitRefused, notReady}
	}
	return s.tell(ctx, answer, err, func(t *table) {
		t.row("QUEUE", "WAITING", "DUE", "OLDEST")
		t.row("deliveries", answer.GetDeliveriesWaiting(), answer.GetDeliveriesDue(), seconds(answer.GetOldestDueSeconds()))
		t.row("events", answer.GetEventsWaiting(), answer.GetEventsWaiting(), seconds(answer.GetOldestEventSeconds()))
		t.row("mail", answer.GetMailWaiting(), "", "")
	})
}

type operationsJobsCmd struct{ remote }

// Run lists the jobs.
func (cmd *operationsJobsCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.operations.ListJobs(ctx, &adminv1.ListJobsRequest{})
	return s.tell(ctx, answer, err, func(t *table) {
		t.row("JOB", "HOLDER", "UNTIL", "TAKEN")
		for _, j := range answer.GetJobs() {
			t.row(j.GetName(), j.GetHolder(), j.GetHeldUntil(), j.GetRuns())
		}
	})
}

type operationsCheckCmd struct{ remote }

// Run checks, and prints each result as the check ends.
func (cmd *operationsCheckCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	stream, err := s.operations.CheckIntegrity(ctx, &adminv1.CheckIntegrityRequest{})
	if err != nil {
		return s.problem(ctx, err)
	}
	var done, total, broken uint32
	err = listen(stream, func(m *adminv1.CheckIntegrityResponse) error {
		done, total = m.GetDone(), m.GetTotal()
		mark := "ok  "
		if !m.GetOk() {
			broken++
			mark = "FAIL"
		}
		if s.json {
			return s.printJSON(m, false)
		}
		_, err := fmt.Fprintf(s.Out, "%s  %d/%d  %s: %s\n", mark, done, total, plain(m.GetName()), plain(m.GetDetail()))
		return err
	})
	switch {
	case err != nil:
		return s.problem(ctx, err)
	case done < total || total == 0:
		return &ExitError{ExitUnreachable, "the server stopped before the checks finished"}
	case broken > 0:
		return &ExitError{ExitRefused, fmt.Sprintf("%d of %d checks failed", broken, total)}
	}
	return nil
}

type operationsAuditCmd struct {
	Company
	After    uint32 `placeholder:"ID" help:"Only entries after this one."`
	Since    moment `placeholder:"TIME" help:"Only entries since a time (2026-01-31T09:00:00Z), a date (2026-01-31), or a duration before now (24h)."`
	Entity   string `help:"Only entries about this kind of record, such as apiKey."`
	EntityID uint32 `name:"entity-id" placeholder:"ID" help:"Only entries about the record with this id."`
	Limit    uint32 `help:"Maximum number of entries. Default: all."`
	Follow   bool   `short:"f" help:"Keep printing new entries until interrupted."`
}

// Run prints the audit trail.
func (cmd *operationsAuditCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	req := &adminv1.ReadAuditRequest{
		Tenant: s.tenant, AfterId: cmd.After, Since: cmd.Since.at, Entity: cmd.Entity, EntityId: cmd.EntityID,
		Limit: cmd.Limit, Follow: cmd.Follow,
	}
	if s.local && cmd.Follow {
		return s.pollAudit(ctx, req)
	}
	for again := (backoff{}); ; {
		last := req.GetAfterId()
		_, err = s.readAudit(ctx, req)
		if req.GetAfterId() != last {
			again = backoff{}
		}
		over := err == nil || ctx.Err() != nil || !cmd.Follow || !isTransient(err)
		if over || !again.wait(ctx) {
			break
		}
	}
	if cmd.Follow && errors.Is(ctx.Err(), context.Canceled) {
		return interrupted("")
	}
	return s.problem(ctx, err)
}

// pollEvery is how often the database is polled for new entries of the audit trail.
const pollEvery = 500 * time.Millisecond

// pollAudit follows the audit trail of this machine's database until the command is interrupted or the limit is
// reached.
func (s *session) pollAudit(ctx context.Context, req *adminv1.ReadAuditRequest) error {
	req.Follow = false
	next := time.NewTicker(pollEvery)
	defer next.Stop()
	for {
		if full, err := s.readAudit(ctx, req); full || err != nil {
			return s.problem(ctx, err)
		}
		select {
		case <-ctx.Done():
			return interrupted("")
		case <-next.C:
		}
	}
}

// readAudit prints the requested entries, and moves the request to the position where the stream ended. full
// reports that the request's limit was reached.
func (s *session) readAudit(ctx context.Context, req *adminv1.ReadAuditRequest) (full bool, err error) {
	stream, err := s.operations.ReadAudit(ctx, req)
	if err != nil {
		return false, err
	}
	err = listen(stream, func(e *adminv1.ReadAuditResponse) error {
		req.AfterId = e.GetId()
		full = req.GetLimit() == 1
		if req.GetLimit() > 1 {
			req.Limit--
		}
		if s.json {
			return s.printJSON(e, false)
		}
		_, err := fmt.Fprintf(s.Out, "%d  %s  %s %s (%s)  %s  %s %d  %s\n", e.GetId(), when(e.GetCreatedAt()),
			e.GetActorKind(), plain(e.GetActorName()), e.GetSurface(), plain(e.GetAction()), plain(e.GetEntity()),
			e.GetEntityId(), plain(e.GetRequestId()))
		return err
	})
	return full, err
}
