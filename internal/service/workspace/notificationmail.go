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

// Notifications that are made while a mail server is configured are due for mail from the transaction that makes them.
// Every process with a mail server sends what is due: it claims one, sends it outside of any transaction and stores what
// became of it. Only a process that dies, or stands still for longer than mailClaim, between the two has a mail sent
// again; both then carry one Message-ID, by which mail systems tell that they are the same.

const (
	// mailPoll is how often a process looks for what is due. What it has made due itself it sends at once.
	mailPoll = 10 * time.Second
	// mailTimeout bounds the talk with the mail server about one message.
	mailTimeout = 30 * time.Second
	// mailClaim is how long nobody else sends what a process has claimed: mailTimeout, and time to store the outcome.
	mailClaim = 2 * time.Minute
	// mailStopGrace is how long the message that is being sent may take once the process is to stop.
	mailStopGrace = 5 * time.Second
	// mailGiveUp is the age at which a notification whose mail fails is not tried again.
	mailGiveUp = 72 * time.Hour

	// mailStores is how often the outcome is offered to a database that does not answer, mailStorePause apart.
	mailStores     = 20
	mailStorePause = 2 * time.Second
)

// mailPauses are those after the first failed attempt, the second and so on; the last one stays.
var mailPauses = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	4 * time.Hour, 6 * time.Hour,
}

// The codes besides those of package mail.
const (
	mailUnwanted  = "recipient_inactive" // the recipient does not work here any more
	mailLinkEnded = "link_ended"         // its link was used, replaced or has expired before it could be sent
)

// MailOutcome is what becomes of an attempt to send a notification by mail.
type MailOutcome string

// The outcomes.
const (
	MailSent    MailOutcome = "sent"
	MailFailed  MailOutcome = "failed" // and will be tried again
	MailGivenUp MailOutcome = "given_up"
)

// MailOutcomes lists them.
var MailOutcomes = []MailOutcome{MailSent, MailFailed, MailGivenUp}

// mailer is how this process sends mail.
type mailer struct {
	server *mail.Server
	wake   chan struct{} // something has become due
	mu     sync.Mutex
	ended  map[MailOutcome]int64
}

// newMailer is nil where there is no server.
func newMailer(server *mail.Server) *mailer {
	if server == nil {
		return nil
	}
	return &mailer{server: server, wake: make(chan struct{}, 1), ended: map[MailOutcome]int64{}}
}

// due says that there may be something to send. It never waits.
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

// Mailed counts the attempts of this process that ended so, since it started.
func (s Notifications) Mailed(o MailOutcome) int64 {
	if s.mailer == nil {
		return 0
	}
	s.mailer.mu.Lock()
	defer s.mailer.mu.Unlock()
	return s.mailer.ended[o]
}

// run sends what is due until the context ends.
func (s Notifications) run(ctx context.Context) {
	if s.mailer == nil {
		return
	}
	s.core.Repeat(ctx, unit.Periodic{
		Every: mailPoll, Wake: s.mailer.wake, Name: "notification mail", Work: s.SendDue,
	})
}

// SendDue sends one notification after the other by mail until none is due. It ends early where the mail server takes
// nothing from anybody, and leaves the rest for the next time. The error is of the database.
func (s Notifications) SendDue(ctx context.Context) error {
	for s.mailer != nil && ctx.Err() == nil {
		claimed, err := s.core.Store.ClaimMail(ctx, mailClaim)
		if err != nil || claimed == nil {
			return err
		}
		goOn, err := s.mail(ctx, claimed)
		if err != nil || !goOn {
			return err
		}
	}
	return nil
}

// mail sends one and stores what became of it; goOn is false where no other would fare better.
func (s Notifications) mail(ctx context.Context, claimed *store.QueuedMail) (goOn bool, err error) {
	row, message, err := s.letter(ctx, claimed)
	switch {
	case ent.IsNotFound(err):
		return true, nil // it went with the member of staff
	case errors.Is(err, ErrLinkEnded):
		return true, s.finish(ctx, claimed, MailGivenUp, mailLinkEnded)
	case err != nil:
		return false, fmt.Errorf("notification %d: %w", claimed.ID, err)
	case !row.Edges.User.IsActive:
		return true, s.finish(ctx, claimed, MailGivenUp, mailUnwanted)
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

// send hands the message to the mail server. A stop of the process breaks it off only after a while, since the server
// may have taken it by then without our knowing.
func (s Notifications) send(ctx context.Context, message mail.Message) error {
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailTimeout)
	defer cancel()
	stopped := context.AfterFunc(ctx, func() { time.AfterFunc(mailStopGrace, cancel) })
	defer stopped()
	return s.mailer.server.Send(sending, message)
}

// finish stores an outcome, however often the database has to be asked: until it is stored the mail may be sent again.
func (s Notifications) finish(ctx context.Context, claimed *store.QueuedMail, outcome MailOutcome, code string) error {
	state, pause := notification.MailStateDUE, mailPauses[min(claimed.Attempt, len(mailPauses))-1]
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
				s.core.Log.WarnContext(ctx, "another process has sent a notification by mail as well", "tenantId", claimed.Tenant,
					"notificationId", claimed.ID)
			}
			return nil
		}
		if n == mailStores || !pauseUnless(ctx, mailStorePause) {
			return err
		}
	}
}

// pauseUnless waits, and reports false where the context ended first.
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

// letter is a notification with its recipient, and as a message.
func (s Notifications) letter(
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
	next, why := "See "+pageOf(tenant, row), "you may edit the settings of the company"
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
		Text:    text + next + "\n\n-- \npaydown at " + tenant.Host + ". You get this because " + why + ".\n",
	}, nil
}

// pages are those of the staff's web surface, by the record that a notification is about.
var pages = map[string]string{"webhookEndpoint": "/settings/webhooks/%d"}

// pageOf is where a member of staff finds what the notification is about.
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

// ErrLinkEnded is a link that does not work any more, or that follows from no secret key of this process.
var ErrLinkEnded = errors.New("the link to choose a password has ended")
