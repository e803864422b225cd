package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"paydown/graph/engine"
)

// schema has a field of each kind: of the object itself, computed by a method, resolved, waiting and guarded.
var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query {
		thing(id: Int!): Thing must(id: Int!): Thing! things(ids: [Int!]!): [Thing!] loose(ids: [Int!]!): [Thing]
	}
	type Mutation { add(id: Int!): Int! }
	type Subscription { ticks(until: Int!): Thing }
	type Thing {
		id: Int! name: String text: String! broken: String wrong: String! child: Thing
		left: String right: String secret: String
	}
`})

// thing is a record; without a text, it violates the schema.
type thing struct {
	id    int
	text  *string
	child *thing
}

func (x *thing) broken() string {
	if x.id == 1 {
		panic("broken") // the engine must turn it into an error of the field
	}
	return "whole"
}

func newThing(id int) *thing {
	switch {
	case id == 0:
		return nil
	case id < 0:
		return &thing{id: id} // without a text
	default:
		return &thing{id: id, text: new("text"), child: &thing{id: id + 1, text: new("child")}}
	}
}

func writeInt(at *engine.Place, n int) bool { return at.Put(fmt.Append(at.Text(), n)) || at.Missing() }

func writeText(at *engine.Place, s string) bool { return at.Put(engine.AppendString(at.Text(), s)) }

func writeThing(at *engine.Place, x *thing) bool { return x != nil && at.Object(x) }

func writeMust(at *engine.Place, x *thing) bool {
	if x == nil {
		return at.Missing()
	}
	return at.Object(x)
}

// world is what resolvers reach.
type world struct {
	mu    sync.Mutex
	added []int
	// meet lets fields that are resolved at the same time meet.
	meet sync.WaitGroup
	// running counts the fields of the thing 6 that are being resolved, most is the highest count.
	running, most int
}

// run counts while a database would be waited for.
func (w *world) run() {
	w.mu.Lock()
	w.running++
	w.most = max(w.most, w.running)
	w.mu.Unlock()
	time.Sleep(3 * time.Millisecond) // stands for the latency of a database
	w.mu.Lock()
	w.running--
	w.mu.Unlock()
}

func argument(name string) func(context.Context, map[string]any) (map[string]any, error) {
	return func(_ context.Context, raw map[string]any) (map[string]any, error) {
		if n, ok := raw[name].(int64); ok && n == 99 {
			return nil, errors.New("no argument")
		}
		return raw, nil
	}
}

func things(c *engine.Call) []*thing {
	var all []*thing
	for _, id := range c.Args["ids"].([]any) {
		all = append(all, newThing(int(id.(int64))))
	}
	return all
}

func one(c *engine.Call) *thing { return newThing(int(c.Args["id"].(int64))) }

var types = []*engine.Type{
	{Name: "Query", Fields: []engine.Field{
		{Name: "thing", Of: "Thing", Args: argument("id"), Resolve: func(c *engine.Call, _ any) bool {
			return engine.Done(c, one(c), nil, writeThing)
		}},
		{Name: "must", Of: "Thing", NonNull: true, Args: argument("id"), Resolve: func(c *engine.Call, _ any) bool {
			return engine.Done(c, one(c), nil, writeMust)
		}},
		{Name: "things", Of: "Thing", Args: argument("ids"), Resolve: func(c *engine.Call, _ any) bool {
			return engine.Done(c, things(c), nil, func(at *engine.Place, all []*thing) bool {
				return engine.List(at, all, true, writeMust)
			})
		}},
		{Name: "loose", Of: "Thing", Args: argument("ids"), Resolve: func(c *engine.Call, _ any) bool {
			return engine.Done(c, things(c), nil, func(at *engine.Place, all []*thing) bool {
				return engine.List(at, all, false, writeThing)
			})
		}},
	}},
	{Name: "Mutation", Fields: []engine.Field{
		{Name: "add", NonNull: true, Waits: true, Args: argument("id"), Resolve: func(c *engine.Call, _ any) bool {
			w := c.Resolvers().(*world)
			w.mu.Lock()
			defer w.mu.Unlock()
			w.added = append(w.added, int(c.Args["id"].(int64)))
			return engine.Done(c, len(w.added), nil, writeInt)
		}},
	}},
	{Name: "Subscription", Fields: []engine.Field{
		{Name: "ticks", Of: "Thing", Args: argument("until"), Stream: func(c *engine.Call) (engine.Events, error) {
			until := int(c.Args["until"].(int64))
			if until == 0 {
				return nil, errors.New("no ticks")
			}
			events := make(chan *thing, until)
			for id := range until {
				events <- newThing(id + 1)
			}
			close(events)
			return engine.EventsOf(events, writeThing), nil
		}},
	}},
	{Name: "Thing", Fields: []engine.Field{
		{Name: "id", NonNull: true, Plain: func(at *engine.Place, x any) bool { return writeInt(at, x.(*thing).id) }},
		{Name: "name", Plain: func(*engine.Place, any) bool { return false }},
		{Name: "text", NonNull: true, Plain: func(at *engine.Place, x any) bool {
			if x.(*thing).text == nil {
				return at.Missing()
			}
			return writeText(at, *x.(*thing).text)
		}},
		{Name: "broken", Computed: true, Plain: func(at *engine.Place, x any) bool {
			return writeText(at, x.(*thing).broken())
		}},
		{Name: "wrong", NonNull: true, Waits: true, Resolve: func(c *engine.Call, _ any) bool {
			return engine.Done(c, "", errors.New("wrong"), writeText)
		}},
		{Name: "child", Of: "Thing", Plain: func(at *engine.Place, x any) bool { return writeThing(at, x.(*thing).child) }},
		{Name: "left", Waits: true, Resolve: meet, Absent: func(x any) bool { return x.(*thing).id > 7 }},
		{Name: "right", Waits: true, Resolve: meet},
		{
			Name: "secret", Waits: true, Guard: func(*engine.Call) error { return errors.New("secret") },
			Resolve: func(*engine.Call, any) bool { panic("the guard let it pass") },
		},
	}},
}

// meet waits for the other fields that are resolved at the same time. Of the thing 3 it panics.
func meet(c *engine.Call, x any) bool {
	w := c.Resolvers().(*world)
	if x.(*thing).id == 6 {
		w.run()
	}
	if x.(*thing).id == 7 {
		w.meet.Done()
		w.meet.Wait()
	}
	if x.(*thing).id == 3 {
		panic("met nobody") // the engine must turn it into an error of the field
	}
	return engine.Done(c, graphql.GetFieldContext(c.Ctx).Path().String(), nil, writeText)
}

type documents struct {
	mu  sync.Mutex
	all map[string]*ast.QueryDocument
}

func (d *documents) Get(_ context.Context, query string) (*ast.QueryDocument, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc, ok := d.all[query]
	return doc, ok
}

func (d *documents) Add(_ context.Context, query string, doc *ast.QueryDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all[query] = doc
}

type server struct {
	*executor.Executor

	world     *world
	schema    *engine.Schema
	documents *documents
}

func newServer() *server { return newServerSaving(0) }

func newServerSaving(saving time.Duration) *server {
	w := &world{}
	s := engine.New(schema, types, w, nil, engine.Config{Saving: saving})
	e := executor.New(s)
	d := &documents{all: map[string]*ast.QueryDocument{}}
	e.SetQueryCache(d)
	e.SetRecoverFunc(func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) })
	e.SetErrorPresenter(func(ctx context.Context, err error) *gqlerror.Error {
		return &gqlerror.Error{Message: graphql.DefaultErrorPresenter(ctx, err).Message, Path: graphql.GetPath(ctx)}
	})
	return &server{e, w, s, d}
}

// ask returns all responses of an operation.
func (s *server) ask(t *testing.T, query string, variables map[string]any) []*graphql.Response {
	t.Helper()
	ctx := graphql.StartOperationTrace(t.Context())
	operation, problems := s.CreateOperationContext(ctx, &graphql.RawParams{Query: query, Variables: variables})
	if len(problems) > 0 {
		t.Fatalf("%s: %v", query, problems)
	}
	respond, ctx := s.DispatchOperation(ctx, operation)
	var all []*graphql.Response
	for {
		response := respond(ctx)
		if response == nil {
			return all
		}
		all = append(all, response)
	}
}

// shown is the data and the errors with their paths, in the order of paths.
func shown(t *testing.T, responses []*graphql.Response) string {
	t.Helper()
	var text strings.Builder
	for _, r := range responses {
		if len(r.Data) > 0 && !json.Valid(r.Data) {
			t.Errorf("no JSON: %s", r.Data)
		}
		text.Write(r.Data)
		var problems []string
		for _, e := range r.Errors {
			problems = append(problems, " "+e.Path.String()+": "+e.Message)
		}
		slices.Sort(problems)
		text.WriteString(strings.Join(problems, ""))
		text.WriteByte('\n')
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func TestOperationsAreExecuted(t *testing.T) {
	const missing = "the requested element is null which the schema does not allow"
	for query, want := range map[string]string{
		`{ thing(id: 2) { id } }`: `{"thing":{"id":2}}`,
		`{ thing(id: 2) { b: id a: text name __typename } __typename }`: `{"thing":{"b":2,"a":"text","name":null,` +
			`"__typename":"Thing"},"__typename":"Query"}`,
		`{ thing(id: 2) { id ...f child { text } } } fragment f on Thing { id child { id } }`: `{"thing":{"id":2,` +
			`"child":{"id":3,"text":"child"}}}`,
		`{ a: thing(id: 0) { id } b: thing(id: 2) { id } }`: `{"a":null,"b":{"id":2}}`,
		`{ thing(id: -1) { id text } }`:                     `{"thing":null} thing.text: ` + missing,
		`{ must(id: -1) { id text } }`:                      `null must.text: ` + missing,
		`{ must(id: 0) { id } }`:                            `null must: ` + missing,
		`{ things(ids: []) { id } }`:                        `{"things":[]}`,
		`{ things(ids: [2, 4]) { id } }`:                    `{"things":[{"id":2},{"id":4}]}`,
		`{ things(ids: [2, 0, 4]) { id } }`:                 `{"things":null} things[1]: ` + missing,
		`{ things(ids: [2, -1, -2]) { text } }`: `{"things":null} things[1].text: ` + missing +
			` things[2].text: ` + missing,
		`{ loose(ids: [2, 0, -1]) { text } }`: `{"loose":[{"text":"text"},null,null]} loose[2].text: ` + missing,
		`{ thing(id: 99) { id } }`:            `{"thing":null} thing: no argument`,
		`{ thing(id: 1) { id broken } }`:      `{"thing":{"id":1,"broken":null}} thing.broken: panic: broken`,
		`{ thing(id: 2) { secret id } }`:      `{"thing":{"secret":null,"id":2}} thing.secret: secret`,
		`{ thing(id: 2) { secret wrong id child { wrong } }}`: `{"thing":null} thing.child.wrong: wrong` +
			` thing.secret: secret thing.wrong: wrong`,
		`{ thing(id: 3) { left right x: id } }`: `{"thing":{"left":null,"right":null,"x":3}}` +
			` thing.left: panic: met nobody thing.right: panic: met nobody`,
		`{ loose(ids: [4, 5, 8]) { l: left right child { right } } }`: `{"loose":[` +
			`{"l":"loose[0].l","right":"loose[0].right","child":{"right":"loose[0].child.right"}},` +
			`{"l":"loose[1].l","right":"loose[1].right","child":{"right":"loose[1].child.right"}},` +
			`{"l":"loose[2].l","right":"loose[2].right","child":{"right":"loose[2].child.right"}}]}`,
		`mutation { a: add(id: 3) b: add(id: 1) c: add(id: 2) }`: `{"a":1,"b":2,"c":3}`,
		`subscription { t: ticks(until: 2) { id child { right } } }`: `{"t":{"id":1,"child":{"right":"t.child.right"}}}` +
			"\n" + `{"t":{"id":2,"child":{"right":null}}} t.child.right: panic: met nobody`,
		`subscription { ticks(until: 0) { id } }`:  ` ticks: no ticks`,
		`subscription { ticks(until: 99) { id } }`: ` ticks: no argument`,
	} {
		s := newServer()
		for range 2 { // made, and kept
			s.world.added = nil
			if got := shown(t, s.ask(t, query, nil)); got != want {
				t.Errorf("%s:\n got %s\nwant %s", query, got, want)
			}
		}
	}
}

func TestFieldsThatWaitAreResolvedAtTheSameTime(t *testing.T) {
	s := newServer()
	s.world.meet.Add(3)
	got := shown(t, s.ask(t, `{ thing(id: 7) { left right again: right } }`, nil))
	if want := `{"thing":{"left":"thing.left","right":"thing.right","again":"thing.again"}}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestFieldsAreResolvedAtTheSameTimeIfThatSavesTime(t *testing.T) {
	for _, c := range []struct {
		saving time.Duration
		want   []int // how many at the same time, from request to request
	}{{time.Millisecond, []int{1, 2, 2}}, {time.Hour, []int{1, 1, 1}}, {0, []int{2, 2, 2}}} {
		s := newServerSaving(c.saving)
		for i, want := range c.want {
			s.world.most = 0
			s.ask(t, `{ thing(id: 6) { left right } }`, nil)
			if s.world.most != want {
				t.Errorf("saving %s, request %d: %d at the same time, want %d", c.saving, i+1, s.world.most, want)
			}
		}
	}
}

