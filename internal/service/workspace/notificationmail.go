package workspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/internal/auth"
	"paydown/internal/mail"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// If a mail server is configured, a notification is due for mail from the transaction that creates it. Every
// process with a mail server sends what is due: it claims a notification, sends it outside of any transaction
// and stores the outcome. A mail is sent twice only if a process dies, or stalls for longer than mailClaim,
// between sending and storing; both mails then have the same Message-ID, by which mail systems recognize
// duplicates.

const (
	// mailPoll is how often a process looks for due mail. It sends mail that it made due itself at once.
	mailPoll = 10 * time.Second
	// mailTimeout limits the exchange with the mail server about one message.
	mailTimeout = 30 * time.Second
	// mailClaim is how long a claim keeps other processes from sending: mailTimeout, and time to store the
	// outcome.
	mailClaim = 2 * time.Minute
	// mailStopGrace is how long sending may take after the process was told to stop.
	mailStopGrace = 5 * time.Second
	// mailGiveUp is the age after which failed mail is not retried.
	mailGiveUp = 72 * time.Hour

	// mailStoreAttempts is how often storing the outcome is tried while the database does not respond, mailStorePause
	// apart.
	mailStoreAttempts = 20
	mailStorePause    = 2 * time.Second
)

// mailRetryDelays are the delays after each failed attempt; the last one repeats.
var mailRetryDelays = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	4 * time.Hour, 6 * time.Hour,
}

// Failure codes in addition to those of package mail.
const (
	mailInactive  = "recipient_inactive" // the recipient is no longer an active member
	mailLinkEnded = "link_ended"         // the link was used, replaced or expired before the mail was sent
)

// MailOutcome is the outcome of an attempt to send a notification by mail.
type MailOutcome string

// The outcomes.
const (
	MailSent    MailOutcome = "sent"
	MailFailed  MailOutcome = "failed" // will be retried
	MailGivenUp MailOutcome = "given_up"
)

// MailOutcomes lists all outcomes.
var MailOutcomes = []MailOutcome{MailSent, MailFailed, MailGivenUp}

// mailer sends mail in this process.
type mailer struct {
	server *mail.Server
	wake   chan struct{} // signals due mail
	mu     sync.Mutex
	ended  map[MailOutcome]int64
}

// newMailer returns nil if there is no server.
func newMailer(server *mail.Server) *mailer {
	if server == nil {
		return nil
	}
	return &mailer{server: server, wake: make(chan struct{}, 1), ended: map[MailOutcome]int64{}}
}

// due signals that mail may be due. It never blocks.
func (m *mailer) due() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *mailer) count(o MailOutcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended[o]++
}

// Mails reports whether this process sends notifications by mail.
func (s Notifications) Mails() bool { return s.mailer != nil }

// Mailed returns how many of this process's attempts since its start had the outcome.
func (s Notifications) Mailed(o MailOutcome) int64 {
	if s.mailer == nil {
		return 0
	}
	s.mailer.mu.Lock()
	defer s.mailer.mu.Unlock()
	return s.mailer.ended[o]
}

// run sends due mail until the context ends.
func (s Notifications) run(ctx context.Context) {
	if s.mailer == nil {
		return
	}
	s.core.Repeat(ctx, unit.Periodic{
		Every: mailPoll, Wake: s.mailer.wake, Name: "notification mail", Work: s.SendDue,
	})
}

// SendDue sends due notifications one at a time until none is left. It ends early if the mail server accepts
// nothing, and leaves the rest for the next round. The error is a database error.
func (s Notifications) SendDue(ctx context.Context) error {
	for s.mailer != nil && ctx.Err() == nil {
		claimed, err := s.core.Store.ClaimMail(ctx, mailClaim)
		if err != nil || claimed == nil {
			return err
		}
		proceed, err := s.mail(ctx, claimed)
		if err != nil || !proceed {
			return err
		}
	}
	return nil
}

// mail sends one notification and stores the outcome; proceed is false if other mail would fail in the same way.
func (s Notifications) mail(ctx context.Context, claimed *store.QueuedMail) (proceed bool, err error) {
	row, message, err := s.compose(ctx, claimed)
	switch {
	case ent.IsNotFound(err):
		return true, nil // it was deleted with its member of staff
	case errors.Is(err, ErrLinkEnded):
		return true, s.finish(ctx, claimed, MailGivenUp, mailLinkEnded)
	case err != nil:
		return false, fmt.Errorf("notification %d: %w", claimed.ID, err)
	case !row.Edges.User.IsActive:
		return true, s.finish(ctx, claimed, MailGivenUp, mailInactive)
	}
	err = s.send(ctx, message)
	if err == nil {
		return true, s.finish(ctx, claimed, MailSent, "")
	}
	failure, ok := errors.AsType[*mail.Error](err)
	if !ok {
		return false, err
	}
	outcome := MailFailed
	if failure.Permanent() || claimed.At.Sub(row.CreatedAt) >= mailGiveUp {
		outcome = MailGivenUp
	}
	s.core.Log.LogAttrs(ctx, slog.LevelWarn, "cannot send a notification by mail", slog.Int("tenantId", claimed.Tenant),
		slog.Int("notificationId", claimed.ID), slog.Int("attempt", claimed.Attempt),
		slog.String("outcome", string(outcome)), slog.Any("error", err))
	return failure.OfMessage(), s.finish(ctx, claimed, outcome, string(failure.Code))
}

