package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
	"paydown/internal/service/list"
	"paydown/internal/service/workspace"
	"paydown/internal/store"
)

// staff creates members of a tenant's staff in a role with these permissions.
func staff(t *testing.T, a *apptest.App, host, roleName string, permissions []string, emails ...string) []*ent.User {
	t.Helper()
	var members []*ent.User
	err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		role, err := tx.Role.Create().SetName(roleName).SetPermissions(permissions).Save(ctx)
		if err != nil {
			return err
		}
		members = nil
		for _, email := range emails {
			member, err := tx.User.Create().SetEmail(email).SetName("Staff").SetRoleID(role.ID).Save(ctx)
			if err != nil {
				return err
			}
			members = append(members, member)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return members
}

// as returns a context in which the member acts.
func as(t *testing.T, a *apptest.App, host string, member *ent.User) context.Context {
	t.Helper()
	operator := auth.From(a.Operator(t, host))
	return auth.With(t.Context(), &auth.Actor{
		Kind: auth.ByUser, ID: member.ID, Name: member.Name, TenantID: operator.TenantID, Zone: operator.Zone,
		Surface: auth.GraphQL, RequestID: "request",
	})
}

// notificationTitles returns the titles of a member's notifications, oldest first.
func notificationTitles(t *testing.T, a *apptest.App, ctx context.Context) string { //nolint:revive // the actor's
	t.Helper()
	page, err := a.Notifications.List(ctx, list.Request{})
	if err != nil {
		t.Fatal(err)
	}
	titles := make([]string, len(page.Records))
	for i, n := range page.Records {
		titles[i] = n.Title
	}
	return strings.Join(titles, ",")
}

func TestAdministratorsAreNotified(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host, other := a.Tenant(t, "one.test"), a.Tenant(t, "other.test")
		full := staff(t, a, host, "everything", []string{"*"}, "first@one.test", "gone@one.test")
		settings := staff(t, a, host, "settings", []string{"deals:read", "edit-company-settings"}, "second@one.test")
		sales := staff(t, a, host, "selling", []string{"deals:write"}, "sales@one.test")
		stranger := staff(t, a, other, "everything", []string{"*"}, "admin@other.test")
		err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
			return tx.User.UpdateOneID(full[1].ID).SetIsActive(false).Exec(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		n := workspace.Notice{Kind: "test", Title: "committed", Body: "Look.", Entity: "webhookEndpoint", EntityID: 7}
		if err := a.Notifications.NotifyInOwnWrite(a.Operator(t, host), n, nil); err != nil {
			t.Fatal(err)
		}
		undone := errors.New("undone")
		n.Title = "undone"
		if err := a.Notifications.NotifyInOwnWrite(a.Operator(t, host), n, undone); !errors.Is(err, undone) {
			t.Fatal(err)
		}
		for _, of := range []struct {
			who    string
			member context.Context
			want   string
		}{
			{"the administrator", as(t, a, host, full[0]), "committed"},
			{"one who may edit settings", as(t, a, host, settings[0]), "committed"},
			{"one who is not active", as(t, a, host, full[1]), ""},
			{"one who may not", as(t, a, host, sales[0]), ""},
			{"another tenant's", as(t, a, other, stranger[0]), ""},
		} {
			if got := notificationTitles(t, a, of.member); got != of.want {
				t.Errorf("%s gets %q, want %q", of.who, got, of.want)
			}
		}
		page, err := a.Notifications.List(as(t, a, host, full[0]), list.Request{Sort: &list.SortBy{Field: "id", Desc: true}})
		if err != nil {
			t.Fatal(err)
		}
		row := page.Records[0]
		if row.Kind != "test" || *row.Body != "Look." || *row.Entity != "webhookEndpoint" || *row.EntityID != 7 ||
			row.ReadAt != nil || row.MailState != notification.MailStateNONE || row.MailNextAt != nil {
			t.Errorf("the notification is %v", row)
		}
	})
}

