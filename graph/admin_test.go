package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
	"paydown/internal/store"
)

func TestViewerShowsPermissions(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "viewer.test")
		const query = `{ viewer { kind readOnly permissions scopes unreadNotifications user { email role { name } }
			apiKey { name scopes } company { name host timeZone sandbox } } }`
		admin := a.Staff(t, host, "admin").Graph(t, query, nil).In("viewer")
		if admin.Text("kind") != "USER" || admin.In("user").Text("email") != "admin@"+host || admin["apiKey"] != nil ||
			len(
				admin["permissions"].([]any),
			) != len(
				auth.StaffPermissions,
			) || len(admin["scopes"].([]any)) != 2*len(auth.Resources) {
			t.Errorf("admin: %v", admin)
		}
		if company := admin.In("company"); company.Text("host") != host || company.Text("timeZone") != "America/New_York" ||
			company["sandbox"] != false {
			t.Errorf("company: %v", company)
		}
		seller := a.Staff(t, host, "sales").Ask(t, query, nil)
		seller.Refused(t, "forbidden") // the role is for who looks after users
		if v := seller.Data.In("viewer"); len(v["permissions"].([]any)) != 0 ||
			!slices.Contains(v["scopes"].([]any), any("leads:read")) {
			t.Errorf("sales: %v", v)
		}
		key := a.As(
			host, a.NewKey(t, host, service.NewKey{Name: "CRM", Kind: auth.Test, Scopes: []string{"leads:write"}}).Token,
		)
		v := key.Graph(t, query, nil).In("viewer")
		if v.Text("kind") != "KEY" || v["user"] != nil || v.In("apiKey").Text("name") != "CRM" || v["readOnly"] != true ||
			fmt.Sprint(v["scopes"]) != "[leads:read leads:write]" || len(v["permissions"].([]any)) != 0 {
			t.Errorf("key: %v", v)
		}
		if _, err := a.Tenants.ProvisionSandbox(t.Context(), host); err != nil {
			t.Fatal(err)
		}
		await(t, func() bool {
			v := key.Graph(t, query, nil).In("viewer")
			return v.In("company")["sandbox"] == true && v["readOnly"] == false && v.In("apiKey").Text("name") == "CRM"
		})
	})
}

