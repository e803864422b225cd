package webhook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"paydown/internal/webhook"
)

func TestSendDelivers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write([]byte(r.Method + " " + r.Host + " " + r.URL.RequestURI() + " " + r.Header.Get("X-A") + " " + string(body)))
	}))
	defer server.Close()
	s := webhook.NewSender(webhook.SenderConfig{Guard: loopback(nil)})
	defer s.Close()
	for range 3 {
		o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: server.URL + "/a?b", Header: http.Header{"X-A": {"1"}}, Body: []byte("hi")})
		if want := "POST " + server.Listener.Addr().String() + " /a?b 1 hi"; o.Status != 200 || o.Error != "" || o.Ours || o.Snippet != want || o.Duration <= 0 {
			t.Errorf("%+v", o)
		}
	}
}
