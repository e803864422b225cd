package inbound

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/inboundevent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// Inbound receives the events of a tenant's own systems: bank statement analyses, settled and returned
// payments, signatures, and anything else they send.
//
// An event is identified by its source and its sender's id for it. A repeat within InboundWindow is recognized,
// on whichever process it arrives. The record of an event and its effects commit together. An event that cannot
// be applied is stored with the reason and can be applied later.
type Inbound struct{ core *unit.Core }

// InboundWindow is how long a repeated event is recognized.
const InboundWindow = 30 * 24 * time.Hour

// InboundReceipt acknowledges an event.
type InboundReceipt struct {
	// ID is the sender's id for the event.
	ID string
	// Duplicate reports that the event was received before, so that this time nothing was done.
	Duplicate bool
}

// inboundMessage is a received event with its sender's id extracted.
type inboundMessage struct {
	source     string
	externalID string
	key        []byte // hash of source and external id, to recognize repeats
	raw        json.RawMessage
	payload    input.Payload
}

// inboundOutcome says which deal and merchant an applied event is about.
type inboundOutcome struct{ dealID, merchantID *int }

// inboundSource applies the events of one source.
type inboundSource func(context.Context, *unit.Tx, input.Payload) (inboundOutcome, error)

// inboundSources are the sources whose events are applied. Events from other sources are stored for staff.
var inboundSources = map[string]inboundSource{
	"bank-statements": applyStatements,
	processorSource:   applyProcessor,
	"esign":           applyESign,
	"credit-profiles": applyFile,
	"disclosures":     applyFile,
	"legal-updates":   applyFile,
}

// Authenticate verifies a body's signature with the tenant's inboundWebhookSecret and returns the context of
// the sender. Errors: forbidden if the tenant has no secret, unauthorized for any problem with the signature or
// its timestamp.
func (s Inbound) Authenticate(
	ctx context.Context, tenant *identity.TenantEntry, source, timestamp, signature string, body []byte, requestID string,
) (context.Context, error) {
	if err := s.Accepts(tenant); err != nil {
		return nil, err
	}
	secret, err := s.core.Secrets.Unseal(tenant.InboundWebhookSecret, identity.InboundSecretOf(tenant.ID))
	if err != nil {
		return nil, fmt.Errorf("unseal the inbound secret of tenant %d: %w", tenant.ID, err)
	}
	if err := webhook.Verify(string(secret), timestamp, signature, body, s.core.Store.Now()); err != nil {
		return nil, badSignature(err)
	}
	return auth.AsInbound(ctx, tenant.ID, tenant.Zone, source, requestID), nil
}

func badSignature(cause error) error {
	return fault.New(fault.Unauthorized, "The signature is missing or wrong, or its timestamp is too far off.").
		Because(cause)
}

// Plausible rejects what Authenticate would reject for any body, before the body is read, with the same errors.
func (s Inbound) Plausible(tenant *identity.TenantEntry, timestamp, signature string) error {
	if err := s.Accepts(tenant); err != nil {
		return err
	}
	if err := webhook.Plausible(timestamp, signature, s.core.Store.Now()); err != nil {
		return badSignature(err)
	}
	return nil
}

// Accepts rejects a tenant that has no inboundWebhookSecret.
func (s Inbound) Accepts(tenant *identity.TenantEntry) error {
	if len(tenant.InboundWebhookSecret) == 0 {
		return fault.New(fault.Forbidden, "This company does not accept inbound webhooks: inboundWebhookSecret is not set.")
	}
	return nil
}

