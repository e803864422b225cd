package graph_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// Staff set in GraphQL what the public API does not accept. A key can do so in neither.
func TestStaffOnlyFieldsAreSettable(t *testing.T) {
	for _, c := range []struct {
		path, singular, record string
		values                 apptest.Object
		given, refused         map[string]any
	}{
		{
			"/leads", "lead", "Lead",
			apptest.Object{"businessName": "Harbor Street Bakery"},
			map[string]any{"ownerId": "MEMBER", "nextActionAt": "2026-02-03T15:00:00.000Z"},
			map[string]any{"ownerId": 99999, "nextActionAt": "soon"},
		},
		{
			"/merchants", "merchant", "Merchant",
			apptest.Object{"legalName": "Harbor Street Bakery LLC"},
			map[string]any{"merchantStatusId": "STATUS", "externalSource": "crm", "externalRef": "A-1042"},
			map[string]any{"merchantStatusId": 99999, "externalSource": strings.Repeat("x", 501), "externalRef": "a\nb"},
		},
		{
			"/deals", "deal", "Deal",
			apptest.Object{"merchantId": "MERCHANT"},
			map[string]any{"commissionOfferId": "OFFER", "externalSource": "crm", "externalRef": "D-7"},
			map[string]any{"commissionOfferId": 99999, "externalSource": strings.Repeat("x", 501), "externalRef": "a\nb"},
		},
		{
			"/isos", "iso", "Iso",
			apptest.Object{"name": "Gulf Coast Brokers LLC"},
			map[string]any{
				"ein": "12-3456789", "entityType": "LLC", "signerName": "Dana Whitfield", "signerTitle": "Managing member",
				"addressLine1": "400 Poydras Street", "addressLine2": "Suite 1200", "city": "New Orleans", "state": "LA",
				"postalCode": "70130", "agreementSignedAt": "2026-01-02T15:00:00.000Z", "w9OnFileAt": "2026-01-02T15:00:00.000Z",
				"voidedCheckAt": "2026-01-02T15:00:00.000Z", "idOnFileAt": "2026-01-02T15:00:00.000Z",
			},
			map[string]any{
				"ein": "12-34567", "state": "Louisiana", "postalCode": "7013", "signerName": strings.Repeat("x", 201),
				"agreementSignedAt": "2126-01-02T15:00:00.000Z", "w9OnFileAt": "2126-01-02T15:00:00.000Z",
				"voidedCheckAt": "2126-01-02T15:00:00.000Z", "idOnFileAt": "2126-01-02T15:00:00.000Z",
			},
		},
	} {
		t.Run(c.record, func(t *testing.T) {
			apptest.Databases(t, func(t *testing.T, a *apptest.App) {
				a.Clock.Set(time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC))
				key := a.Client(t, "fields.test")
				boss := a.Staff(t, "fields.test", "admin")
				ids := map[string]string{
					"MERCHANT": fmt.Sprint(
						made(t, key, "/merchants", "merchant", apptest.Object{"legalName": "Tallow & Wick LLC"}).ID(),
					),
					"MEMBER": fmt.Sprint(a.Member(t, "fields.test", "dana@fields.test", "sales")),
					"STATUS": boss.Graph(t, "{ merchantStatuses { id } }", nil).List("merchantStatuses")[1].Text("id"),
					"OFFER": boss.Graph(t, `mutation { it: createCommissionOffer(input: {
						name: "Standard", commissionBasis: PERCENT_OF_FUNDED, commissionValue: "8"}) { id } }`, nil).In("it").Text("id"),
				}
				resolve := func(values map[string]any) map[string]any {
					all := map[string]any{}
					for name, v := range values {
						if text, ok := v.(string); ok && ids[text] != "" {
							v = ids[text]
						}
						all[name] = v
					}
					return all
				}
				fields := "{ id "
				for name := range c.given {
					fields += name + " "
				}
				fields += "}"
				create := "mutation($input: New" + c.record + "!) { it: create" + c.record + "(input: $input) " + fields + " }"
				update := "mutation($id: ID!, $input: Update" + c.record + "!) { " +
					"it: update" + c.record + "(id: $id, input: $input) " + fields + " }"

				whole := resolve(c.values)
				maps.Copy(whole, resolve(c.given))
				made := boss.Graph(t, create, map[string]any{"input": whole}).In("it")
				id := made.Text("id")
				for name, want := range resolve(c.given) {
					if got := made.Text(name); got != want {
						t.Errorf("%s is %q, given %q", name, got, want)
					}
				}
				// Null clears each of them, which the audit trail shows.
				cleared := map[string]any{}
				for name := range c.given {
					cleared[name] = nil
				}
				boss.Graph(t, update, map[string]any{"id": id, "input": cleared})
				after := boss.Graph(t, update, map[string]any{"id": id, "input": map[string]any{}}).In("it")
				entries := boss.Graph(t, `query($id: ID) {
					auditEntries(first: 1, filter: {entity: "`+c.singular+`", entityId: $id},
						sort: {field: ID, direction: DESC}) { nodes { action before after } } }`,
					map[string]any{"id": id}).
					In("auditEntries").
					List("nodes")
				for name, was := range resolve(c.given) {
					if after[name] != nil {
						t.Errorf("%s is still %v", name, after[name])
					}
					if !strings.Contains(fmt.Sprint(entries[0].In("before")), fmt.Sprint(was)) && !strings.HasSuffix(name, "At") {
						t.Errorf("the audit trail does not show %s: %v", name, entries[0])
					}
				}
				if entries[0].Text("action") != c.singular+".update" {
					t.Errorf("%v", entries)
				}
				for name, bad := range c.refused {
					answer := boss.Ask(t, update, map[string]any{"id": id, "input": map[string]any{name: bad}})
					code := "validation_error"
					if bad == 99999 {
						code = "invalid_reference"
					}
					if messages := answer.Refused(t, code); messages[name] == "" {
						t.Errorf("%s: %v", name, messages)
					}
				}
				for name, v := range resolve(c.given) {
					one := map[string]any{name: v}
					asked := key.Ask(t, update, map[string]any{"id": id, "input": one})
					if messages := asked.Refused(t, "forbidden"); messages[name] == "" {
						t.Errorf("a key sets %s: %v", name, messages)
					}
					messages := key.Do(t, "PATCH", c.path+"/"+id, one).Problem(t, 400, "validation_error")
					if messages[name] != "unknown field" {
						t.Errorf("REST takes %s: %v", name, messages)
					}
				}
			})
		})
	}
}

