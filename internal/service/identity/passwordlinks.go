package identity

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"paydown/ent"
	"paydown/ent/accountaccess"
	"paydown/ent/notification"
	"paydown/ent/passwordreset"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// The token by which a member chooses a password reaches the member alone. Where this process has a mail server, the token
// is mailed, and nobody else is shown it. It follows from the notification that the mail is made of and the installation's
// secret key, so that it stands nowhere: not in the queue of mail, not in the database, and the same mail sent again has the
// same link. Without a mail server it is shown to whoever asked for it, who has had access to the account then.

// Reset lets a member choose a password, once. Either its token is shown, this once, to whoever made it, or it was mailed.
type Reset struct {
	Token     string // "" where it was mailed
	ExpiresAt time.Time
	MailedTo  *string // nil where the token is shown
}

// Address is where the token was mailed to; "" where it is shown.
func (r *Reset) Address() string {
	if r.MailedTo == nil {
		return ""
	}
	return *r.MailedTo
}

// openReset makes the reset of a member who is locked, in the place of any earlier one; n is what the mail says besides.
func openReset(ctx context.Context, t *unit.Tx, member *ent.User, n workspace.Notice) (*Reset, error) {
	if err := endResets(ctx, t, member.ID); err != nil {
		return nil, err
	}
	if t.Core.Signals.Mail != nil {
		rows, err := workspace.NotifyMembers(ctx, t, []*ent.User{member}, n)
		if err != nil {
			return nil, err
		}
		row, err := storeReset(ctx, t, member.ID, mailedTokens(t.Core, rows[0])[0])
		if err != nil {
			return nil, err
		}
		return &Reset{ExpiresAt: row.ExpiresAt, MailedTo: &member.Email}, nil
	}
	token := auth.NewSecretToken()
	row, err := storeReset(ctx, t, member.ID, token)
	if err != nil {
		return nil, err
	}
	if err := noteAccess(ctx, t, member.ID, accountaccess.KindTOKEN_SHOWN); err != nil {
		return nil, err
	}
	return &Reset{Token: token, ExpiresAt: row.ExpiresAt}, nil
}

func storeReset(ctx context.Context, t *unit.Tx, userID int, token string) (*ent.PasswordReset, error) {
	row, err := t.PasswordReset.Create().SetUserID(userID).SetTokenHash(auth.HashToken(token)).
		SetExpiresAt(t.At().Add(ResetWindow)).Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "passwordReset", row)
	}
	return row, err
}

// mailedTokens are the tokens that follow from a notification under each secret key, the one in use first.
func mailedTokens(c *unit.Core, row *ent.Notification) []string {
	parts := [][]byte{[]byte("password reset")}
	for _, n := range []int64{int64(row.TenantID), int64(row.UserID), int64(row.ID), row.CreatedAt.UnixMilli()} {
		parts = append(parts, strconv.AppendInt(nil, n, 10))
	}
	derived := c.Secrets.Derive(parts...)
	tokens := make([]string, len(derived))
	for i, raw := range derived {
		tokens[i] = auth.SecretToken(raw)
	}
	return tokens
}

// hasLink reports whether the mail of a notification lets the member choose a password. Only those that are mailed do:
// where there is no mail server the link was shown.
func hasLink(row *ent.Notification) bool {
	return row.MailState != notification.MailStateNONE && (row.Kind == noticeInvited || row.Kind == noticeReset)
}

// passwordLink says where and until when the member whom a notification is for chooses a password; "" for a notification that
// is about something else.
func (a *access) passwordLink(ctx context.Context, tenant *ent.Tenant, row *ent.Notification) (string, error) {
	if !hasLink(row) {
		return "", nil
	}
	tokens := mailedTokens(a.core, row)
	hashes := make([][]byte, len(tokens))
	for i, token := range tokens {
		hashes[i] = auth.HashToken(token)
	}
	reset, err := a.core.Store.Reader().PasswordReset.Query().Where(passwordreset.UserID(row.UserID),
		passwordreset.TokenHashIn(hashes...), passwordreset.EndedAtIsNil(),
		passwordreset.ExpiresAtGT(a.core.Store.Now())).Only(ctx)
	if ent.IsNotFound(err) {
		return "", workspace.ErrLinkEnded
	}
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(hashes, func(h []byte) bool { return bytes.Equal(h, reset.TokenHash) })
	zone, err := time.LoadLocation(tenant.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return fmt.Sprintf("Choose a password here. The link works once, until %s:\n\nhttps://%s/reset?token=%s",
		reset.ExpiresAt.In(zone).Format(unit.TimeLayout), tenant.Host, url.QueryEscape(tokens[at])), nil
}
