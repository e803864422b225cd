// Package documents uploads and downloads the files of documents over HTTP. POST /documents takes the bytes of
// a file from signed-in members of staff. GET /documents/ID returns them to staff, and to API keys that may
// read deals. The other surfaces serve the documents' metadata.
package documents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// Path is the upload path; each file is downloaded from Path/ID.
const Path = "/documents"

// transferTimeout is how long an upload or a download may take: enough for 25 MB at less than a megabit per second.
const transferTimeout = 5 * time.Minute

// Handler serves uploads and downloads.
type Handler struct {
	service *service.Service
	log     *slog.Logger
	chain   *middleware.Chain
	now     func() time.Time
}

// New returns the handler. now is the clock of the connections' deadlines: the machine's.
func New(cfg middleware.Config, now func() time.Time) *Handler {
	h := &Handler{service: cfg.Service, log: cfg.Log, now: now}
	h.chain = middleware.New(cfg, auth.REST, surfaceHandler{h})
	return h
}

// Takes reports whether this handler serves the request's path.
func Takes(r *http.Request) bool {
	return r.URL.Path == Path || strings.HasPrefix(r.URL.Path, Path+"/")
}

// ServeHTTP serves a request that Takes accepts, starting at the middleware.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.chain.ServeHTTP(w, r) }

// surfaceHandler is the handler as its middleware calls it.
type surfaceHandler struct{ *Handler }

// Route returns the route of a request.
func (b surfaceHandler) Route(r *http.Request) middleware.Route {
	name, method, entry, handle := "document upload", http.MethodPost, middleware.BySession, b.upload
	if r.URL.Path != Path {
		name, method, entry, handle = "document download", http.MethodGet, middleware.ByCaller, b.download
	}
	if r.Method != method {
		handle = func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Allow", method)
			return fault.New(fault.MethodNotAllowed, "This path supports %s.", method)
		}
	}
	return middleware.Route{
		Name:  name,
		Entry: entry,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := handle(w, r); err != nil {
				b.Refuse(w, r, err)
			}
		}),
	}
}

// Refuse answers with the error envelope.
func (b surfaceHandler) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	middleware.WriteProblem(w, r, b.log, err)
}

// parameters are the query parameters of an upload. The body is the file.
var parameters = []string{"deal", "merchant", "kind", "name"}

// upload stores a file. With an Idempotency-Key it does so only once.
func (h *Handler) upload(w http.ResponseWriter, r *http.Request) error {
	if err := middleware.Unencoded(w, r); err != nil {
		return err
	}
	in, err := described(r.URL.Query())
	if err != nil {
		return err
	}
	keys, keyed := r.Header["Idempotency-Key"]
	if keyed && (len(keys) != 1 || !service.ValidIdempotencyKey(keys[0])) {
		return fault.Field("Idempotency-Key", "%s", service.IdempotencyKeyRule)
	}
	c := http.NewResponseController(w)
	deadline := h.now().Add(transferTimeout)
	if err := errors.Join(c.SetReadDeadline(deadline), c.SetWriteDeadline(deadline.Add(time.Minute))); err != nil {
		return fmt.Errorf("extend the deadlines of an upload: %w", err)
	}
	file, err := h.service.Documents.Receive(r.Context(), in, r.Body)
	if err != nil {
		// The rest of the body is not read, so nothing that follows on the connection may be read as a request.
		w.Header().Set("Connection", "close")
		return err
	}
	defer file.Discard()
	if !keyed {
		made, err := h.service.Documents.Keep(r.Context(), file)
		if err != nil {
			return err
		}
		middleware.WriteJSON(w, http.StatusCreated, view(made))
		return nil
	}
	answer, err := h.service.Once(r.Context(), service.Idempotency{
		Key: keys[0], Request: r.Method + " " + r.URL.RequestURI(), BodyHash: file.SHA256(),
	}, rendered, func(ctx context.Context) (any, error) { return h.service.Documents.Keep(ctx, file) })
	if err != nil {
		return err
	}
	if answer.Replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	middleware.WriteBody(w, answer.Status, answer.Body)
	return nil
}

