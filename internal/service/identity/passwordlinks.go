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

// Only the member gets the token for choosing a password. If this process has a mail server, the token is
// mailed and shown to nobody. It is derived from the notification behind the mail and the installation's
// secret key, so it is stored nowhere, neither in the mail queue nor in the database, and a mail that is sent
// again has the same link. Without a mail server the token is shown to the person who requested it; that
// counts as access to the account.

// Reset lets a member choose a password once. Its token is either shown, only once, to the person who created
// the reset, or mailed to the member.
type Reset struct {
	Token     string // "" if it was mailed
	ExpiresAt time.Time
	MailedTo  *string // nil if the token is shown
}

// Address is the address that the token was mailed to; "" if it is shown.
func (r *Reset) Address() string {
	if r.MailedTo == nil {
		return ""
	}
	return *r.MailedTo
}

// openReset creates a reset for a locked member and ends earlier ones. n is the rest of the mail's text.
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
	if err := recordAccess(ctx, t, member.ID, accountaccess.KindTOKEN_SHOWN); err != nil {
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

// mailedTokens returns the tokens derived from a notification under each secret key, the active key first.
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

// hasLink reports whether the mail of a notification contains a link to choose a password. A notification
// that is not mailed has no link: without a mail server the link was shown.
func hasLink(row *ent.Notification) bool {
	return row.MailState != notification.MailStateNONE && (row.Kind == noticeInvited || row.Kind == noticeReset)
}

// passwordLink returns the text with the link to choose a password and its expiry for the member that a
// notification is for; "" for any other notification.
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
