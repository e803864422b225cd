package inbound

import (
	"context"

	"paydown/ent"
	"paydown/ent/predicate"
	"paydown/ent/signaturerequest"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/origination"
	"paydown/internal/service/unit"
)

// ESignEventType is the type of an event from an e-signature provider.
type ESignEventType string

// The types of e-sign events.
const (
	SignerViewed   ESignEventType = "signer.viewed"
	SignerSigned   ESignEventType = "signer.signed"
	SignerDeclined ESignEventType = "signer.declined"
)

// Values lists the types.
func (ESignEventType) Values() []string {
	return []string{string(SignerViewed), string(SignerSigned), string(SignerDeclined)}
}

// ESignEvent reports what a signer did with a document sent for signature. It names the request by paydown's or
// the provider's id, and the signer by paydown's id or by email address.
type ESignEvent struct {
	Type               input.Opt[ESignEventType] `json:"type" need:"create"`
	SignatureRequestID input.Opt[int]            `json:"signatureRequestId" check:"gte=1" doc:"Id of the signature request"`
	Provider           input.Opt[string]         `json:"provider" check:"text" doc:"Provider of the externalId; required if several providers are in use" example:"docusign"`
	ExternalID         input.Opt[string]         `json:"externalId" check:"text" doc:"The provider's id of the signature request" example:"env_7f3a"`
	SignerID           input.Opt[int]            `json:"signerId" check:"gte=1" doc:"Id of the signer"`
	SignerEmail        input.Opt[string]         `json:"signerEmail" check:"email" doc:"Email address of the signer; must be unique among the signers" example:"owner@harborstreet.example"`
	Reason             input.Opt[string]         `json:"reason" check:"notes" doc:"Why the signer declined, in the signer's words"`
	DocumentURL        input.Opt[string]         `json:"documentUrl" check:"web" doc:"Where the signed document can be fetched; required with the last signature" example:"https://documents.example/env_7f3a.pdf"`
	OccurredAt         input.Opt[civil.Moment]   `json:"occurredAt" doc:"When the signer did it; default: now" example:"2026-01-07T09:30:00Z"`
}

func (in ESignEvent) problems() []fault.Detail {
	var problems []fault.Detail
	if !in.SignatureRequestID.Given() && in.ExternalID.Or("") == "" {
		problems = append(problems, fault.Detail{
			Path: "signatureRequestId", Message: "is required, or externalId",
		})
	}
	if !in.SignerID.Given() && !in.SignerEmail.Given() {
		problems = append(problems, fault.Detail{
			Path: "signerEmail", Message: "is required, or signerId",
		})
	}
	return problems
}

// applyESign records what a signer did and applies the consequences for the document.
func applyESign(ctx context.Context, t *unit.Tx, p input.Payload) (inboundOutcome, error) {
	in, err := input.FromPayload(p, ESignEvent.problems)
	if err != nil {
		return inboundOutcome{}, err
	}
	at := t.At()
	if moment, ok := in.OccurredAt.Get(); ok {
		at = moment.At(t.Zone())
		if err := t.RefuseFuture(at); err != nil {
			return inboundOutcome{}, err
		}
	}
	id, err := requestOf(ctx, t, in)
	if err != nil {
		return inboundOutcome{}, err
	}
	s, err := origination.LockSigning(ctx, t, id)
	if err != nil {
		return inboundOutcome{}, err
	}
	who, err := signerOf(s.Signers, in)
	if err != nil {
		return inboundOutcome{}, err
	}
	switch in.Type.Or("") {
	case SignerViewed:
		err = origination.NoteViewed(ctx, t, s, who, at)
	case SignerSigned:
		err = origination.NoteSigned(ctx, t, s, who, at, origination.SignedDocument{URL: in.DocumentURL.Or("")})
	case SignerDeclined:
		err = origination.NoteDeclined(ctx, t, s, who, at, in.Reason.Ptr())
	}
	about := inboundOutcome{dealID: s.Request.DealID}
	if s.Deal != nil {
		about.merchantID = &s.Deal.MerchantID
	}
	return about, err
}

// requestOf finds the signature request of the event.
func requestOf(ctx context.Context, t *unit.Tx, in ESignEvent) (int, error) {
	if id, given := in.SignatureRequestID.Get(); given {
		err := t.Require(ctx, unit.Reference{Path: "signatureRequestId", Record: "SignatureRequest", ID: &id})
		return id, err
	}
	where := []predicate.SignatureRequest{signaturerequest.ExternalID(in.ExternalID.Or(""))}
	if provider, given := in.Provider.Get(); given {
		where = append(where, signaturerequest.Provider(provider))
	}
	ids, err := t.SignatureRequest.Query().Where(where...).Limit(2).IDs(ctx)
	if err != nil {
		return 0, err
	}
	switch len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return 0, fault.UnknownReference(fault.Detail{Path: "externalId", Message: "no signature request has this id"})
	}
	return 0, fault.Field("provider", "is required: several providers have a request with this id")
}

// signerOf finds the signer of the event among the request's signers.
func signerOf(signers []*ent.Signer, in ESignEvent) (*ent.Signer, error) {
	var found []*ent.Signer
	path := "signerEmail"
	if id, given := in.SignerID.Get(); given {
		path = "signerId"
		found = origination.SignersWhere(signers, func(s *ent.Signer) bool { return s.ID == id })
	} else {
		found = origination.SignersWhere(signers, func(s *ent.Signer) bool {
			return origination.SameAddress(s.Email, in.SignerEmail.Or(""))
		})
	}
	switch {
	case len(found) == 0:
		return nil, fault.UnknownReference(fault.Detail{Path: path, Message: "must name a signer of this document"})
	case len(found) > 1:
		return nil, fault.Field("signerId", "is required: several signers have this address")
	case in.SignerEmail.Given() && !origination.SameAddress(found[0].Email, in.SignerEmail.Or("")):
		return nil, fault.Field("signerEmail", "must be the address of this signer")
	}
	return found[0], nil
}
