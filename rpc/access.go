package rpc

import (
	"context"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/rpc/adminv1"
)

// files are the descriptors of the services.
var files = []protoreflect.FileDescriptor{
	adminv1.File_paydown_admin_v1_key_proto, adminv1.File_paydown_admin_v1_webhook_proto,
	adminv1.File_paydown_admin_v1_inbound_proto, adminv1.File_paydown_admin_v1_tenant_proto,
	adminv1.File_paydown_admin_v1_user_proto, adminv1.File_paydown_admin_v1_operations_proto,
}

// Methods returns all methods of the services, in the order of their definition.
func Methods() []protoreflect.MethodDescriptor {
	var all []protoreflect.MethodDescriptor
	for _, file := range files {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for k := range methods.Len() {
				all = append(all, methods.Get(k))
			}
		}
	}
	return all
}

// ProcedureOf returns a method's name in paths: paydown.admin.v1.KeyService/ListKeys.
func ProcedureOf(m protoreflect.MethodDescriptor) string {
	return string(m.Parent().FullName()) + "/" + string(m.Name())
}

// AccessOf returns who may call a method.
func AccessOf(m protoreflect.MethodDescriptor) adminv1.Access {
	options, ok := m.Options().(*descriptorpb.MethodOptions)
	if !ok {
		return adminv1.Access_ACCESS_UNSPECIFIED
	}
	access, _ := proto.GetExtension(options, adminv1.E_Access).(adminv1.Access)
	return access
}

// services returns the names of the services.
func services() []string {
	var names []string
	for _, file := range files {
		for i := range file.Services().Len() {
			names = append(names, string(file.Services().Get(i).FullName()))
		}
	}
	return names
}

// The methods of the standard health and reflection services.
const (
	healthCheck     = "grpc.health.v1.Health/Check"
	healthWatch     = "grpc.health.v1.Health/Watch"
	reflectionV1    = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
	reflectionAlpha = "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
)

// procedures returns everything that is served, by path without the leading slash.
func procedures() map[string]procedure {
	all := map[string]procedure{}
	for _, name := range []string{healthCheck, healthWatch, reflectionV1, reflectionAlpha} {
		all[name] = procedure{name, name != healthCheck}
	}
	for _, m := range Methods() {
		all[ProcedureOf(m)] = procedure{ProcedureOf(m), m.IsStreamingServer() || m.IsStreamingClient()}
	}
	return all
}

// authorize returns the context for calling a method with a message. The actor in it is the caller, inside the
// company that the message names. method and message are nil for the standard health and reflection services,
// which belong to no company.
func (i *interceptor) authorize(
	ctx context.Context, method protoreflect.MethodDescriptor, message proto.Message,
) (context.Context, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	operator := actor.Kind == auth.ByOperator
	if !operator && !actor.Has(auth.EditCompanySettings) {
		return nil, fault.New(fault.Forbidden, "The permission %s is required.", auth.EditCompanySettings)
	}
	if method == nil {
		return ctx, nil
	}
	switch AccessOf(method) {
	case adminv1.Access_ACCESS_COMPANY:
	case adminv1.Access_ACCESS_OPERATOR:
		if !operator {
			return nil, fault.New(fault.Forbidden, "Only operators may call this method.")
		}
	case adminv1.Access_ACCESS_UNSPECIFIED:
		return nil, fault.New(fault.MethodNotAllowed, "No such method.")
	}
	field := method.Input().Fields().ByName("tenant")
	if field == nil {
		return ctx, nil
	}
	host := message.ProtoReflect().Get(field).String()
	if operator {
		if host == "" {
			return nil, fault.Field("tenant", "is required: the host of the company")
		}
		return i.service.Tenants.AsOperator(ctx, host)
	}
	if host != "" && !strings.EqualFold(strings.TrimSuffix(host, "."), middleware.FromContext(ctx).Caller.Tenant.Host) {
		return nil, fault.New(fault.Forbidden, "You can only name your own company.").
			With("tenant", "must be your own company")
	}
	return ctx, nil
}
