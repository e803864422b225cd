package service

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/ent/role"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
)

// Notifications tell members of staff of what wants their attention. A member sees and marks their own and nobody
// else's. How long they are kept is in Retention.
type Notifications struct {
	*core
	mailer *mailer
	// passwordLink is what the mail of a notification says of a link to choose a password; "" where it has none.
	passwordLink func(context.Context, *ent.Tenant, *ent.Notification) (string, error)
}

// NotificationListing describes the list of a member's own notifications.
var NotificationListing = &Listing[ent.Notification]{
	Resource: "notifications", ByIDOnly: true,
	Filters: []Filter{{
		Name: "unread", Column: notification.FieldReadAt, Kind: IsEmpty,
		Doc: "true: only those that are not marked as read; false: only those that are",
	}},
}

// notice is what notifications say. It goes by mail as well: no secrets, and nothing of a merchant's.
type notice struct {
	kind     string // what happened: webhook.paused
	title    string // one line of at most 200 characters
	body     string // plain text, what happened and what to do; "" for none
	entity   string // singular name of the record it is about; "" for none
	entityID int
}

// notifyAdministrators tells every active member of the tenant's staff who may edit the company's settings; see notify.
func (t *tx) notifyAdministrators(ctx context.Context, n notice) error {
	return t.notify(ctx, auth.EditCompanySettings, n)
}

// notify tells every active member of the tenant's staff who has the permission. It is part of the write: they are told if
// and only if it commits. Where there is nobody to tell, the log is.
func (t *tx) notify(ctx context.Context, whoMay auth.Permission, n notice) error {
	if auth.SeesAllTenants(ctx) {
		return errors.New("notify staff: of which tenant?")
	}
	members, err := t.membersWhoMay(ctx, whoMay)
	if err != nil {
		return fmt.Errorf("notify staff: %w", err)
	}
	if len(members) == 0 {
		t.AfterCommit(func() {
			t.core.log.WarnContext(ctx, "nobody to notify: no member of the tenant's staff has the permission", "tenantId", t.actor.TenantID,
				"permission", whoMay, "kind", n.kind, "title", n.title, "entity", n.entity, "entityId", n.entityID)
		})
		return nil
	}
	_, err = t.tell(ctx, members, n)
	return err
}

// tell makes the notifications of members, in their order.
func (t *tx) tell(ctx context.Context, members []*ent.User, n notice) ([]*ent.Notification, error) {
	now, err := t.Clock(ctx)
	if err != nil {
		return nil, fmt.Errorf("notify staff: %w", err)
	}
	rows := make([]*ent.NotificationCreate, len(members))
	for i, m := range members {
		rows[i] = t.Notification.Create().SetUserID(m.ID).SetKind(n.kind).SetTitle(n.title)
		if n.body != "" {
			rows[i].SetBody(n.body)
		}
		if n.entity != "" {
			rows[i].SetEntity(n.entity).SetEntityID(n.entityID)
		}
		if t.core.signals.mail != nil {
			rows[i].SetMailState(notification.MailStateDUE).SetMailNextAt(now)
		}
	}
	made, err := t.Notification.CreateBulk(rows...).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("notify staff: %w", err)
	}
	for _, row := range made {
		t.affect("notification", created, row.ID)
	}
	if due := t.core.signals.mail; due != nil {
		t.AfterCommit(due)
	}
	return made, nil
}

