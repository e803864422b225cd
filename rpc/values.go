package rpc

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"paydown/internal/service"
)

// number converts an id or a count for a message.
func number(n int) uint32 {
	if n < 0 || n > math.MaxUint32 {
		panic(fmt.Sprintf("rpc: %d does not fit into a message", n))
	}
	return uint32(n)
}

func optNumber(n *int) *uint32 {
	if n == nil {
		return nil
	}
	return new(number(*n))
}

func at(t time.Time) *timestamppb.Timestamp { return timestamppb.New(t) }

func optAt(t *time.Time) *timestamppb.Timestamp {
	if t == nil {
		return nil
	}
	return timestamppb.New(*t)
}

// since converts an optional time.
func since(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.AsTime())
}

// object converts a stored JSON object; nil if there is none.
func object(raw json.RawMessage) (*structpb.Struct, error) {
	if len(raw) == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	s := &structpb.Struct{}
	if err := protojson.Unmarshal(raw, s); err != nil {
		return nil, fmt.Errorf("read a stored JSON object: %w", err)
	}
	return s, nil
}

// viewed converts records to messages.
func viewed[E, M any](rows []E, view func(E) M) []M {
	out := make([]M, len(rows))
	for i, row := range rows {
		out[i] = view(row)
	}
	return out
}

// pageOf asks for a page of a list by id. A limit of 0 and an empty cursor are not given.
func pageOf(limit uint32, cursor string) service.ListRequest {
	req := service.ListRequest{Sort: &service.SortBy{Field: "id"}}
	if limit > 0 {
		req.Limit = new(int(limit))
	}
	if cursor != "" {
		req.Cursor = &cursor
	}
	return req
}

// newestFirst asks for a page of a list, the highest ids first. Filters by an empty text are not given.
func newestFirst(limit uint32, cursor string, texts map[string]string) service.ListRequest {
	req := pageOf(limit, cursor)
	req.Sort.Desc, req.Filters = true, map[string]service.FilterValue{}
	for name, text := range texts {
		if text != "" {
			req.Filters[name] = service.TextFilter(text)
		}
	}
	return req
}
