package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"paydown/internal/civil"
	"paydown/internal/demo"
	"paydown/internal/fault"
)

type demoCmd struct {
	Anchor string `placeholder:"DATE" help:"Last day of the portfolio's history, YYYY-MM-DD. Default: today."`
	Small  bool   `help:"Create only a few deals of each kind."`
	JSON   bool   `name:"json" help:"Print JSON: {\"tenants\": [{\"host\", \"name\", \"keys\": [{\"name\", \"token\"}], \"login\": {\"email\", \"password\"}, \"accountant\": {\"email\", \"password\"}, \"offer\"}]}."`
}

// Run creates the demo, or leaves a complete one unchanged, and prints new keys for it.
func (cmd *demoCmd) Run(ctx context.Context, c *cli) error {
	var anchor civil.Date
	if cmd.Anchor != "" {
		var err error
		if anchor, err = civil.Parse(cmd.Anchor); err != nil {
			return fault.Field("--anchor", "%s", err)
		}
	}
	clock := demo.NewClock(time.Now)
	a, err := c.openHistory(ctx, clock.Now)
	if err != nil {
		return err
	}
	defer a.close()
	started := time.Now()
	result, err := demo.Run(ctx, demo.Config{
		Service: a.Service, Clock: clock, Anchor: anchor, Small: cmd.Small, Progress: c.progress(),
	})
	if err != nil {
		if ctx.Err() != nil {
			return fault.New(fault.Unavailable, "The demo is incomplete. Run paydown demo again to continue.")
		}
		return err
	}
	if cmd.JSON {
		return c.printJSON(result)
	}
	c.printDemo(result, time.Since(started))
	return nil
}

// progress shows progress on standard error; creating the demo takes some seconds.
func (c *cli) progress() func(string, int) {
	last := ""
	return func(host string, _ int) {
		if host != last {
			fmt.Fprintf(c.err, "Creating the portfolio of %s …\n", host)
			last = host
		}
	}
}

func (c *cli) printDemo(r *demo.Result, took time.Duration) {
	if r.Made {
		fmt.Fprintf(c.out, "Created two companies with a portfolio as of %s in %.1f s.\n", r.Anchor, took.Seconds())
	} else {
		fmt.Fprintf(c.out, "The two companies already exist, with a portfolio as of %s. Their keys are new.\n", r.Anchor)
	}
	for _, t := range r.Tenants {
		fmt.Fprintf(c.out, "\n%s\n  host       %s\n  policy     %s\n", t.Name, t.Host, policies[t.Policy])
		fmt.Fprintf(c.out, "  key        %s   every scope\n  read-only  %s\n", t.Keys[0].Token, t.Keys[1].Token)
		for _, login := range []*demo.Login{t.Login, t.Accountant} {
			fmt.Fprintf(c.out, "  sign in    %s   password %s\n", login.Email, login.Password)
		}
	}
	base := "http://localhost:8080"
	if _, port, err := net.SplitHostPort(c.Serve.Addr); err == nil {
		base = "http://localhost:" + port
	}
	local, beacon := r.Tenants[0], r.Tenants[1]
	offer := "No offer is open; send one from a deal's page, which then shows its link."
	if local.Offer != "" {
		offer = "A merchant can answer an offer at " + base + "/offers/" + local.Offer
	}
	fmt.Fprintf(c.out, `
With paydown serve running, the portal is at %[1]s/, the API at %[1]s/api/v1, its description at %[1]s/api/openapi.json,
and an application form at %[1]s/apply/apply. %[5]s

Try:

  curl -H 'Authorization: Bearer %[2]s' \
       '%[1]s/api/v1/deals?state=FUNDED&expand=merchant&limit=3'
  curl -H 'Host: %[4]s' -H 'Authorization: Bearer %[3]s' \
       '%[1]s/api/v1/whoami'

`, base, local.Keys[0].Token, beacon.Keys[0].Token, beacon.Host, offer)
}

// policies describe the funding policies to people who try the API.
var policies = map[string]string{
	"integrator": "integrator: an API key alone can fund a deal without funding blocks",
	"full":       "full: every funding block is on",
}
