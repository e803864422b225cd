package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"paydown/internal/fault"
)

// This file speaks GraphQL over HTTP: one operation a request, by POST as JSON, or by GET where it only reads. Batches,
// forms and uploads are not taken.

const (
	maxBody = 256 << 10
	// timeout bounds one operation.
	timeout = 10 * time.Second

	jsonMedia  = "application/json"
	graphMedia = "application/graphql-response+json"
)

// answer answers one operation.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	params, err := paramsOf(w, r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(withSiblings(graphql.StartOperationTrace(r.Context()), s.explain), s.timeout)
	defer cancel()
	operation, problems := s.exec.CreateOperationContext(ctx, params)
	if len(problems) > 0 {
		status := http.StatusOK // a reply in application/json says by its errors that it failed
		if mediaOf(r) == graphMedia {
			status = http.StatusBadRequest
		}
		write(w, r, status, s.exec.DispatchError(graphql.WithOperationContext(ctx, operation), problems))
		return
	}
	if r.Method == http.MethodGet && operation.Operation.Operation != ast.Query {
		w.Header().Set("Allow", http.MethodPost)
		s.refuse(w, r, fault.New(fault.MethodNotAllowed, "GET only reads: send mutations by POST."))
		return
	}
	respond, ctx := s.exec.DispatchOperation(ctx, operation)
	response := respond(ctx)
	if response == nil { // the time was over before it began
		response = s.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(ctx.Err())})
	}
	write(w, r, http.StatusOK, response)
}

// refuse answers a request that is not executed at all.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f := s.explain(r.Context(), err)
	status := head(w, f)
	write(w, r, status, &graphql.Response{Errors: gqlerror.List{s.shown(r.Context(), f)}})
}

// mediaOf is the form of the reply that the caller asks for: application/json unless it names the other one first.
func mediaOf(r *http.Request) string {
	for accepted := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		switch media, _, _ := mime.ParseMediaType(accepted); media {
		case graphMedia:
			return graphMedia
		case jsonMedia, "application/*", "*/*":
			return jsonMedia
		}
	}
	return jsonMedia
}

// reply is what is sent: without data where nothing was executed.
type reply struct {
	Errors gqlerror.List   `json:"errors,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

func write(w http.ResponseWriter, r *http.Request, status int, response *graphql.Response) {
	body, err := json.Marshal(reply{response.Errors, response.Data})
	if err != nil {
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", mediaOf(r)+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a caller who has gone away cannot be told
}

// paramsOf reads what is to be executed.
func paramsOf(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, error) {
	var params *graphql.RawParams
	var err error
	switch r.Method {
	case http.MethodPost:
		params, err = posted(w, r)
	case http.MethodGet:
		params, err = queried(r.URL.RawQuery)
	default:
		w.Header().Set("Allow", "GET, POST")
		err = fault.New(fault.MethodNotAllowed, "This path answers GET and POST.")
	}
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(params.Query) == "" {
		return nil, fault.Field("query", "is required")
	}
	return params, nil
}

func posted(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != jsonMedia {
		return nil, fault.New(fault.UnsupportedMediaType, "The body must be JSON: send Content-Type: application/json.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, fault.New(fault.PayloadTooLarge, "The body is larger than %d bytes.", maxBody)
	}
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The body could not be read.").Because(err)
	}
	if !utf8.Valid(body) {
		return nil, fault.Field("body", "must be UTF-8")
	}
	var sent struct {
		Query         json.RawMessage `json:"query"`
		OperationName json.RawMessage `json:"operationName"`
		Variables     json.RawMessage `json:"variables"`
		Extensions    json.RawMessage `json:"extensions"`
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(&sent); err != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fault.Field("body", "must be a JSON object: batches are not taken")
		}
		return nil, fault.New(fault.InvalidJSON, "The body is not JSON.").Because(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.InvalidJSON, "The body goes on after its JSON value.")
	}
	return decoded(sent.Query, sent.OperationName, sent.Variables, sent.Extensions)
}

// queried reads the parameters of a GET.
func queried(query string) (*graphql.RawParams, error) {
	if len(query) > maxBody {
		return nil, fault.New(fault.PayloadTooLarge, "The query string is larger than %d bytes.", maxBody)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The query string is malformed.").Because(err)
	}
	for name, all := range values {
		if len(all) > 1 {
			return nil, fault.Field(name, "is given more than once")
		}
		if !utf8.ValidString(all[0]) {
			return nil, fault.Field(name, "must be UTF-8")
		}
	}
	text := func(name string) json.RawMessage {
		if !values.Has(name) {
			return nil
		}
		raw, _ := json.Marshal(values.Get(name)) // a string always marshals
		return raw
	}
	object := func(name string) json.RawMessage { return json.RawMessage(values.Get(name)) }
	return decoded(text("query"), text("operationName"), object("variables"), object("extensions"))
}

// decoded reads the members of a request; each may be null or absent.
func decoded(query, name, variables, extensions json.RawMessage) (*graphql.RawParams, error) {
	params := &graphql.RawParams{}
	var problems []fault.Detail
	for _, m := range []struct {
		path, want string
		raw        json.RawMessage
		into       any
	}{
		{"query", "must be a string", query, &params.Query},
		{"operationName", "must be a string", name, &params.OperationName},
		{"variables", "must be an object", variables, &params.Variables},
		{"extensions", "must be an object", extensions, &params.Extensions},
	} {
		if len(m.raw) == 0 {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(m.raw))
		dec.UseNumber()
		if err := dec.Decode(m.into); err != nil {
			problems = append(problems, fault.Detail{Path: m.path, Message: m.want})
		}
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return params, nil
}
