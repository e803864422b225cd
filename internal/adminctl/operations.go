package adminctl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paydown/rpc/adminv1"
)

type operationsCmd struct {
	Health operationsHealthCmd `cmd:"" help:"Show whether the server is ready, and how far what waits is behind; exit code 1 where it is not."`
	Queues operationsQueuesCmd `cmd:"" help:"Show what waits, and for how long."`
	Jobs   operationsJobsCmd   `cmd:"" help:"List the jobs that one process at a time does, and who has them."`
	Check  operationsCheckCmd  `cmd:"" help:"Prove that the records of all companies agree; exit code 1 where a check does not hold."`
	Audit  operationsAuditCmd  `cmd:"" help:"Read the audit trail of a company, oldest first."`
}

// seconds is a time that something took, for people.
func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

// notReady names both reasons, which /readyz tells apart.
const notReady = "the server is not ready: its database does not answer, or a secret key is missing"

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
			t.fields("Deliveries due", answer.GetDeliveriesDue(), "Oldest since", seconds(answer.GetOldestDueSeconds()),
				"Endpoints sound", answer.GetEndpointsSound(), "Endpoints failing", answer.GetEndpointsFailing(),
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

// Run checks, and tells of each check as it ends.
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
		return &ExitError{ExitUnreachable, "the server ended before the checks were over"}
	case broken > 0:
		return &ExitError{ExitRefused, fmt.Sprintf("%d of %d checks do not hold", broken, total)}
	}
	return nil
}

type operationsAuditCmd struct {
	Company
	After    uint32 `placeholder:"ID" help:"Only entries after this one."`
	Since    moment `placeholder:"TIME" help:"Only entries since a time (2026-01-31T09:00:00Z), a day (2026-01-31), or for so long (24h)."`
	Entity   string `help:"Only entries about this kind of record, such as apiKey."`
	EntityID uint32 `name:"entity-id" placeholder:"ID" help:"Only entries about the record with this id."`
	Limit    uint32 `help:"At most so many; without it all."`
	Follow   bool   `short:"f" help:"Go on with what is written from then on, until interrupted."`
}

// Run reads the trail.
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
	for again := (patience{}); ; {
		last := req.GetAfterId()
		_, err = s.readAudit(ctx, req)
		if req.GetAfterId() != last {
			again = patience{}
		}
		over := err == nil || ctx.Err() != nil || !cmd.Follow || !passes(err)
		if over || !again.wait(ctx) {
			break
		}
	}
	if cmd.Follow && errors.Is(ctx.Err(), context.Canceled) {
		return interrupted("")
	}
	return s.problem(ctx, err)
}

// pollEvery is how often the database is asked for new entries of the audit trail, where no server tells of them.
const pollEvery = 500 * time.Millisecond

// pollAudit follows the audit trail of this machine's database until the command is interrupted or the limit is reached.
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

// readAudit prints what a request asks for, and moves the request on to where it is when the stream ends. Full reports that
// all entries came that the request is limited to.
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
		_, err := fmt.Fprintf(s.Out, "%d  %s  %s %s (%s)  %s  %s %d  %s\n", e.GetId(), when(e.GetCreatedAt()), e.GetActorKind(),
			plain(e.GetActorName()), e.GetSurface(), plain(e.GetAction()), plain(e.GetEntity()), e.GetEntityId(), plain(e.GetRequestId()))
		return err
	})
	return full, err
}
