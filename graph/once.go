package graph

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// A mutation with an Idempotency-Key happens once. Its answer may hold what is looked up after the write has committed, so
// that it cannot commit with it: the write keeps its result, and the answer is stored beside that before it is sent. A
// process that ends between the two has the next call answer with the result that was kept. So the write is never done
// twice, and whoever asks again gets the very bytes that were sent the first time.

// storeWithin bounds how long a mutation that has been done waits for its answer to be stored.
const storeWithin = 5 * time.Second

// once is a mutation with an Idempotency-Key.
type once struct {
	*service.Idempotency
	release func()
	// replayed is the answer that was stored before, refused why the key is not good for this call.
	replayed *service.ReplayedError
	refused  *fault.Error
}

type onceKey struct{}

// onceOf is the mutation with a key that the context is of; nil in any other context.
func onceOf(ctx context.Context) *once {
	o, _ := ctx.Value(onceKey{}).(*once)
	return o
}

// keyed takes the request's Idempotency-Key, where it has one and is a mutation; the error is that the key is not good.
func (s *Server) keyed(ctx context.Context, r *http.Request, body []byte, operation *ast.OperationDefinition) (context.Context, *once, error) {
	keys, given := r.Header["Idempotency-Key"]
	if !given || operation.Operation != ast.Mutation {
		return ctx, nil, nil
	}
	if len(keys) != 1 || !service.ValidIdempotencyKey(keys[0]) {
		return ctx, nil, fault.Field("Idempotency-Key", "%s", service.IdempotencyKeyRule)
	}
	if rootFields(operation.SelectionSet) != 1 {
		return ctx, nil, fault.Field("Idempotency-Key", "is for a request with one mutation field")
	}
	o := &once{Idempotency: &service.Idempotency{
		Key: keys[0], Request: r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery, BodyHash: sha256.Sum256(body),
	}}
	var err error
	if o.release, err = s.service.Once(ctx, o.Idempotency); err != nil {
		return ctx, nil, err
	}
	return context.WithValue(service.WithIdempotency(ctx, o.Idempotency), onceKey{}, o), o, nil
}

// rootFields counts the fields of an operation that do something.
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

// notice takes note of an error of the mutation's field that is about the key.
func (o *once) notice(err error) {
	if o == nil {
		return
	}
	if replayed, ok := errors.AsType[*service.ReplayedError](err); ok {
		o.replayed = replayed
	}
	if f := fault.As(err); f != nil && service.RefusesKey(f) {
		o.refused = f
	}
}

// answerOnce sends the answer of a mutation with a key: the one that was stored before, or its own, which is stored first.
// One with an error that may be gone the next time is not stored; the next call answers with the result that was kept.
func (s *Server) answerOnce(ctx context.Context, w http.ResponseWriter, r *http.Request, o *once, response *graphql.Response) {
	status, body := http.StatusOK, rendered(response)
	switch {
	case o.refused != nil:
		s.refuse(w, r, o.refused)
		return
	case o.replayed != nil:
		w.Header().Set("Idempotency-Replayed", "true")
		status, body = o.replayed.Status, o.replayed.Body
	case lasting(response):
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
		defer cancel()
		kept, counts, err := s.service.Answered(ctx, o.Idempotency, status, body)
		if err != nil {
			_ = s.explain(ctx, err) // the mutation has been done all the same, and is not done again
			break
		}
		status, body = kept, counts
	}
	send(w, r, status, body)
}

// lasting reports that none of the answer's errors is of ours or of the moment.
func lasting(response *graphql.Response) bool {
	for _, problem := range response.Errors {
		if code := problem.Extensions["code"]; code == fault.Internal || code == fault.Unavailable {
			return false
		}
	}
	return true
}
