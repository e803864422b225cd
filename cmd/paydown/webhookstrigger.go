package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"paydown/internal/adminctl"
	"paydown/internal/webhook"
)

type webhooksTriggerCmd struct {
	Event string `arg:"" optional:"" complete:"event" help:"Kind of event, such as payment.paid."`
	List  bool   `xor:"way" help:"List the kinds of events."`
	To    string `xor:"way" placeholder:"URL" help:"Send the example to this URL from here, signed with the secret. URLs of this machine are allowed, also over plain HTTP; others only if the server would deliver to them."`
	signingSecrets
	WebhookAllowCIDR []string `name:"webhook-allow-cidr" placeholder:"CIDR,…" help:"With --to: also allow these private addresses or ranges."`
	WebhookAllowHTTP bool     `name:"webhook-allow-http" help:"With --to: also allow plain HTTP to other machines."`
	adminctl.Company
	Endpoint uint32 `placeholder:"ID" help:"Id of the tenant's endpoint, which must be active; its events need not include this one. A running server sends the example like any delivery."`
}

// Help lists the kinds of events.
func (*webhooksTriggerCmd) Help() string {
	var b strings.Builder
	b.WriteString(
		"A receiver cannot distinguish the example from a real event, and the records that it names do not exist " +
			"or are unrelated. Send it only where it does no harm.\n\nKinds of events:\n",
	)
	for _, k := range webhook.Catalogue {
		fmt.Fprintf(&b, "\n  %-28s%s", k.Event, k.Description)
	}
	return b.String()
}

// Validate checks which flags are given together.
func (cmd *webhooksTriggerCmd) Validate() error {
	if cmd.List {
		return nil
	}
	kinds := strings.Join(webhook.Events(), ", ")
	switch {
	case cmd.Event == "":
		return errors.New("the kind of event is required: one of " + kinds)
	case !webhook.Known(cmd.Event):
		return fmt.Errorf("%q is not a kind of event; the kinds are %s", cmd.Event, kinds)
	case (cmd.To == "") == (cmd.Endpoint == 0):
		return errors.New("use --to with a secret, or --tenant with --endpoint")
	default:
		return nil
	}
}

// Run lists the kinds, sends the example or queues it.
func (cmd *webhooksTriggerCmd) Run(ctx context.Context, c *cli, env *adminctl.Env) error {
	switch {
	case cmd.List:
		return cmd.list(c)
	case cmd.To != "":
		return cmd.send(ctx, c)
	default:
		return cmd.SendTest(ctx, env, cmd.Endpoint, cmd.Event)
	}
}

func (cmd *webhooksTriggerCmd) list(c *cli) error {
	type kind struct {
		Event       string `json:"event"`
		Description string `json:"description"`
		Version     int    `json:"version"`
		Example     any    `json:"example"`
	}
	kinds := make([]kind, len(webhook.Catalogue))
	for i, k := range webhook.Catalogue {
		kinds[i] = kind{k.Event, k.Description, webhook.Version, k.Example}
	}
	if cmd.JSON {
		return c.printJSON(map[string]any{"events": kinds})
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "EVENT\tEMITTED WHEN")
	for _, k := range kinds {
		fmt.Fprintf(w, "%s\t%s\n", k.Event, k.Description)
	}
	return w.Flush()
}

// sentJSON is the JSON output for an attempt.
type sentJSON struct {
	ID              string  `json:"id"`
	Event           string  `json:"event"`
	Delivered       bool    `json:"delivered"`
	ResponseStatus  *int    `json:"responseStatus"`
	Error           *string `json:"error"`
	DurationMS      int64   `json:"durationMs"`
	ResponseSnippet string  `json:"responseSnippet"`
}

func (cmd *webhooksTriggerCmd) send(ctx context.Context, c *cli) error {
	secrets, err := cmd.readIssued()
	if err != nil {
		return err
	}
	guard, err := cmd.guard()
	if err != nil {
		return err
	}
	if err := guard.CheckURL(cmd.To); err != nil {
		return fmt.Errorf("the URL %w", err)
	}
	envelope, attempt, err := cmd.attempt(append(secrets, "")[:2])
	if err != nil {
		return err
	}
	sender := webhook.NewSender(webhook.SenderConfig{Guard: guard})
	defer sender.Close()
	outcome := sender.Send(ctx, attempt)
	sent := sentJSON{
		ID: envelope.ID, Event: cmd.Event, Delivered: outcome.Error == "",
		DurationMS: outcome.Duration.Milliseconds(), ResponseSnippet: outcome.Snippet,
	}
	if outcome.Status != 0 {
		sent.ResponseStatus = &outcome.Status
	}
	if outcome.Error != "" {
		sent.Error = &outcome.Error
	}
	return cmd.report(c, sent)
}

// attempt signs an example with the first secret and, if given, the second.
func (cmd *webhooksTriggerCmd) attempt(secrets []string) (webhook.Envelope, webhook.Attempt, error) {
	at := slices.IndexFunc(webhook.Catalogue, func(k webhook.Kind) bool { return k.Event == cmd.Event })
	now := time.Now()
	envelope := webhook.NewEnvelope(cmd.Event, webhook.Version, now, webhook.Catalogue[at].Example)
	body, err := json.Marshal(envelope)
	if err != nil {
		return envelope, webhook.Attempt{}, err
	}
	header, err := webhook.Headers(envelope.ID, cmd.Event, now, body, secrets[0], secrets[1])
	return envelope, webhook.Attempt{URL: cmd.To, Header: header, Body: body}, err
}

// guard allows what the server allows, and this machine if the URL names it.
func (cmd *webhooksTriggerCmd) guard() (webhook.Guard, error) {
	ranges, err := parseRanges("--webhook-allow-cidr", cmd.WebhookAllowCIDR)
	if err != nil {
		return webhook.Guard{}, err
	}
	guard := webhook.Guard{AllowRanges: ranges, AllowHTTP: cmd.WebhookAllowHTTP}
	if u, err := url.Parse(cmd.To); err == nil && isLoopback(u.Hostname()) {
		guard.AllowHTTP = true
		guard.AllowRanges = append(guard.AllowRanges, netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
	}
	return guard, nil
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return (err == nil && addr.IsLoopback()) || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// report prints the outcome, and fails if the example was not delivered.
func (cmd *webhooksTriggerCmd) report(c *cli, sent sentJSON) error {
	var err error
	if cmd.JSON {
		err = c.printJSON(sent)
	} else {
		answer := "no response"
		if sent.ResponseStatus != nil {
			answer = fmt.Sprintf("answered %d", *sent.ResponseStatus)
		}
		verdict := "delivered"
		if !sent.Delivered {
			verdict = "NOT DELIVERED (" + *sent.Error + ")"
		}
		_, err = fmt.Fprintf(c.out, "%s  %s  %s: %s in %d ms\n", sent.Event, sent.ID, verdict, answer, sent.DurationMS)
		if body := strings.TrimSpace(printable(sent.ResponseSnippet)); body != "" && err == nil {
			_, err = fmt.Fprintln(c.out, body)
		}
	}
	if err == nil && !sent.Delivered {
		err = errSilent
	}
	return err
}
