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
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

// This file implements GraphQL over HTTP: one operation per request, by POST as JSON, or by GET if it only
// reads. Batches, forms and uploads are not supported.

const (
	maxBody = 256 << 10
	// timeout limits one operation.
	timeout = 10 * time.Second
	// maxProblems limits how many problems of a document or of its variables are reported, each in at most
	// maxMessage bytes: a small document can have thousands of them, and quote itself.
	maxProblems = 20
	maxMessage  = 300

	jsonMedia  = "application/json"
	graphMedia = "application/graphql-response+json"
)

// answer answers one operation.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	params, body, err := paramsOf(w, r)
	if errors.Is(err, errPersisted) {
		send(w, r, http.StatusOK, rendered(&graphql.Response{Errors: gqlerror.List{notPersisted(r.Context())}}))
		return
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(withSiblings(graphql.StartOperationTrace(r.Context()), s.explain), s.timeout)
	defer cancel()
	operation, problems := s.exec.CreateOperationContext(ctx, params)
	if len(problems) > 0 {
		problems = s.explainVariables(operation, params.Variables, problems)
		status := http.StatusOK // in application/json, errors tell that it failed
		if mediaOf(r) == graphMedia || takesStreamAlone(r) {
			status = http.StatusBadRequest
		}
		send(w, r, status, rendered(s.exec.DispatchError(graphql.WithOperationContext(ctx, operation), problems)))
		return
	}
	switch kind := operation.Operation.Operation; {
	case kind == ast.Mutation && r.Method == http.MethodGet:
		w.Header().Set("Allow", http.MethodPost)
		s.refuse(w, r, fault.New(fault.MethodNotAllowed, "GET only supports queries: send mutations by POST."))
		return
	case kind == ast.Subscription && !takesStream(r):
		s.refuse(
			w, r, fault.New(fault.NotAcceptable, "A subscription is answered as a stream: send Accept: %s.", streamMedia),
		)
		return
	case kind == ast.Subscription && rootFields(operation.Operation.SelectionSet) != 1:
		s.refuse(w, r, fault.New(fault.BadRequest, "A subscription must have exactly one field."))
		return
	case kind == ast.Subscription:
		s.stream(w, r, operation)
		return
	case kind == ast.Mutation:
		// Each mutation counts as a request of its own.
		if err := s.chain.Charge(w, r, rootFields(operation.Operation.SelectionSet)-1); err != nil {
			s.refuse(w, r, err)
			return
		}
	}
	key, err := keyOf(r, body, operation.Operation)
	switch {
	case err != nil:
		s.refuse(w, r, err)
	case key != nil:
		s.answerOnce(ctx, w, r, *key, operation)
	default:
		send(w, r, http.StatusOK, rendered(s.execute(ctx, operation)))
	}
}

// execute executes an operation with a single response.
func (s *Server) execute(ctx context.Context, operation *graphql.OperationContext) *graphql.Response {
	respond, ctx := s.exec.DispatchOperation(ctx, operation)
	response := respond(ctx)
	if response == nil { // the timeout passed before it began
		response = s.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(ctx.Err())})
	}
	return response
}

// refuse answers a request that is not executed.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f := s.explain(r.Context(), err)
	status := head(w, f)
	send(w, r, status, rendered(&graphql.Response{Errors: gqlerror.List{s.shown(r.Context(), f)}}))
}

// rendered returns the response as JSON without line breaks: errors, if there are any, and data, which is absent if
// nothing was executed. The data is in its final form.
func rendered(response *graphql.Response) []byte {
	body := make([]byte, 0, len(response.Data)+len(`{"data":}`))
	body = append(body, '{')
	if len(response.Errors) > 0 {
		errs, err := json.Marshal(response.Errors)
		if err != nil {
			panic(err)
		}
		body = append(append(body, `"errors":`...), errs...)
	}
	if len(response.Data) > 0 {
		if len(response.Errors) > 0 {
			body = append(body, ',')
		}
		body = append(append(body, `"data":`...), response.Data...)
	}
	return append(body, '}')
}

