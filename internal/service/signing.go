package service

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/disclosure"
	"paydown/ent/signaturerequest"
	"paydown/ent/signer"
	"paydown/internal/fault"
	"paydown/internal/signing"
	"paydown/internal/webhook"
)

// signingOf is a document sent for signature, locked with all that moves with it.
type signingOf struct {
	deal    *ent.Deal // nil where the document belongs to none
	request *ent.SignatureRequest
	signers []*ent.Signer // in the order of signing
}

// lockSigning locks a signature request after the deal it is for. Whoever holds the request may change its signers.
func (t *tx) lockSigning(ctx context.Context, id int) (*signingOf, error) {
	s := &signingOf{}
	unlocked, err := t.SignatureRequest.Get(ctx, id)
	if err != nil {
		return nil, missing(err, "signature request")
	}
	if unlocked.DealID != nil {
		if s.deal, err = t.Deal.Query().Where(entdeal.ID(*unlocked.DealID), locked).Only(ctx); err != nil {
			return nil, err
		}
	}
	if s.request, err = t.SignatureRequest.Query().Where(signaturerequest.ID(id), locked).Only(ctx); err != nil {
		return nil, missing(err, "signature request")
	}
	s.signers, err = t.Signer.Query().Where(signer.SignatureRequestID(id)).Order(signer.ByPosition()).All(ctx)
	return s, err
}

func signersWhere(signers []*ent.Signer, is func(*ent.Signer) bool) []*ent.Signer {
	var found []*ent.Signer
	for _, s := range signers {
		if is(s) {
			found = append(found, s)
		}
	}
	return found
}

