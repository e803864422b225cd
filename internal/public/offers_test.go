package public_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/auth"
)

// audited returns the one entry of an action.
func audited(t *testing.T, a *apptest.App, host, action string) *ent.AuditEntry {
	t.Helper()
	entry, err := a.Store.Reader().AuditEntry.Query().Where(auditentry.Action(action)).Only(a.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// notificationKinds returns the kinds of a staff member's notifications, newest first.
func notificationKinds(t *testing.T, staff *apptest.Client) string {
	t.Helper()
	var kinds []string
	const query = `{ notifications(sort: {field: ID, direction: DESC}) {
		nodes { kind title body entity entityId } } }`
	for _, n := range staff.Graph(t, query, nil).In("notifications").List("nodes") {
		kinds = append(kinds, n.Text("kind"))
		notContains(t, n.Text("title")+n.Text("body"), "Harbor")
	}
	return strings.Join(kinds, " ")
}

func TestOfferPageAccept(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "offer.test", "CA")
		underwriter, reader := a.Staff(t, d.Host, "underwriter"), a.Staff(t, d.Host, "read-only")
		id, token := d.offer(
			t, `fundedAmount: "50000.00", factorRate: "1.30", bankFeePercent: "3.00", epoDiscount: "2500.00"`,
		)
		v, path := visit(a, d.Host), "/offers/"+token
		shown := v.wantPage(t, path, http.StatusOK)
		contains(
			t, shown, "Tenant offer.test", "Harbor &lt;script&gt;", "D-000001", "$50,000", "$65,000", "$48,450", "−$1,500",
			"−$50", "119 of $541.67", "every banking day", "$541.27", "APR", "Cal. Fin. Code", "$16,550", "$2,500",
			"13 days from now", `action="`+path+`"`,
		)
		notContains(t, shown, "<script")

		back := page(t, v.submit(t, path, url.Values{"act": {"accept"}}), http.StatusUnprocessableEntity)
		contains(t, back, "Please correct 2 fields", `href="#o-name"`, `href="#o-agree"`, "Fill in this field.")
		back = page(
			t, v.submit(t, path, url.Values{"act": {"accept"}, "agree": {"yes"}, "name": {strings.Repeat("x", 201)}}),
			http.StatusUnprocessableEntity,
		)
		contains(t, back, "Must be 1 to 200 characters", " checked")

		accept := url.Values{"act": {"accept"}, "agree": {"yes"}, "name": {"Ada <i>Marsh</i>"}}
		for range 2 {
			taken := v.wantRedirect(t, v.submit(t, path, accept), path, http.StatusOK)
			contains(t, taken, "Offer accepted", "Ada &lt;i&gt;Marsh&lt;/i&gt;")
			notContains(t, taken, "<form")
		}
		offer := d.Graph(t, "{ approval(id: "+id+") { state acceptedBy acceptedFrom } }", nil).In("approval")
		if offer.Text("state") != "ACCEPTED" || offer.Text("acceptedBy") != "Ada <i>Marsh</i>" ||
			offer.Text("acceptedFrom") != "127.0.0.1" {
			t.Errorf("%v", offer)
		}
		if entry := audited(t, a, d.Host, "approval.accept"); entry.ActorKind != "MERCHANT" || entry.Surface != "OFFER_PAGE" {
			t.Errorf("%v", entry)
		}
		if got := notificationKinds(t, underwriter); got != "offer.accepted" {
			t.Errorf("an underwriter is told %q", got)
		}
		if got := notificationKinds(t, reader); got != "" {
			t.Errorf("who may only read is told %q", got)
		}
		a.AdvanceAll(15 * 24 * time.Hour)
		contains(t, v.wantPage(t, path, http.StatusGone), "Offer accepted", "This page is closed")
	})
}

