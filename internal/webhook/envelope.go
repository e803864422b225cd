package webhook

import (
	"crypto/rand"
	"net/http"
	"time"
)

// Envelope is the body of a delivery.
type Envelope struct {
	ID         string `json:"id" doc:"Id of this delivery; a manual redelivery gets a new one"`
	Event      string `json:"event" doc:"The kind of event"`
	Version    int    `json:"version" doc:"Raised only for changes that break receivers"`
	OccurredAt string `json:"occurredAt" format:"date-time" doc:"When it happened, in UTC"`
	Data       any    `json:"data" doc:"What happened"`
}

// NewEnvelope wraps an event's payload, or its JSON, in an envelope with a new id.
func NewEnvelope(event string, version int, occurredAt time.Time, data any) Envelope {
	return Envelope{
		ID: "msg_" + rand.Text(), Event: event, Version: version,
		OccurredAt: occurredAt.UTC().Format("2006-01-02T15:04:05.000Z"), Data: data,
	}
}

// The headers of a delivery. The first five are paydown's own scheme (see Sign), the others those of Standard
// Webhooks (see SignStandard).
const (
	HeaderID                = "X-Webhook-Id"
	HeaderEvent             = "X-Webhook-Event"
	HeaderTimestamp         = "X-Timestamp"
	HeaderSignature         = "X-Signature"
	HeaderSignaturePrevious = "X-Signature-Previous"
	HeaderStandardID        = "webhook-id"
	HeaderStandardTimestamp = "webhook-timestamp"
	HeaderStandardSignature = "webhook-signature"
)

// Retries is how often a failed delivery is retried before it has failed for good.
const Retries = 5

// FailuresToPause is the number of consecutive failed deliveries that pause an endpoint.
const FailuresToPause = 20

// UserAgent is the User-Agent of deliveries.
const UserAgent = "Paydown-Webhooks/1"

// Headers returns the headers of one attempt to deliver the body, an envelope as JSON, at that instant.
// previous is the secret before the last rotation while it still signs, and "" afterwards.
func Headers(id, event string, at time.Time, body []byte, secret, previous string) (http.Header, error) {
	secrets := []string{secret}
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", UserAgent)
	h.Set(HeaderID, id)
	h.Set(HeaderEvent, event)
	h.Set(HeaderTimestamp, Timestamp(at))
	h.Set(HeaderSignature, Sign([]byte(secret), at, body))
	if previous != "" {
		h.Set(HeaderSignaturePrevious, Sign([]byte(previous), at, body))
		secrets = append(secrets, previous)
	}
	standard, err := SignStandard(id, at, body, secrets...)
	if err != nil {
		return nil, err
	}
	h.Set(HeaderStandardID, id)
	h.Set(HeaderStandardTimestamp, Timestamp(at))
	h.Set(HeaderStandardSignature, standard)
	return h, nil
}
