package rpc

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// jsonCodec is JSON as people expect it who call with curl: what is false, zero or empty is there all the same, and a field
// that there is not is refused rather than passed over.
type jsonCodec struct{ name string }

// Name implements connect.Codec.
func (c jsonCodec) Name() string { return c.name }

// Marshal implements connect.Codec.
func (jsonCodec) Marshal(message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", message)
	}
	return protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
}

// Unmarshal implements connect.Codec.
func (jsonCodec) Unmarshal(raw []byte, message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", message)
	}
	if len(raw) == 0 {
		return nil
	}
	return protojson.Unmarshal(raw, m)
}