func TestAdminManagesStaff(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "staff.test")
		admin := a.Staff(t, host, "admin")
		roles := admin.Graph(t, "{ roles { id code name permissions } staffPermissions { permission doc } }", nil)
		if len(roles.List("roles")) != len(auth.Roles) || len(roles.List("staffPermissions")) != len(auth.StaffPermissions) {
			t.Errorf("%v", roles)
		}
		roleID := admin.Graph(t, `mutation {
			createRole(input: {name: "Desk", permissions: ["leads:read", "users.manage"]}) { id permissions } }`, nil).
			In("createRole").Text("id")
		made := admin.Graph(t, `mutation ($in: NewUser!) {
			createUser(input: $in) {
				user { id name isActive role { name } secondFactor } reset { token expiresAt } } }`,
			map[string]any{
				"in": map[string]any{"email": "Dana@Staff.test", "name": "Dana Whitfield", "roleId": roleID},
			}).
			In("createUser")
		id := made.In("user").Text("id")
		if made.In("user").In("role").Text("name") != "Desk" || made.In("user")["secondFactor"] != false {
			t.Errorf("%v", made)
		}
		browser := a.Browser(host)
		reset := apptest.Object{"token": made.In("reset").Text("token"), "password": apptest.Password}
		browser.Do(t, http.MethodPost, "/auth/reset", reset).Want(t, 200)
		browser.Login(t, "dana@staff.test")
		dana := browser.With("Cookie", cookieOf(browser))
		if n := len(dana.Graph(t, "{ colleagues { id name } users { nodes { id } } }", nil).List("colleagues")); n != 2 {
			t.Errorf("%d colleagues", n)
		}
		// Nobody grants what they do not have.
		dana.Ask(t, `mutation { createRole(input: {name: "More", permissions: ["deals:write"]}) { id } }`, nil).
			Refused(t, "forbidden")
		dana.Ask(t, fmt.Sprintf(`mutation { updateRole(id: %s, input: {permissions: ["*"]}) { id } }`, roleID), nil).
			Refused(t, "forbidden")
		dana.Ask(t, `mutation { disableUser(id: 1) { id } }`, nil).Refused(t, "forbidden")
		// An indispensable permission always keeps a holder.
		admin.Ask(t, fmt.Sprintf(`mutation { updateUser(id: 1, input: {roleId: %s}) { id } }`, roleID), nil).
			Refused(t, "conflict")
		admin.Ask(t, fmt.Sprintf(`mutation { deleteRole(id: %s) }`, roleID), nil).Refused(t, "conflict")

		admin.Graph(t, fmt.Sprintf(`mutation { updateUser(id: %s, input: {name: "Dana W."}) { name } }`, id), nil)
		if n := admin.Graph(t, fmt.Sprintf("mutation { endUserSessions(id: %s) }", id), nil).Int("endUserSessions"); n != 1 {
			t.Errorf("%d sessions ended", n)
		}
		if browser.Status(t) != http.StatusUnauthorized {
			t.Error("the session goes on")
		}
		if n := admin.Graph(t, fmt.Sprintf("mutation { endUserSessions(id: %s) }", id), nil).Int("endUserSessions"); n != 0 {
			t.Errorf("%d sessions ended the second time", n)
		}
		for _, on := range []bool{false, true} {
			field := map[bool]string{false: "disableUser", true: "enableUser"}[on]
			for range 2 {
				user := admin.Graph(t, fmt.Sprintf("mutation { %s(id: %s) { isActive role { name } } }", field, id), nil).In(field)
				if user["isActive"] != on || user.In("role").Text("name") != "Desk" {
					t.Errorf("%s: %v", field, user)
				}
			}
		}
		admin.Graph(
			t,
			fmt.Sprintf(
				"mutation { resetUserPassword(id: %s) { token expiresAt } dropUserSecondFactor(id: %s) { id } }", id, id,
			),
			nil,
		)
		found := admin.Graph(t, `{ users(filter: {q: "dana"}, sort: {field: NAME}) {
			totalCount nodes { email role { code name } } } }`, nil).
			In("users")
		if found.Int("totalCount") != 1 || found.List("nodes")[0].In("role").Text("name") != "Desk" {
			t.Errorf("%v", found)
		}
		a.Staff(t, host, "accounting").Ask(t, "{ users { totalCount } }", nil).Refused(t, "forbidden")
	})
}

// cookieOf returns what a browser sends of its cookies.
func cookieOf(b *apptest.Browser) string {
	var cookies []string
	for name, value := range b.Cookies {
		cookies = append(cookies, name+"="+value)
	}
	return strings.Join(cookies, "; ")
}

func TestAdminManagesCompany(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "company.test")
		admin := a.Staff(t, host, "admin")
		const settings = `{ company { name timeZone inboundSecretSet } fundingPolicy { version profile blocks }
			fundingPolicies { version } fundingBlockRules { code title at hard } }`
		before := admin.Graph(t, settings, nil)
		if before.In("company")["inboundSecretSet"] != false || before.In("fundingPolicy").Int("version") != 1 ||
			len(before.List("fundingBlockRules")) != 20 {
			t.Errorf("%v", before)
		}
		refused := admin.Ask(t, `mutation { updateCompany(input: {name: "", timeZone: "Mars/Olympus"}) { id } }`, nil).
			Refused(t, "validation_error")
		if refused["name"] == "" || refused["timeZone"] == "" {
			t.Errorf("%v", refused)
		}
		changed := admin.Graph(t, `mutation {
			updateCompany(input: {name: "Northline", timeZone: "America/Chicago"}) { name timeZone } }`, nil).
			In("updateCompany")
		if changed.Text("name") != "Northline" || changed.Text("timeZone") != "America/Chicago" {
			t.Errorf("%v", changed)
		}
		if v := admin.Graph(t, "{ viewer { company { name timeZone } } }", nil).In("viewer").In("company"); v.Text(
			"name",
		) != "Northline" {
			t.Errorf("%v", v)
		}
		problems := admin.Ask(t, `mutation {
			saveFundingPolicy(blocks: ["OPEN_POSITION", "NO_SUCH", "OPEN_POSITION"]) { id } }`, nil).
			Refused(t, "validation_error")
		if problems["blocks.1"] == "" || problems["blocks.2"] == "" {
			t.Errorf("%v", problems)
		}
		for range 2 { // the same again is the version that there is
			saved := admin.Graph(t, `mutation {
				saveFundingPolicy(blocks: ["OPEN_POSITION", "MERCHANT_DEFAULTED"]) { version profile blocks } }`, nil).
				In("saveFundingPolicy")
			if saved.Int("version") != 2 || fmt.Sprint(saved["blocks"]) != "[MERCHANT_DEFAULTED OPEN_POSITION]" {
				t.Errorf("%v", saved)
			}
		}
		first := admin.Graph(t, "mutation { rotateInboundSecret { secret } }", nil).In("rotateInboundSecret").Text("secret")
		second := admin.Graph(t, "mutation { rotateInboundSecret { secret } }", nil).In("rotateInboundSecret").Text("secret")
		if after := admin.Graph(t, settings, nil); first == second || !strings.HasPrefix(second, "whsec_") ||
			after.In("company")["inboundSecretSet"] != true || len(after.List("fundingPolicies")) != 2 ||
			strings.Contains(a.Log.String(), second) {
			t.Errorf("%v", after)
		}
		seller := a.Staff(t, host, "sales")
		for _, field := range []string{
			"rotateInboundSecret { secret }", "saveFundingPolicy(blocks: []) { id }", `updateCompany(input: {name: "x"}) { id }`,
			`createApiKey(input: {name: "x", kind: LIVE, scopes: ["leads:read"]}) { token }`,
			"reapplyInboundEvent(id: 1) { id }",
		} {
			seller.Ask(t, "mutation { "+field+" }", nil).Refused(t, "forbidden")
		}
	})
}

