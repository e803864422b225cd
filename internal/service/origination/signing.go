package origination

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/disclosure"
	"paydown/ent/signaturerequest"
	"paydown/ent/signer"
	"paydown/internal/fault"
	"paydown/internal/service/unit"
	"paydown/internal/signing"
	"paydown/internal/webhook"
)

// signingOf is a signature request, locked with the records that change with it.
type signingOf struct {
	Deal    *ent.Deal // nil if the document belongs to no deal
	Request *ent.SignatureRequest
	Signers []*ent.Signer // in signing order
}

// LockSigning locks a signature request after its deal. The lock also covers the request's signers.
func LockSigning(ctx context.Context, t *unit.Tx, id int) (*signingOf, error) {
	s := &signingOf{}
	unlocked, err := t.SignatureRequest.Get(ctx, id)
	if err != nil {
		return nil, unit.NotFound(err, "signature request")
	}
	if unlocked.DealID != nil {
		if s.Deal, err = t.Deal.Query().Where(entdeal.ID(*unlocked.DealID), unit.Locked).Only(ctx); err != nil {
			return nil, err
		}
	}
	if s.Request, err = t.SignatureRequest.Query().Where(signaturerequest.ID(id), unit.Locked).Only(ctx); err != nil {
		return nil, unit.NotFound(err, "signature request")
	}
	s.Signers, err = t.Signer.Query().Where(signer.SignatureRequestID(id)).Order(signer.ByPosition()).All(ctx)
	return s, err
}

// SignersWhere returns the signers for which is returns true.
func SignersWhere(signers []*ent.Signer, is func(*ent.Signer) bool) []*ent.Signer {
	var found []*ent.Signer
	for _, s := range signers {
		if is(s) {
			found = append(found, s)
		}
	}
	return found
}

// SameAddress reports whether two email addresses are equal, without regard to case and outer spaces.
func SameAddress(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// checkMove refuses a signer's move that the transition table does not allow, or whose request is not out for
// signature.
func (s *signingOf) checkMove(who *ent.Signer, to signing.SignerStatus) error {
	if err := signing.CheckSigner(signing.SignerStatus(who.Status), to); err != nil {
		return err
	}
	return signing.RequireSent(signing.Status(s.Request.Status))
}

// SignedDocument is the signed document that comes with the last signature: a document stored here, or a URL.
type SignedDocument struct {
	id  *int
	URL string
}

// NoteViewed records that a signer has viewed the document. It does nothing if the signer has already viewed,
// signed or declined.
func NoteViewed(ctx context.Context, t *unit.Tx, s *signingOf, who *ent.Signer, at time.Time) error {
	if who.Status != signer.StatusPENDING {
		return nil
	}
	if err := s.checkMove(who, signing.Viewed); err != nil {
		return err
	}
	after, err := t.Signer.UpdateOne(who).SetStatus(signer.StatusVIEWED).SetViewedAt(at).Save(ctx)
	if err == nil {
		t.Record("signer.update", "signer", who.ID, s.Request.DealID, who, after)
	}
	return err
}

// NoteSigned records a signature. The last signature completes the request and has to name the signed
// document. Recording a signature again changes nothing.
func NoteSigned(
	ctx context.Context, t *unit.Tx, s *signingOf, who *ent.Signer, at time.Time, document SignedDocument,
) error {
	if who.Status == signer.StatusSIGNED {
		return nil
	}
	if err := s.checkMove(who, signing.Signed); err != nil {
		return err
	}
	after, err := t.Signer.UpdateOne(who).SetStatus(signer.StatusSIGNED).SetSignedAt(at).Save(ctx)
	if err != nil {
		return err
	}
	t.Record("signer.update", "signer", who.ID, s.Request.DealID, who, after)
	event := webhook.EsignSigned{SignatureRequestID: s.Request.ID, DealID: s.Request.DealID, SignerEmail: who.Email}
	t.Emit("signatureRequest", s.Request.ID, event)
	waiting := SignersWhere(s.Signers, func(other *ent.Signer) bool {
		return other.ID != who.ID && other.Status != signer.StatusSIGNED
	})
	if len(waiting) > 0 {
		return nil
	}
	return completeSigning(ctx, t, s, at, document)
}

// completeSigning completes a request that everyone has signed, and signs its disclosure.
func completeSigning(ctx context.Context, t *unit.Tx, s *signingOf, at time.Time, document SignedDocument) error {
	filed, url, err := fileSigned(ctx, t, s.Request, document)
	if err != nil {
		return err
	}
	after, err := t.SignatureRequest.UpdateOne(s.Request).SetStatus(signaturerequest.StatusCOMPLETED).
		SetCompletedAt(at).SetSignedDocumentID(filed).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "signatureRequest", s.Request, after)
	if err := signDisclosures(ctx, t, s.Request.ID, at); err != nil {
		return err
	}
	event := webhook.EsignCompleted{
		SignatureRequestID: s.Request.ID, DealID: s.Request.DealID, DocumentID: filed, DocumentURL: url,
	}
	t.Emit("signatureRequest", s.Request.ID, event)
	return nil
}

