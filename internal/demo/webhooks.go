package demo

import (
	"context"

	"paydown/internal/schedule"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// hook is a company system that receives events. Its name can never be looked up, so that nothing ever arrives
// there.
type hook struct {
	url    string
	events []string
	since  int // days before the anchor
	// until is how many days before the anchor it was turned off; 0 for one that is on.
	until int
}

var localHooks = []hook{
	{"https://hooks.accounting.example/paydown/events", []string{"*"}, 40, 12},
	{
		"https://hooks.crm.example/v2/paydown",
		[]string{"deal.created", "deal.state_changed", "payment.paid", "payment.bounced"},
		12, 0,
	},
}

// connect sets a hook up, and has it turned off again or, on the eve of the anchor, tested. What the test sends waits
// until the program serves.
func (b *builder) connect(h hook) {
	id := 0
	b.on(schedule.RollForward(b.anchor.AddDays(-h.since)), morning, func(ctx context.Context) error {
		var err error
		id, err = b.step(ctx, "webhook endpoint "+h.url, func(ctx context.Context) (int, error) {
			row, err := b.WebhookEndpoints.Create(ctx, service.WebhookEndpointInput{
				URL: some(h.url), Events: some(h.events),
			})
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
		return err
	})
	day, what := b.anchor.AddDays(-1), "test of "+h.url
	do := func(ctx context.Context) error {
		_, err := b.WebhookEndpoints.Test(ctx, id, webhook.Test{}.Event())
		return err
	}
	if h.until > 0 {
		day, what = schedule.RollForward(b.anchor.AddDays(-h.until)), "end of "+h.url
		do = func(ctx context.Context) error {
			_, err := b.WebhookEndpoints.Update(ctx, id, service.WebhookEndpointInput{IsActive: some(false)})
			return err
		}
	}
	b.on(day, evening+30, func(ctx context.Context) error {
		_, err := b.step(ctx, what, func(ctx context.Context) (int, error) { return id, do(ctx) })
		return err
	})
}