// Receive stores an event and, if the source is known, applies it. raw is a JSON object without duplicate
// names. It returns an error if the event is malformed (its source, its id, its numbers) or the database does
// not respond. An event that cannot be applied is not an error: it is stored with the reason.
func (s Inbound) Receive(ctx context.Context, source string, raw json.RawMessage) (*InboundReceipt, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	m, err := newInboundMessage(source, raw)
	if err != nil {
		return nil, err
	}
	receipt, err := s.keep(ctx, actor, m, "")
	if refused, ok := errors.AsType[*notAppliedError](err); ok {
		if !isPermanent(ctx, err) {
			return nil, err
		}
		receipt, err = s.keep(ctx, actor, m, s.reasonOf(ctx, actor, m.source, refused))
	}
	if store.IsDuplicate(err) {
		// Another process stored the event first. The database let this transaction continue only after that one
		// committed.
		return &InboundReceipt{ID: m.externalID, Duplicate: true}, nil
	}
	return receipt, err
}

var sourceName = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

func newInboundMessage(source string, raw json.RawMessage) (*inboundMessage, error) {
	if !sourceName.MatchString(source) {
		return nil, fault.Field("source", "must be 1 to 64 lowercase letters, digits or hyphens")
	}
	payload, err := input.ParsePayload(raw)
	if err != nil {
		return nil, err
	}
	id, err := payload.ID()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(source + "\x00" + id))
	return &inboundMessage{source: source, externalID: id, key: sum[:], raw: raw, payload: payload}, nil
}

// notAppliedError is the reason why an event could not be applied, as opposed to stored.
type notAppliedError struct{ cause error }

func (e *notAppliedError) Error() string { return "not applied: " + e.cause.Error() }

func (e *notAppliedError) Unwrap() error { return e.cause }

// isPermanent reports whether sending the event again later would not help.
func isPermanent(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (fault.As(err) != nil || !store.IsUnreachable(err))
}

// reasonOf returns the error message to store with an event. An internal error is logged instead and not shown.
func (s Inbound) reasonOf(ctx context.Context, actor *auth.Actor, source string, e *notAppliedError) string {
	f := fault.As(unit.TranslateError(e.cause))
	if f == nil {
		s.core.Log.ErrorContext(ctx, "could not apply inbound event", "error", e.cause, "source", source,
			"tenantId", actor.TenantID, "requestId", actor.RequestID)
		return "An internal error occurred. Details are in the log, under request " + actor.RequestID + "."
	}
	if len(f.Details) == 0 {
		return f.Message
	}
	var b strings.Builder
	b.WriteString(f.Message)
	for _, d := range f.Details {
		if line := d.Path + ": " + d.Message; line != f.Message {
			b.WriteString("\n" + line)
		}
	}
	return b.String()
}

// keep stores an event and applies it. If reason is not empty, it only stores the event with that reason: an
// earlier transaction failed to apply it and left nothing behind.
func (s Inbound) keep(
	ctx context.Context, actor *auth.Actor, m *inboundMessage, reason string,
) (*InboundReceipt, error) {
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*InboundReceipt, error) {
		repeated, err := inboundBefore(ctx, t, m)
		if repeated || err != nil {
			return &InboundReceipt{ID: m.externalID, Duplicate: true}, err
		}
		create := t.InboundEvent.Create().SetSource(m.source).SetExternalID(m.externalID).SetDedupeKey(m.key).
			SetPayload(m.raw).SetReceivedAt(t.At())
		if reason != "" {
			create.SetState(inboundevent.StateFAILED).SetError(reason)
		}
		row, err := create.Save(ctx)
		if err != nil {
			return nil, err
		}
		if apply, known := inboundSources[m.source]; known && reason == "" {
			if row, err = applyInbound(ctx, t, row, apply, m.payload); err != nil {
				return nil, err
			}
		}
		recordInbound(t, "inboundEvent.create", nil, row)
		return &InboundReceipt{ID: m.externalID}, nil
	})
}

