package adminctl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect"

	"paydown/rpc/adminv1"
)

// ExitError is why a command failed, and with which exit code the program is to end.
type ExitError struct {
	Code int
	text string
}

// Error is all that is to be said, in one line or several.
func (p *ExitError) Error() string { return p.text }

// ExitCode is the exit code.
func (p *ExitError) ExitCode() int { return p.Code }

// wrongUse is a command line that cannot be carried out.
func wrongUse(format string, args ...any) error {
	return &ExitError{ExitUsage, fmt.Sprintf(format, args...)}
}

// interrupted is a command that was told to end; more may say what goes on without it.
func interrupted(more string) error {
	return &ExitError{ExitInterrupted, strings.TrimSpace("interrupted. " + more)}
}

// problem words the error of a call: Connect's code, the sentence, the fields at fault each on a line, and the request's name
// in the server's log.
func (s *session) problem(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted("")
	}
	if _, worded := errors.AsType[*ExitError](err); worded {
		return err
	}
	refused, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return &ExitError{ExitUnreachable, plain(err.Error())}
	}
	if !connect.IsWireError(err) {
		if refused.Code() == connect.CodeDeadlineExceeded {
			return &ExitError{ExitUnreachable, s.server + " did not answer in time: --timeout gives it more"}
		}
		return &ExitError{ExitUnreachable, fmt.Sprintf("cannot reach %s: %s", s.server, plain(refused.Message()))}
	}
	if refused.Message() == "" && len(refused.Details()) == 0 {
		return &ExitError{ExitUnreachable, s.server + " has no admin services: is this the listener for operators?"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", refused.Code(), plain(refused.Message()))
	for _, d := range refused.Details() {
		value, err := d.Value()
		info, ours := value.(*adminv1.ErrorInfo)
		if err != nil || !ours {
			continue
		}
		for _, f := range info.GetDetails() {
			if len(info.GetDetails()) == 1 && strings.Contains(refused.Message(), f.GetMessage()) {
				continue // the sentence says it
			}
			fmt.Fprintf(&b, "\n  %s: %s", plain(f.GetPath()), plain(f.GetMessage()))
		}
		if info.GetRetryAfter() > 0 {
			fmt.Fprintf(&b, "\n  try again in %d seconds", info.GetRetryAfter())
		}
		if info.GetRequestId() != "" {
			fmt.Fprintf(&b, "\n  request %s", plain(info.GetRequestId()))
		}
	}
	return &ExitError{exitOf(refused.Code()), b.String()}
}

func exitOf(code connect.Code) int {
	switch code {
	case connect.CodeUnauthenticated, connect.CodePermissionDenied:
		return ExitNotLetIn
	case connect.CodeUnavailable, connect.CodeDeadlineExceeded:
		return ExitUnreachable
	default:
		return ExitRefused
	}
}

// passes reports whether the same call may succeed soon: the server was not there, or is about to stop.
func passes(err error) bool {
	if _, worded := errors.AsType[*ExitError](err); worded {
		return false
	}
	code := connect.CodeOf(err)
	return code == connect.CodeUnavailable || code == connect.CodeDeadlineExceeded ||
		code == connect.CodeResourceExhausted && connect.IsWireError(err) || !connect.IsWireError(err)
}