func TestAdminManagesAPIKeys(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "keys.test")
		admin := a.Staff(t, host, "admin")
		problems := admin.Ask(t, `mutation { createApiKey(input: {
			name: "CRM", kind: LIVE, scopes: ["leads:own"], expiresDays: 7, ipAllowList: ["nowhere"]}) { token } }`, nil).
			Refused(t, "validation_error")
		for _, path := range []string{"scopes.0", "expiresDays", "ipAllowList.0"} {
			if problems[path] == "" {
				t.Errorf("%s: %v", path, problems)
			}
		}
		for _, days := range []string{"0", "-30", "31"} {
			query := `mutation {
				createApiKey(input: {name: "CRM", kind: LIVE, scopes: ["leads:read"], expiresDays: ` + days + `}) { token } }`
			if reported := admin.Ask(t, query, nil).Refused(t, "validation_error"); reported["expiresDays"] == "" {
				t.Errorf("%s days: %v", days, reported)
			}
		}
		made := admin.Graph(t, `mutation {
			createApiKey(input: {name: "CRM", purpose: "Leads", kind: LIVE, scopes: ["leads:write"], expiresDays: 90}) {
				token apiKey { id last4 rateLimit isValid expiresAt callCount } } }`, nil).
			In("createApiKey")
		token, id := made.Text("token"), made.In("apiKey").Text("id")
		if !strings.HasSuffix(token, made.In("apiKey").Text("last4")) ||
			made.In("apiKey").Int("rateLimit") != service.DefaultRateLimit ||
			made.In("apiKey").Text("expiresAt") == "" {
			t.Errorf("%v", made)
		}
		old := a.As(host, token)
		old.Get(t, "/leads")
		updated := admin.Graph(t, fmt.Sprintf(`mutation {
			updateApiKey(id: %s, input: {purpose: null, ipAllowList: ["127.0.0.1"]}) {
				name purpose scopes ipAllowList } }`, id), nil).
			In("updateApiKey")
		if updated.Text("name") != "CRM" || updated["purpose"] != nil || fmt.Sprint(updated["scopes"]) != "[leads:write]" ||
			fmt.Sprint(updated["ipAllowList"]) != "[127.0.0.1]" {
			t.Errorf("%v", updated)
		}
		next := admin.Graph(t, fmt.Sprintf(`mutation { rotateApiKey(id: %s) { token apiKey { id } } }`, id), nil).
			In("rotateApiKey")
		old.Get(t, "/leads") // for 24 hours more
		await(t, func() bool {
			const query = "{ apiKey(id: %s) { callCount lastUsedAddress retiresAt replacedById isValid } }"
			key := admin.Graph(t, fmt.Sprintf(query, id), nil).
				In("apiKey")
			return key.Int("callCount") == 2 && key.Text("lastUsedAddress") == "127.0.0.1" && key.Text("retiresAt") != "" &&
				key.Text("replacedById") == next.In("apiKey").Text("id") && key["isValid"] == true
		})
		revoke := fmt.Sprintf("mutation { revokeApiKey(id: %s) { revokedAt isValid } }", id)
		for range 2 {
			ended := admin.Graph(t, revoke, nil).In("revokeApiKey")
			if ended.Text("revokedAt") == "" || ended["isValid"] != false {
				t.Errorf("%v", ended)
			}
		}
		old.Do(t, http.MethodGet, "/leads", nil).Problem(t, 401, "unauthorized")
		a.As(host, next.Text("token")).Get(t, "/leads")
		// A member who may edit the settings can create keys of any scope, even of scopes they lack.
		admin.Graph(
			t, `mutation { createRole(input: {name: "Settings", permissions: ["edit-company-settings"]}) { id } }`, nil,
		)
		a.Member(t, host, "desk@keys.test", "Settings")
		b := a.Browser(host)
		b.Login(t, "desk@keys.test")
		limited := b.With("Cookie", cookieOf(b))
		limited.Do(t, http.MethodGet, "/api/v1/leads", nil).Want(t, http.StatusUnauthorized)
		limited.Ask(t, "{ leads { totalCount } }", nil).Refused(t, "forbidden")
		issued := limited.Graph(t, `mutation {
			createApiKey(input: {name: "x", kind: LIVE, scopes: ["leads:write", "deals:read"]}) {
				token apiKey { id } } }`, nil).
			In("createApiKey")
		a.As(host, issued.Text("token")).Get(t, "/deals")
		key := issued.In("apiKey").Text("id")
		rotated := limited.Graph(t, fmt.Sprintf("mutation { rotateApiKey(id: %s) { apiKey { id } } }", key), nil).
			In("rotateApiKey").
			In("apiKey").
			Text("id")
		limited.Graph(
			t, fmt.Sprintf(`mutation { updateApiKey(id: %s, input: {scopes: ["*:read"], ipAllowList: []}) { id } }`, rotated),
			nil,
		)
		limited.Graph(t, fmt.Sprintf("mutation { revokeApiKey(id: %s) { id } }", rotated), nil)
		limited.Ask(t, "mutation { rotateInboundSecret { secret } }", nil).Refused(t, "forbidden")
	})
}

