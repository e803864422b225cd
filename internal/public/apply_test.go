package public_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

func jsonOf(text string) (value any) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

func TestApplicationIsSubmitted(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "apply.test")
		publish(t, a, "apply.test", "funding")
		v := visit(a, "apply.test")
		form := v.wantPage(t, "/apply/funding", http.StatusOK)
		contains(
			t, form, "Tenant apply.test", "<title>Apply here", "Business &lt;b&gt;", "As on the &#34;papers&#34;",
			`type="email"`, `type="date"`, `<option>Stock &amp; more</option>`, `<option value="WY">Wyoming</option>`,
			`autocomplete="organization"`, `inputmode="decimal"`,
		)
		notContains(t, form, "<script", "<b>", "_csrf")

		a.Clock.Advance(ripe)
		sent := answers(ticketOf(t, form))
		thanks := v.wantRedirect(t, v.submit(t, "/apply/funding", sent), "/apply/funding/thanks", http.StatusOK)
		contains(t, thanks, "Thank you", "Tenant apply.test")
		v.wantRedirect(t, v.submit(t, "/apply/funding", sent), "/apply/funding/thanks", http.StatusOK)

		all := received(t, c)
		if len(all) != 1 || all[0].Text("status") != "RECEIVED" {
			t.Fatalf("%v", all)
		}
		got, want := all[0].In(
			"payload",
		), jsonOf(
			`{"business":"Harbor Bakery","about":"Two ovens.\nMore soon.","email":"ada@harbor.example",
			"state":"NY","amount":"25000.50","people":1200,"since":"2019-04-01","use":"Stock & more","consent":true}`,
		)
		if jsonText(got) != jsonText(want) {
			t.Errorf("%v", got)
		}
		if trail := audited(t, a, "apply.test", "application.create"); trail.ActorKind != "APPLICANT" ||
			trail.Surface != "APPLICATION_PAGE" {
			t.Errorf("%v", trail)
		}

		sent.Set("business", "Another")
		contains(t, page(t, v.submit(t, "/apply/funding", sent), http.StatusConflict), "already submitted from this page")
		if n := len(received(t, c)); n != 1 {
			t.Errorf("%d applications", n)
		}
	})
}

func jsonText(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestConcurrentSubmissionsCreateOneApplication(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "twice.test")
		publish(t, a, "twice.test", "funding")
		v := visit(a, "twice.test")
		sent := answers(ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK)))
		a.Clock.Advance(ripe)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if answer := v.submit(t, "/apply/funding", sent); answer.Status != http.StatusSeeOther {
					t.Errorf("%d\n%s", answer.Status, answer.Body)
				}
			})
		}
		all.Wait()
		if n := len(received(t, c)); n != 1 {
			t.Errorf("%d applications", n)
		}
	})
}

func TestErrorsAreShownAtFields(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "wrong.test")
		publish(t, a, "wrong.test", "funding")
		v := visit(a, "wrong.test")
		ticket := ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK))
		a.Clock.Advance(ripe)
		long := strings.Repeat("w", 10_000)
		sent := url.Values{
			"_ticket": {ticket}, "business": {long}, "about": {"\u202e</textarea><script>alert(1)</script>"},
			"email": {`"><img src=x onerror=alert(1)>`}, "phone": {"no"}, "site": {"javascript:alert(1)"},
			"state": {"ZZ"}, "zip": {"1"}, "ein": {"1"}, "amount": {"much"}, "people": {"some"},
			"since": {"today"}, "use": {"Yacht"}, "unasked": {"x"},
		}
		back := page(t, v.submit(t, "/apply/funding", sent), http.StatusUnprocessableEntity)
		contains(
			t, back, "Please correct 12 answers", `href="#q-business"`, `id="q-business-problem"`,
			`aria-describedby="q-business-help q-business-problem"`, "Must be at most 500 characters",
			"Must be an email address.", "Select an option.", "Must be an amount in dollars", "Check this box to continue.",
			`value="`+long+`"`, "\u202e&lt;/textarea&gt;&lt;script&gt;", `&#34;&gt;&lt;img src=x`, "Please check: Apply here",
		)
		notContains(t, back, "<script", "<img", "payload.")
		if got := ticketOf(t, back); got != ticket {
			t.Errorf("the page that comes back has another ticket")
		}
		v.wantRedirect(t, v.submit(t, "/apply/funding", answers(ticket)), "/apply/funding/thanks", http.StatusOK)

		ticket = ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK))
		a.Clock.Advance(ripe)
		strange := answers(ticket)
		strange.Set("business", "\u202emun\u202c <script>alert(1)</script>")
		v.wantRedirect(t, v.submit(t, "/apply/funding", strange), "/apply/funding/thanks", http.StatusOK)
		if got := received(t, c)[0].In("payload").Text("business"); got != strange.Get("business") {
			t.Errorf("%q", got)
		}
	})
}

