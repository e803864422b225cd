package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"paydown/ent/notification"
)

// QueuedMail is a notification that a process has taken, across tenants, to send it by mail.
type QueuedMail struct {
	ID, Tenant int
	// Attempt counts how often it was taken, this time included. It is the fence of the claim.
	Attempt int
	// At is when it was taken, by the clock that all processes share.
	At time.Time
}

// ClaimMail takes the notification that has been due for mail for the longest, for a while: until then nobody else takes
// it. It is nil where none is due. A process that dies with a claim has others send after that while.
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

// FinishMail notes what became of a notification's mail; code says why it was not sent, "" where it was. One that is
// still due is so after a while from now. It does nothing and reports false where the claim has ended and somebody
// else has the mail.
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
