package rest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// resource describes a resource for the generic operations below. V is its view, E its record.
type resource[E, V any] struct {
	path     string // below /api/v1
	tag      string
	plural   string // key of a list
	singular string // key of a single record
	noun     string // for sentences: "lead"
	read     auth.Scope
	write    auth.Scope
	view     func(*E) V
	// Extra members of a page, and of the record in the responses of get and create; nil: none.
	pageExtra   *extraMember[*service.Page[E]]
	recordExtra *extraMember[*E]
	// rows writes the view from the columns alone, where an answer is nothing else; nil: a view is made of each record.
	rows *rowView[E, V]
}

// call is the input of every operation: the request itself. Huma routes and documents. Parameters and bodies are
// parsed here, because the contract is stricter than Huma.
type call struct{ ctx huma.Context }

// Resolve implements huma.Resolver.
func (c *call) Resolve(ctx huma.Context) []error {
	c.ctx = ctx
	return nil
}

// handle registers an operation whose handler writes the response, or returns an error.
func (a *API) handle(op huma.Operation, scope auth.Scope, answer func(w http.ResponseWriter, r *http.Request) error) {
	a.document(&op, scope)
	body := op.RequestBody
	op.RequestBody = nil // or Huma would read and judge the body before the handler does
	huma.Register(a.huma, op, func(_ context.Context, in *call) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			err := permitted(r.Context(), scope, op.Method)
			if err == nil {
				err = answer(w, r)
			}
			if err != nil {
				middleware.WriteProblem(w, r, a.log, err)
			}
		}}, nil
	})
	a.registered(op.Method, op.Path).RequestBody = body
}

// registered returns an operation of the description.
func (a *API) registered(method, path string) *huma.Operation {
	item := a.huma.OpenAPI().Paths[path]
	return map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
	}[method]
}

// permitted checks the scope before the request is parsed. The service checks it again.
func permitted(ctx context.Context, scope auth.Scope, method string) error {
	actor := auth.From(ctx)
	if scope == "" {
		return nil
	}
	if !actor.May(scope) {
		return fault.New(fault.Forbidden, "This operation needs the scope %s.", scope)
	}
	if actor.ReadOnly && method != http.MethodGet {
		return fault.New(fault.Forbidden,
			"This test key reads production data until the tenant has a sandbox; it cannot write.")
	}
	return nil
}

// list registers GET of the collection.
func list[E, V any](
	a *API, r resource[E, V], l *service.Listing[E],
	fetch func(context.Context, service.ListRequest) (*service.Page[E], error),
) {
	columns := columnsOf(reflect.TypeFor[V]())
	op := huma.Operation{
		Method: http.MethodGet, Path: r.path, OperationID: "list" + upperFirst(r.plural), Tags: []string{r.tag},
		Summary:    "List " + r.plural,
		Parameters: a.nameEnums(listParameters(l, columns), reflect.TypeFor[V]()),
		Responses:  a.listResponse(r.plural, reflect.TypeFor[V]()),
	}
	r.pageExtra.describe(a, op.Responses)
	a.handle(op, r.read, func(w http.ResponseWriter, req *http.Request) error {
		params, err := parametersOf(req.URL.RawQuery)
		if err != nil {
			return err
		}
		query, fields, err := listRequest(auth.From(req.Context()), l, columns, params)
		if err != nil {
			return err
		}
		if r.rows != nil && len(query.Expand) == 0 && r.pageExtra == nil {
			return r.rows.writePage(w, req, r.plural, query, fields)
		}
		page, err := fetch(req.Context(), query)
		if err != nil {
			return err
		}
		body, err := listBody(r, page, fields)
		if err == nil {
			body, err = r.pageExtra.join(body, page)
		}
		if err != nil {
			return err
		}
		middleware.WriteBody(w, http.StatusOK, body)
		return nil
	})
}

// listBody writes {"<plural>": [...], "count", "hasMore", "nextCursor"}.
func listBody[E, V any](r resource[E, V], page *service.Page[E], fields []string) ([]byte, error) {
	views := make([]V, len(page.Records))
	for i, record := range page.Records {
		views[i] = r.view(record)
	}
	records, err := marshalRecords(views, fields)
	if err != nil {
		return nil, err
	}
	body := make([]byte, 0, len(records)+200)
	body = append(appendName(append(body, '{'), r.plural), records...)
	return appendPageEnd(body, len(views), page.HasMore, page.NextCursor), nil
}

// appendName writes the name of a member of an object, and the colon.
func appendName(out []byte, name string) []byte {
	return append(append(append(out, '"'), name...), '"', ':')
}

// appendPageEnd writes what follows the records of a page.
func appendPageEnd(out []byte, count int, hasMore bool, nextCursor string) []byte {
	out = strconv.AppendInt(append(out, `,"count":`...), int64(count), 10)
	out = strconv.AppendBool(append(out, `,"hasMore":`...), hasMore)
	if !hasMore {
		return append(out, `,"nextCursor":null}`...)
	}
	out = append(append(out, `,"nextCursor":"`...), nextCursor...)
	return append(out, '"', '}')
}

