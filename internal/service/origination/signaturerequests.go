package origination

import (
	"context"
	"fmt"
	"time"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/ent/signaturerequest"
	"paydown/ent/signer"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/compliance"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
	"paydown/internal/signing"
)

// SignatureRequests are documents sent for signature.
type SignatureRequests struct{ core *unit.Core }

// NewSigner is a person who has to sign a document.
type NewSigner struct {
	Name  string  `json:"name"`
	Email string  `json:"email"`
	Title *string `json:"title"`
}

// NewSignatureRequest describes a document to sign and its signers, in signing order.
type NewSignatureRequest struct {
	Title      input.Opt[string]                `json:"title" check:"name" need:"create" example:"Purchase agreement D-000042"`
	Kind       input.Opt[signaturerequest.Kind] `json:"kind" need:"create"`
	DealID     input.Opt[int]                   `json:"dealId" check:"gte=1" doc:"Deal; required unless the kind is OTHER"`
	DocumentID input.Opt[int]                   `json:"documentId" check:"gte=1" doc:"The document to sign, if it is stored here"`
	Provider   input.Opt[string]                `json:"provider" check:"text" doc:"E-signature provider" example:"docusign"`
	ExternalID input.Opt[string]                `json:"externalId" check:"text" doc:"Id at the provider, used in its events" example:"env_7f3a"`
	Signers    input.Opt[[]NewSigner]           `json:"signers" need:"create" column:"-" doc:"Who signs, in order"`
}

const maxSigners = 20

// problems reports invalid signers and conflicting fields.
func (in NewSignatureRequest) problems() []fault.Detail {
	var problems []fault.Detail
	refuse := func(path, message string) {
		if message != "" {
			problems = append(problems, fault.Detail{Path: path, Message: message})
		}
	}
	if in.ExternalID.Given() && !in.Provider.Given() {
		refuse("provider", "is required with externalId")
	}
	signers, given := in.Signers.Get()
	if given && (len(signers) == 0 || len(signers) > maxSigners) {
		refuse("signers", fmt.Sprintf("must have 1 to %d entries", maxSigners))
		return problems
	}
	for i, s := range signers {
		refuse(fmt.Sprintf("signers.%d.name", i), input.Violation(s.Name, "name"))
		refuse(fmt.Sprintf("signers.%d.email", i), input.Violation(s.Email, "email"))
		if s.Title != nil {
			refuse(fmt.Sprintf("signers.%d.title", i), input.Violation(*s.Title, "text"))
		}
	}
	return problems
}

// SignatureRequestListing describes the list.
var SignatureRequestListing = &list.Listing[ent.SignatureRequest]{
	Resource: "signatureRequests", Scope: auth.Read("deals"), ByIDOnly: true,
	Filters: []list.Filter{
		{Name: "dealId", Column: signaturerequest.FieldDealID, Kind: list.IsID, Doc: "Only requests for this deal"},
		{
			Name: "status", Column: signaturerequest.FieldStatus, Kind: list.IsEnum,
			Values: signaturerequest.Status("").Values(),
			Doc:    "Only requests with this status",
		},
	},
}

// List returns a page of signature requests.
func (s SignatureRequests) List(ctx context.Context, req list.Request) (*list.Page[ent.SignatureRequest], error) {
	return list.Read(ctx, s.core, SignatureRequestListing, req, s.core.Store.Reader().SignatureRequest.Query())
}

// OfDeals returns a page of signature requests for each deal.
func (s SignatureRequests) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.SignatureRequest], error) {
	return list.PageOfEach(ctx, s.core, SignatureRequestListing,
		list.Belonging{Filter: "dealId", Column: signaturerequest.FieldDealID}, ids, req,
		s.core.Store.Reader().SignatureRequest.Query())
}

// ByIDs returns the existing signature requests among ids, by id.
func (s SignatureRequests) ByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.SignatureRequest, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().SignatureRequest.Query())
}

// Signers returns the signers of each request, in the order in which they were added, which is the signing
// order.
func (s SignatureRequests) Signers(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Signer, error) {
	return list.ReadOfEach(ctx, through, signer.FieldSignatureRequestID, ids, s.core.Store.Reader().Signer.Query())
}

