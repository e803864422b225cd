package delivery

import (
	"fmt"
	"net/url"

	"paydown/ent"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// pausedNotice notifies that an endpoint was paused after a number of failed deliveries in a row; code is the
// last error. It names only the URL's host, because the rest may be a secret of the receiver.
func pausedNotice(t *unit.Tx, endpoint *ent.WebhookEndpoint, failures int, code string) workspace.Notice {
	host := "an unreadable address"
	if u, err := url.Parse(endpoint.URL); err == nil {
		host = u.Host
	}
	arrived := "No delivery has succeeded yet."
	if at := endpoint.LastDeliveredAt; at != nil {
		arrived = "The last successful delivery was on " + t.FormatTime(*at) + "."
	}
	return workspace.Notice{
		Kind:   "webhook.paused",
		Title:  fmt.Sprintf("Webhook endpoint %d is paused", endpoint.ID),
		Entity: "webhookEndpoint", EntityID: endpoint.ID,
		Body: fmt.Sprintf("Webhook endpoint %d at %s was paused on %s: %d deliveries in a row failed, each after all "+
			"of its retries. The last error was %q. %s\n\n"+
			"Nothing is delivered to it until you turn it on again. Find out why the receiver does not answer with a 2xx "+
			"status within 10 seconds, then turn the endpoint on in the settings. This resets the failure count. "+
			"The delivery log keeps missed deliveries for 30 days, and you can send them again.",
			endpoint.ID, host, t.FormatTime(t.At()), failures, code, arrived),
	}
}