func TestOfferPageCounterAndDecline(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "counter.test", "OH")
		underwriter := a.Staff(t, d.Host, "underwriter")
		id, token := d.offer(t, `fundedAmount: "50000.00", factorRate: "1.30"`)
		v, path := visit(a, d.Host), "/offers/"+token
		notContains(t, v.wantPage(t, path, http.StatusOK), "APR", "Your state requires")

		back := page(t, v.submit(t, path, url.Values{
			"act": {"counter"}, "counterAmount": {"lots"}, "counterFactor": {"9"}, "counterTermDays": {"soon"},
			"counterNote": {"\u202e<b>please</b>"},
		}), http.StatusUnprocessableEntity)
		contains(
			t, back, `<details class="first" open>`, "Must be an amount in dollars", "Must be a whole number of days",
			"&lt;b&gt;please", `value="lots"`,
		)
		contains(
			t, page(t, v.submit(t, path, url.Values{"act": {"counter"}}), http.StatusUnprocessableEntity),
			"one counter field must differ",
		)
		contains(
			t, page(
				t, v.submit(t, path, url.Values{"act": {"counter"}, "counterFactor": {"9"}}), http.StatusUnprocessableEntity,
			),
			`href="#o-counterFactor"`,
		)

		asked := v.wantRedirect(t, v.submit(t, path, url.Values{
			"act": {
				"counter",
			}, "counterAmount": {"$60,000"}, "counterFactor": {"1.25"}, "counterNote": {"We need\r\n<b>more</b>."},
		}), path, http.StatusOK)
		contains(t, asked, "You requested different terms", "$60,000", "1.25", "&lt;b&gt;more&lt;/b&gt;")
		notContains(t, asked, `value="accept"`)
		contains(
			t, page(t, v.submit(t, path, url.Values{"act": {"accept"}, "agree": {"yes"}, "name": {"Ada"}}), http.StatusConflict),
			"no longer available as shown",
		)
		d.Graph(t, "mutation { resolveCounter(id: "+id+", accept: false) { id } }", nil)

		contains(
			t,
			page(
				t, v.submit(t, path, url.Values{"act": {"decline"}, "reason": {strings.Repeat("x", 10_001)}}),
				http.StatusUnprocessableEntity,
			),
			"Must be at most 10000 characters",
		)
		contains(
			t, v.wantRedirect(
				t, v.submit(t, path, url.Values{"act": {"decline"}, "reason": {"Too <dear>"}}), path, http.StatusGone,
			),
			"Offer declined",
		)
		contains(
			t, page(t, v.submit(t, path, url.Values{"act": {"accept"}, "agree": {"yes"}, "name": {"Ada"}}), http.StatusGone),
			"Offer declined",
		)
		offer := d.Graph(t, "{ approval(id: "+id+") { state declinedReason counterNote } }", nil).In("approval")
		if offer.Text("state") != "DECLINED" || offer.Text("declinedReason") != "Too <dear>" ||
			offer.Text("counterNote") != "We need\n<b>more</b>." {
			t.Errorf("%v", offer)
		}
		if got := notificationKinds(t, underwriter); got != "offer.declined offer.countered" {
			t.Errorf("an underwriter is told %q", got)
		}
	})
}

func TestOfferOutcomeIsShownOnlyToHolder(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "ended.test", "NY")
		a.Tenant(t, "elsewhere.test")
		v := visit(a, d.Host)
		id, withdrawn := d.offer(t, `fundedAmount: "50000.00", factorRate: "1.30"`)
		d.Graph(t, "mutation { withdrawOffer(id: "+id+") { id } }", nil)
		contains(t, v.wantPage(t, "/offers/"+withdrawn, http.StatusGone), "withdrawn or replaced by another offer")
		notContains(t, v.wantPage(t, "/offers/"+withdrawn, http.StatusGone), "50,000", "Harbor", "D-000001")

		_, late := d.offer(t, `fundedAmount: "50000.00", factorRate: "1.30"`)
		nobody := v.wantPage(t, "/offers/"+auth.NewSecretToken(), http.StatusNotFound)
		contains(t, visit(a, "elsewhere.test").wantPage(t, "/offers/"+late, http.StatusNotFound), "Page not found")
		if got := v.wantPage(t, "/offers/"+strings.ToUpper(late), http.StatusNotFound); got != nobody {
			t.Error("an altered token is answered otherwise than one of nobody")
		}
		a.AdvanceAll(14*24*time.Hour + time.Minute)
		for range 2 { // before its end is stored, and afterwards
			contains(t, v.wantPage(t, "/offers/"+late, http.StatusGone), "Offer expired", "It expired on")
			contains(
				t,
				page(
					t, v.submit(t, "/offers/"+late, url.Values{"act": {"accept"}, "agree": {"yes"}, "name": {"Ada"}}), http.StatusGone,
				),
				"Offer expired",
			)
			if _, err := a.Approvals.Expire(t.Context()); err != nil {
				t.Error(err)
			}
		}
		notContains(t, a.Log.String(), withdrawn, late)
	})
}

func TestConcurrentOfferPageAcceptances(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "both.test", "OH")
		_, one := d.offer(t, `fundedAmount: "50000.00", factorRate: "1.30"`)
		_, other := d.offer(t, `fundedAmount: "45000.00", factorRate: "1.25"`)
		v := visit(a, d.Host)
		accept := url.Values{"act": {"accept"}, "agree": {"yes"}, "name": {"Ada Marsh"}}
		statuses := map[int]int{}
		var counting sync.Mutex
		var all sync.WaitGroup
		for i := range 6 {
			token := one
			if i%2 == 1 {
				token = other
			}
			all.Go(func() {
				status := v.submit(t, "/offers/"+token, accept).Status
				counting.Lock()
				statuses[status]++
				counting.Unlock()
			})
		}
		all.Wait()
		if statuses[http.StatusSeeOther] != 3 || statuses[http.StatusGone] != 3 {
			t.Errorf("%v", statuses)
		}
		pages := v.Do(t, http.MethodGet, "/offers/"+one, nil).Status + v.Do(t, http.MethodGet, "/offers/"+other, nil).Status
		if pages != http.StatusOK+http.StatusGone {
			t.Errorf("the pages answer %d together", pages)
		}
	})
}
