package rest_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/service"
	"paydown/internal/store"
)

func TestFilterByIDs(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "ids.test"), a.Client(t, "other.test")
		var ids []int
		for range 4 {
			ids = append(ids, seedLead(t, c, nil))
		}
		foreign := seedLead(t, other, nil)
		list := func(wanted ...int) string {
			texts := make([]string, len(wanted))
			for i, id := range wanted {
				texts[i] = strconv.Itoa(id)
			}
			return strings.Join(texts, ",")
		}
		sameIDs(t, "in any order", listed(t, c, "/leads", "ids", list(ids[3], ids[0], ids[3])), []int{ids[0], ids[3]})
		sameIDs(t, "sorted", listed(t, c, "/leads", "ids", list(ids[1], ids[2]), "sort", "id:desc"), []int{ids[2], ids[1]})
		sameIDs(t, "unknown and foreign", listed(t, c, "/leads", "ids", list(ids[1], foreign, 1<<62)), []int{ids[1]})
		many := make([]int, service.MaxIDs)
		for i := range many {
			many[i] = ids[0] + i
		}
		sameIDs(t, "200 of them", listed(t, c, "/leads", "ids", list(many...), "status", "NEW"), ids)
		c.Do(t, "GET", "/leads"+query("ids", list(append(slices.Clone(many), 1)...)), nil).Problem(t, 400, "validation_error")
		for _, bad := range []string{
			"", "0", "-1", "01", "1,02", "+1", "1.0", "abc", "1,", "1,abc", "9223372036854775808", "1' OR '1'='1",
		} {
			c.Do(t, "GET", "/leads"+query("ids", bad), nil).Problem(t, 400, "invalid_id")
		}
	})
}

