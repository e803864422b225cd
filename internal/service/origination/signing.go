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

// signingOf is a document sent for signature, locked with all that moves with it.
type signingOf struct {
	Deal    *ent.Deal // nil where the document belongs to none
	Request *ent.SignatureRequest
	Signers []*ent.Signer // in the order of signing
}

// LockSigning locks a signature request after the deal it is for. Whoever holds the request may change its signers.
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

func SignersWhere(signers []*ent.Signer, is func(*ent.Signer) bool) []*ent.Signer {
	var found []*ent.Signer
	for _, s := range signers {
		if is(s) {
			found = append(found, s)
		}
	}
	return found
}

func SameAddress(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// mayMove refuses a signer's move that the table does not have, or of a request that is not out for signature.
func (s *signingOf) mayMove(who *ent.Signer, to signing.SignerStatus) error {
	if err := signing.CheckSigner(signing.SignerStatus(who.Status), to); err != nil {
		return err
	}
	return signing.UnderWay(signing.Status(s.Request.Status))
}

// SignedDocument is what the last signature brings along: the signed document where it is kept here, or else where it can be
// fetched.
type SignedDocument struct {
	id  *int
	URL string
}

// NoteViewed notes that a signer has seen the document. Of one who has done so or decided already it is old news.
func NoteViewed(ctx context.Context, t *unit.Tx, s *signingOf, who *ent.Signer, at time.Time) error {
	if who.Status != signer.StatusPENDING {
		return nil
	}
	if err := s.mayMove(who, signing.Viewed); err != nil {
		return err
	}
	after, err := t.Signer.UpdateOne(who).SetStatus(signer.StatusVIEWED).SetViewedAt(at).Save(ctx)
	if err == nil {
		t.Record("signer.update", "signer", who.ID, s.Request.DealID, who, after)
	}
	return err
}

// NoteSigned notes a signature. The last one completes the request, and needs to say which document is the signed one.
// A signature that was noted already changes nothing.
func NoteSigned(ctx context.Context, t *unit.Tx, s *signingOf, who *ent.Signer, at time.Time, document SignedDocument) error {
	if who.Status == signer.StatusSIGNED {
		return nil
	}
	if err := s.mayMove(who, signing.Signed); err != nil {
		return err
	}
	after, err := t.Signer.UpdateOne(who).SetStatus(signer.StatusSIGNED).SetSignedAt(at).Save(ctx)
	if err != nil {
		return err
	}
	t.Record("signer.update", "signer", who.ID, s.Request.DealID, who, after)
	told := webhook.EsignSigned{SignatureRequestID: s.Request.ID, DealID: s.Request.DealID, SignerEmail: who.Email}
	t.Emit("signatureRequest", s.Request.ID, told)
	waiting := SignersWhere(s.Signers, func(other *ent.Signer) bool {
		return other.ID != who.ID && other.Status != signer.StatusSIGNED
	})
	if len(waiting) > 0 {
		return nil
	}
	return completeSigning(ctx, t, s, at, document)
}

// completeSigning ends a request that everybody has signed. A disclosure that it was for is signed with it.
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
	told := webhook.EsignCompleted{
		SignatureRequestID: s.Request.ID, DealID: s.Request.DealID, DocumentID: filed, DocumentURL: url,
	}
	t.Emit("signatureRequest", s.Request.ID, told)
	return nil
}

// fileSigned finds the document that is the signed one, and the URL that opens it. What whoever had it signed keeps becomes
// a document that is a link.
func fileSigned(ctx context.Context, t *unit.Tx, of *ent.SignatureRequest, signed SignedDocument) (id int, url string, err error) {
	if signed.id == nil {
		if signed.URL == "" {
			return 0, "", fault.Field("documentUrl", "is required with the last signature, unless documentId names the signed file")
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
		return 0, "", fault.Field("documentId", "is the document that was sent out; upload the signed one as a document of its own")
	}
	row, err := t.Document.Get(ctx, *signed.id)
	if err != nil {
		return 0, "", err
	}
	if url, err = documentURL(ctx, t, row); err != nil {
		return 0, "", err
	}
	if signed.URL != "" && signed.URL != url {
		return 0, "", fault.Field("documentUrl", "must be left out where documentId is given: that document has a URL of its own")
	}
	return row.ID, url, nil
}

// documentURL is where a document can be opened: by whoever keeps it or, where its bytes are here, at the company's host,
// which is where the keys of its sandbox go too.
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

// signDisclosures has the disclosures in force that the request was for SIGNED. What is signed has been delivered.
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

// NoteDeclined notes that a signer will not sign, which ends the request. Heard again it changes nothing.
func NoteDeclined(ctx context.Context, t *unit.Tx, s *signingOf, who *ent.Signer, at time.Time, reason *string) error {
	if who.Status == signer.StatusDECLINED {
		return nil
	}
	if err := s.mayMove(who, signing.SignerDeclined); err != nil {
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
	told := webhook.EsignDeclined{
		SignatureRequestID: s.Request.ID, DealID: s.Request.DealID, SignerEmail: who.Email, Reason: reason,
	}
	t.Emit("signatureRequest", s.Request.ID, told)
	return nil
}
