package origination

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"time"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/ent/form"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/intake"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// ApplicationPages are the public pages of the company's forms. Whoever opens one may fill it in, and nothing else; the
// context is auth.AsApplicant's. A form that does not exist and one that takes no applications are answered alike.
type ApplicationPages struct{ core *unit.Core }

// ApplicationPage is a form as an applicant sees it.
type ApplicationPage struct {
	Name   string
	Fields []intake.Field
	// Ticket goes with the answers. It is good for this form, from TicketRipe to TicketLife after it was given, for one
	// application.
	Ticket string
}

// FilledIn is a form as an applicant sends it.
type FilledIn struct {
	Ticket  string
	Payload json.RawMessage
	// From is the address it comes from.
	From string
	// Trapped says that something was filled in that people do not see: the application is kept as SPAM.
	Trapped bool
}

// The ages between which a ticket is good. Nobody fills in a form sooner than the first; the second lets somebody come
// back the next morning.
const (
	TicketRipe = 2 * time.Second
	TicketLife = 24 * time.Hour
)

// What may be wrong with a ticket.
var (
	// ErrTicketUnripe says that the form was sent sooner than anybody could have filled it in. The same ticket will do later.
	ErrTicketUnripe = fault.Conflictf("That was very quick. Check the answers and send the form once more.")
	// ErrTicketStale says that the ticket is too old, or none of ours. A new one will do.
	ErrTicketStale = fault.Conflictf("The page was open for too long. Check the answers and send the form once more.")
	// ErrTicketUsed says that the page has sent other answers already.
	ErrTicketUsed = fault.Conflictf("An application was sent from this page already. Open the form anew to send another.")
)

var errNoForm = fault.Missing("form")

// Open reads a form by its name in the address, with a new ticket.
func (s ApplicationPages) Open(ctx context.Context, slug string) (*ApplicationPage, error) {
	f, err := s.find(ctx, slug)
	if err != nil {
		return nil, err
	}
	fields, problems := intake.ParseFields(f.Fields, fitsTarget)
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return &ApplicationPage{Name: f.Name, Fields: fields, Ticket: s.ticket(f)}, nil
}

// Apply takes an application in. Sent again from the same page with the same answers, it is the same application. Errors:
// not found, what may be wrong with a ticket, and validation with paths payload.NAME.
func (s ApplicationPages) Apply(ctx context.Context, slug string, in FilledIn) error {
	f, err := s.find(ctx, slug)
	if err != nil {
		return err
	}
	ticket, age, ok := s.readTicket(f, in.Ticket)
	if !ok {
		return ErrTicketStale
	}
	done, err := s.sent(ctx, ticket, in.Payload)
	if done || err != nil {
		return err
	}
	if age > TicketLife {
		return ErrTicketStale
	}
	if _, _, problems := answersOf(f, in.Payload); len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	if age < TicketRipe {
		return ErrTicketUnripe
	}
	_, err = unit.Transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *unit.Tx) (*ent.ApplicationSubmission, error) {
		current, err := t.Form.Query().Where(form.ID(f.ID), unit.Locked).Only(ctx)
		if err != nil {
			return nil, err
		}
		if !current.IsActive {
			return nil, errNoForm
		}
		return apply(ctx, t, current, in.Payload, arrival{From: &in.From, ticket: ticket, spam: in.Trapped})
	})
	if store.IsDuplicate(err) { // sent twice at once
		_, err = s.sent(ctx, ticket, in.Payload)
	}
	return err
}

// sent reports whether these answers have come in with the ticket. The error is ErrTicketUsed where others have.
func (s ApplicationPages) sent(ctx context.Context, ticket []byte, payload json.RawMessage) (bool, error) {
	row, err := s.core.Store.Reader().ApplicationSubmission.Query().Where(applicationsubmission.Ticket(ticket)).Only(ctx)
	if ent.IsNotFound(err) {
		return false, nil
	}
	if row, err = revealed(s.core, row, err); err == nil && !bytes.Equal(row.Payload, input.Canonical(payload)) {
		err = ErrTicketUsed
	}
	return err == nil, err
}

func (s ApplicationPages) find(ctx context.Context, slug string) (*ent.Form, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind != auth.ByApplicant {
		return nil, auth.ErrNoActor
	}
	f, err := s.core.Store.Reader().Form.Query().Where(form.Slug(slug), form.IsActive(true)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errNoForm
	}
	return f, err
}

// A ticket is when it was given, in milliseconds, and a nonce; and the signature of both for the form.
const (
	ticketTime  = 8
	ticketNonce = 16
)

func (s ApplicationPages) ticket(f *ent.Form) string {
	t := binary.BigEndian.AppendUint64(nil, uint64(s.core.Now().UnixMilli()))
	t = append(t, make([]byte, ticketNonce)...)
	_, _ = rand.Read(t[ticketTime:]) // never fails
	return base64.RawURLEncoding.EncodeToString(append(t, s.core.Secrets.Sign(ticketParts(f, t)...)...))
}

// readTicket returns what identifies the ticket and its age, and whether it was given for the form.
func (s ApplicationPages) readTicket(f *ent.Form, ticket string) (id []byte, age time.Duration, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil || len(raw) <= ticketTime+ticketNonce {
		return nil, 0, false
	}
	id, signature := raw[:ticketTime+ticketNonce], raw[ticketTime+ticketNonce:]
	given := time.UnixMilli(int64(binary.BigEndian.Uint64(id))) //nolint:gosec // what is signed is ours
	return id, s.core.Now().Sub(given), s.core.Secrets.Verify(signature, ticketParts(f, id)...)
}

func ticketParts(f *ent.Form, id []byte) [][]byte {
	return [][]byte{[]byte("application"), binary.BigEndian.AppendUint64(nil, uint64(f.ID)), id} //nolint:gosec // ids are positive
}