func TestSpamIsDetected(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Stop(a.Clock.Now()) // or a machine that is busy would not be hasty
		c := a.Client(t, "spam.test")
		publish(t, a, "spam.test", "funding")
		publish(t, a, "spam.test", "other")
		v := visit(a, "spam.test")
		first := ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK))

		hasty := page(t, v.submit(t, "/apply/funding", answers(first)), http.StatusConflict)
		contains(t, hasty, "too quickly", `value=" Harbor Bakery "`)
		if ticketOf(t, hasty) != first {
			t.Error("a hasty page comes back with another ticket")
		}
		for name, ticket := range map[string]string{
			"none": "", "nonsense": "!", "short": "AAAA", "altered": strings.ToLower(first),
			"another form's": ticketOf(t, v.wantPage(t, "/apply/other", http.StatusOK)),
		} {
			a.Clock.Advance(ripe)
			back := page(t, v.submit(t, "/apply/funding", answers(ticket)), http.StatusConflict)
			if contains(t, back, "open for too long", `value=" Harbor Bakery "`); ticketOf(t, back) == ticket {
				t.Errorf("%s: the page comes back with the same ticket", name)
			}
		}
		a.Clock.Advance(service.TicketLife)
		contains(t, page(t, v.submit(t, "/apply/funding", answers(first)), http.StatusConflict), "open for too long")
		if n := len(received(t, c)); n != 0 {
			t.Fatalf("%d applications", n)
		}

		trapped := answers(ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK)))
		a.Clock.Advance(ripe)
		trapped.Set("_extra", "cheap pills")
		v.wantRedirect(t, v.submit(t, "/apply/funding", trapped), "/apply/funding/thanks", http.StatusOK)
		if all := received(t, c); len(all) != 1 || all[0].Text("status") != "SPAM" {
			t.Errorf("%v", all)
		}
	})
}

func TestUnknownFormPage(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "off.test")
		a.Tenant(t, "other.test")
		id := publish(t, a, "off.test", "funding")
		v := visit(a, "off.test")
		ticket := ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK))
		a.Clock.Advance(ripe)
		_, err := a.Forms.Update(a.Operator(t, "off.test"), id, service.FormInput{IsActive: service.Some(false)})
		if err != nil {
			t.Fatal(err)
		}
		gone := v.wantPage(t, "/apply/funding", http.StatusNotFound)
		for name, other := range map[string]*apptest.Answer{
			"never was":        v.Do(t, http.MethodGet, "/apply/nowhere", nil),
			"sent to":          v.submit(t, "/apply/funding", answers(ticket)),
			"thanked for":      v.Do(t, http.MethodGet, "/apply/funding/thanks", nil),
			"climbs up":        v.Do(t, http.MethodGet, "/apply/..%2f..%2fetc", nil),
			"an offer's token": v.Do(t, http.MethodGet, "/offers/nonsense", nil),
		} {
			if page(t, other, http.StatusNotFound) != gone {
				t.Errorf("what %s looks otherwise:\n%s", name, other.Body)
			}
		}
		contains(t, gone, "Page not found", "Tenant off.test")
		contains(t, visit(a, "other.test").wantPage(t, "/apply/funding", http.StatusNotFound), "Tenant other.test")
		notContains(t, visit(a, "nobody.test").wantPage(t, "/apply/funding", http.StatusNotFound), "<header>")
		if n := len(received(t, c)); n != 0 {
			t.Errorf("%d applications", n)
		}
	})
}

func TestInvalidFormBodyIsRejected(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Client(t, "refused.test")
	publish(t, a, "refused.test", "funding")
	v := visit(a, "refused.test")
	form := v.With("Content-Type", "application/x-www-form-urlencoded")
	for name, try := range map[string]struct {
		answer *apptest.Answer
		status int
	}{
		"JSON": {v.Do(t, http.MethodPost, "/apply/funding", apptest.Object{}), http.StatusUnsupportedMediaType},
		"a compressed form": {
			form.With("Content-Encoding", "gzip").Do(t, http.MethodPost, "/apply/funding", "x=y"),
			http.StatusUnsupportedMediaType,
		},
		"another site": {
			form.With("Sec-Fetch-Site", "cross-site").Do(t, http.MethodPost, "/apply/funding", "x=y"), http.StatusForbidden,
		},
		"far too much": {
			form.Do(t, http.MethodPost, "/apply/funding", "x="+strings.Repeat("y", 2<<20)), http.StatusRequestEntityTooLarge,
		},
		"no coding of forms":   {form.Do(t, http.MethodPost, "/apply/funding", "x=%zz"), http.StatusBadRequest},
		"another method":       {v.Do(t, http.MethodDelete, "/apply/funding", nil), http.StatusMethodNotAllowed},
		"a form for thanks":    {form.Do(t, http.MethodPost, "/apply/funding/thanks", "x=y"), http.StatusMethodNotAllowed},
		"an offer's other act": {form.Do(t, http.MethodPost, "/offers/x", "act=steal"), http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) { page(t, try.answer, try.status) })
	}
	limited := 0
	for range 30 {
		if form.Do(t, http.MethodPost, "/apply/funding", "x=y").Status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited < 10 {
		t.Errorf("of 30 forms at once %d were refused", limited)
	}
	v.wantPage(t, "/apply/funding", http.StatusOK) // looking is counted apart
}

func TestThousandsSeparators(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "commas.test")
		publish(t, a, "commas.test", "funding")
		v := visit(a, "commas.test")
		sent := answers(ticketOf(t, v.wantPage(t, "/apply/funding", http.StatusOK)))
		a.Clock.Advance(ripe)
		for _, amount := range []string{"2,5", "2500,00", "25,0000", "25.000,50", "1,2,3", ",500"} {
			sent.Set("amount", amount)
			contains(t, page(t, v.submit(t, "/apply/funding", sent), http.StatusUnprocessableEntity),
				"Please correct one answer", "Must be an amount in dollars", `value="`+amount+`"`)
		}
		sent.Set("amount", "$ 1,025,000.50")
		v.wantRedirect(t, v.submit(t, "/apply/funding", sent), "/apply/funding/thanks", http.StatusOK)
		if got := received(t, c)[0].In("payload").Text("amount"); got != "1025000.50" {
			t.Errorf("%s", got)
		}
	})
}