// fileSigned returns the signed document and its URL. It stores a document that the signature provider keeps
// as a link.
func fileSigned(
	ctx context.Context, t *unit.Tx, of *ent.SignatureRequest, signed SignedDocument,
) (id int, url string, err error) {
	if signed.id == nil {
		if signed.URL == "" {
			return 0, "", fault.Field("documentUrl", "is required with the last signature, unless documentId is given")
		}
		filed, err := t.Document.Create().SetName(of.Title).SetKind(string(of.Kind)).SetMediaType("application/pdf").
			SetURL(signed.URL).SetNillableDealID(of.DealID).Save(ctx)
		if err != nil {
			return 0, "", err
		}
		unit.AlsoCreated(t, "document", filed)
		return filed.ID, signed.URL, nil
	}
	if of.DocumentID != nil && *of.DocumentID == *signed.id {
		return 0, "", fault.Field("documentId",
			"must not be the document that was sent; upload the signed document separately")
	}
	row, err := t.Document.Get(ctx, *signed.id)
	if err != nil {
		return 0, "", err
	}
	if url, err = documentURL(ctx, t, row); err != nil {
		return 0, "", err
	}
	if signed.URL != "" && signed.URL != url {
		return 0, "", fault.Field("documentUrl",
			"must be absent if documentId is given, because that document has its own URL")
	}
	return row.ID, url, nil
}

// documentURL returns the URL at which a document can be opened: the external URL or, for a file stored here,
// a URL at the company's host. The sandbox's keys use the company's host too.
func documentURL(ctx context.Context, t *unit.Tx, of *ent.Document) (string, error) {
	if of.URL != nil {
		return *of.URL, nil
	}
	company, err := t.Tenant.Get(ctx, t.Actor.TenantID)
	if err == nil && company.SandboxOfID != nil {
		company, err = t.Tenant.Get(ctx, *company.SandboxOfID)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("https://%s/documents/%d", company.Host, of.ID), nil
}

// signDisclosures marks the request's current disclosures as SIGNED. A signed disclosure counts as
// delivered.
func signDisclosures(ctx context.Context, t *unit.Tx, requestID int, at time.Time) error {
	open, err := t.Disclosure.Query().Where(disclosure.SignatureRequestID(requestID),
		disclosure.StatusIn(disclosure.StatusDRAFT, disclosure.StatusDELIVERED), unit.Locked).
		Order(disclosure.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, before := range open {
		update := t.Disclosure.UpdateOne(before).SetStatus(disclosure.StatusSIGNED).SetSignedAt(at)
		if before.DeliveredAt == nil {
			update.SetDeliveredAt(at)
		}
		after, err := update.Save(ctx)
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "disclosure", before, after)
	}
	return nil
}

// NoteDeclined records that a signer declines, which ends the request. Recording it again changes nothing.
func NoteDeclined(ctx context.Context, t *unit.Tx, s *signingOf, who *ent.Signer, at time.Time, reason *string) error {
	if who.Status == signer.StatusDECLINED {
		return nil
	}
	if err := s.checkMove(who, signing.SignerDeclined); err != nil {
		return err
	}
	after, err := t.Signer.UpdateOne(who).SetStatus(signer.StatusDECLINED).SetDeclinedAt(at).
		SetNillableDeclinedReason(reason).Save(ctx)
	if err != nil {
		return err
	}
	t.Record("signer.update", "signer", who.ID, s.Request.DealID, who, after)
	ended, err := t.SignatureRequest.UpdateOne(s.Request).SetStatus(signaturerequest.StatusDECLINED).SetDeclinedAt(at).
		SetNillableDeclinedReason(reason).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "signatureRequest", s.Request, ended)
	event := webhook.EsignDeclined{
		SignatureRequestID: s.Request.ID, DealID: s.Request.DealID, SignerEmail: who.Email, Reason: reason,
	}
	t.Emit("signatureRequest", s.Request.ID, event)
	return nil
}
