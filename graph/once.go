package graph

import (
	"context"
	"crypto/sha256"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// A mutation with an Idempotency-Key happens once. Its answer may contain records read after the commit, so it
// cannot be stored in the transaction of the write: see service.OnceAnswered. A repeated request gets the same
// bytes.

// keyOf returns the Idempotency-Key of a mutation, or nil if it has none. The error says why a key is not valid.
func keyOf(r *http.Request, body []byte, operation *ast.OperationDefinition) (*service.Idempotency, error) {
	keys, given := r.Header["Idempotency-Key"]
	if !given || operation.Operation != ast.Mutation {
		return nil, nil
	}
	if len(keys) != 1 || !service.ValidIdempotencyKey(keys[0]) {
		return nil, fault.Field("Idempotency-Key", "%s", service.IdempotencyKeyRule)
	}
	if rootFields(operation.SelectionSet) != 1 {
		return nil, fault.Field("Idempotency-Key", "is for a request with one mutation field")
	}
	return &service.Idempotency{
		Key: keys[0], Request: r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery, BodyHash: sha256.Sum256(body),
	}, nil
}

// answerOnce sends the answer of a mutation with a key: the stored one, or its own, which is stored first unless
// it contains an error that may not happen again.
func (s *Server) answerOnce(
	ctx context.Context, w http.ResponseWriter, r *http.Request, key service.Idempotency,
	operation *graphql.OperationContext,
) {
	answer, err := s.service.OnceAnswered(ctx, key, func(ctx context.Context) (service.Answer, bool) {
		response := s.execute(ctx, operation)
		return service.Answer{Status: http.StatusOK, Body: rendered(response)}, isRepeatable(response)
	})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if answer.Replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	send(w, r, answer.Status, answer.Body)
}

// rootFields counts the root fields of an operation, except __typename.
func rootFields(set ast.SelectionSet) int {
	n := 0
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Name != "__typename" {
				n++
			}
		case *ast.InlineFragment:
			n += rootFields(s.SelectionSet)
		case *ast.FragmentSpread:
			n += rootFields(s.Definition.SelectionSet)
		}
	}
	return n
}

// isRepeatable reports whether a repeated request would get the same errors.
func isRepeatable(response *graphql.Response) bool {
	for _, problem := range response.Errors {
		if code := problem.Extensions["code"]; code == fault.Internal || code == fault.Unavailable {
			return false
		}
	}
	return true
}
