package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"paydown/ent/notification"
)

// QueuedMail is a notification that a process has claimed to send by mail, across tenants.
type QueuedMail struct {
	ID, Tenant int
	// Attempt counts the claims, including this one. It is the fence of the claim.
	Attempt int
	// At is the time of the claim, on the clock that all processes share.
	At time.Time
}

// ClaimMail claims the notification that has been due for mail longest, for a while. It returns nil if none is
// due. If the process dies, others may send the mail after that while.
func (s *Store) ClaimMail(ctx context.Context, length time.Duration) (*QueuedMail, error) {
	var claimed *QueuedMail
	err := s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		claimed = nil
		now, err := tx.Clock(ctx)
		if err != nil {
			return err
		}
		m := QueuedMail{At: now}
		err = tx.queryRow(ctx, fmt.Sprintf(`WITH next AS MATERIALIZED (SELECT id FROM notifications
			WHERE mail_next_at <= $1 ORDER BY mail_next_at, id LIMIT 1 %s)
			UPDATE notifications SET mail_next_at = $2, mail_attempts = mail_attempts + 1
			WHERE id IN (SELECT id FROM next) RETURNING id, tenant_id, mail_attempts`, tx.skipLocked()),
			[]any{now, now.Add(length)}, &m.ID, &m.Tenant, &m.Attempt)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		claimed = &m
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim mail: %w", err)
	}
	return claimed, nil
}

// FinishMail stores the outcome of a notification's mail; code is why it was not sent, or "" if it was. If it
// is to be retried, it is due again after a while. It does nothing and returns false if the claim has ended and
// another process has the mail.
func (s *Store) FinishMail(
	ctx context.Context, m *QueuedMail, state notification.MailState, code string, after time.Duration,
) (held bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		var next *time.Time
		if state == notification.MailStateDUE {
			now, err := tx.Clock(ctx)
			if err != nil {
				return err
			}
			now = now.Add(after)
			next = &now
		}
		var why *string
		if code != "" {
			why = &code
		}
		var id int
		err := tx.queryRow(ctx, `UPDATE notifications SET mail_state = $1, mail_next_at = $2, mail_error = $3
			WHERE id = $4 AND tenant_id = $5 AND mail_attempts = $6 AND mail_next_at IS NOT NULL RETURNING id`,
			[]any{string(state), next, why, m.ID, m.Tenant, m.Attempt}, &id)
		held = err == nil
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("finish mail of notification %d: %w", m.ID, err)
	}
	return held, nil
}
