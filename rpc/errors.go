package rpc

import (
	"context"
	"errors"
	"strconv"

	"connectrpc.com/connect"

	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/rpc/adminv1"
)

// codes is the only mapping from fault codes to Connect's codes.
var codes = map[fault.Code]connect.Code{
	fault.Validation:           connect.CodeInvalidArgument,
	fault.InvalidID:            connect.CodeInvalidArgument,
	fault.InvalidJSON:          connect.CodeInvalidArgument,
	fault.InvalidSort:          connect.CodeInvalidArgument,
	fault.InvalidExpand:        connect.CodeInvalidArgument,
	fault.InvalidCursor:        connect.CodeInvalidArgument,
	fault.BadRequest:           connect.CodeInvalidArgument,
	fault.InvalidReference:     connect.CodeInvalidArgument,
	fault.IdempotencyKeyReused: connect.CodeInvalidArgument,
	fault.UnsupportedMediaType: connect.CodeUnimplemented,
	fault.Unauthorized:         connect.CodeUnauthenticated,
	fault.Forbidden:            connect.CodePermissionDenied,
	fault.NotFound:             connect.CodeNotFound,
	fault.MethodNotAllowed:     connect.CodeUnimplemented,
	fault.NotAcceptable:        connect.CodeInvalidArgument,
	fault.Conflict:             connect.CodeFailedPrecondition,
	fault.PayloadTooLarge:      connect.CodeResourceExhausted,
	fault.RateLimited:          connect.CodeResourceExhausted,
	fault.Internal:             connect.CodeInternal,
	fault.Unavailable:          connect.CodeUnavailable,
}

// explained returns an error as the caller sees it, and as a fault. It logs an error that is neither a fault
// nor Connect's own, once, and hides it from the caller.
func (i *interceptor) explained(ctx context.Context, err error) (*connect.Error, *fault.Error) {
	if cause := fault.As(context.Cause(ctx)); cause != nil {
		err = cause // a stream that was ended, whatever its handler made of that
	}
	if own, ok := errors.AsType[*connect.Error](err); ok && fault.As(err) == nil {
		return detailed(ctx, own, fault.New(faultCode(own.Code()), "%s", own.Message()))
	}
	if fault.As(err) == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		late := connect.NewError(connect.CodeDeadlineExceeded, errors.New("the call took too long"))
		return detailed(ctx, late, fault.New(fault.Unavailable, "The call took too long."))
	}
	f := middleware.Explain(ctx, i.log, err)
	return detailed(ctx, connect.NewError(codes[f.Code], errors.New(f.Message)), f)
}

// faultCode returns the fault code for an error of Connect's own, which is about the form of a call.
func faultCode(code connect.Code) fault.Code {
	switch code {
	case connect.CodeResourceExhausted:
		return fault.PayloadTooLarge
	case connect.CodeUnimplemented:
		return fault.MethodNotAllowed
	case connect.CodeInternal, connect.CodeUnknown:
		return fault.Internal
	case connect.CodeUnavailable, connect.CodeCanceled, connect.CodeDeadlineExceeded:
		return fault.Unavailable
	default:
		return fault.BadRequest
	}
}

// detailed adds the fault's code, fields and retry time to an error.
func detailed(ctx context.Context, shown *connect.Error, f *fault.Error) (*connect.Error, *fault.Error) {
	info := &adminv1.ErrorInfo{Code: string(f.Code), RequestId: middleware.RequestID(ctx)}
	for _, d := range f.Details {
		info.Details = append(info.Details, &adminv1.FieldProblem{Path: d.Path, Message: d.Message})
	}
	if f.RetryAfter > 0 {
		info.RetryAfter = uint32(f.RetryAfter) //nolint:gosec // seconds, above 0
		shown.Meta().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if detail, err := connect.NewErrorDetail(info); err == nil {
		shown.AddDetail(detail)
	}
	return shown, f
}
