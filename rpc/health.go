package rpc

import (
	"context"
	"slices"

	"connectrpc.com/grpchealth"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// health implements grpc.health.v1: every service is serving while the process is ready.
type health struct {
	service *service.Service
	names   []string
}

// Check implements grpchealth.Checker.
func (h health) Check(ctx context.Context, req *grpchealth.CheckRequest) (*grpchealth.CheckResponse, error) {
	if req.Service != "" && !slices.Contains(h.names, req.Service) {
		return nil, fault.New(fault.NotFound, "No such service.")
	}
	if err := h.service.Ready(ctx); err != nil {
		return &grpchealth.CheckResponse{Status: grpchealth.StatusNotServing}, nil //nolint:nilerr // that is the answer
	}
	return &grpchealth.CheckResponse{Status: grpchealth.StatusServing}, nil
}
