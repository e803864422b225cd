package rpc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// interceptor wraps every call, unary or streaming. It checks who may call and what the message may hold,
// limits the duration, and rewrites errors for the caller. It implements connect.Interceptor.
type interceptor struct {
	service *service.Service
	log     *slog.Logger
	called  func(procedure, code string, seconds float64)
}

// WrapUnary implements connect.Interceptor.
func (i *interceptor) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (answer connect.AnyResponse, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		err = i.around(ctx, req.Spec(), func() error {
			inside, err := i.check(ctx, req.Spec(), req.Any())
			if err != nil {
				return err
			}
			answer, err = next(inside, req)
			return err
		})
		if err != nil {
			return nil, err
		}
		return answer, nil
	}
}

// WrapStreamingHandler implements connect.Interceptor. It checks the request message of a server stream before
// the handler starts.
func (i *interceptor) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return i.around(ctx, conn.Spec(), func() error {
			method, described := conn.Spec().Schema.(protoreflect.MethodDescriptor)
			if !described || !isOwn(conn.Spec()) {
				inside, err := i.authorize(ctx, nil, nil)
				if err != nil {
					return err
				}
				return next(inside, conn)
			}
			asked, err := newMessage(method.Input())
			if err != nil {
				return err
			}
			if err := conn.Receive(asked); err != nil {
				return received(err)
			}
			inside, err := i.check(ctx, conn.Spec(), asked)
			if err != nil {
				return err
			}
			return next(inside, &replayed{StreamingHandlerConn: conn, asked: asked})
		})
	}
}

// WrapStreamingClient implements connect.Interceptor; this server makes no calls.
func (*interceptor) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// around recovers from panics, rewrites errors for the caller, and counts calls.
func (i *interceptor) around(ctx context.Context, spec connect.Spec, call func() error) (err error) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http documents the comparison of this very value
				panic(p)
			}
			middleware.LogPanic(ctx, i.log, p)
			err = fault.New(fault.Internal, middleware.InternalMessage)
		}
		code := "ok"
		if err != nil {
			shown, _ := i.explained(ctx, err)
			code, err = shown.Code().String(), shown
		}
		i.called(strings.TrimPrefix(spec.Procedure, "/"), code, time.Since(began).Seconds())
	}()
	return call()
}

// check checks a message: first who sends it, then its content.
func (i *interceptor) check(ctx context.Context, spec connect.Spec, message any) (context.Context, error) {
	if !isOwn(spec) {
		return i.authorize(ctx, nil, nil)
	}
	asked, ok := message.(proto.Message)
	method, described := spec.Schema.(protoreflect.MethodDescriptor)
	if !ok || !described {
		return nil, errors.New("no descriptor for " + spec.Procedure)
	}
	if unread := marked(asked); unread != nil {
		if _, err := i.authorize(ctx, nil, nil); err != nil {
			return nil, err
		}
		return nil, unread
	}
	inside, err := i.authorize(ctx, method, asked)
	if err != nil {
		return nil, err
	}
	return inside, checkRules(asked)
}

func isOwn(spec connect.Spec) bool { return strings.HasPrefix(spec.Procedure, "/paydown.") }

func newMessage(d protoreflect.MessageDescriptor) (proto.Message, error) {
	t, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		return nil, err
	}
	return t.New().Interface(), nil
}

// received returns the error of a request message that did not arrive.
func received(err error) error {
	if errors.Is(err, io.EOF) {
		return fault.New(fault.BadRequest, "A request message is required.")
	}
	return err
}

// replayed is a stream whose first message was already read.
type replayed struct {
	connect.StreamingHandlerConn
	asked proto.Message // nil once it has been given out
}

// Receive implements connect.StreamingHandlerConn.
func (c *replayed) Receive(into any) error {
	if c.asked == nil {
		return c.StreamingHandlerConn.Receive(into)
	}
	message, ok := into.(proto.Message)
	if !ok {
		return errors.New("a stream of what is no message")
	}
	proto.Merge(message, c.asked)
	c.asked = nil
	return nil
}
