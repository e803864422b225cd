// Package adminctl is the part of the command line that calls the admin services of a server, which may be anywhere: it
// knows no database. Where the server is and what proves who calls stands in a context, a named entry of a file that only its
// owner may read. Tables are for people, --json is for scripts; what is printed for either goes to standard output, and all
// words about it to standard error.
package adminctl

import (
	"io"
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
}

// Commands are the commands, for a command line of kong's. Their Run methods take a context.Context and an *Env.
type Commands struct {
	Context    contextCmd    `cmd:"" help:"Say which servers there are, and what proves to them who calls."`
	Keys       keysCmd       `cmd:"" help:"Look after the API keys of a company."`
	Webhooks   webhooksCmd   `cmd:"" help:"Look after the webhook endpoints of a company, and what was delivered to them."`
	Inbound    inboundCmd    `cmd:"" help:"See to events that a company's own systems sent."`
	Tenants    tenantsCmd    `cmd:"" help:"Set up companies."`
	Users      usersCmd      `cmd:"" help:"Look after the members of a company's staff."`
	Operations operationsCmd `cmd:"" help:"See how the installation is doing."`
}

// Help tells what the commands have in common.
func (Commands) Help() string {
	return "All but token call the admin services of a running server and need no database: make a token on the machine that has " +
		"it (paydown admin token create), and a context with it where you work:\n\n" +
		"  paydown admin context set prod --server https://admin.example.com --token-stdin\n\n" +
		"Exit codes: 0 done; 1 refused, a check does not hold, or the answer cannot be written; 2 the command line is wrong, or something has to be confirmed " +
		"with --yes; 3 the server cannot be reached or cannot answer; 4 not let in; 130 interrupted."
}