// get registers GET of one record without relations.
func get[E, V any](a *API, r resource[E, V], fetch func(ctx context.Context, id int) (*E, error)) {
	getExpanding(a, r, nil, func(ctx context.Context, id int, _ ...string) (*E, error) { return fetch(ctx, id) })
}

// getExpanding registers GET of one record with the relations named by expand.
func getExpanding[E, V any](
	a *API, r resource[E, V], expands []service.Expand,
	fetch func(ctx context.Context, id int, relations ...string) (*E, error),
) {
	columns := columnsOf(reflect.TypeFor[V]())
	op := huma.Operation{
		Method: http.MethodGet, Path: r.path + "/{id}", OperationID: "get" + upperFirst(r.singular), Tags: []string{r.tag},
		Summary:    "Get one " + r.noun,
		Parameters: append([]*huma.Param{idParameter(r.noun)}, singleParameters(expands, columns)...),
		Responses:  a.singleResponse(http.StatusOK, r.singular, reflect.TypeFor[V]()),
	}
	r.recordExtra.describe(a, op.Responses)
	a.handle(op, r.read, func(w http.ResponseWriter, req *http.Request) error {
		id, err := idOf(req)
		if err != nil {
			return err
		}
		params, err := parametersOf(req.URL.RawQuery)
		if err != nil {
			return err
		}
		fields, err := fieldsOf(params, columns)
		if err != nil {
			return err
		}
		var relations []string
		if text, given := params["expand"]; given {
			if len(expands) == 0 {
				return fault.New(fault.InvalidExpand, "This resource has no relations to expand.").
					With("expand", "names a relation that cannot be expanded")
			}
			relations = strings.Split(text, ",")
		}
		if err := refuseParameters(params, "fields", "expand"); err != nil {
			return err
		}
		if r.rows != nil && relations == nil && r.recordExtra == nil {
			return r.rows.writeOne(w, req, r.singular, r.noun, id, fields)
		}
		record, err := fetch(req.Context(), id, relations...)
		if err != nil {
			return err
		}
		body, err := single(r.singular, r.view(record), fields)
		if err == nil {
			body, err = r.recordExtra.join(body, record)
		}
		if err != nil {
			return err
		}
		middleware.WriteBody(w, http.StatusOK, body)
		return nil
	})
}

// create registers POST of the collection.
func create[E, V, I any](a *API, r resource[E, V], add func(context.Context, I) (*E, error)) {
	name := "New" + schemaName(reflect.TypeFor[V]())
	op := huma.Operation{
		Method: http.MethodPost, Path: r.path, OperationID: "create" + upperFirst(r.singular), Tags: []string{r.tag},
		Summary:     "Create a " + r.noun,
		Parameters:  []*huma.Param{idempotencyParameter()},
		RequestBody: a.requestBody(name, reflect.TypeFor[I](), service.ForCreate),
		Responses:   a.singleResponse(http.StatusCreated, r.singular, reflect.TypeFor[V]()),
	}
	r.recordExtra.describe(a, op.Responses)
	a.handle(op, r.write, func(w http.ResponseWriter, req *http.Request) error {
		body, err := bodyOf(w, req, maxBody)
		if err != nil {
			return err
		}
		in, err := decode[I](body, service.ForCreate)
		if err != nil {
			return err
		}
		render := func(result any) (int, []byte, error) {
			raw, err := single(r.singular, r.view(result.(*E)), nil)
			if err == nil {
				raw, err = r.recordExtra.join(raw, result.(*E))
			}
			return http.StatusCreated, raw, err
		}
		write := func(ctx context.Context) (any, error) { return add(ctx, in) }
		return a.answerOnce(w, req, body, r.recordExtra.isShownOnce(), render, write)
	})
}

// update registers PATCH of one record.
func update[E, V, I any](a *API, r resource[E, V], change func(context.Context, int, I) (*E, error)) {
	name := "Update" + schemaName(reflect.TypeFor[V]())
	op := huma.Operation{
		Method: http.MethodPatch, Path: r.path + "/{id}", OperationID: "update" + upperFirst(r.singular),
		Tags: []string{r.tag}, Summary: "Change a " + r.noun,
		Parameters:  []*huma.Param{idParameter(r.noun)},
		RequestBody: a.requestBody(name, reflect.TypeFor[I](), service.ForUpdate),
		Responses:   a.singleResponse(http.StatusOK, r.singular, reflect.TypeFor[V]()),
	}
	a.handle(op, r.write, func(w http.ResponseWriter, req *http.Request) error {
		id, err := idOf(req)
		if err != nil {
			return err
		}
		body, err := bodyOf(w, req, maxBody)
		if err != nil {
			return err
		}
		in, err := decode[I](body, service.ForUpdate)
		if err != nil {
			return err
		}
		record, err := change(req.Context(), id, in)
		if err != nil {
			return err
		}
		return writeSingle(w, http.StatusOK, r.singular, r.view(record), nil)
	})
}