// Create drafts a request.
func (s SignatureRequests) Create(ctx context.Context, in NewSignatureRequest) (*ent.SignatureRequest, error) {
	if problems := input.MergeProblems(input.Check(in, input.ForCreate), in.problems()); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("deals"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.SignatureRequest, error) {
		if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
			unit.Reference{Path: "documentId", Record: "Document", ID: in.DocumentID.Ptr()}); err != nil {
			return nil, err
		}
		if in.Kind.Or("") != signaturerequest.KindOTHER && !in.DealID.Given() {
			return nil, fault.Field("dealId", "is required unless the kind is OTHER")
		}
		if err := ofDeal(ctx, t, "documentId", in.DocumentID, in.DealID); err != nil {
			return nil, err
		}
		create := t.SignatureRequest.Create()
		row, err := unit.Create(ctx, t, "signatureRequest", in, create.Mutation(), create.Save)
		if err != nil {
			return nil, unit.Taken(err, "externalId", "signature request")
		}
		t.Record("signatureRequest.create", "signatureRequest", row.ID, row.DealID, nil, row)
		signers := in.Signers.Or(nil)
		rows := make([]*ent.SignerCreate, len(signers))
		for i, who := range signers {
			rows[i] = t.Signer.Create().SetSignatureRequestID(row.ID).SetPosition(i + 1).SetName(who.Name).
				SetEmail(who.Email).SetNillableTitle(who.Title)
		}
		added, err := t.Signer.CreateBulk(rows...).Save(ctx)
		unit.AlsoCreated(t, "signer", added...)
		return row, err
	})
}

// ofDeal refuses a document that belongs to another deal.
func ofDeal(ctx context.Context, t *unit.Tx, path string, documentID, dealID input.Opt[int]) error {
	id, given := documentID.Get()
	if !given {
		return nil
	}
	row, err := t.Document.Get(ctx, id)
	if err == nil && row.DealID != nil && (!dealID.Given() || *row.DealID != dealID.Or(0)) {
		err = fault.Field(path, "must be a document of the deal")
	}
	return err
}

// SignatureSending sets the deadline for signing.
type SignatureSending struct {
	ExpiresAt input.Opt[civil.Moment] `json:"expiresAt" column:"-" doc:"Expiry; default: 30 days"`
}

// Send sends a request. A contract is bound to the deal's current terms; after a change of terms it is no
// longer a contract for the deal. A disclosure request is linked to the deal's current disclosure: sending
// delivers the disclosure, and completing the request signs it.
func (s SignatureRequests) Send(ctx context.Context, id int, in SignatureSending) (*ent.SignatureRequest, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.moveRequest(ctx, id, signing.Sent, func(
		ctx context.Context, t *unit.Tx, of *signingOf,
	) ([]input.Change, error) {
		expires := t.At().Add(signing.DefaultLife)
		if moment, given := in.ExpiresAt.Get(); given {
			if expires = moment.At(t.Zone()); !expires.After(t.At()) {
				return nil, fault.Field("expiresAt", "must be in the future")
			}
		}
		changes := []input.Change{
			input.Set(signaturerequest.FieldSentAt, t.At()), input.Set(signaturerequest.FieldExpiresAt, expires),
		}
		switch of.Request.Kind {
		case signaturerequest.KindCONTRACT:
			if missing := books.TermsOf(of.Deal, t.Zone()).Missing(); len(missing) > 0 {
				return nil, fault.Conflictf("The deal must be priced before a contract can be sent.")
			}
			changes = append(changes, input.Set(signaturerequest.FieldTermsHash, servicing.TermsHash(t, of.Deal)))
		case signaturerequest.KindDISCLOSURE:
			return changes, sendDisclosure(ctx, t, of)
		case signaturerequest.KindOTHER: // not bound to terms
		}
		return changes, nil
	})
}

// sendDisclosure links the deal's current disclosure to a request that is being sent, and marks it
// delivered.
func sendDisclosure(ctx context.Context, t *unit.Tx, of *signingOf) error {
	current, err := t.Disclosure.Query().Where(entdisclosure.DealID(of.Deal.ID),
		entdisclosure.StatusIn(entdisclosure.StatusDRAFT, entdisclosure.StatusDELIVERED), unit.Locked).
		Order(entdisclosure.ByID(unit.Descending())).First(ctx)
	if ent.IsNotFound(err) {
		return fault.Conflictf("The deal has no disclosure to sign. Create one first.")
	}
	if err != nil {
		return err
	}
	after := current
	if current.Status == entdisclosure.StatusDRAFT {
		if after, err = compliance.MoveDisclosure(ctx, t, of.Deal, current,
			entdisclosure.StatusDELIVERED, t.At()); err != nil {
			return err
		}
	}
	update := t.Disclosure.Update().Where(entdisclosure.ID(current.ID))
	linked, err := unit.Store(ctx, t, after,
		[]input.Change{input.Set(entdisclosure.FieldSignatureRequestID, of.Request.ID)},
		update.Mutation(), update.Save)
	if err == nil {
		unit.AlsoUpdated(t, "disclosure", current, linked)
	}
	return err
}

// Void cancels a request; nobody can sign it any more.
func (s SignatureRequests) Void(ctx context.Context, id int) (*ent.SignatureRequest, error) {
	return s.moveRequest(ctx, id, signing.Void, nil)
}

