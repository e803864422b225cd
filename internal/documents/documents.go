// Package documents is where the files of documents go in and come out over HTTP. POST /documents takes the bytes of one, from
// members of staff who are signed in; GET /documents/ID gives them back, to those and to API keys that may read deals. What
// is known of a document, the other surfaces tell.
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
	"paydown/internal/gate"
	"paydown/internal/service"
)

// Path is where files go in; each comes out below it, at its id.
const Path = "/documents"

// patience is how long a file may take to go in, or out: 25 MB on a line of less than a megabit a second.
const patience = 5 * time.Minute

// Handler serves them.
type Handler struct {
	service *service.Service
	log     *slog.Logger
	gate    *gate.Gate
	now     func() time.Time
}

// New makes the handler. now is the clock of the connections' deadlines: the machine's.
func New(cfg gate.Config, now func() time.Time) *Handler {
	h := &Handler{service: cfg.Service, log: cfg.Log, now: now}
	h.gate = gate.New(cfg, auth.REST, behind{h})
	return h
}

// Takes reports whether the path of a request is one of these.
func Takes(r *http.Request) bool {
	return r.URL.Path == Path || strings.HasPrefix(r.URL.Path, Path+"/")
}

// ServeHTTP serves one request that Takes, past the gate.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.gate.ServeHTTP(w, r) }

// behind is the handler to its gate.
type behind struct{ *Handler }

// Route finds what is asked for.
func (b behind) Route(r *http.Request) gate.Route {
	name, method, entry, handle := "document upload", http.MethodPost, gate.BySession, b.upload
	if r.URL.Path != Path {
		name, method, entry, handle = "document download", http.MethodGet, gate.ByCaller, b.download
	}
	if r.Method != method {
		handle = func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Allow", method)
			return fault.New(fault.MethodNotAllowed, "This path answers %s.", method)
		}
	}
	return gate.Route{Name: name, Entry: entry, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			b.Refuse(w, r, err)
		}
	})}
}

// Refuse answers with the envelope.
func (b behind) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	gate.WriteProblem(w, r, b.log, err)
}

// parameters are those of an upload. The body is the file, and nothing else.
var parameters = []string{"deal", "merchant", "kind", "name"}

// upload takes a file. An Idempotency-Key has it happen once.
func (h *Handler) upload(w http.ResponseWriter, r *http.Request) error {
	if err := gate.Unencoded(w, r); err != nil {
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
	if err := errors.Join(c.SetReadDeadline(h.now().Add(patience)), c.SetWriteDeadline(h.now().Add(patience+time.Minute))); err != nil {
		return fmt.Errorf("extend the deadlines of an upload: %w", err)
	}
	file, err := h.service.Documents.Receive(r.Context(), in, r.Body)
	if err != nil {
		// The rest of the body is not read: what follows on the connection is no request.
		w.Header().Set("Connection", "close")
		return err
	}
	defer file.Discard()
	if !keyed {
		made, err := h.service.Documents.Keep(r.Context(), file)
		if err != nil {
			return err
		}
		gate.WriteJSON(w, http.StatusCreated, view(made))
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
	gate.WriteBody(w, answer.Status, answer.Body)
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
		return 0, fault.New(fault.InvalidID, "An id is a positive whole number.")
	}
	return id, nil
}

// document is what an upload answers with, by the names of the other surfaces.
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
		d.ID, d.Name, d.Kind, d.MediaType, d.Size, hex.EncodeToString(d.Sha256), d.DealID, d.MerchantID, d.UploadedByID, d.CreatedAt.UTC(),
	}}
}

// download gives a file to be kept, never to be shown: whatever is in it runs nowhere near this host.
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
	if err := http.NewResponseController(w).SetWriteDeadline(h.now().Add(patience)); err != nil {
		return fmt.Errorf("extend the deadline of a download: %w", err)
	}
	head := w.Header()
	gate.SecurePage(head, "default-src 'none'", "sandbox", "frame-ancestors 'none'")
	head.Set("Cache-Control", "private, no-store")
	head.Set("Content-Type", row.MediaType)
	head.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(row.Name)}))
	head.Set("Content-Length", strconv.FormatInt(*row.Size, 10))
	w.WriteHeader(http.StatusOK)
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(w, sum), io.LimitReader(file, *row.Size))
	if err == nil && !matches(sum, row) {
		err = errors.New("the file is not what came in")
	}
	if err != nil {
		// The answer has begun: cut, so that nobody takes what there is of it for the whole.
		h.log.WarnContext(r.Context(), "a download is cut off", "document", id, "error", err, "requestId", gate.RequestID(r.Context()))
		panic(http.ErrAbortHandler)
	}
	return nil
}

// misleading are the runes that lead a name into another folder, or have its end read as another.
const misleading = "/\\:\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

// fileName is what a file is called where it is kept: its name, with _ for whatever is misleading in it.
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
