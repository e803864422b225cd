package apptest

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// Sender is one of a company's own systems: it has no key, and signs its events.
type Sender struct {
	*Client
	Secret string
	Now    func() time.Time
}

// Sender gives a tenant a new inboundWebhookSecret and returns a sender with it.
func (a *App) Sender(tb testing.TB, host string) *Sender {
	tb.Helper()
	shared := secret.NewKey()
	if err := a.Tenants.Set(context.Background(), host, service.SettingSecret, shared); err != nil {
		tb.Fatal(err)
	}
	return &Sender{Client: a.As(host, ""), Secret: shared, Now: a.Clock.Now}
}

// Through returns the same sender for another process.
func (s *Sender) Through(replica *App) *Sender {
	other := *s
	other.Client = replica.As(s.Host, "")
	return &other
}

// Sign returns a client with the headers for the body, a string that is sent unchanged.
func (s *Sender) Sign(body string) *Client {
	now := s.Now()
	return s.With(webhook.HeaderTimestamp, webhook.Timestamp(now)).
		With(webhook.HeaderSignature, webhook.Sign([]byte(s.Secret), now, []byte(body)))
}

// Try sends a signed event of a source; a body that is not a string is sent as JSON.
func (s *Sender) Try(source string, body any) (*Answer, error) {
	text, ok := body.(string)
	if !ok {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = string(raw)
	}
	return s.Sign(text).Try(http.MethodPost, "/api/webhooks/inbound/"+source, text)
}

// Send is Try, and fails the test if there is no response.
func (s *Sender) Send(tb testing.TB, source string, body any) *Answer {
	tb.Helper()
	answer, err := s.Try(source, body)
	if err != nil {
		tb.Fatalf("inbound %s: %v", source, err)
	}
	return answer
}
