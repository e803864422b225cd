package portal_test

import (
	"context"
	"testing"

	"paydown/ent/user"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// TestStaffInABrowser looks after an account and a company, and tries what a member who may only read is kept from.
func TestStaffInABrowser(t *testing.T) { browsed(t, "staff.mjs", office, apptest.Delivering()) }

// office prepares a company with a deal, an endpoint and a notification about it, a second member who may only read, and a
// key by which another system writes.
func office(t *testing.T, a *apptest.App) apptest.Object {
	t.Helper()
	key := a.Key(t, "localhost").Token
	c := a.As("localhost", key)
	reader := "reader@portal.test"
	a.Member(t, "localhost", reader, "read-only")
	c.Post(t, "/leads", apptest.Object{"businessName": "Tamarack Auto Body"})
	merchant := c.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC", "state": "CA"}).In("merchant").ID()
	deal := c.Post(t, "/deals", apptest.Object{"merchantId": merchant, "fundedAmount": "50000.00", "factorRate": "1.30"}).In("deal").ID()
	endpoint := c.Post(t, "/webhook-endpoints", apptest.Object{
		"url": apptest.NewReceiver(t, nil).URL + "/hooks", "events": []string{"*"},
	}).In("webhookEndpoint").ID()
	ctx := a.Operator(t, "localhost")
	err := a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		admin, err := tx.User.Query().Where(user.Email(staff)).Only(ctx)
		if err != nil {
			return err
		}
		return tx.Notification.Create().SetUserID(admin.ID).SetKind("webhook.paused").SetTitle("An endpoint is paused").
			SetBody("Find out why its receiver does not answer.").SetEntity("webhookEndpoint").SetEntityID(endpoint).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Object{"reader": reader, "key": key, "endpoint": endpoint, "deal": deal}
}