func sameAddress(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// mayMove refuses a signer's move that the table does not have, or of a request that is not out for signature.
func (s *signingOf) mayMove(who *ent.Signer, to signing.SignerStatus) error {
	if err := signing.CheckSigner(signing.SignerStatus(who.Status), to); err != nil {
		return err
	}
	return signing.UnderWay(signing.Status(s.request.Status))
}

// signedDocument is what the last signature brings along: the signed document where it is kept here, or else where it can be
// fetched.
type signedDocument struct {
	id  *int
	url string
}

// viewed notes that a signer has seen the document. Of one who has done so or decided already it is old news.
func (t *tx) viewed(ctx context.Context, s *signingOf, who *ent.Signer, at time.Time) error {
	if who.Status != signer.StatusPENDING {
		return nil
	}
	if err := s.mayMove(who, signing.Viewed); err != nil {
		return err
	}
	after, err := t.Signer.UpdateOne(who).SetStatus(signer.StatusVIEWED).SetViewedAt(at).Save(ctx)
	if err == nil {
		t.record("signer.update", "signer", who.ID, s.request.DealID, who, after)
	}
	return err
}

// signed notes a signature. The last one completes the request, and needs to say which document is the signed one.
// A signature that was noted already changes nothing.
func (t *tx) signed(ctx context.Context, s *signingOf, who *ent.Signer, at time.Time, document signedDocument) error {
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
	t.record("signer.update", "signer", who.ID, s.request.DealID, who, after)
	told := webhook.EsignSigned{SignatureRequestID: s.request.ID, DealID: s.request.DealID, SignerEmail: who.Email}
	t.emit("signatureRequest", s.request.ID, told)
	waiting := signersWhere(s.signers, func(other *ent.Signer) bool {
		return other.ID != who.ID && other.Status != signer.StatusSIGNED
	})
	if len(waiting) > 0 {
		return nil
	}
	return t.completeSigning(ctx, s, at, document)
}

// completeSigning ends a request that everybody has signed. A disclosure that it was for is signed with it.
func (t *tx) completeSigning(ctx context.Context, s *signingOf, at time.Time, document signedDocument) error {
	filed, url, err := t.fileSigned(ctx, s.request, document)
	if err != nil {
		return err
	}
	after, err := t.SignatureRequest.UpdateOne(s.request).SetStatus(signaturerequest.StatusCOMPLETED).
		SetCompletedAt(at).SetSignedDocumentID(filed).Save(ctx)
	if err != nil {
		return err
	}
	alsoChanged(t, "signatureRequest", s.request, after)
	if err := t.signDisclosures(ctx, s.request.ID, at); err != nil {
		return err
	}
	told := webhook.EsignCompleted{
		SignatureRequestID: s.request.ID, DealID: s.request.DealID, DocumentID: filed, DocumentURL: url,
	}
	t.emit("signatureRequest", s.request.ID, told)
	return nil
}

// fileSigned finds the document that is the signed one, and the URL that opens it. What whoever had it signed keeps becomes
// a document that is a link.
func (t *tx) fileSigned(ctx context.Context, of *ent.SignatureRequest, signed signedDocument) (id int, url string, err error) {
	if signed.id == nil {
		if signed.url == "" {
			return 0, "", fault.Field("documentUrl", "is required with the last signature, unless documentId names the signed file")
		}
		filed, err := t.Document.Create().SetName(of.Title).SetKind(string(of.Kind)).SetMediaType("application/pdf").
			SetURL(signed.url).SetNillableDealID(of.DealID).Save(ctx)
		if err != nil {
			return 0, "", err
		}
		alsoMade(t, "document", filed)
		return filed.ID, signed.url, nil
	}
	if of.DocumentID != nil && *of.DocumentID == *signed.id {
		return 0, "", fault.Field("documentId", "is the document that was sent out; upload the signed one as a document of its own")
	}
	row, err := t.Document.Get(ctx, *signed.id)
	if err != nil {
		return 0, "", err
	}
	if url, err = t.documentURL(ctx, row); err != nil {
		return 0, "", err
	}
	if signed.url != "" && signed.url != url {
		return 0, "", fault.Field("documentUrl", "must be left out where documentId is given: that document has a URL of its own")
	}
	return row.ID, url, nil
}

// documentURL is where a document can be opened: by whoever keeps it or, where its bytes are here, at the company's host,
// which is where the keys of its sandbox go too.
func (t *tx) documentURL(ctx context.Context, of *ent.Document) (string, error) {
	if of.URL != nil {
		return *of.URL, nil
	}
	company, err := t.Tenant.Get(ctx, t.actor.TenantID)
	if err == nil && company.SandboxOfID != nil {
		company, err = t.Tenant.Get(ctx, *company.SandboxOfID)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("https://%s/documents/%d", company.Host, of.ID), nil
}

// signDisclosures has the disclosures in force that the request was for SIGNED. What is signed has been delivered.
func (t *tx) signDisclosures(ctx context.Context, requestID int, at time.Time) error {
	open, err := t.Disclosure.Query().Where(disclosure.SignatureRequestID(requestID),
		disclosure.StatusIn(disclosure.StatusDRAFT, disclosure.StatusDELIVERED), locked).
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
		alsoChanged(t, "disclosure", before, after)
	}
	return nil
}

// declined notes that a signer will not sign, which ends the request. Heard again it changes nothing.
func (t *tx) declined(ctx context.Context, s *signingOf, who *ent.Signer, at time.Time, reason *string) error {
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
	t.record("signer.update", "signer", who.ID, s.request.DealID, who, after)
	ended, err := t.SignatureRequest.UpdateOne(s.request).SetStatus(signaturerequest.StatusDECLINED).SetDeclinedAt(at).
		SetNillableDeclinedReason(reason).Save(ctx)
	if err != nil {
		return err
	}
	alsoChanged(t, "signatureRequest", s.request, ended)
	told := webhook.EsignDeclined{
		SignatureRequestID: s.request.ID, DealID: s.request.DealID, SignerEmail: who.Email, Reason: reason,
	}
	t.emit("signatureRequest", s.request.ID, told)
	return nil
}