// inboundBefore reports whether the event was already received within InboundWindow. It frees the id of an
// older one.
func inboundBefore(ctx context.Context, t *unit.Tx, m *inboundMessage) (bool, error) {
	row, err := t.InboundEvent.Query().Where(inboundevent.DedupeKey(m.key)).
		Select(inboundevent.FieldID, inboundevent.FieldReceivedAt).Only(ctx)
	if ent.IsNotFound(err) {
		return false, nil
	}
	if err != nil || row.ReceivedAt.After(t.At().Add(-InboundWindow)) {
		return true, err
	}
	return false, t.InboundEvent.Update().Where(inboundevent.ID(row.ID)).ClearDedupeKey().Exec(ctx)
}

// applyInbound applies the event and marks it as applied.
func applyInbound(
	ctx context.Context, t *unit.Tx, row *ent.InboundEvent, apply inboundSource, payload input.Payload,
) (*ent.InboundEvent, error) {
	about, err := apply(ctx, t, payload)
	if err != nil {
		return nil, &notAppliedError{err}
	}
	return t.InboundEvent.UpdateOne(row).SetState(inboundevent.StateAPPLIED).ClearError().SetAppliedAt(t.At()).
		SetNillableDealID(about.dealID).SetNillableMerchantID(about.merchantID).Save(ctx)
}

// recordInbound records the event in the audit trail, without its payload, which may contain anything. If
// applying it recorded another subject of the write, the event is one of the side effects.
func recordInbound(t *unit.Tx, action string, before, after *ent.InboundEvent) {
	switch {
	case !t.Recorded() && before == nil:
		t.Record(action, "inboundEvent", after.ID, after.DealID, nil, withoutPayload(after))
	case !t.Recorded():
		t.Record(action, "inboundEvent", after.ID, after.DealID, withoutPayload(before), withoutPayload(after))
	case before == nil:
		unit.AlsoCreated(t, "inboundEvent", withoutPayload(after))
	default:
		unit.AlsoUpdated(t, "inboundEvent", withoutPayload(before), withoutPayload(after))
	}
}

func withoutPayload(e *ent.InboundEvent) *ent.InboundEvent {
	bare := *e
	bare.Payload, bare.DedupeKey = nil, nil
	return &bare
}

// requireInboundAccess returns the actor if they may manage inbound events: never an API key, because events
// may be about anything.
func requireInboundAccess(ctx context.Context) (*auth.Actor, error) {
	if actor := auth.From(ctx); actor == nil || actor.Kind == auth.ByKey {
		return nil, fault.New(fault.Forbidden, "An API key cannot manage inbound events.")
	}
	return unit.RequirePermission(ctx, auth.EditCompanySettings)
}

// InboundListing describes the list of inbound events. It has a single order because it is long.
var InboundListing = &list.Listing[ent.InboundEvent]{
	Resource: "inboundEvents", ByIDOnly: true, Created: inboundevent.FieldReceivedAt,
	Filters: []list.Filter{
		{Name: "source", Column: inboundevent.FieldSource, Kind: list.IsText, Doc: "Only those of this source"},
		{
			Name: "state", Column: inboundevent.FieldState, Kind: list.IsEnum, Values: inboundevent.State("").Values(),
			Doc: "Only those of this state",
		},
		{Name: "dealId", Column: inboundevent.FieldDealID, Kind: list.IsID, Doc: "Only those about this deal"},
		{Name: "merchantId", Column: inboundevent.FieldMerchantID, Kind: list.IsID, Doc: "Only those about this merchant"},
	},
}

// List returns a page of inbound events, without their payloads.
func (s Inbound) List(ctx context.Context, req list.Request) (*list.Page[ent.InboundEvent], error) {
	actor, err := requireInboundAccess(ctx)
	if err != nil {
		return nil, err
	}
	q, err := InboundListing.Query(s.core, actor, req)
	if err != nil {
		return nil, err
	}
	query, all := s.core.Store.Reader().InboundEvent.Query(), s.core.Store.Reader().InboundEvent.Query()
	query.Select(slices.DeleteFunc(slices.Clone(inboundevent.Columns), func(column string) bool {
		return column == inboundevent.FieldPayload || column == inboundevent.FieldDedupeKey
	})...)
	page, err := list.FetchPage(ctx, s.core, q, query)
	if err == nil { // a query that selects columns cannot be counted
		page.Count = func(ctx context.Context) (int, error) { return all.Clone().Where(q.Filter).Count(ctx) }
	}
	return page, err
}

