// Package graph is the GraphQL surface: the schema in *.graphqls, its resolvers, and the limits of requests.
// All operations call package service, as in REST.
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

	"paydown/graph/engine"
	"paydown/graph/exec"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// Path is the path of the GraphQL endpoint, on every tenant's host.
const Path = "/graphql"

// Config configures the surface.
type Config struct {
	middleware.Config
	// Introspection lets every caller read the schema.
	Introspection bool
}

// Server serves GraphQL.
type Server struct {
	chain   *middleware.Chain
	exec    *executor.Executor
	schema  *ast.Schema
	service *service.Service
	log     *slog.Logger
	timeout time.Duration // of an operation that is not a subscription
	streams *streams
}

// New returns the surface.
func New(cfg Config) *Server {
	root := &resolver{s: cfg.Service}
	directives := exec.DirectiveRoot{Scope: scoped, Permission: permitted, Staff: forStaff}
	schema := exec.NewExecutableSchema(exec.Config{
		Config: engine.Config{Saving: time.Millisecond, Loaded: loaded},
		Schema: served(), Resolvers: root, Directives: directives,
	})
	root.schema = schema.Schema()
	s := &Server{
		log:     cfg.Log,
		exec:    executor.New(schema),
		schema:  schema.Schema(),
		service: cfg.Service,
		timeout: timeout,
		streams: newStreams(),
	}
	s.chain = middleware.New(cfg.Config, auth.GraphQL, surfaceHandler{s})
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

// served is the schema without @defer, which the parser's own definitions include: a response is sent in one
// piece, and deferred fields would never arrive.
func served() *ast.Schema {
	schema := *exec.NewExecutableSchema(exec.Config{}).Schema()
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "defer")
	return &schema
}

// withoutSuggestions returns the validation rules, changed so that their messages do not reveal other names of
// the schema. The executor handles field names.
func withoutSuggestions() *rules.Rules {
	all := rules.NewDefaultRules()
	all.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	all.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	all.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return all
}

// ServeHTTP serves one request, starting at the middleware.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.chain.ServeHTTP(w, r) }

// surfaceHandler is the surface as its middleware calls it.
type surfaceHandler struct{ *Server }

// Route returns the single route.
func (b surfaceHandler) Route(r *http.Request) middleware.Route {
	if r.URL.Path != Path {
		return middleware.Route{
			Handler: b.refusal(fault.New(fault.NotFound, "There is nothing at this path.")),
			Name:    middleware.Unmatched,
		}
	}
	name := Path
	if takesStreamAlone(r) {
		name += " stream" // which lasts until its reader leaves
	}
	return middleware.Route{Handler: http.HandlerFunc(b.answer), Name: name, Entry: middleware.ByCaller}
}

// Refuse answers with an error and no data.
func (b surfaceHandler) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	b.refuse(w, r, err)
}

func (s *Server) refusal(f *fault.Error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.refuse(w, r, f) })
}

// recovered returns the error for a resolver that panicked.
func (s *Server) recovered(ctx context.Context, p any) error {
	middleware.LogPanic(ctx, s.log, p)
	return fault.New(fault.Internal, middleware.InternalMessage)
}