// send passes the message to the mail server. When the process stops, sending continues for mailStopGrace,
// because the server may already have accepted the message.
func (s Notifications) send(ctx context.Context, message mail.Message) error {
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailTimeout)
	defer cancel()
	stopped := context.AfterFunc(ctx, func() { time.AfterFunc(mailStopGrace, cancel) })
	defer stopped()
	return s.mailer.server.Send(sending, message)
}

// finish stores an outcome and retries if the database fails: until the outcome is stored, the mail may be
// sent again.
func (s Notifications) finish(ctx context.Context, claimed *store.QueuedMail, outcome MailOutcome, code string) error {
	state, pause := notification.MailStateDUE, mailRetryDelays[min(claimed.Attempt, len(mailRetryDelays))-1]
	switch outcome {
	case MailSent:
		state = notification.MailStateSENT
	case MailGivenUp:
		state = notification.MailStateGIVEN_UP
	case MailFailed:
	}
	s.mailer.count(outcome)
	storing := context.WithoutCancel(ctx)
	for n := 1; ; n++ {
		held, err := s.core.Store.FinishMail(storing, claimed, state, code, pause)
		if err == nil {
			if !held {
				s.core.Log.WarnContext(ctx, "another process has also sent a notification by mail", "tenantId", claimed.Tenant,
					"notificationId", claimed.ID)
			}
			return nil
		}
		if n == mailStoreAttempts || !pauseUnless(ctx, mailStorePause) {
			return err
		}
	}
}

// pauseUnless waits for d; it returns false if the context ends first.
func pauseUnless(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// compose returns a notification with its recipient, and the message to send.
func (s Notifications) compose(
	ctx context.Context, claimed *store.QueuedMail,
) (*ent.Notification, mail.Message, error) {
	ctx = auth.AsSystem(ctx, claimed.Tenant, time.UTC, "")
	row, err := s.core.Store.Reader().Notification.Query().Where(notification.ID(claimed.ID)).WithUser().Only(ctx)
	if err != nil {
		return nil, mail.Message{}, err
	}
	tenant, err := s.core.Store.Reader().Tenant.Get(ctx, claimed.Tenant)
	if err != nil {
		return nil, mail.Message{}, err
	}
	text := row.Title + ".\n\n"
	if row.Body != nil {
		text += *row.Body + "\n\n"
	}
	next, why := "See "+pageOf(tenant, row), "you can edit company settings"
	if row.Edges.User.IsActive {
		link, err := s.passwordLink(ctx, tenant, row)
		if err != nil {
			return nil, mail.Message{}, err
		}
		if link != "" {
			next = link
		}
	}
	if strings.HasPrefix(row.Kind, "user.") {
		why = "it is about your account"
	}
	return row, mail.Message{
		To:      row.Edges.User.Email,
		ID:      fmt.Sprintf("notification-%d.%d@%s", row.ID, row.CreatedAt.UnixMilli(), tenant.Host),
		Date:    s.core.Store.Now(),
		Subject: fmt.Sprintf("%s (%s)", row.Title, tenant.Host),
		Text:    text + next + "\n\n-- \npaydown at " + tenant.Host + ". You receive this because " + why + ".\n",
	}, nil
}

// pages are the paths of the staff portal, by the kind of record that a notification is about.
var pages = map[string]string{"webhookEndpoint": "/settings/webhooks/%d"}

// pageOf returns the URL of the page for a notification.
func pageOf(tenant *ent.Tenant, row *ent.Notification) string {
	page := "/"
	if strings.HasPrefix(row.Kind, "user.") {
		page = "/account"
	}
	if row.Entity != nil && row.EntityID != nil && pages[*row.Entity] != "" {
		page = fmt.Sprintf(pages[*row.Entity], *row.EntityID)
	}
	return "https://" + tenant.Host + page
}

// ErrLinkEnded means that a link is no longer valid, or cannot be derived from any secret key of this
// process.
var ErrLinkEnded = errors.New("the link to choose a password is no longer valid")
