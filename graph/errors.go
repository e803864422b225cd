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
	"paydown/internal/middleware"
)

// present formats an error for the response, with REST's code, details and request id in its extensions. It
// logs an error that is neither a fault nor caused by the request, once, and hides it.
func (s *Server) present(ctx context.Context, err error) *gqlerror.Error {
	of, _ := errors.AsType[*gqlerror.Error](err)
	if of == nil {
		of = gqlerror.WrapPath(graphql.GetPath(ctx), err)
	}
	shown := s.shown(ctx, s.faultOf(ctx, of, err))
	shown.Locations = of.Locations
	if fc := graphql.GetFieldContext(ctx); fc != nil { // otherwise nothing was executed, and there is no path
		shown.Path = fc.Path()
	}
	return shown
}

// faultOf converts an error to a fault. An error without a cause is about the document.
func (s *Server) faultOf(ctx context.Context, of *gqlerror.Error, err error) *fault.Error {
	switch {
	case fault.As(err) != nil:
		return fault.As(err)
	case isArgumentError(err):
		return fault.Invalid(fault.Detail{Path: lastName(of.Path), Message: of.Message})
	case of.Err != nil:
		return s.explain(ctx, of.Err)
	case graphql.GetFieldContext(ctx) != nil: // found while executing: a resolver violated the schema
		return s.explain(ctx, err)
	default:
		return fault.New(fault.BadRequest, "%s", cut(of.Message))
	}
}

// cut limits the length of a message of the parser or of validation, which may quote the document.
func cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + "…"
}

// isArgumentError reports an error about the form of an argument, whose name the path ends with.
func isArgumentError(err error) bool {
	_, ok := errors.AsType[*scalar.FormatError](err)
	return ok
}

func lastName(path ast.Path) string {
	if len(path) == 0 {
		return ""
	}
	return fmt.Sprint(path[len(path)-1])
}

// explain is middleware.Explain, for an operation with a timeout.
func (s *Server) explain(ctx context.Context, err error) *fault.Error {
	if fault.As(err) == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Unavailable, "The operation took longer than %d seconds.", int(s.timeout.Seconds())).
			Because(err)
	}
	return middleware.Explain(ctx, s.log, err)
}

// shown formats a fault as a GraphQL error.
func (s *Server) shown(ctx context.Context, f *fault.Error) *gqlerror.Error {
	extensions := map[string]any{"code": f.Code, "requestId": middleware.RequestID(ctx)}
	if len(f.Details) > 0 {
		extensions["details"] = f.Details
	}
	return &gqlerror.Error{Message: f.Message, Extensions: extensions}
}

func head(w http.ResponseWriter, f *fault.Error) int { return middleware.Head(w.Header(), f) }