func TestNotificationsAreMarkedByTheirOwner(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "mark.test")
		admins := staff(t, a, host, "everything", []string{"*"}, "a@mark.test", "b@mark.test")
		for _, title := range []string{"one", "two", "three"} {
			err := a.Notifications.NotifyInOwnWrite(a.Operator(t, host), workspace.Notice{Kind: "test", Title: title}, nil)
			if err != nil {
				t.Fatal(err)
			}
		}
		mine, theirs := as(t, a, host, admins[0]), as(t, a, host, admins[1])
		unread := func(who context.Context, want int) {
			t.Helper()
			if n, err := a.Notifications.Unread(who); n != want || err != nil {
				t.Errorf("%d are unread, want %d: %v", n, want, err)
			}
		}
		unread(mine, 3)
		page, err := a.Notifications.List(mine, list.Request{})
		if err != nil {
			t.Fatal(err)
		}
		first := page.Records[0]
		if _, err := a.Notifications.MarkRead(theirs, first.ID); fault.As(err) == nil ||
			fault.As(err).Code != fault.NotFound {
			t.Errorf("another's notification: %v", err)
		}
		read, err := one(a.Notifications.MarkRead(mine, first.ID))
		if err != nil || read.ReadAt == nil {
			t.Fatalf("marked %v: %v", read, err)
		}
		again, err := one(a.Notifications.MarkRead(mine, first.ID))
		if err != nil || !again.ReadAt.Equal(*read.ReadAt) {
			t.Errorf("marked again %v: %v", again, err)
		}
		unread(mine, 2)
		if n, err := a.Notifications.MarkAllRead(mine); n != 2 || err != nil {
			t.Errorf("%d were not read: %v", n, err)
		}
		unread(mine, 0)
		unread(theirs, 3)
		for name, err := range map[string]error{
			"List":     second(a.Notifications.List(a.Operator(t, host), list.Request{})),
			"MarkRead": second(a.Notifications.MarkRead(a.Operator(t, host), first.ID)),
			"Unread":   second(a.Notifications.Unread(a.Operator(t, host))),
		} {
			if fault.As(err) == nil || fault.As(err).Code != fault.Forbidden {
				t.Errorf("%s by no member of staff: %v", name, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

// one returns the only element.
func one[T any](all []*T, err error) (*T, error) {
	if len(all) != 1 {
		return nil, errors.Join(err, fmt.Errorf("%d instead of one", len(all)))
	}
	return all[0], err
}

func TestMissingRecipientsAreLogged(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "empty.test")
		staff(t, a, host, "selling", []string{"deals:write"}, "sales@empty.test")
		n := workspace.Notice{
			Kind: "webhook.paused", Title: "Webhook endpoint 7 is paused", Body: "In short.",
			Entity: "webhookEndpoint", EntityID: 7,
		}
		if err := a.Notifications.NotifyInOwnWrite(a.Operator(t, host), n, nil); err != nil {
			t.Fatal(err)
		}
		if log := a.Log.String(); !strings.Contains(log, `"level":"WARN"`) || !strings.Contains(log, `"entityId":7`) ||
			!strings.Contains(log, n.Title) {
			t.Errorf("the log says %s", log)
		}
	})
}

func TestNotificationRetention(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "kept.test")
		me := as(t, a, host, staff(t, a, host, "everything", []string{"*"}, "a@kept.test")[0])
		began := a.Clock.Now()
		for _, title := range []string{"read at once", "read late", "never read"} {
			if err := a.Notifications.NotifyInOwnWrite(a.Operator(t, host), workspace.Notice{Kind: "test", Title: title},
				nil); err != nil {
				t.Fatal(err)
			}
		}
		page, err := a.Notifications.List(me, list.Request{})
		if err != nil {
			t.Fatal(err)
		}
		late := began.Add(300 * 24 * time.Hour)
		for i, at := range []time.Time{began, late} {
			a.Clock.Set(at)
			if _, err := a.Notifications.MarkRead(me, page.Records[i].ID); err != nil {
				t.Fatal(err)
			}
		}
		for _, is := range []struct {
			at   time.Time
			left string
		}{
			{began.Add(service.ReadNotificationWindow - time.Minute), "read at once,read late,never read"},
			{began.Add(service.ReadNotificationWindow + time.Minute), "read late,never read"},
			{began.Add(service.UnreadNotificationWindow - time.Minute), "read late,never read"},
			{began.Add(service.UnreadNotificationWindow + time.Minute), "read late"},
			{late.Add(service.ReadNotificationWindow - time.Minute), "read late"},
			{late.Add(service.ReadNotificationWindow + time.Minute), ""},
		} {
			a.Clock.Set(is.at)
			if _, err := a.Retention.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := notificationTitles(t, a, me); got != is.left {
				t.Errorf("%s later %q are left, want %q", is.at.Sub(began), got, is.left)
			}
		}
	})
}
