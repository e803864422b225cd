package adminctl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect"

	"paydown/rpc/adminv1"
)

// ExitError is why a command failed, with the program's exit code.
type ExitError struct {
	Code int
	text string
}

// Error returns the message, in one or more lines.
func (p *ExitError) Error() string { return p.text }

// ExitCode returns the exit code.
func (p *ExitError) ExitCode() int { return p.Code }

// usageError returns the error of an invalid command line.
func usageError(format string, args ...any) error {
	return &ExitError{ExitUsage, fmt.Sprintf(format, args...)}
}

// interrupted returns the error of an interrupted command; more may say what continues without it.
func interrupted(more string) error {
	return &ExitError{ExitInterrupted, strings.TrimSpace("interrupted. " + more)}
}

// problem formats the error of a call: Connect's code, the message, each field at fault on a line, and the
// request id.
func (s *session) problem(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted("")
	}
	if _, isExitError := errors.AsType[*ExitError](err); isExitError {
		return err
	}
	refused, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return &ExitError{ExitUnreachable, plain(err.Error())}
	}
	if !connect.IsWireError(err) {
		if refused.Code() == connect.CodeDeadlineExceeded {
			return &ExitError{ExitUnreachable, s.server + " did not answer in time: increase --timeout"}
		}
		return &ExitError{ExitUnreachable, fmt.Sprintf("cannot reach %s: %s", s.server, plain(refused.Message()))}
	}
	if refused.Message() == "" && len(refused.Details()) == 0 {
		return &ExitError{ExitUnreachable, s.server + " has no admin services: is this the admin listener?"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", refused.Code(), plain(refused.Message()))
	for _, d := range refused.Details() {
		value, err := d.Value()
		info, isInfo := value.(*adminv1.ErrorInfo)
		if err != nil || !isInfo {
			continue
		}
		for _, f := range info.GetDetails() {
			if len(info.GetDetails()) == 1 && strings.Contains(refused.Message(), f.GetMessage()) {
				continue // the message already says it
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
		return ExitAccessDenied
	case connect.CodeUnavailable, connect.CodeDeadlineExceeded:
		return ExitUnreachable
	default:
		return ExitRefused
	}
}

// isTransient reports whether the same call may succeed soon: the server was unreachable or is stopping.
func isTransient(err error) bool {
	if _, isExitError := errors.AsType[*ExitError](err); isExitError {
		return false
	}
	code := connect.CodeOf(err)
	return code == connect.CodeUnavailable || code == connect.CodeDeadlineExceeded ||
		code == connect.CodeResourceExhausted && connect.IsWireError(err) || !connect.IsWireError(err)
}
