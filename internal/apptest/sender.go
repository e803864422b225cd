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

// Sender is one of a company's own systems: it has no key, and signs what it sends.
type Sender struct {
	*Client
	Secret string
	Now    func() time.Time
}

// Sender gives a tenant a new inboundWebhookSecret and returns who knows it.
func (a *App) Sender(tb testing.TB, host string) *Sender {
	tb.Helper()
	shared := secret.NewKey()
	if err := a.Tenants.Set(context.Background(), host, service.SettingSecret, shared); err != nil {
		tb.Fatal(err)
	}
	return &Sender{Client: a.As(host, ""), Secret: shared, Now: a.Clock.Now}
}

// Through is the same sender, whose events go to another process.
func (s *Sender) Through(replica *App) *Sender {
	other := *s
	other.Client = replica.As(s.Host, "")
	return &other
}

// Sign is the same sender with the headers that belong to the body, a string that is sent as it is.
func (s *Sender) Sign(body string) *Client {
	now := s.Now()
	return s.With(webhook.HeaderTimestamp, webhook.Timestamp(now)).
		With(webhook.HeaderSignature, webhook.Sign([]byte(s.Secret), now, []byte(body)))
}

// Try sends an event of a source, signed; a body that is no string is sent as JSON.
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

// Send is Try, ending the test where no answer comes.
func (s *Sender) Send(tb testing.TB, source string, body any) *Answer {
	tb.Helper()
	answer, err := s.Try(source, body)
	if err != nil {
		tb.Fatalf("inbound %s: %v", source, err)
	}
	return answer
}
