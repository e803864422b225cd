package demo

import (
	"context"

	"paydown/internal/schedule"
	"paydown/internal/service"
)

// hook is a system of the company's that hears of events, and how it takes them. Its name can never be looked up.
type hook struct {
	url    string
	events []string
	since  int // days before the anchor
	took   service.SeedAttempt
}

var localHooks = []hook{
	{
		"https://hooks.accounting.example/paydown/events",
		[]string{"*"},
		40,
		service.SeedAttempt{Status: 503, Milliseconds: 2140, Snippet: "upstream connect error or disconnect before headers"},
	},
	{
		"https://hooks.crm.example/v2/paydown",
		[]string{"deal.created", "deal.state_changed", "payment.paid", "payment.bounced"},
		12,
		service.SeedAttempt{Status: 200, Milliseconds: 164, Snippet: `{"received":true}`},
	},
}

// deliveriesADay keeps what is delivered to a hook in a day to what is worth looking at.
const deliveriesADay = 40

// connect sets a hook up, and has what happens since delivered to it every banking day.
func (b *builder) connect(h hook) {
	id := 0
	day := schedule.RollForward(b.anchor.AddDays(-h.since))
	b.on(day, morning, func(ctx context.Context) error {
		var err error
		id, err = b.step(ctx, "webhook endpoint "+h.url, func(ctx context.Context) (int, error) {
			return b.Seeds.Endpoint(ctx, service.WebhookEndpointInput{URL: some(h.url), Events: some(h.events)})
		})
		return err
	})
	for ; day.Before(b.anchor); day = schedule.AddBankingDays(day, 1) {
		b.on(day, evening+30, func(ctx context.Context) error {
			_, err := b.step(ctx, "deliveries to "+h.url, func(ctx context.Context) (int, error) {
				return b.Seeds.Deliver(ctx, id, deliveriesADay, h.took)
			})
			return err
		})
	}
}
