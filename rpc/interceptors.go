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
	"paydown/internal/gate"
	"paydown/internal/service"
)

// judge stands around every call, unary or not: who may make it, whether its message keeps the rules, how long it may take, what
// is told of its errors. It implements connect.Interceptor.
type judge struct {
	service *service.Service
	log     *slog.Logger
	called  func(procedure, code string, seconds float64)
}

// WrapUnary implements connect.Interceptor.
func (j *judge) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (answer connect.AnyResponse, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		err = j.around(ctx, req.Spec(), func() error {
			inside, err := j.let(ctx, req.Spec(), req.Any())
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

// WrapStreamingHandler implements connect.Interceptor. The message of a stream that one message asks for is judged before
// its handler begins.
func (j *judge) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return j.around(ctx, conn.Spec(), func() error {
			method, ours := conn.Spec().Schema.(protoreflect.MethodDescriptor)
			if !ours || !isOurs(conn.Spec()) {
				inside, err := j.admitted(ctx, nil, nil)
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
			inside, err := j.let(ctx, conn.Spec(), asked)
			if err != nil {
				return err
			}
			return next(inside, &replayed{StreamingHandlerConn: conn, asked: asked})
		})
	}
}

// WrapStreamingClient implements connect.Interceptor; nothing here calls.
func (*judge) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// around recovers from panics, makes of errors what may be told, and counts.
func (j *judge) around(ctx context.Context, spec connect.Spec, call func() error) (err error) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http documents the comparison of this very value
				panic(p)
			}
			gate.LogPanic(ctx, j.log, p)
			err = fault.New(fault.Internal, gate.FaultOfOurs)
		}
		code := "ok"
		if err != nil {
			shown, _ := j.shown(ctx, err)
			code, err = shown.Code().String(), shown
		}
		j.called(strings.TrimPrefix(spec.Procedure, "/"), code, time.Since(began).Seconds())
	}()
	return call()
}

// let judges a message: first who sends it, then what it says.
func (j *judge) let(ctx context.Context, spec connect.Spec, message any) (context.Context, error) {
	if !isOurs(spec) {
		return j.admitted(ctx, nil, nil)
	}
	asked, ok := message.(proto.Message)
	method, described := spec.Schema.(protoreflect.MethodDescriptor)
	if !ok || !described {
		return nil, errors.New("a call of " + spec.Procedure + " without a description")
	}
	if unread := marked(asked); unread != nil {
		if _, err := j.admitted(ctx, nil, nil); err != nil {
			return nil, err
		}
		return nil, unread
	}
	inside, err := j.admitted(ctx, method, asked)
	if err != nil {
		return nil, err
	}
	return inside, checkRules(asked)
}

func isOurs(spec connect.Spec) bool { return strings.HasPrefix(spec.Procedure, "/paydown.") }

func newMessage(d protoreflect.MessageDescriptor) (proto.Message, error) {
	t, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		return nil, err
	}
	return t.New().Interface(), nil
}

// received is the error of a message that did not come.
func received(err error) error {
	if errors.Is(err, io.EOF) {
		return fault.New(fault.BadRequest, "The call has no message.")
	}
	return err
}

// replayed is a stream whose first message has been read already.
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