func TestMutationsRunInTheirOrder(t *testing.T) {
	s := newServer()
	s.ask(t, `mutation { c: add(id: 3) a: add(id: 1) b: add(id: 2) }`, nil)
	if !slices.Equal(s.world.added, []int{3, 1, 2}) {
		t.Errorf("added %v", s.world.added)
	}
}

func TestVariablesDecideAboutFieldsOfAKeptPlan(t *testing.T) {
	const query = `query($a: Boolean!, $b: Boolean! = false) {
		thing(id: 2) { id @include(if: $a) text @skip(if: $b) ... @include(if: $a) { name } }
	}`
	s := newServer()
	for range 2 {
		for _, c := range []struct {
			variables map[string]any
			want      string
		}{
			{map[string]any{"a": true}, `{"thing":{"id":2,"text":"text","name":null}}`},
			{map[string]any{"a": false}, `{"thing":{"text":"text"}}`},
			{map[string]any{"a": true, "b": true}, `{"thing":{"id":2,"name":null}}`},
			{map[string]any{"a": false, "b": true}, `{"thing":{}}`},
		} {
			if got := shown(t, s.ask(t, query, c.variables)); got != c.want {
				t.Errorf("%v: got %s, want %s", c.variables, got, c.want)
			}
		}
	}
	many := `query($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) {
		thing(id: 2) { id @skip(if: $a) text @skip(if: $b) name @skip(if: $c) __typename @skip(if: $d) } }`
	for _, on := range []bool{true, false} {
		got := shown(t, s.ask(t, many, map[string]any{"a": on, "b": true, "c": true, "d": !on}))
		if want := map[bool]string{true: `"__typename":"Thing"`, false: `"id":2`}[on]; got != `{"thing":{`+want+`}}` {
			t.Errorf("%t: got %s", on, got)
		}
	}
}

func TestAPlanIsDroppedWithItsDocument(t *testing.T) {
	s := newServer()
	s.ask(t, `{ thing(id: 2) { id child { text } ...f } } fragment f on Thing { name }`, nil)
	if got := s.schema.Plans(); got != 1 {
		t.Fatalf("%d plans", got)
	}
	clear(s.documents.all)
	for range 1000 {
		runtime.GC()
		if s.schema.Plans() == 0 {
			return
		}
	}
	t.Error("it is kept")
}