func TestExternalReferenceIsUnique(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Tenant(t, "external.test")
		boss := a.Staff(t, "external.test", "admin")
		create := `mutation { it: createMerchant(input: {
			legalName: "Harbor Street Bakery LLC", externalSource: "crm", externalRef: "1"}) { id } }`
		first := boss.Graph(t, create, nil).In("it").Text("id")
		if messages := boss.Ask(t, create, nil).Refused(t, "conflict"); messages["externalRef"] == "" {
			t.Errorf("%v", messages)
		}
		for i, want := range []string{"", "conflict"} {
			answer := boss.Ask(
				t,
				fmt.Sprintf(
					`mutation { it: createDeal(input: {
						merchantId: %s, externalSource: "crm", externalRef: "1", referenceId: "%d"}) { id } }`,
					first, i,
				),
				nil,
			)
			if want != "" {
				answer.Refused(t, want)
			} else if len(answer.Errors) > 0 {
				t.Fatal(answer.Errors)
			}
		}
	})
}

// Under the full policy only these dates make a new broker eligible.
func TestISOEligibilityRequiresAgreement(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := strict(t, a, "eligible.test")
		boss := a.Staff(t, d.Host, "admin")
		broker := made(t, d.Client, "/isos", "iso", apptest.Object{"name": "Gulf Coast Brokers LLC"}).ID()
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"isoId": broker})
		if d.blocks(t, "")["ISO_NOT_ELIGIBLE"] == nil {
			t.Fatal("a broker without an agreement is eligible")
		}
		boss.Graph(
			t,
			fmt.Sprintf(`mutation { updateIso(id: %d, input: {agreementSignedAt: "2026-01-02", w9OnFileAt: "2026-01-02",
			voidedCheckAt: "2026-01-02", idOnFileAt: "2026-01-02"}) { id } }`, broker),
			nil,
		)
		if b := d.blocks(t, "")["ISO_NOT_ELIGIBLE"]; b != nil {
			t.Errorf("%v", b)
		}
	})
}

func TestLeadOwnerMustBeActive(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Tenant(t, "owner.test")
		dana := a.Member(t, "owner.test", "dana@owner.test", "sales")
		if _, err := a.Users.Disable(a.Operator(t, "owner.test"), dana); err != nil {
			t.Fatal(err)
		}
		stranger := a.Member(t, a.Tenant(t, "elsewhere.test"), "dana@elsewhere.test", "sales")
		boss := a.Staff(t, "owner.test", "admin")
		for id, code := range map[int]string{dana: "conflict", stranger: "invalid_reference"} {
			create := fmt.Sprintf(
				`mutation { createLead(input: {businessName: "Harbor Street Bakery", ownerId: %d}) { id } }`, id,
			)
			if messages := boss.Ask(t, create, nil).Refused(t, code); messages["ownerId"] == "" {
				t.Errorf("%v", messages)
			}
		}
	})
}
