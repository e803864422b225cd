// Package adminctl is the part of the command line that calls the admin services: those of a server, which may be anywhere, or
// those that Env.Local serves from this machine's database. Where a server is and what proves who calls stands in a context, a
// named entry of a file that only its owner may read. Tables are for people, --json is for scripts; what is printed for either
// goes to standard output, and all words about it to standard error.
package adminctl

import (
	"context"
	"io"
	"net/http"
	"time"
)

// The exit codes of the commands, besides 0.
const (
	ExitRefused     = 1   // the server refused, a check does not hold, or what is to be told cannot be written
	ExitUsage       = 2   // the command line is wrong, or something has to be confirmed and nobody can be asked
	ExitUnreachable = 3   // the server cannot be reached, or cannot answer at the moment
	ExitNotLetIn    = 4   // the token or certificate is not good, or not for this
	ExitInterrupted = 130 // the command was interrupted
)

// Env is what commands work with.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	// Version is how the program tells servers of itself.
	Version string
	// Getenv reads a variable, Now the clock.
	Getenv func(string) string
	Now    func() time.Time
	// Local opens this machine's database and returns a client of the admin services on it, wherever it is sent. Only with
	// create does it make a database that is not there.
	Local func(ctx context.Context, create bool) (*http.Client, error)
	// CurrentContext has commands that name no server call that of the current context, instead of Local.
	CurrentContext bool
}

// Commands are the commands, for a command line of kong's. Their Run methods take a context.Context and an *Env.
type Commands struct {
	Tenant     tenantsCmd    `cmd:"" aliases:"tenants" help:"Manage tenants: the funding companies."`
	Key        keysCmd       `cmd:"" aliases:"keys" help:"Manage the API keys of a tenant."`
	User       usersCmd      `cmd:"" aliases:"users" help:"Manage the members of a tenant's staff."`
	Inbound    inboundCmd    `cmd:"" help:"Manage events that a tenant's own systems sent."`
	Operations operationsCmd `cmd:"" help:"Show the state of the installation: queues, jobs, integrity, the audit trail."`
}

// Contexts are the commands that keep the file of contexts.
type Contexts struct {
	Context contextCmd `cmd:"" help:"Manage contexts: servers, and how to sign in to each."`
}

// ExitCodes describes the exit codes of the commands, for their help.
const ExitCodes = "Exit codes: 0 done; 1 refused, a check failed, or the output could not be written; 2 the command line is wrong, " +
	"or something needs --yes; 3 the server cannot be reached or cannot answer; 4 access denied; 130 interrupted."
