package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"paydown/internal/apptest"
	"paydown/internal/secret"
	"paydown/internal/service"
)

// Everything the product seals is sealed again under a new key, and can still be opened.
func TestEverythingThatIsSealedMovesToANewKey(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		const host = "keys.test"
		c := a.Client(t, host)
		merchant := c.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "federalId": "12-3456789"}).
			In("merchant").
			ID()
		sender := a.Sender(t, host)
		hook := object{"url": "https://hooks.example", "events": []string{"*"}}
		once := func(c *apptest.Client) *apptest.Answer {
			return c.With("Idempotency-Key", "hook-1").Do(t, http.MethodPost, "/webhook-endpoints", hook)
		}
		shown := once(c)
		endpoint := shown.Want(t, http.StatusCreated).In("webhookEndpoint").ID()
		if _, err := a.WebhookEndpoints.Rotate(a.Operator(t, host), endpoint); err != nil {
			t.Fatal(err)
		}
		account := fmt.Sprintf(`mutation { addBankAccount(input: {merchantId: %d, holderName: "Harbor Street Bakery LLC",
			routingNumber: "021000021", accountNumber: "84029173355"}) { id } }`, merchant)
		c.Graph(t, account, nil)
		c.Graph(t, fmt.Sprintf(`mutation { createMerchantContact(input: {merchantId: %d, firstName: "Ada", lastName: "Park",
			ssn: "123-45-6789"}) { id } }`, merchant), nil)
		offer, token := offerSent(t, c, merchant)
		code := secondFactor(t, a, host)

		other := *a
		other.Secret = secret.NewKey() + "," + a.Secret
		b := other.Replica(t)
		before := under(t, b, 1)
		for _, holds := range []string{
			"webhook signing secrets", "earlier webhook signing secrets", "inbound webhook secrets", "bank account numbers",
			"social security numbers", "second factors", "links of offers", "stored answers",
		} {
			if before[holds] == 0 {
				t.Errorf("the product has sealed no %s", holds)
			}
		}
		result, err := b.SecretKeys.Reseal(t.Context(), nil)
		if err != nil || result.Failed != 0 || len(result.Left) != 0 {
			t.Fatalf("%+v, %v", result, err)
		}
		if after := under(t, b, 0); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("under the new key are %v, want %v", after, before)
		}

		moved := b.As(host, c.Token)
		if again := once(moved); again.Header.Get("Idempotency-Replayed") != "true" || !bytes.Equal(again.Body, shown.Body) {
			t.Errorf("the stored answer is %d %s", again.Status, again.Body)
		}
		got := moved.Graph(t, "{ approval(id: "+offer+") { shareToken } }", nil).In("approval").Text("shareToken")
		if got != token {
			t.Errorf("the link of the offer is %s, want %s", got, token)
		}
		moved.Ask(t, account, nil).Refused(t, "conflict") // which takes the number of the one that there is
		sender.Through(b).Send(t, "legal-updates", object{"eventId": "e-1", "ein": "12-3456789", "text": "a judgment"})
		browser := b.Browser(host)
		browser.Login(t, "two@"+host)
		browser.Do(t, http.MethodPost, "/auth/second-factor", object{"code": code()}).Want(t, http.StatusOK)
		if report, err := b.Integrity.Verify(t.Context()); err != nil ||
			slices.ContainsFunc(
				report.Checks, func(c service.IntegrityCheck) bool { return c.Name == "sealed_values" && !c.OK },
			) {
			t.Errorf("verified as %+v, %v", report, err)
		}
	})
}

// under returns how many values are sealed under a key of an App, by place.
func under(t *testing.T, a *apptest.App, place int) map[string]int {
	t.Helper()
	usage, err := a.SecretKeys.Usage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, n := range usage[place].Values {
		counts[n.Holds] = n.Count
	}
	return counts
}

// offerSent sends an offer for a new deal of a merchant, and returns its id and the token of its link.
func offerSent(t *testing.T, c *apptest.Client, merchant int) (id, token string) {
	t.Helper()
	deal := c.Post(t, "/deals", object{
		"merchantId": merchant, "fundedAmount": "40000.00", "factorRate": "1.30", "numberOfPayments": 120,
		"collectionFrequency": "DAILY",
	}).In("deal").ID()
	c.Patch(t, fmt.Sprintf("/deals/%d", deal), object{"state": "SUBMITTED"})
	submission := c.Graph(t, fmt.Sprintf("{ deal(id: %d) { submissions { nodes { id } } } }", deal), nil).
		In("deal").In("submissions").List("nodes")[0].Text("id")
	id = c.Graph(t, `mutation { it: createApproval(input: {submissionId: `+submission+`, fundedAmount: "40000.00",
		factorRate: "1.30", termDays: 168}) { id } }`, nil).In("it").Text("id")
	return id, c.Graph(t, "mutation { it: sendOffer(id: "+id+") { shareToken } }", nil).In("it").Text("shareToken")
}

// secondFactor gives a new member one, and returns the authenticator's codes from the next step on.
func secondFactor(t *testing.T, a *apptest.App, host string) func() string {
	t.Helper()
	a.Member(t, host, "two@"+host, "admin")
	b := a.Browser(host)
	b.Login(t, "two@"+host)
	key := b.Do(t, http.MethodPost, "/auth/totp/enrol", object{"password": apptest.Password}).
		Want(t, http.StatusOK).
		Text("secret")
	at := func(later time.Duration) string {
		t.Helper()
		code, err := totp.GenerateCode(key, a.Clock.Now().Add(later))
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	b.Do(t, http.MethodPost, "/auth/totp/confirm", object{"code": at(0)}).Want(t, http.StatusOK)
	return func() string { return at(30 * time.Second) } // one is good once
}
