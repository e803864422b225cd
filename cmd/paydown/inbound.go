package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"paydown/ent"
	"paydown/internal/service"
)

type inboundCmd struct {
	List    inboundListCmd    `cmd:"" help:"List a tenant's newest inbound events, with why they could not be applied."`
	Reapply inboundReapplyCmd `cmd:"" help:"Apply an event that could not be applied when it came."`
}

type inboundListCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	Status string `default:"all" enum:"all,received,applied,failed" help:"Only events that are received (and kept only), applied or failed. Default: ${default}."`
	Limit  int    `default:"100" help:"How many events to list at most. Default: ${default}."`
	JSON   bool   `name:"json" help:"Print JSON: {\"inboundEvents\": […]}."`
}

// Validate judges the limit.
func (cmd *inboundListCmd) Validate() error {
	if cmd.Limit < 1 {
		return fmt.Errorf("--limit must be 1 or more, not %d", cmd.Limit)
	}
	return nil
}

// Run lists the events.
func (cmd *inboundListCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		views, err := cmd.newest(ctx, a)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"inboundEvents": views})
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tSOURCE\tEVENT\tSTATUS\tRECEIVED\tAPPLIED\tERROR")
		for _, e := range views {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, e.Source, e.ExternalID, e.Status,
				when(&e.ReceivedAt), when(e.AppliedAt), strings.ReplaceAll(text(e.Error), "\n", " "))
		}
		return w.Flush()
	})
}

// newest are the events that are asked for, page by page.
func (cmd *inboundListCmd) newest(ctx context.Context, a *app) ([]inboundJSON, error) {
	params := map[string]string{"sort": "id:desc"}
	if cmd.Status != "all" {
		params["state"] = strings.ToUpper(cmd.Status)
	}
	views := []inboundJSON{}
	for {
		params["limit"] = strconv.Itoa(min(cmd.Limit-len(views), service.MaxLimit))
		page, err := a.Inbound.List(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, row := range page.Records {
			views = append(views, inboundView(row))
		}
		if !page.HasMore || len(views) == cmd.Limit {
			return views, nil
		}
		params["cursor"] = page.NextCursor
	}
}

// inboundJSON is an event without its payload.
type inboundJSON struct {
	ID         int        `json:"id"`
	Source     string     `json:"source"`
	ExternalID string     `json:"externalId"`
	Status     string     `json:"status"`
	Error      *string    `json:"error"`
	DealID     *int       `json:"dealId"`
	MerchantID *int       `json:"merchantId"`
	ReceivedAt time.Time  `json:"receivedAt"`
	AppliedAt  *time.Time `json:"appliedAt"`
}

func inboundView(e *ent.InboundEvent) inboundJSON {
	return inboundJSON{
		ID: e.ID, Source: e.Source, ExternalID: e.ExternalID, Status: strings.ToLower(string(e.State)), Error: e.Error,
		DealID: e.DealID, MerchantID: e.MerchantID, ReceivedAt: e.ReceivedAt, AppliedAt: e.AppliedAt,
	}
}

type inboundReapplyCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	ID     int    `arg:"" help:"Id of the event, as list shows it."`
	JSON   bool   `name:"json" help:"Print JSON: {\"inboundEvent\": {…}}."`
}

// Run applies the event.
func (cmd *inboundReapplyCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		row, err := a.Inbound.Reapply(ctx, cmd.ID)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"inboundEvent": inboundView(row)})
		}
		_, err = fmt.Fprintf(c.out, "Event %d is applied.\n", cmd.ID)
		return err
	})
}
