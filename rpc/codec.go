package rpc

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"paydown/internal/fault"
	"paydown/rpc/adminv1"
)

// A message that cannot be read is a fault like any other, with its code and the fields at fault. Connect itself would answer
// with its own text before any interceptor has a word, so the codecs here hand on, in the place of such a message, an empty
// one that is marked with what is wrong; the interceptors find the mark first of all.

// jsonCodec is JSON as people expect it who call with curl: what is false, zero or empty is there all the same, and a field
// that there is not is refused rather than passed over.
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
	return take(raw, m, protojson.Unmarshal, misreadJSON)
}

// protoCodec is the binary form. Fields that there are not are dropped: a later client may know more than this server.
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

// MarshalStable implements what clients need for GET.
func (protoCodec) MarshalStable(message any) ([]byte, error) {
	m, err := asMessage(message)
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// IsBinary says that the form is no text.
func (protoCodec) IsBinary() bool { return true }

// Unmarshal implements connect.Codec.
func (protoCodec) Unmarshal(raw []byte, message any) error {
	m, err := asMessage(message)
	if err != nil {
		return err
	}
	return take(raw, m, proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal, func([]byte, proto.Message) *fault.Error {
		return fault.New(fault.BadRequest, "The message cannot be read.")
	})
}

func asMessage(message any) (proto.Message, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", message)
	}
	return m, nil
}

// take reads a message, or marks it with what is wrong; a message that is not ours is left to Connect.
func take(
	raw []byte, m proto.Message, read func([]byte, proto.Message) error, misread func([]byte, proto.Message) *fault.Error,
) error {
	if m.ProtoReflect().Descriptor().ParentFile().Package() != adminv1.File_paydown_admin_v1_key_proto.Package() {
		return read(raw, m)
	}
	if len(raw) > maxMessage {
		mark(m, errTooLarge)
	} else if err := read(raw, m); err != nil {
		mark(m, misread(raw, m))
	}
	return nil
}

var errTooLarge = fault.New(fault.PayloadTooLarge, "The message is too large: it may have %d KiB at most.", maxMessage>>10)

// markField is of the range that is reserved for implementations: no message can have a field of this number, and what is
// read keeps no unknown ones, so that no caller can set the mark.
const markField = protowire.FirstReservedNumber

// mark makes the message one that could not be read: what is wrong with it, the sentence first, then the fields.
func mark(m proto.Message, f *fault.Error) {
	info := &adminv1.ErrorInfo{Code: string(f.Code), Details: []*adminv1.FieldProblem{{Message: f.Message}}}
	for _, d := range f.Details {
		info.Details = append(info.Details, &adminv1.FieldProblem{Path: d.Path, Message: d.Message})
	}
	body, _ := proto.Marshal(info) // what JSON gave is UTF-8, and so is what we say
	proto.Reset(m)
	m.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, markField, protowire.BytesType), body))
}

// marked is what is wrong with a message that could not be read; nil where it could.
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
