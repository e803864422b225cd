package rpc

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"paydown/internal/fault"
	"paydown/rpc/adminv1"
)

// A message that cannot be read returns an error with a code and the fields at fault, like any other. Connect
// itself would answer with its own text before any interceptor runs. The codecs here therefore pass on an empty
// message in its place, marked with what is wrong. The interceptors look for the mark first.

// jsonCodec is JSON as people who call with curl expect it: false, zero and empty values are included, and an
// unknown field is refused.
type jsonCodec struct{ name string }

// Name implements connect.Codec.
func (c jsonCodec) Name() string { return c.name }

// Marshal implements connect.Codec.
func (jsonCodec) Marshal(message any) ([]byte, error) {
	m, err := asMessage(message)
	if err != nil {
		return nil, err
	}
	return protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
}

// Unmarshal implements connect.Codec.
func (jsonCodec) Unmarshal(raw []byte, message any) error {
	m, err := asMessage(message)
	if err != nil || len(raw) == 0 {
		return err
	}
	return readOrMark(raw, m, protojson.Unmarshal, decodeError)
}

// protoCodec is the binary form. It drops unknown fields, because a later client may know more than this
// server.
type protoCodec struct{}

// Name implements connect.Codec.
func (protoCodec) Name() string { return "proto" }

// Marshal implements connect.Codec.
func (protoCodec) Marshal(message any) ([]byte, error) {
	m, err := asMessage(message)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(m)
}

// MarshalStable implements deterministic encoding, which clients need for GET.
func (protoCodec) MarshalStable(message any) ([]byte, error) {
	m, err := asMessage(message)
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// IsBinary reports that the format is not text.
func (protoCodec) IsBinary() bool { return true }

// Unmarshal implements connect.Codec.
func (protoCodec) Unmarshal(raw []byte, message any) error {
	m, err := asMessage(message)
	if err != nil {
		return err
	}
	return readOrMark(
		raw,
		m,
		proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal,
		func([]byte, proto.Message) *fault.Error {
			return fault.New(fault.BadRequest, "The message cannot be read.")
		},
	)
}

func asMessage(message any) (proto.Message, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is not a message", message)
	}
	return m, nil
}

// readOrMark reads a message, or marks it with the error. Messages of other packages are left to Connect.
func readOrMark(
	raw []byte, m proto.Message, read func([]byte, proto.Message) error, explain func([]byte, proto.Message) *fault.Error,
) error {
	if m.ProtoReflect().Descriptor().ParentFile().Package() != adminv1.File_paydown_admin_v1_key_proto.Package() {
		return read(raw, m)
	}
	if len(raw) > maxMessage {
		mark(m, errTooLarge)
	} else if err := read(raw, m); err != nil {
		mark(m, explain(raw, m))
	}
	return nil
}

var errTooLarge = fault.New(fault.PayloadTooLarge, "The message must be at most %d KiB.", maxMessage>>10)

// markField is in the range that is reserved for implementations: no message can have a field with this number.
// Unknown fields are dropped on reading, so no caller can set the mark.
const markField = protowire.FirstReservedNumber

// mark replaces the message by the description of an error: the sentence first, then the fields.
func mark(m proto.Message, f *fault.Error) {
	info := &adminv1.ErrorInfo{Code: string(f.Code), Details: []*adminv1.FieldProblem{{Message: f.Message}}}
	for _, d := range f.Details {
		info.Details = append(info.Details, &adminv1.FieldProblem{Path: d.Path, Message: d.Message})
	}
	body, _ := proto.Marshal(info) // what JSON gave is UTF-8, and so is what we say
	proto.Reset(m)
	m.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, markField, protowire.BytesType), body))
}

// marked returns the error of a message that could not be read, or nil.
func marked(m proto.Message) error {
	raw := m.ProtoReflect().GetUnknown()
	number, kind, n := protowire.ConsumeTag(raw)
	if n < 0 || number != markField || kind != protowire.BytesType {
		return nil
	}
	unread := fault.New(fault.BadRequest, "The message cannot be read.")
	body, n := protowire.ConsumeBytes(raw[n:])
	var info adminv1.ErrorInfo
	if n < 0 || proto.Unmarshal(body, &info) != nil || len(info.GetDetails()) == 0 {
		return unread
	}
	unread.Code, unread.Message = fault.Code(info.GetCode()), info.GetDetails()[0].GetMessage()
	for _, d := range info.GetDetails()[1:] {
		unread.With(d.GetPath(), "%s", d.GetMessage())
	}
	return unread
}