func TestSearchIgnoresCaseAndEscapesWildcards(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "search.test")
		find := func(list, q string) []int { return listed(t, c, list, "q", q) }
		percent := seedLead(t, c, apptest.Object{"businessName": "100% Juice", "dbaName": "The Juicery"})
		under := seedLead(t, c, apptest.Object{"businessName": "snake_case", "contactName": "Dana O'Brien"})
		slash := seedLead(t, c, apptest.Object{"businessName": `back\slash "quoted"`, "email": "Owner@Example.com"})
		cafe := seedLead(
			t, c, apptest.Object{"businessName": "ÉCOLE Café", "notes": "juice", "source": "juice", "phone": "2125550142"},
		)
		for q, want := range map[string][]int{
			"juice": {percent}, "JUICE": {percent}, "0% j": {percent}, "%": {percent}, "_": {under}, "e_c": {under},
			`\`:   {slash},
			`k\s`: {slash}, `"quoted"`: {slash}, "o'brien": {under}, "'": {under}, "owner@example": {slash},
			"juicery": {percent},
			"école":   {cafe}, "École": {cafe}, "ÉCOLE": {cafe}, "CAFÉ": {cafe}, "café": {cafe}, "2125550142": {}, "100%%": {},
			"s__ke":       {},
			"' OR 1=1 --": {}, "%' ESCAPE '": {}, "": {percent, under, slash, cafe},
		} {
			sameIDs(t, "leads with "+q, find("/leads", q), slices.Sorted(slices.Values(want)))
		}
		legal := seedMerchant(
			t, c, apptest.Object{"legalName": "Alpha Holdings LLC", "dbaName": "Beta Bar", "email": "gamma@example.com"},
		)
		sameIDs(t, "legal name", find("/merchants", "HOLDINGS"), []int{legal})
		sameIDs(t, "trade name", find("/merchants", "beta b"), []int{legal})
		sameIDs(t, "email", find("/merchants", "gamma"), []int{})
		deal := seedDeal(t, c, legal, apptest.Object{"referenceId": "CRM-1042"})
		second := seedDeal(t, c, legal, nil)
		sameIDs(t, "reference", find("/deals", "crm-10"), []int{deal})
		sameIDs(t, "number", find("/deals", "d-00000"), []int{deal, second})
		c.Do(t, "GET", "/payments?q=a", nil).Problem(t, 400, "validation_error")
	})
}

func TestListFilters(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "filter.test")
		web := seedLead(t, c, apptest.Object{"source": "Web 'site'", "status": "DEAD"})
		seedLead(t, c, apptest.Object{"source": "web 'site'"})
		seedLead(t, c, nil)
		sameIDs(t, "a source, to the letter", listed(t, c, "/leads", "source", "Web 'site'"), []int{web})
		sameIDs(t, "a source that none has", listed(t, c, "/leads", "source", ""), []int{})
		sameIDs(t, "a status", listed(t, c, "/leads", "status", "DEAD"), []int{web})
		sameIDs(t, "both", listed(t, c, "/leads", "status", "NEW", "source", "Web 'site'"), []int{})
		merchant := seedMerchant(t, c, nil)
		first, second := seedDeal(t, c, merchant, nil), seedDeal(t, c, merchant, nil)
		c.Patch(t, path("/deals", second), apptest.Object{"state": "SUBMITTED"})
		sameIDs(t, "a state", listed(t, c, "/deals", "state", "SUBMITTED"), []int{second})
		fee := seedPayment(t, c, first, nil)
		adjustment := seedPayment(t, c, second, apptest.Object{"type": "ADVANCE_PAYBACK_ADJUSTMENT", "status": "SUBMITTED"})
		later := seedPayment(t, c, second, nil)
		behind(t, a, c.Host, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.Payment.UpdateOneID(adjustment).SetScheduledDate(civil.Must("2026-03-02")).Exec(ctx); err != nil {
				return err
			}
			return tx.Payment.UpdateOneID(later).SetScheduledDate(civil.Must("2026-03-03")).Exec(ctx)
		})
		for what, got := range map[string][2][]int{
			"a deal":        {listed(t, c, "/payments", "dealId", strconv.Itoa(second)), {adjustment, later}},
			"no such deal":  {listed(t, c, "/payments", "dealId", "9223372036854775807"), {}},
			"a type":        {listed(t, c, "/payments", "type", "OTHER_FEE"), {fee, later}},
			"a status":      {listed(t, c, "/payments", "status", "SUBMITTED"), {adjustment}},
			"a day":         {listed(t, c, "/payments", "scheduledSince", "2026-03-02"), {adjustment, later}},
			"the next day":  {listed(t, c, "/payments", "scheduledSince", "2026-03-03"), {later}},
			"a moment":      {listed(t, c, "/payments", "scheduledSince", "2026-03-03T04:59:59Z"), {adjustment, later}},
			"a later one":   {listed(t, c, "/payments", "scheduledSince", "2026-03-03T05:00:00Z"), {later}},
			"several":       {listed(t, c, "/payments", "type", "OTHER_FEE", "dealId", strconv.Itoa(second)), {later}},
			"in its offset": {listed(t, c, "/payments", "scheduledSince", "2026-03-03T00:00:00-05:00"), {later}},
		} {
			sameIDs(t, what, got[0], got[1])
		}
	})
}

func TestDateAndTimeFilters(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "window.test") // in New York, where the fifth begins at five
		a.Clock.Set(time.Date(2026, time.January, 5, 4, 30, 0, 0, time.UTC))
		fourth := seedLead(t, c, nil)
		a.Clock.Set(time.Date(2026, time.January, 5, 5, 30, 0, 0, time.UTC))
		fifth := seedLead(t, c, nil)
		a.Clock.Set(time.Date(2026, time.January, 6, 14, 0, 0, 0, time.UTC))
		changed := c.Patch(t, path("/leads", fourth), apptest.Object{"notes": "called"}).In("lead")
		made := c.Get(t, path("/leads", fifth)).In("lead").Text("createdAt")
		instant, err := time.Parse(time.RFC3339, made)
		if err != nil || len(made) != len("2026-01-05T05:30:00.000Z") {
			t.Fatalf("createdAt %s, %v", made, err)
		}
		before := instant.Add(-time.Millisecond).Format(time.RFC3339Nano)
		elsewhere := instant.In(time.FixedZone("", 9*60*60)).Format(time.RFC3339Nano)
		for _, w := range []struct {
			name, value string
			want        []int
		}{
			{"createdSince", "2026-01-05", []int{fifth}},
			{"createdSince", "2026-01-04", []int{fourth, fifth}},
			{"createdSince", "2026-01-06", []int{}},
			{"createdBefore", "2026-01-05", []int{fourth}},
			{"createdBefore", "2026-01-06", []int{fourth, fifth}},
			{"createdSince", made, []int{fifth}},
			{"createdSince", elsewhere, []int{fifth}},
			{"createdSince", instant.Add(time.Millisecond).Format(time.RFC3339Nano), []int{}},
			{"createdBefore", made, []int{fourth}},
			{"createdBefore", before, []int{fourth}},
			{"updatedSince", "2026-01-06", []int{fourth}},
			{"updatedSince", changed.Text("updatedAt"), []int{fourth}},
			{"updatedSince", made, []int{fourth, fifth}},
		} {
			sameIDs(t, w.name+" "+w.value, listed(t, c, "/leads", w.name, w.value), w.want)
		}
		sameIDs(t, "a day", listed(t, c, "/leads", "createdSince", "2026-01-05", "createdBefore", "2026-01-06"), []int{fifth})
		sameIDs(
			t, "an empty window", listed(t, c, "/leads", "createdSince", "2026-01-06", "createdBefore", "2026-01-05"), []int{},
		)
		if err := a.Tenants.Set(t.Context(), c.Host, service.SettingTimeZone, "Asia/Tokyo"); err != nil {
			t.Fatal(err)
		}
		sameIDs(
			t, "a day in Tokyo", listed(t, c, "/leads", "createdSince", "2026-01-05", "createdBefore", "2026-01-06"),
			[]int{fourth, fifth},
		)
	})
}

func TestFieldsSelectsColumns(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "fields.test")
		lead := seedLead(t, c, apptest.Object{"notes": "x"})
		merchant := seedMerchant(t, c, nil)
		deal := seedDeal(t, c, merchant, nil)
		columns := func(record apptest.Object) string {
			var names []string
			for name := range record {
				names = append(names, name)
			}
			slices.Sort(names)
			return strings.Join(names, " ")
		}
		full := c.Get(t, path("/leads", lead)).In("lead")
		for fields, want := range map[string]string{
			"id": "id", "notes": "id notes", "notes,id": "id notes", "notes,notes": "id notes", "dbaName": "dbaName id",
			strings.ReplaceAll(columns(full), " ", ","): columns(full),
		} {
			for from, record := range map[string]apptest.Object{
				"a list":   c.Get(t, "/leads"+query("fields", fields)).List("leads")[0],
				"a record": c.Get(t, path("/leads", lead)+query("fields", fields)).In("lead"),
			} {
				if got := columns(record); got != want {
					t.Errorf("%s of %s: %s", fields, from, got)
				}
			}
		}
		for _, bad := range []string{
			"", "name", "Notes", "notes,", "notes, id", "tenantId", "tenant_id", "notes;id", "*", "lead.notes",
		} {
			for _, address := range []string{"/leads", path("/leads", lead)} {
				messages := c.Do(t, "GET", address+query("fields", bad), nil).Problem(t, 400, "validation_error")
				if len(messages) != 1 || messages["fields"] == "" {
					t.Errorf("%s?fields=%s names %v", address, bad, messages)
				}
			}
		}
		messages := c.Do(t, "GET", "/leads?fields=name&limit=0&who=1", nil).Problem(t, 400, "validation_error")
		if len(messages) != 3 {
			t.Errorf("fields, limit and who: %v", messages)
		}
		record := c.Get(t, path("/deals", deal)+"?fields=state&expand=merchant,payments").In("deal")
		if got := columns(record); got != "id merchant payments state" {
			t.Errorf("an expanded deal with one column has %s", got)
		}
		c.Do(t, "GET", path("/deals", deal)+"?fields=merchant&expand=merchant", nil).Problem(t, 400, "validation_error")
	})
}

func TestWrongParametersAreNamed(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "params.test")
	lead, deal := seedLead(t, c, nil), seedDeal(t, c, seedMerchant(t, c, nil), nil)
	for _, p := range []struct{ address, code, name string }{
		{"/leads?limit=0", "validation_error", "limit"},
		{"/leads?limit=201", "validation_error", "limit"},
		{"/leads?limit=abc", "validation_error", "limit"},
		{"/leads?limit=", "validation_error", "limit"},
		{"/leads?statuss=NEW", "validation_error", "statuss"},
		{"/leads?status=NEW&status=NEW", "validation_error", "status"},
		{"/leads?limit=1&limit=2", "validation_error", "limit"},
		{"/leads?cursor=a&cursor=b", "validation_error", "cursor"},
		{"/leads?%73tatus=NEW&status=DEAD", "validation_error", "status"},
		{"/leads?status=WON", "validation_error", "status"},
		{"/leads?source=%ff", "validation_error", "source"},
		{"/leads?source=%00", "validation_error", "source"},
		{"/leads?q=%c3%28", "validation_error", "q"},
		{"/leads?sort=nope", "invalid_sort", "sort"},
		{"/leads?sort=id:sideways", "invalid_sort", "sort"},
		{"/leads?expand=deal", "invalid_expand", "expand"},
		{"/deals?expand=lead", "invalid_expand", "expand"},
		{"/payments?dealId=x", "invalid_id", "dealId"},
		{"/payments?dealId=01", "invalid_id", "dealId"},
		{"/payments?dealId=%2B1", "invalid_id", "dealId"},
		{"/leads?ids=x", "invalid_id", "ids"},
		{"/leads?" + strings.Repeat("a", 500) + "=1", "validation_error", strings.Repeat("a", 500)},
		{path("/leads", lead) + "?limit=5", "validation_error", "limit"},
		{path("/leads", lead) + "?expand=owner", "invalid_expand", "expand"},
		{path("/leads", lead) + "?expand=", "invalid_expand", "expand"},
		{path("/deals", deal) + "?expand=lead", "invalid_expand", "expand"},
		{path("/deals", deal) + "?expand=", "invalid_expand", "expand"},
		{path("/deals", deal) + "?fields=id&fields=id", "validation_error", "fields"},
		{"/whoami?verbose=1", "validation_error", "verbose"},
	} {
		messages := c.Do(t, "GET", p.address, nil).Problem(t, 400, p.code)
		if len(messages) != 1 || messages[p.name] == "" {
			t.Errorf("%s names %v", p.address, messages)
		}
	}
	for _, broken := range []string{"/leads?a=%zz", "/leads?a=1;b=2", "/leads?%"} {
		c.Do(t, "GET", broken, nil).Problem(t, 400, "bad_request")
	}
	for method, address := range map[string]string{
		"POST": "/leads?dryRun=1", "PATCH": path("/leads", lead) + "?force=1",
		"DELETE": path("/leads", lead) + "?force=1",
	} {
		if messages := c.Do(t, method, address, apptest.Object{"businessName": "x"}).Problem(t, 400, "validation_error"); len(
			messages,
		) != 1 {
			t.Errorf("%s %s names %v", method, address, messages)
		}
	}
	if got := len(c.Get(t, "/leads").List("leads")); got != 1 {
		t.Errorf("%d leads after nothing but refusals", got)
	}
}