func TestInboundEventsAreReapplied(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "inbound.test")
		admin := a.Staff(t, c.Host, "admin")
		deal := newDeal(t, c)
		sender := a.Sender(t, c.Host)
		sender.Send(t, "crm", fmt.Sprintf(`{"eventId": "a", "dealId": %d}`, deal))
		sender.Send(
			t, "processor", `{"eventId": "b", "type": "payment.settled", "externalTransferId": "tr-1", "paymentId": 1}`,
		)
		const query = `{ inboundEvents(filter: {state: FAILED}) {
			totalCount nodes { id source externalId error payload appliedAt deal { id } } } }`
		events := admin.Graph(t, query, nil).In("inboundEvents")
		if events.Int("totalCount") != 1 || events.List("nodes")[0].Text("externalId") != "b" ||
			events.List("nodes")[0].Text("error") == "" ||
			events.List("nodes")[0].In("payload").Text("externalTransferId") != "tr-1" {
			t.Fatalf("%v", events)
		}
		id := events.List("nodes")[0].Text("id")
		keyed := admin.With("Idempotency-Key", "again")
		reapply := bodyOf(t, fmt.Sprintf("mutation { reapplyInboundEvent(id: %s) { state appliedAt deal { id } } }", id), nil)
		for range 2 { // what fails is not kept for its key
			answer := post(t, keyed, reapply)
			if problems := answer.Want(t, 200).List("errors"); len(problems) != 1 || answer.Header.Get(replayed) != "" {
				t.Fatalf("%s", answer.Body)
			}
		}
		made(t, c, "/payments", "payment", apptest.Object{
			"dealId": deal, "type": "OTHER_FEE", "amount": "5.00", "status": "SUBMITTED",
		})
		done := post(t, keyed, reapply).Want(t, 200).In("data").In("reapplyInboundEvent")
		if done.Text("state") != "APPLIED" || done.In("deal").Text("id") != fmt.Sprint(deal) {
			t.Errorf("%v", done)
		}
		admin.Ask(t, fmt.Sprintf("mutation { reapplyInboundEvent(id: %s) { id } }", id), nil).Refused(t, "conflict")
	})
}

