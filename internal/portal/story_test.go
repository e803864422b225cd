package portal_test

import (
	"context"
	"encoding/json"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

// TestAWholeDealInABrowser lives through a deal as staff do, under every funding block that there is.
func TestAWholeDealInABrowser(t *testing.T) { browsed(t, "story.mjs", story, apptest.Delivering()) }

// story prepares a company that funds under the full policy, a form on which it takes applications, a key by which a machine
// delivers what it read of statements, and a system of its customer's that hears of what happens.
func story(t *testing.T, a *apptest.App) apptest.Object {
	t.Helper()
	if err := a.Tenants.Set(context.Background(), "localhost", service.SettingPolicy, "full"); err != nil {
		t.Fatal(err)
	}
	form, err := a.Forms.Create(a.Operator(t, "localhost"), service.FormInput{
		Name: service.Some("Apply online"), Slug: service.Some("apply"), Fields: service.Some(json.RawMessage(`[
			{"name": "business", "label": "Business", "type": "text", "required": true, "mapsTo": ["lead.businessName", "merchant.legalName"]},
			{"name": "email", "label": "E-mail", "type": "email", "required": true, "mapsTo": ["lead.email"]},
			{"name": "ein", "label": "EIN", "type": "ein", "required": true, "mapsTo": ["merchant.federalId"]},
			{"name": "state", "label": "State", "type": "state", "required": true, "mapsTo": ["merchant.state"]},
			{"name": "amount", "label": "How much?", "type": "money", "required": false, "mapsTo": ["lead.requestedAmount"]}]`)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Object{
		"form": form.Slug, "business": "Harbor Street Bakery LLC", "key": a.Key(t, "localhost").Token,
		"receiver": apptest.NewReceiver(t, nil).URL + "/hooks",
	}
}
