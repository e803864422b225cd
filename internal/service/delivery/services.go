// Package delivery sends events to webhook endpoints. It has the endpoints, the delivery log, recoveries, and
// the queue that the dispatcher works on.
package delivery

import (
	"context"

	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// Services are the aggregates of this package.
type Services struct {
	WebhookDeliveries WebhookDeliveries
	WebhookEndpoints  WebhookEndpoints
	WebhookRecoveries WebhookRecoveries

	outbound *outbound
}

// New returns the aggregates. guard checks where events may be delivered to; sender is nil if this process
// delivers nothing; observer may be nil.
func New(core *unit.Core, guard webhook.Guard, sender *webhook.Sender, observer webhook.Observer) *Services {
	out := newOutbound(core, guard, sender, observer)
	core.Signals.Happened, core.Signals.Due = out.happened, out.due
	return &Services{
		WebhookDeliveries: WebhookDeliveries{core, out},
		WebhookEndpoints:  WebhookEndpoints{core, out},
		WebhookRecoveries: WebhookRecoveries{core, out},
		outbound:          out,
	}
}

// Background returns the background jobs. Each runs until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.outbound.run, s.WebhookRecoveries.run}
}