// remove registers DELETE of one record.
func remove[E, V any](a *API, r resource[E, V], del func(context.Context, int) (int, error)) {
	op := huma.Operation{
		Method: http.MethodDelete, Path: r.path + "/{id}", OperationID: "delete" + upperFirst(r.singular),
		Tags: []string{r.tag}, Summary: "Delete a " + r.noun,
		Parameters: []*huma.Param{idParameter(r.noun)},
		Responses:  a.deleteResponse(),
	}
	a.handle(op, r.write, func(w http.ResponseWriter, req *http.Request) error {
		id, err := idOf(req)
		if err != nil {
			return err
		}
		if err := noParameters(req); err != nil {
			return err
		}
		if _, err := del(req.Context(), id); err != nil {
			return err
		}
		middleware.WriteJSON(w, http.StatusOK, Deleted{Deleted: true, ID: id})
		return nil
	})
}

// Deleted is the response to a DELETE.
type Deleted struct {
	Deleted bool `json:"deleted" doc:"Always true" example:"true"`
	ID      int  `json:"id" doc:"Of the record that was deleted"`
}

// answerOnce runs a write, at most once per Idempotency-Key, and sends its answer. secret means that the answer
// contains a value that is shown once, so it is stored encrypted.
func (a *API) answerOnce(
	w http.ResponseWriter, r *http.Request, body []byte, secret bool,
	render func(any) (int, []byte, error), write func(context.Context) (any, error),
) error {
	keys, keyed := r.Header["Idempotency-Key"]
	if !keyed {
		result, err := write(r.Context())
		if err != nil {
			return err
		}
		status, answer, err := render(result)
		if err != nil {
			return err
		}
		middleware.WriteBody(w, status, answer)
		return nil
	}
	if len(keys) != 1 || !service.ValidIdempotencyKey(keys[0]) {
		return fault.Field("Idempotency-Key", "%s", service.IdempotencyKeyRule)
	}
	answer, err := a.service.Once(r.Context(), service.Idempotency{
		Key: keys[0], Request: r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery, BodyHash: sha256.Sum256(body),
		Secret: secret,
	}, render, write)
	if err != nil {
		return err
	}
	if answer.Replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	middleware.WriteBody(w, answer.Status, answer.Body)
	return nil
}

// idOf parses the id in the path.
func idOf(r *http.Request) (int, error) {
	id, ok := service.ParseID(r.PathValue("id"))
	if !ok {
		return 0, fault.New(fault.InvalidID, "The id in the path must be a positive integer.").
			With("id", "must be a positive integer")
	}
	return id, nil
}

// bodyOf reads a body of at most limit bytes. The operation takes no query parameters.
func bodyOf(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := noParameters(r); err != nil {
		return nil, err
	}
	return readBody(w, r, limit)
}

func noParameters(r *http.Request) error {
	params, err := parametersOf(r.URL.RawQuery)
	if err != nil {
		return err
	}
	return refuseParameters(params)
}

// refuseParameters refuses all query parameters except the known ones.
func refuseParameters(params map[string]string, known ...string) error {
	var problems []fault.Detail
	for _, name := range sortedNames(params) {
		if slices.Contains(known, name) {
			continue
		}
		problems = append(problems, fault.Detail{Path: name, Message: "is not a parameter of this operation"})
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

func sortedNames(params map[string]string) []string {
	names := make([]string, 0, len(params))
	for name := range params {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// parametersOf parses the query string. A repeated parameter is an error.
func parametersOf(query string) (map[string]string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The query string is malformed.").Because(err)
	}
	params := make(map[string]string, len(values))
	var problems []fault.Detail
	for name, all := range values {
		if len(all) > 1 {
			problems = append(problems, fault.Detail{Path: name, Message: "is given more than once"})
		}
		params[name] = all[0]
	}
	if len(problems) > 0 {
		slices.SortFunc(problems, func(a, b fault.Detail) int { return strings.Compare(a.Path, b.Path) })
		return nil, fault.Invalid(problems...)
	}
	return params, nil
}

// writeSingle sends {"<singular>": {...}}.
func writeSingle[V any](w http.ResponseWriter, status int, singular string, view V, fields []string) error {
	body, err := single(singular, view, fields)
	if err != nil {
		return err
	}
	middleware.WriteBody(w, status, body)
	return nil
}

func single[V any](singular string, view V, fields []string) ([]byte, error) {
	var record []byte
	var err error
	if fields == nil {
		record, err = json.Marshal(view)
	} else {
		record, err = marshalFields(nil, reflect.ValueOf(view), fields)
	}
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"`+singular+`":`), record, []byte(`}`)), nil
}
