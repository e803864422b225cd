package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/ent/role"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Notifications inform members of staff of things that need their attention. A member sees and marks only
// their own. See Retention for how long they are kept.
type Notifications struct {
	core   *unit.Core
	mailer *mailer
	// passwordLink returns the text with the link to choose a password for the mail of a notification; "" if it
	// has none.
	passwordLink func(context.Context, *ent.Tenant, *ent.Notification) (string, error)
}

// NotificationListing describes the list of a member's own notifications.
var NotificationListing = &list.Listing[ent.Notification]{
	Resource: "notifications", ByIDOnly: true,
	Filters: []list.Filter{{
		Name: "unread", Column: notification.FieldReadAt, Kind: list.IsEmpty,
		Doc: "true: only unread notifications; false: only read ones",
	}},
}

// Notice is the content of notifications. It is also sent by mail, so it must contain no secrets and no
// merchant data.
type Notice struct {
	Kind     string // what happened: webhook.paused
	Title    string // one line of at most 200 characters
	Body     string // plain text, what happened and what to do; "" for none
	Entity   string // kind of the related record, in the singular; "" for none
	EntityID int
}

// NotifyAdministrators notifies every active member of the tenant's staff who may edit company settings; see
// Notify.
func NotifyAdministrators(ctx context.Context, t *unit.Tx, n Notice) error {
	return Notify(ctx, t, auth.EditCompanySettings, n)
}

// Notify notifies every active member of the tenant's staff with the permission. It is part of the write: the
// notifications exist only if the write commits. If no member has the permission, it logs a warning.
func Notify(ctx context.Context, t *unit.Tx, whoMay auth.Permission, n Notice) error {
	if auth.SeesAllTenants(ctx) {
		return errors.New("notify staff: the actor has no tenant")
	}
	members, err := membersWith(ctx, t, whoMay)
	if err != nil {
		return fmt.Errorf("notify staff: %w", err)
	}
	if len(members) == 0 {
		t.AfterCommit(func() {
			t.Core.Log.WarnContext(ctx, "nobody to notify: no member of the tenant's staff has the permission", "tenantId",
				t.Actor.TenantID,
				"permission", whoMay, "kind", n.Kind, "title", n.Title, "entity", n.Entity, "entityId", n.EntityID)
		})
		return nil
	}
	_, err = NotifyMembers(ctx, t, members, n)
	return err
}

// NotifyMembers creates notifications for members and returns them in the same order.
func NotifyMembers(ctx context.Context, t *unit.Tx, members []*ent.User, n Notice) ([]*ent.Notification, error) {
	now, err := t.Clock(ctx)
	if err != nil {
		return nil, fmt.Errorf("notify staff: %w", err)
	}
	rows := make([]*ent.NotificationCreate, len(members))
	for i, m := range members {
		rows[i] = t.Notification.Create().SetUserID(m.ID).SetKind(n.Kind).SetTitle(n.Title)
		if n.Body != "" {
			rows[i].SetBody(n.Body)
		}
		if n.Entity != "" {
			rows[i].SetEntity(n.Entity).SetEntityID(n.EntityID)
		}
		if t.Core.Signals.Mail != nil {
			rows[i].SetMailState(notification.MailStateDUE).SetMailNextAt(now)
		}
	}
	made, err := t.Notification.CreateBulk(rows...).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("notify staff: %w", err)
	}
	for _, row := range made {
		t.Affect("notification", unit.Created, row.ID)
	}
	if due := t.Core.Signals.Mail; due != nil {
		t.AfterCommit(due)
	}
	return made, nil
}

// membersWith returns the active members of staff with a permission.
func membersWith(ctx context.Context, t *unit.Tx, do auth.Permission) ([]*ent.User, error) {
	roles, err := t.Role.Query().Order(role.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	var may []int
	for _, r := range roles {
		if auth.Permits(r.Permissions, do) {
			may = append(may, r.ID)
		}
	}
	return t.User.Query().Where(user.RoleIDIn(may...), user.IsActive(true)).Order(user.ByID()).All(ctx)
}

// Member returns the actor, who must be a member of staff: nobody else has notifications.
func Member(ctx context.Context) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	if actor.Kind != auth.ByUser {
		return nil, fault.New(fault.Forbidden, "Only members of staff have notifications.")
	}
	return actor, nil
}

// List returns a page of the member's own notifications.
func (s Notifications) List(ctx context.Context, req list.Request) (*list.Page[ent.Notification], error) {
	actor, err := Member(ctx)
	if err != nil {
		return nil, err
	}
	q, err := NotificationListing.Query(s.core, actor, req)
	if err != nil {
		return nil, err
	}
	return list.FetchPage(ctx, s.core, q, s.core.Store.Reader().Notification.Query().Where(notification.UserID(actor.ID)))
}

// Unread counts the member's notifications that are not marked as read.
func (s Notifications) Unread(ctx context.Context) (int, error) {
	actor, err := Member(ctx)
	if err != nil {
		return 0, err
	}
	return s.core.Store.Reader().Notification.Query().
		Where(notification.UserID(actor.ID), notification.ReadAtIsNil()).Count(ctx)
}

// MarkRead marks up to MaxIDs of the member's own notifications as read, and returns them ordered by id. It
// does not change notifications that are already read. The notifications themselves show who has read what,
// so there is no audit entry.
func (s Notifications) MarkRead(ctx context.Context, ids ...int) ([]*ent.Notification, error) {
	actor, err := Member(ctx)
	if err != nil {
		return nil, err
	}
	if ids = Distinct(ids); len(ids) > list.MaxIDs {
		return nil, fault.Field("ids", "must have at most %d ids", list.MaxIDs)
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) ([]*ent.Notification, error) {
		rows, err := t.Notification.Query().Where(notification.IDIn(ids...), notification.UserID(actor.ID), unit.Locked).
			Order(notification.ByID()).All(ctx)
		if err != nil {
			return nil, err
		}
		if len(rows) < len(ids) {
			return nil, fault.Missing("notification")
		}
		changes := []input.Change{input.Set(notification.FieldReadAt, t.At())}
		var unread []int
		for i, row := range rows {
			if row.ReadAt == nil {
				unread = append(unread, row.ID)
				rows[i] = unit.WithChanges(t, row, changes)
			}
		}
		if len(unread) == 0 {
			return rows, nil
		}
		return rows, t.Notification.Update().Where(notification.IDIn(unread...)).SetReadAt(t.At()).Exec(ctx)
	})
}

// Distinct returns the ids without duplicates, in the same order.
func Distinct(ids []int) []int {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// MarkAllRead marks all of the member's notifications as read, and returns how many were not.
func (s Notifications) MarkAllRead(ctx context.Context) (int, error) {
	actor, err := Member(ctx)
	if err != nil {
		return 0, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (int, error) {
		return t.Notification.Update().Where(notification.UserID(actor.ID), notification.ReadAtIsNil()).
			SetReadAt(t.At()).Save(ctx)
	})
}