// Get returns one inbound event with its payload.
func (s Inbound) Get(ctx context.Context, id int) (*ent.InboundEvent, error) {
	if _, err := requireInboundAccess(ctx); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().InboundEvent.Get(ctx, id)
	return row, unit.NotFound(err, "inbound event")
}

// Payloads returns the payloads of the existing events among ids, by id.
func (s Inbound) Payloads(ctx context.Context, _ auth.Scope, ids []int) (map[int]*json.RawMessage, error) {
	if _, err := requireInboundAccess(ctx); err != nil {
		return nil, err
	}
	rows, err := list.FoundByID(ctx, ids, s.core.Store.Reader().InboundEvent.Query())
	payloads := make(map[int]*json.RawMessage, len(rows))
	for id, row := range rows {
		payloads[id] = &row.Payload
	}
	return payloads, err
}

// Reapply applies a stored event on behalf of a person, and returns the event after that. Errors: conflict if
// there is nothing to apply, or the reason why the event still cannot be applied, which replaces the stored
// reason.
func (s Inbound) Reapply(ctx context.Context, id int) (*ent.InboundEvent, error) {
	actor, err := requireInboundAccess(ctx)
	if err != nil {
		return nil, err
	}
	row, err := s.reapply(ctx, actor, id)
	if refused, ok := errors.AsType[*notAppliedError](err); ok && isPermanent(ctx, err) {
		if kept := s.keepReason(ctx, actor, id, refused); kept != nil {
			return nil, kept
		}
	}
	return row, err
}

func (s Inbound) reapply(ctx context.Context, actor *auth.Actor, id int) (*ent.InboundEvent, error) {
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.InboundEvent, error) {
		before, err := lockInbound(ctx, t, id)
		if err != nil {
			return nil, err
		}
		apply, known := inboundSources[before.Source]
		if before.State == inboundevent.StateAPPLIED {
			return nil, fault.Conflictf("The event has already been applied.")
		}
		if !known {
			return nil, fault.Conflictf("Events from this source are only stored; there is nothing to apply.")
		}
		payload, err := input.ParsePayload(before.Payload)
		if err != nil {
			return nil, &notAppliedError{err}
		}
		after, err := applyInbound(ctx, t, before, apply, payload)
		if err != nil {
			return nil, err
		}
		recordInbound(t, "inboundEvent.update", before, after)
		return after, nil
	})
}

// keepReason stores why the event could not be applied this time, unless it was applied in the meantime.
func (s Inbound) keepReason(ctx context.Context, actor *auth.Actor, id int, refused *notAppliedError) error {
	// The call fails, so there is no answer to store for its Idempotency-Key.
	_, err := unit.Transact(unit.Unkeyed(ctx), s.core, actor, func(
		ctx context.Context, t *unit.Tx,
	) (*ent.InboundEvent, error) {
		before, err := lockInbound(ctx, t, id)
		if err != nil || before.State == inboundevent.StateAPPLIED {
			return before, err
		}
		reason := s.reasonOf(ctx, actor, before.Source, refused)
		after, err := t.InboundEvent.UpdateOne(before).SetState(inboundevent.StateFAILED).SetError(reason).Save(ctx)
		if err == nil {
			recordInbound(t, "inboundEvent.update", before, after)
		}
		return after, err
	})
	return err
}

func lockInbound(ctx context.Context, t *unit.Tx, id int) (*ent.InboundEvent, error) {
	row, err := t.InboundEvent.Query().Where(inboundevent.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "inbound event")
}
