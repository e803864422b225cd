package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/document"
	"paydown/ent/stipulation"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/files"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// NewDocument describes a file to upload. It belongs to a deal or to a merchant.
type NewDocument struct {
	Name       input.Opt[string] `json:"name" check:"name" need:"create" doc:"File name with its extension" example:"march.pdf"`
	Kind       input.Opt[string] `json:"kind" check:"code" need:"value" doc:"Code of a stipulation of the deal, or CONTRACT, DISCLOSURE, OTHER; default: OTHER"`
	DealID     input.Opt[int]    `json:"dealId" check:"gte=1"`
	MerchantID input.Opt[int]    `json:"merchantId" check:"gte=1"`
}

// plainKinds are the kinds of documents that are not for a stipulation.
var plainKinds = []string{"CONTRACT", "DISCLOSURE", "OTHER"}

var (
	errNoFiles = fault.Conflictf("This installation stores no files. " +
		"An operator can set a location with paydown serve --files.")
	errStoredElsewhere = fault.Conflictf("This document is stored elsewhere. Open it at its url.")
)

// IncomingDocument is a file that was received whole and is not kept yet. It must be discarded, even once it is kept.
type IncomingDocument struct {
	about    NewDocument
	received *files.Received
	end      func()
}

// SHA256 is the hash of the file's bytes.
func (d *IncomingDocument) SHA256() [sha256.Size]byte { return d.received.SHA256 }

// Discard frees what the received file takes up.
func (d *IncomingDocument) Discard() {
	d.received.Discard()
	d.end()
}

// Receive reads a file that is to be kept as a document. Errors: validation, forbidden, what is wrong with the file, a
// conflict where no files are kept, and that too many uploads are under way.
func (s Documents) Receive(ctx context.Context, in NewDocument, body io.Reader) (*IncomingDocument, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("deals"))
	if err != nil {
		return nil, err
	}
	if s.Files == nil {
		return nil, errNoFiles
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	if err := s.about(ctx, s.core.View(actor), in); err != nil { // before anything is read
		return nil, err
	}
	end, err := s.uploads.begin(actor)
	if err != nil {
		return nil, err
	}
	received, err := s.Files.Receive(ctx, in.Name.Or(""), body)
	if err != nil {
		end()
		return nil, s.uploadError(err)
	}
	return &IncomingDocument{about: in, received: received, end: end}, nil
}

// Keep keeps a received file and creates its document. The file is kept first, so that no document lacks its
// file. A file whose document could not be stored is removed, here or by the sweep. Errors: forbidden, and
// validation if what the document is about is gone.
func (s Documents) Keep(ctx context.Context, d *IncomingDocument) (*ent.Document, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("deals"))
	if err != nil {
		return nil, err
	}
	key := files.NewKey(actor.TenantID)
	if err := s.Files.Keep(ctx, key, d.received); err != nil {
		return nil, err
	}
	made, err := unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Document, error) {
		return s.file(ctx, t, d.about, d.received, key)
	})
	if fault.As(err) != nil {
		// There is no record of this file. After any other error there may be one, and the sweep will tell.
		if err := s.Files.Remove(context.WithoutCancel(ctx), key); err != nil {
			s.core.Log.WarnContext(ctx, "a file without a record is left for the sweep", "error", err)
		}
	}
	return made, err
}

func (in NewDocument) check() error {
	problems := input.Check(in, input.ForCreate)
	if in.DealID.Given() == in.MerchantID.Given() {
		problems = append(problems, fault.Detail{Path: "dealId", Message: "exactly one of dealId and merchantId is required"})
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// about refuses a deal or merchant that does not exist, and a kind that does not fit it.
func (s Documents) about(ctx context.Context, t *unit.Tx, in NewDocument) error {
	if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
		unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}); err != nil {
		return err
	}
	kind := in.Kind.Or("OTHER")
	if slices.Contains(plainKinds, kind) {
		return nil
	}
	asked, err := t.Stipulation.Query().Where(stipulation.DealID(in.DealID.Or(0)), stipulation.Code(kind)).Exist(ctx)
	if err == nil && !asked {
		err = fault.Field("kind", "must be the code of a stipulation of the deal, or one of %s",
			strings.Join(plainKinds, ", "))
	}
	return err
}

// file stores the record of a stored file.
func (s Documents) file(
	ctx context.Context, t *unit.Tx, in NewDocument, of *files.Received, key string,
) (*ent.Document, error) {
	if err := s.about(ctx, t, in); err != nil {
		return nil, err
	}
	create := t.Document.Create().SetName(in.Name.Or("")).SetKind(in.Kind.Or("OTHER")).SetMediaType(of.MediaType).
		SetSize(of.Size).SetSha256(of.SHA256[:]).SetStorageKey(key).
		SetNillableDealID(in.DealID.Ptr()).SetNillableMerchantID(in.MerchantID.Ptr())
	if t.Actor.IsUser() {
		create.SetUploadedByID(t.Actor.ID)
	}
	made, err := create.Save(ctx)
	if err == nil {
		t.Record("document.create", "document", made.ID, made.DealID, nil, made)
	}
	return made, err
}

