package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"paydown/ent"
	"paydown/internal/apptest"
)

// The seed of the random requests and their number; set them in the environment for a longer search.
const (
	seedEnv, requestsEnv = "PAYDOWN_TEST_SEED", "PAYDOWN_TEST_REQUESTS"
	usualSeed            = 20260105
	usualRequests        = 1000
)

// Whatever is sent, valid or not: no response is an internal error, none is undocumented or differs from the
// description, nothing is accepted that the description refuses, no error and no log repeats the input, and
// afterwards ledger, audit trail and outbox are consistent.
func TestRandomRequestsMeetTheDescription(t *testing.T) {
	seed := numberFrom(t, seedEnv, apptest.Length(usualSeed, rand.IntN(1<<30)))
	requests := numberFrom(t, requestsEnv, apptest.Length(usualRequests, 20*usualRequests))
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		t.Logf("%s=%d %s=%d make these requests again", seedEnv, seed, requestsEnv, requests)
		r := newRound(t, a, seed)
		for n := range requests {
			r.play(t, n, r.request())
			if t.Failed() {
				return
			}
		}
		r.afterwards(t)
	})
}

func numberFrom(tb testing.TB, name string, usual int) int {
	tb.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return n
}

// round is one run of random requests against one application.
type round struct {
	*dice
	witness  *witness
	app      *apptest.App
	mine     *owner
	requests *jsonschema.Compiler // judges bodies but not the formats in them: a date does for a timestamp
	statuses map[int]int
	total    int

	journalsBefore int
}

func newRound(t *testing.T, a *apptest.App, seed int) *round {
	t.Helper()
	a.Clock.Set(monday)
	mine, theirs := newOwner(t, a, "mine.test"), newOwner(t, a, "theirs.test")
	w := &witness{describedBy(t, mine.Client), map[string]bool{}}
	r := &round{witness: w, app: a, mine: mine, requests: jsonschema.NewCompiler(), statuses: map[int]int{}}
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(mine.Do(t, "GET", "/api/openapi.json", nil).Body))
	if err == nil {
		err = r.requests.AddResource(descriptionURL, raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.dice = &dice{
		Rand: rand.New(rand.NewPCG(uint64(seed), 0)),
		doc:  w.doc, known: map[string][]int{}, foreign: map[string]int{}, pages: map[string]string{},
	}
	for route, item := range w.doc.In("paths") {
		for method := range item.(map[string]any) {
			r.operations = append(r.operations, strings.ToUpper(method)+" "+route)
		}
	}
	slices.Sort(r.operations)
	for _, o := range []*owner{mine, theirs} {
		r.createRecords(t, o)
	}
	r.journalsBefore = r.journals(t)
	return r
}

// createRecords gives a tenant two records of every kind, including a funded deal with payments.
func (r *round) createRecords(t *testing.T, o *owner) {
	t.Helper()
	keep := func(kind string, id int) {
		if o == r.mine {
			r.known[kind] = append(r.known[kind], id)
		} else {
			r.foreign[kind] = id
		}
	}
	for _, base := range slices.Sorted(maps.Keys(listKinds)) {
		if fixtures[base].make != nil {
			for range 2 {
				keep(listKinds[base], fixtures[base].make(t, o))
			}
		}
	}
	funded := o.Post(t, "/deals", fixtures["/deals"].body(t, o)).In("deal").ID()
	keep(ent.TypeDeal, funded)
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		o.Patch(t, path("/deals", funded), apptest.Object{"state": state})
	}
	for _, payment := range o.Get(t, "/payments"+query("dealId", strconv.Itoa(funded), "limit", "10")).List("payments") {
		keep(ent.TypePayment, payment.ID())
	}
	// Records created behind the services get what the services would have created: every deal has its audit
	// entry.
	o.rows.Parents = map[string]int{
		ent.TypeDeal: o.record(t, "/deals"), ent.TypeMerchant: o.record(t, "/merchants"),
		ent.TypeLead:    o.record(t, "/leads"),
		ent.TypePayment: o.record(t, "/payments"),
	}
	o.rows.OneDeal = true
	for _, kind := range slices.Sorted(maps.Values(kindOf)) {
		if len(r.known[kind]) == 0 || r.foreign[kind] == 0 {
			keep(kind, o.rows.One(t, kind))
		}
	}
	for _, base := range slices.Sorted(maps.Keys(fixtures)) {
		if kind := fixtures[base].kind; kind != "" {
			keep(kind, o.rows.One(t, kind))
		}
	}
}

