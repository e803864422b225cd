package graph

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"paydown/graph/scalar"
	"paydown/internal/fault"
	"paydown/internal/gate"
)

// present is an error as the answer shows it: with REST's code, details and request id in its extensions. What is no
// fault and did not come of the request itself is logged, once, and hidden.
func (s *Server) present(ctx context.Context, err error) *gqlerror.Error {
	of, _ := errors.AsType[*gqlerror.Error](err)
	if of == nil {
		of = gqlerror.WrapPath(graphql.GetPath(ctx), err)
	}
	shown := s.shown(ctx, s.faultOf(ctx, of, err))
	shown.Locations = of.Locations
	if fc := graphql.GetFieldContext(ctx); fc != nil { // else nothing was executed: there is no place in the answer
		shown.Path = fc.Path()
	}
	return shown
}

// faultOf is the fault that an error is. One that only says what it says is about the document.
func (s *Server) faultOf(ctx context.Context, of *gqlerror.Error, err error) *fault.Error {
	switch {
	case fault.As(err) != nil:
		return fault.As(err)
	case isMisfit(err):
		return fault.Invalid(fault.Detail{Path: lastName(of.Path), Message: of.Message})
	case of.Err != nil:
		return s.explain(ctx, of.Err)
	case graphql.GetFieldContext(ctx) != nil: // found while executing: a resolver broke a promise of the schema
		return s.explain(ctx, err)
	default:
		return fault.New(fault.BadRequest, "%s", cut(of.Message))
	}
}

// cut is a message of the parser or of validation, which may quote the document, as long as it may be.
func cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + "…"
}

// isMisfit reports an error about the form of an argument, whose name the path ends with.
func isMisfit(err error) bool {
	_, ok := errors.AsType[*scalar.MisfitError](err)
	return ok
}

func lastName(path ast.Path) string {
	if len(path) == 0 {
		return ""
	}
	return fmt.Sprint(path[len(path)-1])
}

// explain is gate.Explain, for an operation that has a bound of time.
func (s *Server) explain(ctx context.Context, err error) *fault.Error {
	if fault.As(err) == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Unavailable, "The operation took longer than %d seconds.", int(s.timeout.Seconds())).Because(err)
	}
	return gate.Explain(ctx, s.log, err)
}

// shown is a fault as an error of GraphQL.
func (s *Server) shown(ctx context.Context, f *fault.Error) *gqlerror.Error {
	extensions := map[string]any{"code": f.Code, "requestId": gate.RequestID(ctx)}
	if len(f.Details) > 0 {
		extensions["details"] = f.Details
	}
	return &gqlerror.Error{Message: f.Message, Extensions: extensions}
}

func head(w http.ResponseWriter, f *fault.Error) int { return gate.Head(w.Header(), f) }