// Expire ends a request that is past its deadline.
func (s SignatureRequests) Expire(ctx context.Context, id int) (*ent.SignatureRequest, error) {
	return s.moveRequest(ctx, id, signing.Expired, func(
		_ context.Context, t *unit.Tx, of *signingOf,
	) ([]input.Change, error) {
		return nil, signing.CheckExpiry(of.Request.ExpiresAt, t.At())
	})
}

// moveRequest moves a request to another status; also runs further checks and returns additional changes. Moving it
// to its current status does nothing.
func (s SignatureRequests) moveRequest(
	ctx context.Context, id int, to signing.Status,
	also func(context.Context, *unit.Tx, *signingOf) ([]input.Change, error),
) (*ent.SignatureRequest, error) {
	return unit.Write(ctx, s.core, auth.Write("deals"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.SignatureRequest, error) {
		of, err := LockSigning(ctx, t, id)
		if err != nil {
			return nil, err
		}
		before := of.Request
		if signing.Status(before.Status) == to {
			return before, nil
		}
		if err := signing.Check(signing.Status(before.Status), to); err != nil {
			return nil, err
		}
		var more []input.Change
		if also != nil {
			if more, err = also(ctx, t, of); err != nil {
				return nil, err
			}
		}
		update := t.SignatureRequest.Update().Where(signaturerequest.ID(id))
		more = append(more, input.Set(signaturerequest.FieldStatus, signaturerequest.Status(to)))
		after, err := unit.Store(ctx, t, before, more, update.Mutation(), update.Save)
		if err == nil {
			t.Record("signatureRequest.update", "signatureRequest", id, before.DealID, before, after)
		}
		return after, err
	})
}

// SignerMoment says when a signer viewed, signed or declined.
type SignerMoment struct {
	At input.Opt[civil.Moment] `json:"at" column:"-" doc:"Date and time; default: now"`
}

// Signature is a signature to record.
type Signature struct {
	SignerMoment
	DocumentID  input.Opt[int]    `json:"documentId" check:"gte=1" column:"-" doc:"The signed document, if uploaded; not the one that was sent out"`
	DocumentURL input.Opt[string] `json:"documentUrl" check:"web" column:"-" doc:"URL of the signed document; the last signature requires this or documentId"`
}

// Refusal is a signer's reason for declining.
type Refusal struct {
	SignerMoment
	Reason input.Opt[string] `json:"reason" check:"notes" column:"-" doc:"In the signer's words"`
}

// View records that a signer has viewed the document.
func (s SignatureRequests) View(ctx context.Context, signerID int, in SignerMoment) (*ent.Signer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, signerID, in, NoteViewed)
}

// Sign records a signature. The last one completes the request.
func (s SignatureRequests) Sign(ctx context.Context, signerID int, in Signature) (*ent.Signer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, signerID, in.SignerMoment, func(
		ctx context.Context, t *unit.Tx, of *signingOf, who *ent.Signer, at time.Time,
	) error {
		document := unit.Reference{Path: "documentId", Record: "Document", ID: in.DocumentID.Ptr()}
		if err := t.Require(ctx, document); err != nil {
			return err
		}
		if err := ofDeal(ctx, t, "documentId", in.DocumentID, input.FromPtr(of.Request.DealID)); err != nil {
			return err
		}
		return NoteSigned(ctx, t, of, who, at, SignedDocument{in.DocumentID.Ptr(), in.DocumentURL.Or("")})
	})
}

// Decline records that a signer declines, which ends the request.
func (s SignatureRequests) Decline(ctx context.Context, signerID int, in Refusal) (*ent.Signer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, signerID, in.SignerMoment, func(
		ctx context.Context, t *unit.Tx, of *signingOf, who *ent.Signer, at time.Time,
	) error {
		return NoteDeclined(ctx, t, of, who, at, in.Reason.Ptr())
	})
}

// act locks a signer's request, records what the signer did, and returns the updated signer.
func (s SignatureRequests) act(
	ctx context.Context, signerID int, in SignerMoment,
	note func(context.Context, *unit.Tx, *signingOf, *ent.Signer, time.Time) error,
) (*ent.Signer, error) {
	return unit.Write(ctx, s.core, auth.Write("deals"), func(ctx context.Context, t *unit.Tx) (*ent.Signer, error) {
		unlocked, err := t.Signer.Get(ctx, signerID)
		if err != nil {
			return nil, unit.NotFound(err, "signer")
		}
		of, err := LockSigning(ctx, t, unlocked.SignatureRequestID)
		if err != nil {
			return nil, err
		}
		at, err := compliance.OccurredAt(t, "at", in.At)
		if err != nil {
			return nil, err
		}
		who := SignersWhere(of.Signers, func(s *ent.Signer) bool { return s.ID == signerID })[0]
		if err := note(ctx, t, of, who, at); err != nil {
			return nil, err
		}
		return t.Signer.Get(ctx, signerID)
	})
}
