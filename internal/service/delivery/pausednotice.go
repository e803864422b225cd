package delivery

import (
	"fmt"
	"net/url"

	"paydown/ent"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// pausedNotice tells that an endpoint was paused after so many failed deliveries in a row; code is why the last of them
// failed. Of the URL it names the host: the rest may be a secret of the receiver's.
func pausedNotice(t *unit.Tx, endpoint *ent.WebhookEndpoint, failures int, code string) workspace.Notice {
	host := "an address that cannot be read"
	if u, err := url.Parse(endpoint.URL); err == nil {
		host = u.Host
	}
	arrived := "Nothing has arrived there yet."
	if at := endpoint.LastDeliveredAt; at != nil {
		arrived = "What arrived there last did so on " + t.FormatTime(*at) + "."
	}
	return workspace.Notice{
		Kind:   "webhook.paused",
		Title:  fmt.Sprintf("Webhook endpoint %d is paused", endpoint.ID),
		Entity: "webhookEndpoint", EntityID: endpoint.ID,
		Body: fmt.Sprintf("Webhook endpoint %d at %s was paused on %s: %d deliveries in a row have failed, each after all "+
			"of its retries, the last one with the error %q. %s\n\n"+
			"Nothing is delivered to it until it is turned on again. Find out why the receiver does not answer with a 2xx "+
			"status within 10 seconds, then turn the endpoint on in the settings; failures are counted anew from there. "+
			"What it missed stays in the log of its deliveries for 30 days and can be delivered again.",
			endpoint.ID, host, t.FormatTime(t.At()), failures, code, arrived),
	}
}
