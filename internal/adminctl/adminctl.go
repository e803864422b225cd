// Package adminctl implements the commands that call the admin services: those of a server, or those that
// Env.Local serves from this machine's database. A context is a named entry, in a file that only its owner may
// read, with a server and the credentials for it. Output is a table for people, or JSON with --json. Results go
// to standard output, messages to standard error.
package adminctl

import (
	"context"
	"io"
	"net/http"
	"time"
)

// The exit codes of the commands, besides 0.
const (
	ExitRefused      = 1   // the server refused, a check failed, or the output could not be written
	ExitUsage        = 2   // the command line is invalid, or a confirmation is needed and there is no terminal
	ExitUnreachable  = 3   // the server cannot be reached or is temporarily unavailable
	ExitAccessDenied = 4   // the token or certificate is invalid, or lacks permission
	ExitInterrupted  = 130 // the command was interrupted
)

// Env is the environment of the commands.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	// Version is the program's version in its User-Agent.
	Version string
	// Getenv reads an environment variable, Now the clock.
	Getenv func(string) string
	Now    func() time.Time
	// Local opens this machine's database and returns a client of the admin services on it, whatever the URL. It
	// creates a missing database only if create is set.
	Local func(ctx context.Context, create bool) (*http.Client, error)
	// CurrentContext makes commands without a server call that of the current context, instead of Local.
	CurrentContext bool
}

// Commands are the commands, for a kong command line. Their Run methods take a context.Context and an *Env.
type Commands struct {
	Tenant     tenantsCmd    `cmd:"" aliases:"tenants" help:"Manage tenants: the funding companies."`
	Key        keysCmd       `cmd:"" aliases:"keys" help:"Manage the API keys of a tenant."`
	User       usersCmd      `cmd:"" aliases:"users" help:"Manage the members of a tenant's staff."`
	Inbound    inboundCmd    `cmd:"" help:"Manage events that a tenant's own systems sent."`
	Operations operationsCmd `cmd:"" help:"Show the state of the installation: queues, jobs, integrity, the audit trail."`
}

// Contexts are the commands for the file of contexts.
type Contexts struct {
	Context contextCmd `cmd:"" help:"Manage contexts: servers, and how to sign in to each."`
}

// ExitCodes describes the exit codes of the commands, for their help.
const ExitCodes = "Exit codes: 0 success; 1 refused, a check failed, or the output could not be written; " +
	"2 invalid command line, or --yes is needed; 3 the server cannot be reached or is unavailable; " +
	"4 access denied; 130 interrupted."