// send sends the single response of a request as JSON; only subscriptions are streams.
func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", mediaOf(r)+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may be gone; there is nobody to report an error to
}

// paramsOf reads the operation and the request body.
func paramsOf(w http.ResponseWriter, r *http.Request) (params *graphql.RawParams, body []byte, err error) {
	switch r.Method {
	case http.MethodPost:
		if body, err = posted(w, r); err == nil {
			params, err = parsed(body)
		}
	case http.MethodGet:
		params, err = queried(r.URL.RawQuery)
	default:
		w.Header().Set("Allow", "GET, POST")
		err = fault.New(fault.MethodNotAllowed, "This path supports GET and POST.")
	}
	if err != nil {
		return nil, nil, err
	}
	if strings.TrimSpace(params.Query) == "" {
		if _, named := params.Extensions["persistedQuery"].(map[string]any); named {
			return nil, nil, errPersisted
		}
		return nil, nil, fault.Field("query", "is required")
	}
	return params, body, nil
}

// errPersisted is returned for a request that names its document only by a hash.
var errPersisted = errors.New("graph: a persisted query")

// notPersisted is the error that tells clients of persisted queries, such as Apollo's, to send their documents:
// they expect exactly this message with status 200.
func notPersisted(ctx context.Context) *gqlerror.Error {
	return &gqlerror.Error{Message: "PersistedQueryNotSupported", Extensions: map[string]any{
		"code": "PERSISTED_QUERY_NOT_SUPPORTED", "requestId": middleware.RequestID(ctx),
	}}
}

// posted reads the body of a POST.
func posted(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if err := middleware.Unencoded(w, r); err != nil {
		return nil, err
	}
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
	return body, nil
}

// parsed parses the parameters of a POST.
func parsed(body []byte) (*graphql.RawParams, error) {
	if params := parsedStrictly(body); params != nil {
		return params, nil
	}
	return parsedLeniently(body)
}

// parsedStrictly parses what nearly all clients send, in one pass: an object with each member at most once, by its
// exact name, and with a document. It returns nil for everything else.
func parsedStrictly(body []byte) *graphql.RawParams {
	var sent struct {
		Query         string         `json:"query"`
		OperationName string         `json:"operationName"`
		Variables     jsontext.Value `json:"variables"`
		Extensions    jsontext.Value `json:"extensions"`
	}
	if err := jsonv2.Unmarshal(body, &sent, jsonv2.RejectUnknownMembers(true)); err != nil || sent.Query == "" {
		return nil
	}
	params := &graphql.RawParams{Query: sent.Query, OperationName: sent.OperationName}
	if member(sent.Variables, &params.Variables) != nil || member(sent.Extensions, &params.Extensions) != nil {
		return nil
	}
	return params
}

// parsedLeniently is parsedStrictly for every body; the error says what is wrong with one.
func parsedLeniently(body []byte) (*graphql.RawParams, error) {
	var sent struct {
		Query         json.RawMessage `json:"query"`
		OperationName json.RawMessage `json:"operationName"`
		Variables     json.RawMessage `json:"variables"`
		Extensions    json.RawMessage `json:"extensions"`
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(&sent); err != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fault.Field("body", "must be a JSON object: batches are not supported")
		}
		return nil, fault.New(fault.InvalidJSON, "The body is not JSON.").Because(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.InvalidJSON, "The body must not have anything after its JSON value.")
	}
	if _, err := jsontext.NewDecoder(bytes.NewReader(body)).ReadValue(); errors.Is(err, jsontext.ErrDuplicateName) {
		return nil, fault.Field("body", "must not repeat a name")
	}
	return decoded(sent.Query, sent.OperationName, sent.Variables, sent.Extensions)
}

// queried parses the parameters of a GET.
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

// decoded parses the members of a request; each may be null or absent.
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
		if err := member(m.raw, m.into); err != nil {
			problems = append(problems, fault.Detail{Path: m.path, Message: m.want})
		}
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return params, nil
}

// member reads a member of a request, which may be null or absent; numbers keep all their digits.
func member(raw []byte, into any) error {
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(into)
}
