package rest_test

import (
	"bytes"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// The terms of a deal are validated by the current date. A repeat is not validated again, whatever its date.
func TestRepeatOnLaterDayReturnsStoredAnswer(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "later.test")
		keyed := c.With("Idempotency-Key", "deal-1")
		body := apptest.Object{
			"merchantId": seedMerchant(t, c, nil), "fundedAmount": "1000.00", "factorRate": "1.3", "numberOfPayments": 13,
			"termDays": 11, "collectionFrequency": "DAILY", // it takes 18 days from Monday, 20 from Tuesday, and may differ by 7
		}
		first := keyed.Do(t, "POST", "/deals", body)
		first.Want(t, 201)
		a.Clock.Advance(23*time.Hour + 30*time.Minute)
		refusal(t, "the same deal made a day later", c.Do(t, "POST", "/deals", body), 400, "validation_error")
		again := keyed.Do(t, "POST", "/deals", body)
		if again.Status != 201 || again.Header.Get(replayed) != "true" || !bytes.Equal(again.Body, first.Body) {
			t.Errorf("a day later: %d %s, first %s", again.Status, again.Body, first.Body)
		}
		// With another body the key is refused, but errors of the body come first.
		body["fundedAmount"] = "2000.00"
		refusal(t, "another body, that does not fit the day", keyed.Do(t, "POST", "/deals", body), 400, "validation_error")
		body["termDays"] = 20
		refusal(t, "another body", keyed.Do(t, "POST", "/deals", body), 422, "idempotency_key_reused")
		if n := c.Get(t, "/deals").Int("count"); n != 1 {
			t.Errorf("%d deals", n)
		}
	})
}
