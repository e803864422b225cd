// Package workspace is what staff work with beside the records themselves: notes, communications, documents and
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

// New makes the aggregates. server sends notifications by mail and kept keeps the files of documents; either may be
// nil. passwordLink is what the mail of a notification says of a link to choose a password.
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

// Background is the work that goes on until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Notifications.run, s.Documents.run}
}
