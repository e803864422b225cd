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

// ApplicationPages are the public pages of the company's forms. Visitors may fill in a form, and nothing
// else; the context must be auth.AsApplicant's. A form that does not exist and an inactive form get the same
// error.
type ApplicationPages struct{ core *unit.Core }

// ApplicationPage is a form as applicants see it.
type ApplicationPage struct {
	Name   string
	Fields []intake.Field
	// Ticket must be sent with the answers. It is valid for one application on this form, from MinTicketAge to
	// TicketLife after it was issued.
	Ticket string
}

// SubmittedForm is a form as an applicant submits it.
type SubmittedForm struct {
	Ticket  string
	Payload json.RawMessage
	// From is the applicant's IP address.
	From string
	// Trapped means that a field that is invisible to people was filled in: the application is stored as SPAM.
	Trapped bool
}

// The minimum and maximum age of a ticket. No person can fill in a form before the minimum; the maximum lets
// an applicant come back the next morning.
const (
	MinTicketAge = 2 * time.Second
	TicketLife   = 24 * time.Hour
)

// Errors of a ticket.
var (
	// ErrTicketTooEarly means that the form was submitted too fast for a person. The same ticket becomes valid
	// later.
	ErrTicketTooEarly = fault.Conflictf("The form was submitted too quickly. " +
		"Check your answers and submit the form again.")
	// ErrTicketExpired means that the ticket is too old or was not issued here. A new ticket is needed.
	ErrTicketExpired = fault.Conflictf("The page was open for too long. Check your answers and submit the form again.")
	// ErrTicketUsed means that different answers were already submitted with this ticket.
	ErrTicketUsed = fault.Conflictf("An application was already submitted from this page. " +
		"Open the form again to submit another.")
)

var errNoForm = fault.Missing("form")

// Open returns the form with this slug, and a new ticket.
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

// Apply stores a submitted application. Submitting the same answers again with the same ticket does nothing.
// Errors: not found, the ticket errors, and validation errors with paths payload.NAME.
func (s ApplicationPages) Apply(ctx context.Context, slug string, in SubmittedForm) error {
	f, err := s.find(ctx, slug)
	if err != nil {
		return err
	}
	ticket, age, ok := s.readTicket(f, in.Ticket)
	if !ok {
		return ErrTicketExpired
	}
	done, err := s.sent(ctx, ticket, in.Payload)
	if done || err != nil {
		return err
	}
	if age > TicketLife {
		return ErrTicketExpired
	}
	if _, _, problems := answersOf(f, in.Payload); len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	if age < MinTicketAge {
		return ErrTicketTooEarly
	}
	_, err = unit.Transact(ctx, s.core, auth.From(ctx), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.ApplicationSubmission, error) {
		current, err := t.Form.Query().Where(form.ID(f.ID), unit.Locked).Only(ctx)
		if err != nil {
			return nil, err
		}
		if !current.IsActive {
			return nil, errNoForm
		}
		return apply(ctx, t, current, in.Payload, arrival{From: &in.From, ticket: ticket, spam: in.Trapped})
	})
	if store.IsDuplicate(err) { // concurrent duplicate
		_, err = s.sent(ctx, ticket, in.Payload)
	}
	return err
}

// sent reports whether these answers were already submitted with the ticket. The error is ErrTicketUsed if
// others were.
func (s ApplicationPages) sent(ctx context.Context, ticket []byte, payload json.RawMessage) (bool, error) {
	row, err := s.core.Store.Reader().ApplicationSubmission.Query().Where(applicationsubmission.Ticket(ticket)).Only(ctx)
	if ent.IsNotFound(err) {
		return false, nil
	}
	if row, err = revealResult(s.core, row, err); err == nil && !bytes.Equal(row.Payload, input.Canonical(payload)) {
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

// A ticket consists of its issue time in milliseconds, a nonce, and a signature of both for the form.
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

// readTicket returns the ticket's id, its age, and whether it was issued for the form.
func (s ApplicationPages) readTicket(f *ent.Form, ticket string) (id []byte, age time.Duration, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil || len(raw) <= ticketTime+ticketNonce {
		return nil, 0, false
	}
	id, signature := raw[:ticketTime+ticketNonce], raw[ticketTime+ticketNonce:]
	given := time.UnixMilli(int64(binary.BigEndian.Uint64(id))) //nolint:gosec // the signed value was issued here
	return id, s.core.Now().Sub(given), s.core.Secrets.Verify(signature, ticketParts(f, id)...)
}

func ticketParts(f *ent.Form, id []byte) [][]byte {
	formID := binary.BigEndian.AppendUint64(nil, uint64(f.ID)) //nolint:gosec // ids are positive
	return [][]byte{[]byte("application"), formID, id}
}