// rendered is the answer to an upload.
func rendered(made any) (status int, body []byte, err error) {
	body, err = json.Marshal(view(made.(*ent.Document)))
	return http.StatusCreated, body, err
}

// described reads what the query says of a file.
func described(q url.Values) (in service.NewDocument, err error) {
	var problems []fault.Detail
	refuse := func(name, message string) { problems = append(problems, fault.Detail{Path: name, Message: message}) }
	for name, values := range q {
		switch {
		case !slices.Contains(parameters, name):
			refuse(name, "unknown parameter")
		case len(values) != 1:
			refuse(name, "is given more than once")
		}
	}
	for name, into := range map[string]*service.Opt[int]{"deal": &in.DealID, "merchant": &in.MerchantID} {
		if text := q.Get(name); q.Has(name) {
			id, err := idOf(text)
			if err != nil {
				refuse(name, "must be an id")
			}
			*into = service.Some(id)
		}
	}
	if q.Has("name") {
		in.Name = service.Some(q.Get("name"))
	}
	if q.Has("kind") {
		in.Kind = service.Some(q.Get("kind"))
	}
	if len(problems) > 0 {
		slices.SortFunc(problems, func(a, b fault.Detail) int { return strings.Compare(a.Path, b.Path) })
		return in, fault.Invalid(problems...)
	}
	return in, nil
}

func idOf(text string) (int, error) {
	id, ok := service.ParseID(text)
	if !ok {
		return 0, fault.New(fault.InvalidID, "The id must be a positive whole number.")
	}
	return id, nil
}

// document is the answer to an upload, with the field names of the other surfaces.
type document struct {
	ID           int       `json:"id"`
	Name         string    `json:"name"`
	Kind         string    `json:"kind"`
	MediaType    string    `json:"mediaType"`
	Size         *int64    `json:"size"`
	SHA256       string    `json:"sha256"`
	DealID       *int      `json:"dealId"`
	MerchantID   *int      `json:"merchantId"`
	UploadedByID *int      `json:"uploadedById"`
	CreatedAt    time.Time `json:"createdAt"`
}

func view(d *ent.Document) map[string]document {
	return map[string]document{"document": {
		d.ID, d.Name, d.Kind, d.MediaType, d.Size, hex.EncodeToString(d.Sha256), d.DealID, d.MerchantID,
		d.UploadedByID, d.CreatedAt.UTC(),
	}}
}

// download sends a file as an attachment that browsers never render, so that its content cannot run on this
// host.
func (h *Handler) download(w http.ResponseWriter, r *http.Request) error {
	id, err := idOf(strings.TrimPrefix(r.URL.Path, Path+"/"))
	if err != nil {
		return err
	}
	row, file, err := h.service.Documents.Open(r.Context(), id)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := http.NewResponseController(w).SetWriteDeadline(h.now().Add(transferTimeout)); err != nil {
		return fmt.Errorf("extend the deadline of a download: %w", err)
	}
	head := w.Header()
	middleware.SecurePage(head, "default-src 'none'", "sandbox", "frame-ancestors 'none'")
	head.Set("Cache-Control", "private, no-store")
	head.Set("Content-Type", row.MediaType)
	head.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(row.Name)}))
	head.Set("Content-Length", strconv.FormatInt(*row.Size, 10))
	w.WriteHeader(http.StatusOK)
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(w, sum), io.LimitReader(file, *row.Size))
	if err == nil && !matches(sum, row) {
		err = errors.New("the stored file differs from the upload")
	}
	if err != nil {
		// The answer has begun. Cut the connection, so that the client does not mistake a part for the whole file.
		h.log.WarnContext(r.Context(), "download aborted", "document", id, "error", err,
			"requestId", middleware.RequestID(r.Context()))
		panic(http.ErrAbortHandler)
	}
	return nil
}

// misleading are the runes that could move a file into another folder or disguise its extension.
const misleading = "/\\:\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

// fileName returns the name for the downloaded file: the document's, with _ for misleading runes.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(misleading, r) {
			return '_'
		}
		return r
	}, name)
}

func matches(sum hash.Hash, row *ent.Document) bool {
	return hex.EncodeToString(sum.Sum(nil)) == hex.EncodeToString(row.Sha256)
}
