// Package graph is the GraphQL surface: the schema in *.graphqls, its resolvers, and the bounds of what may be asked.
// What it does, it does through package service, as REST does.
package graph

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"paydown/graph/exec"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/gate"
	"paydown/internal/service"
)

// Path is where the graph answers, on every tenant's host.
const Path = "/graphql"

// Config is what the surface is made of.
type Config struct {
	gate.Config
	// Introspection lets every caller read the schema.
	Introspection bool
}

// Server serves the graph.
type Server struct {
	gate    *gate.Gate
	exec    *executor.Executor
	schema  *ast.Schema
	service *service.Service
	log     *slog.Logger
	timeout time.Duration // of one operation that is no subscription
	streams *streams
}

// New makes the surface.
func New(cfg Config) *Server {
	root := &resolver{s: cfg.Service}
	directives := exec.DirectiveRoot{Scope: scoped, Permission: permitted, Staff: forStaff}
	schema := exec.NewExecutableSchema(exec.Config{Schema: served(), Resolvers: root, Directives: directives})
	root.schema = schema.Schema()
	s := &Server{log: cfg.Log, exec: executor.New(schema), schema: schema.Schema(), service: cfg.Service, timeout: timeout, streams: newStreams()}
	s.gate = gate.New(cfg.Config, auth.GraphQL, behind{s})
	queries := newQueryCache()
	s.exec.SetQueryCache(queries)
	s.exec.SetParserTokenLimit(maxTokens)
	s.exec.SetDisableSuggestion(true)
	s.exec.SetDefaultRulesFn(withoutSuggestions)
	s.exec.SetErrorPresenter(s.present)
	s.exec.SetRecoverFunc(s.recovered)
	s.exec.Use(limits{known: queries, introspection: cfg.Introspection})
	return s
}

// served is the schema without @defer, which the parser's own definitions bring along: an answer comes in one piece here, and
// what is asked for later would never come.
func served() *ast.Schema {
	schema := *exec.NewExecutableSchema(exec.Config{}).Schema()
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "defer")
	return &schema
}

// withoutSuggestions are the rules of validation, of which none tells what else there is in the schema. The executor sees to
// the names of fields.
func withoutSuggestions() *rules.Rules {
	all := rules.NewDefaultRules()
	all.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	all.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	all.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return all
}

// ServeHTTP serves one request, past the gate.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.gate.ServeHTTP(w, r) }

// behind is the surface to its gate.
type behind struct{ *Server }

// Route finds the one route there is.
func (b behind) Route(r *http.Request) gate.Route {
	if r.URL.Path != Path {
		return gate.Route{Handler: b.refusal(fault.New(fault.NotFound, "There is nothing at this path.")), Name: gate.Unmatched}
	}
	name := Path
	if takesStreamAlone(r) {
		name += " stream" // which takes as long as its reader stays
	}
	return gate.Route{Handler: http.HandlerFunc(b.answer), Name: name, Entry: gate.ByCaller}
}

// Refuse answers with an error and no data.
func (b behind) Refuse(w http.ResponseWriter, r *http.Request, err error) { b.refuse(w, r, err) }

func (s *Server) refusal(f *fault.Error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.refuse(w, r, f) })
}

// recovered is what is told of a resolver that panicked.
func (s *Server) recovered(ctx context.Context, p any) error {
	gate.LogPanic(ctx, s.log, p)
	return fault.New(fault.Internal, gate.InternalMessage)
}