// play sends a request and checks the response.
func (r *round) play(t *testing.T, n int, q request) {
	t.Helper()
	c := r.mine.Client
	if q.idempotencyKey != "" {
		c = c.With("Idempotency-Key", q.idempotencyKey)
	}
	var body any
	if q.hasBody {
		body = q.body
	}
	answer, err := c.Try(q.method, q.address, body)
	if err != nil {
		t.Fatalf("request %d, %s: %v", n, q, err)
	}
	defer func() {
		if t.Failed() {
			t.Logf("request %d: %s\nwas answered %d %s", n, q, answer.Status, shortened(string(answer.Body)))
		}
	}()
	r.statuses[answer.Status]++
	r.total++
	what := "request " + strconv.Itoa(n)
	judged := r.witness
	if q.trimDescription {
		judged = r.witness.asRead("?fields=")
	}
	judged.judge(t, q.method, q.route, answer)
	framed(t, what, answer)
	switch {
	case answer.Status >= 500:
		t.Errorf("%s: a fault of ours", what)
	case answer.Status >= 400:
		r.refused(t, what, q, answer)
	default:
		r.taken(t, what, q, answer)
	}
}

// refused checks an error: it names existing fields, and repeats no values.
func (r *round) refused(t *testing.T, what string, q request, answer *apptest.Answer) {
	t.Helper()
	problem := answer.JSON(t)
	refusal(t, what, answer, answer.Status, problem.Text("code"))
	if strings.Contains(string(answer.Body), canary) {
		t.Errorf("%s: the error repeats what was sent: %s", what, answer.Body)
	}
	code := problem.Text("code")
	if (code == "validation_error" || code == "invalid_reference") && len(problem.List("details")) == 0 {
		t.Errorf("%s: %s names nothing", what, code)
	}
}

// taken checks a success: the request must be valid by the description.
func (r *round) taken(t *testing.T, what string, q request, answer *apptest.Answer) {
	t.Helper()
	if q.malformed {
		t.Errorf("%s: what is no request was taken", what)
	}
	kind := listKinds[baseOf(q.route)]
	switch record := answer.JSON(t); {
	case q.method == "DELETE":
		r.known[kind] = slices.DeleteFunc(r.known[kind], func(id int) bool { return id == record.ID() })
	case q.method == "GET":
		if cursor := record.Text("nextCursor"); cursor != "" {
			joint := "?"
			if strings.Contains(q.address, "?") {
				joint = "&"
			}
			r.pages[q.route] = q.address + joint + "cursor=" + cursor
		}
	case answer.Status == 201 && kind != "":
		for _, made := range record {
			if made, ok := made.(map[string]any); ok {
				r.known[kind] = append(r.known[kind], apptest.Object(made).ID())
			}
		}
	}
	if q.schema == "" {
		return
	}
	schema, err := r.requests.Compile(pointer("components", "schemas", q.schema))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(q.body))
	if err == nil {
		err = schema.Validate(decimalsAsText(value, r.schemaNamed(q.schema)))
	}
	if err != nil {
		t.Errorf("%s: taken, though the description refuses it: %v", what, err)
	}
}

// decimalsAsText converts the numbers of decimals to the strings of the description.
func decimalsAsText(body any, schema apptest.Object) any {
	fields, ok := body.(map[string]any)
	if !ok {
		return body
	}
	for name, value := range fields {
		number, ok := value.(json.Number)
		if ok && strings.Contains(schema.In("properties").In(name).Text("pattern"), `\.`) {
			fields[name] = number.String()
		}
	}
	return fields
}

// afterwards checks the state that the requests left behind.
func (r *round) afterwards(t *testing.T) {
	t.Helper()
	report, err := r.app.Integrity.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range report.Checks {
		if !check.OK {
			t.Errorf("%s: %s", check.Name, check.Detail)
		}
	}
	log := r.app.Log.String()
	for _, no := range []string{canary, `"internal error"`, `"panic"`, r.mine.Token} {
		if strings.Contains(log, no) {
			t.Errorf("the log has %s", no)
		}
	}
	posted := r.journals(t) - r.journalsBefore
	t.Logf("answers by status: %v; ledger entries made: %d", r.statuses, posted)
	if r.total < usualRequests {
		return
	}
	for status, least := range map[int]int{200: 200, 201: 25, 400: 100, 404: 10, 409: 3, 422: 3} { // in usualRequests
		if r.statuses[status] < least*r.total/usualRequests {
			t.Errorf("only %d of %d answers are %d: the requests are too good or too bad to find anything",
				r.statuses[status], r.total, status)
		}
	}
	if posted == 0 {
		t.Error("nothing was posted to the ledger")
	}
}

func (r *round) journals(t *testing.T) int {
	t.Helper()
	n, err := r.app.Store.Reader().Journal.Query().Count(r.app.Operator(t, r.mine.Host))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (q request) String() string {
	text := q.method + " " + q.address
	if q.idempotencyKey != "" {
		text += " Idempotency-Key: " + q.idempotencyKey
	}
	if q.hasBody {
		text += fmt.Sprintf(" %.2000q", q.body)
	}
	return text
}