// membersWhoMay are the active members of staff who have a permission.
func (t *tx) membersWhoMay(ctx context.Context, do auth.Permission) ([]*ent.User, error) {
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

// The notices of what a merchant did on the page of an offer.

func acceptedNotice(o *offer) notice {
	return offerNotice(o, "accepted", "The deal has the terms of the offer now, and its other offers are void. What is next is in its funding blocks.")
}

func counteredNotice(o *offer) notice {
	return offerNotice(o, "countered", "The merchant asks for other terms. The offer waits for an answer: accept the counter or let the offer stand.")
}

func declinedNotice(o *offer) notice {
	return offerNotice(o, "declined", "The merchant does not take the offer. If a reason was given, it is with the offer.")
}

func offerNotice(o *offer, what, next string) notice {
	return notice{
		kind: "offer." + what, title: fmt.Sprintf("An offer for deal %s was %s", o.deal.DealNumber, what),
		entity: "deal", entityID: o.deal.ID,
		body: fmt.Sprintf("Offer %d for deal %s was %s on its public page.\n\n%s", o.approval.ID, o.deal.DealNumber, what, next),
	}
}

// pausedNotice tells that an endpoint was paused after so many failed deliveries in a row; code is why the last of them
// failed. Of the URL it names the host: the rest may be a secret of the receiver's.
func (t *tx) pausedNotice(endpoint *ent.WebhookEndpoint, failures int, code string) notice {
	host := "an address that cannot be read"
	if u, err := url.Parse(endpoint.URL); err == nil {
		host = u.Host
	}
	arrived := "Nothing has arrived there yet."
	if at := endpoint.LastDeliveredAt; at != nil {
		arrived = "What arrived there last did so on " + t.spoken(*at) + "."
	}
	return notice{
		kind:   "webhook.paused",
		title:  fmt.Sprintf("Webhook endpoint %d is paused", endpoint.ID),
		entity: "webhookEndpoint", entityID: endpoint.ID,
		body: fmt.Sprintf("Webhook endpoint %d at %s was paused on %s: %d deliveries in a row have failed, each after all "+
			"of its retries, the last one with the error %q. %s\n\n"+
			"Nothing is delivered to it until it is turned on again. Find out why the receiver does not answer with a 2xx "+
			"status within 10 seconds, then turn the endpoint on in the settings; failures are counted anew from there. "+
			"What it missed stays in the log of its deliveries for 30 days and can be delivered again.",
			endpoint.ID, host, t.spoken(t.At()), failures, code, arrived),
	}
}

// spokenLayout is how people are told an instant.
const spokenLayout = "January 2, 2006 at 15:04 MST"

// spoken is an instant as people of the tenant say it.
func (t *tx) spoken(at time.Time) string {
	return at.In(t.zone()).Format(spokenLayout)
}

// member is the actor, who must be a member of staff: nobody else has notifications.
func member(ctx context.Context) (*auth.Actor, error) {
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
func (s Notifications) List(ctx context.Context, params map[string]string) (*Page[ent.Notification], error) {
	actor, err := member(ctx)
	if err != nil {
		return nil, err
	}
	q, err := NotificationListing.read(s.core, actor, params)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, s.core, q, s.store.Reader().Notification.Query().Where(notification.UserID(actor.ID)))
}

// Unread counts the member's notifications that are not marked as read.
func (s Notifications) Unread(ctx context.Context) (int, error) {
	actor, err := member(ctx)
	if err != nil {
		return 0, err
	}
	return s.store.Reader().Notification.Query().
		Where(notification.UserID(actor.ID), notification.ReadAtIsNil()).Count(ctx)
}

// MarkRead marks notifications of the member's own as read, at most MaxIDs at once, and returns them in the order of
// their ids; those that are so already stay as they are. Who has read what is in the notifications themselves, so that
// the audit trail has no entry of it.
func (s Notifications) MarkRead(ctx context.Context, ids ...int) ([]*ent.Notification, error) {
	actor, err := member(ctx)
	if err != nil {
		return nil, err
	}
	if ids = distinct(ids); len(ids) > MaxIDs {
		return nil, fault.Field("ids", "takes at most %d ids", MaxIDs)
	}
	return transact(ctx, s.core, actor, func(ctx context.Context, t *tx) ([]*ent.Notification, error) {
		rows, err := t.Notification.Query().Where(notification.IDIn(ids...), notification.UserID(actor.ID), locked).
			Order(notification.ByID()).All(ctx)
		if err != nil {
			return nil, err
		}
		if len(rows) < len(ids) {
			return nil, fault.Missing("notification")
		}
		changes := []columnChange{{notification.FieldReadAt, t.At()}}
		var unread []int
		for i, row := range rows {
			if row.ReadAt == nil {
				unread = append(unread, row.ID)
				rows[i] = changedCopy(t, row, changes)
			}
		}
		if len(unread) == 0 {
			return rows, nil
		}
		return rows, t.Notification.Update().Where(notification.IDIn(unread...)).SetReadAt(t.At()).Exec(ctx)
	})
}

// distinct are the ids, each once and in their order.
func distinct(ids []int) []int {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// MarkAllRead marks all of the member's notifications as read, and returns how many were not.
func (s Notifications) MarkAllRead(ctx context.Context) (int, error) {
	actor, err := member(ctx)
	if err != nil {
		return 0, err
	}
	return transact(ctx, s.core, actor, func(ctx context.Context, t *tx) (int, error) {
		return t.Notification.Update().Where(notification.UserID(actor.ID), notification.ReadAtIsNil()).
			SetReadAt(t.At()).Save(ctx)
	})
}
