// Package workspace has what staff use besides the business records: notes, communications, documents and
// notifications.
package workspace

import (
	"context"

	"paydown/ent"
	"paydown/internal/files"
	"paydown/internal/mail"
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Communications Communications
	Documents      Documents
	Notes          Notes
	Notifications  Notifications
}

// New returns the aggregates. server sends notifications by mail and kept stores the files of documents;
// either may be nil. passwordLink returns the link text for the mail of a notification.
func New(
	core *unit.Core, server *mail.Server, kept *files.Store,
	passwordLink func(context.Context, *ent.Tenant, *ent.Notification) (string, error),
) *Services {
	mailer := newMailer(server)
	if mailer != nil {
		core.Signals.Mail = mailer.due
	}
	return &Services{
		Communications: Communications{core},
		Documents:      Documents{core, kept, newUploads()},
		Notes:          Notes{core},
		Notifications:  Notifications{core, mailer, passwordLink},
	}
}

// Background returns the background jobs. Each runs until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Notifications.run, s.Documents.run}
}