func TestViewerSeesOnlyOwnNotifications(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "notes.test")
		admin, seller := a.Staff(t, host, "admin"), a.Staff(t, host, "sales")
		for i := range 3 {
			notify(t, a, host, fmt.Sprintf("Webhook endpoint %d is paused", i+1))
		}
		const query = `{ viewer { unreadNotifications } notifications(filter: {unread: true}) {
			totalCount nodes { id title readAt entity entityId } } }`
		mine := admin.Graph(t, query, nil)
		nodes := mine.In("notifications").List("nodes")
		if mine.In("viewer").Int("unreadNotifications") != 3 || mine.In("notifications").Int("totalCount") != 3 ||
			len(nodes) != 3 {
			t.Fatalf("%v", mine)
		}
		if theirs := seller.Graph(t, query, nil); theirs.In("notifications").Int("totalCount") != 0 {
			t.Errorf("%v", theirs)
		}
		mark := fmt.Sprintf(
			"mutation { markNotificationsRead(ids: [%s, %s]) { id readAt } }", nodes[0].Text("id"), nodes[1].Text("id"),
		)
		seller.Ask(t, mark, nil).Refused(t, "not_found")
		first, again := admin.Graph(t, mark, nil), admin.Graph(t, mark, nil)
		if read := first.List("markNotificationsRead"); len(read) != 2 || read[0].Text("readAt") == "" ||
			fmt.Sprint(first) != fmt.Sprint(again) {
			t.Errorf("%v, then %v", first, again)
		}
		const read = "{ notifications(filter: {unread: false}) { totalCount } }"
		if n := admin.Graph(t, read, nil).In("notifications").Int("totalCount"); n != 2 {
			t.Errorf("%d are read", n)
		}
		for _, want := range []int{1, 0} {
			if n := admin.Graph(t, "mutation { markAllNotificationsRead }", nil).Int("markAllNotificationsRead"); n != want {
				t.Errorf("%d were not read, want %d", n, want)
			}
		}
	})
}

// notify sends the administrators a notification.
func notify(t *testing.T, a *apptest.App, host, title string) {
	t.Helper()
	rows := apptest.NewRows(a, host)
	admin, err := a.Users.Find(a.Operator(t, host), "admin@"+host)
	if err != nil {
		t.Fatal(err)
	}
	rows.Parents["User"] = admin.ID
	rows.Write(t, func(ctx context.Context, tx *store.Tx) error {
		_, err := rows.Add(ctx, tx, "Notification", apptest.Values{"kind": "webhook.paused", "title": title})
		return err
	})
}

// A key manages webhook endpoints if it has their scope. A staff member also needs the permission for the
// company's settings.
func TestWebhookEndpointPermissions(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Names.Set("hooks.example.com", "93.184.215.14")
		c := a.Client(t, "hooks.test")
		admin := a.Staff(t, c.Host, "admin")
		admin.Graph(t, `mutation { createRole(input: {name: "Operations", permissions: ["webhooks:write"]}) { id } }`, nil)
		a.Member(t, c.Host, "ops@hooks.test", "Operations")
		b := a.Browser(c.Host)
		b.Login(t, "ops@hooks.test")
		operations := b.With("Cookie", cookieOf(b))
		const create = `mutation { createWebhookEndpoint(input: {url: "https://hooks.example.com/x", events: ["*"]}) { webhookEndpoint { id } } }`
		operations.Ask(t, create, nil).Refused(t, "forbidden")
		id := c.Graph(t, create, nil).In("createWebhookEndpoint").In("webhookEndpoint").Text("id")
		for _, field := range []string{
			"updateWebhookEndpoint(id: %s, input: {isActive: false}) { id }", "rotateWebhookSecret(id: %s) { secret }",
			"deleteWebhookEndpoint(id: %s)",
		} {
			operations.Ask(t, "mutation { "+fmt.Sprintf(field, id)+" }", nil).Refused(t, "forbidden")
		}
		operations.Graph(t, fmt.Sprintf(`mutation { testWebhookEndpoint(id: %s) { id } }`, id), nil)
		for _, on := range []bool{false, true} {
			admin.Graph(
				t, fmt.Sprintf("mutation { updateWebhookEndpoint(id: %s, input: {isActive: %t}) { isActive } }", id, on), nil,
			)
		}
		admin.Graph(t, fmt.Sprintf("mutation { deleteWebhookEndpoint(id: %s) }", id), nil)
	})
}