// uploadError returns the error for a file that was refused.
func (s Documents) uploadError(err error) error {
	switch {
	case errors.Is(err, files.ErrTooLarge):
		return fault.New(fault.PayloadTooLarge, "A file can have at most %s.", megabytes(s.Files.Limit()))
	case errors.Is(err, files.ErrEmpty):
		return fault.Field("body", "is empty")
	case errors.Is(err, files.ErrType):
		return fault.New(fault.UnsupportedMediaType,
			"The file's type is not accepted, or its content does not match its name. Accepted types: %s.",
			strings.Join(files.Taken(), ", "))
	case errors.Is(err, files.ErrCut):
		return fault.New(fault.BadRequest, "The upload was incomplete. Send the file again.").Because(err)
	default:
		return err
	}
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// Open opens the file of a document. Errors: not found, and a conflict if the file is not stored here.
func (s Documents) Open(ctx context.Context, id int) (*ent.Document, io.ReadCloser, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("deals")); err != nil {
		return nil, nil, err
	}
	row, err := s.core.Store.Reader().Document.Get(ctx, id)
	if err != nil {
		return nil, nil, unit.NotFound(err, "document")
	}
	if row.StorageKey == nil {
		return nil, nil, errStoredElsewhere
	}
	if s.Files == nil {
		return nil, nil, errNoFiles
	}
	file, err := s.Files.Open(ctx, *row.StorageKey)
	if err != nil {
		return nil, nil, fmt.Errorf("open the file of document %d: %w", id, err)
	}
	return row, file, nil
}

const (
	filesJob = "files"
	// Every process checks this often; the lease makes the sweep run once per sweepFilesEvery.
	sweepFilesLook  = 15 * time.Minute
	sweepFilesEvery = 24 * time.Hour
	// orphanAge is far longer than it takes to store the record of a stored file.
	orphanAge = 24 * time.Hour
)

// run sweeps once a day until the context ends.
func (s Documents) run(ctx context.Context) {
	if s.Files == nil {
		return
	}
	s.core.Repeat(ctx, unit.Periodic{
		Every: sweepFilesLook, Name: "orphaned files",
		Work: func(ctx context.Context) error {
			n, err := s.Sweep(ctx)
			if err == nil && n > 0 {
				s.core.Log.InfoContext(ctx, "removed files without a record", "files", n)
			}
			return err
		},
	})
}

// Sweep removes the files of all tenants that were stored at least a day ago and have no record, and returns
// how many. It runs once a day across all processes; other calls do nothing.
func (s Documents) Sweep(ctx context.Context) (int, error) {
	lease, err := s.core.Store.TakeLease(ctx, filesJob, s.core.Holder, sweepFilesEvery)
	if err != nil || lease == nil {
		return 0, err
	}
	swept := 0
	if err = s.Files.Tidy(s.core.Now().Add(-orphanAge)); err != nil {
		return 0, errors.Join(err, s.core.Store.ReleaseLease(context.WithoutCancel(ctx), lease))
	}
	err = s.Files.KeptBefore(ctx, s.core.Now().Add(-orphanAge), func(keys []string) error {
		known, err := s.recorded(ctx, keys)
		for _, key := range keys {
			if err == nil && !known[key] {
				err = s.Files.Remove(ctx, key)
				swept++
			}
		}
		return err
	})
	if err != nil {
		err = errors.Join(err, s.core.Store.ReleaseLease(context.WithoutCancel(ctx), lease))
	}
	return swept, err
}

// recorded returns those of the keys that have a record.
func (s Documents) recorded(ctx context.Context, keys []string) (map[string]bool, error) {
	rows, err := s.core.Store.Reader().Document.Query().Where(document.StorageKeyIn(keys...)).
		Select(document.FieldStorageKey).
		All(auth.AllTenants(ctx, "files without a record"))
	known := map[string]bool{}
	for _, row := range rows {
		known[*row.StorageKey] = true
	}
	return known, err
}

// CheckFiles counts the records of files of all tenants, and those whose file is missing.
func (s Documents) CheckFiles(ctx context.Context) (checked, lost int, err error) {
	there := map[string]bool{}
	err = s.Files.KeptBefore(ctx, s.core.Now().Add(orphanAge), func(keys []string) error { // all of them
		for _, key := range keys {
			there[key] = true
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	last := 0
	for {
		rows, err := s.core.Store.Reader().Document.Query().Where(document.StorageKeyNotNil(), document.IDGT(last)).
			Order(document.ByID()).Limit(unit.RowsAtOnce).Select(document.FieldStorageKey).All(ctx)
		if err != nil {
			return 0, 0, err
		}
		for _, row := range rows {
			if checked++; !there[*row.StorageKey] {
				lost++
			}
			last = row.ID
		}
		if len(rows) < unit.RowsAtOnce {
			break
		}
	}
	return checked, lost, nil
}
