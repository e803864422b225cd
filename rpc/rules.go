package rpc

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"paydown/internal/fault"
)

// rule limits what a field of a request may hold. An optional field is checked only if it is set.
type rule struct {
	// min and max limit a number, the characters of a text, or the entries of a list. A max of 0 means no limit.
	min, max uint64
	// among, if set, lists the allowed values.
	among []string
}

// rules are the rules by field. An entry that also names the message takes precedence over the one for the
// field alone. The service checks everything else.
var rules = map[protoreflect.Name]rule{
	"tenant":       {max: 253},
	"host":         {min: 1, max: 253},
	"id":           {min: 1},
	"role_id":      {min: 1},
	"opened_by_id": {min: 1},

	"name":     {min: 1, max: 200},
	"purpose":  {max: 500},
	"email":    {min: 1, max: 320},
	"policy":   {max: 50},
	"profile":  {max: 50},
	"secret":   {max: 200},
	"event":    {max: 100},
	"entity":   {max: 100},
	"password": {max: 1000},
	"source":   {max: 64},

	"kind":         {among: []string{"", "LIVE", "TEST"}},
	"expires_days": {among: []string{"30", "90", "365"}},
	"rate_limit":   {max: 1_000_000},
	"time_zone":    {max: 100},

	"scopes":        {max: 200},
	"ip_allow_list": {max: 200},
	"legacy_flags":  {max: 200},
	"values":        {max: 200},
	"blocks":        {max: 100},

	"limit":  {max: 100},
	"cursor": {max: 2000},

	"CreateUserRequest.name":       {max: 200},
	"GetUserRequest.id":            {},
	"GetUserRequest.email":         {max: 320},
	"ListDeliveriesRequest.status": {among: []string{"", "PENDING", "DELIVERED", "FAILED"}},
	"ListEventsRequest.state":      {among: []string{"", "RECEIVED", "APPLIED", "FAILED"}},
	"ReadAuditRequest.limit":       {},
}

// ruleOf returns the rule of a field.
func ruleOf(field protoreflect.FieldDescriptor) rule {
	if own, ok := rules[field.Parent().Name()+"."+field.Name()]; ok {
		return own
	}
	return rules[field.Name()]
}

// checkRules returns every broken rule of a message as one fault.
func checkRules(message proto.Message) error {
	if problems := broken(message.ProtoReflect(), ""); len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// broken returns the fields of a message that break their rules. prefix is the path of the message.
func broken(message protoreflect.Message, prefix string) (problems []fault.Detail) {
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.HasPresence() && !message.Has(field) {
			continue
		}
		path := prefix + field.JSONName()
		if field.Kind() == protoreflect.MessageKind && !field.IsList() {
			if field.Message().ParentFile().Package() == message.Descriptor().ParentFile().Package() {
				problems = append(problems, broken(message.Get(field).Message(), path+".")...)
			}
			continue
		}
		if wrong := ruleOf(field).wrong(field, message.Get(field)); wrong != "" {
			problems = append(problems, fault.Detail{Path: path, Message: wrong})
		}
	}
	return problems
}

// wrong returns which rule a value breaks, or "".
func (r rule) wrong(field protoreflect.FieldDescriptor, value protoreflect.Value) string {
	var size uint64
	unit := ""
	switch {
	case field.IsList():
		size, unit = uint64(value.List().Len()), " entries" //nolint:gosec // a length
	case field.Kind() == protoreflect.StringKind:
		size, unit = uint64(utf8.RuneCountInString(value.String())), " characters" //nolint:gosec // a length
	case field.Kind() == protoreflect.Uint32Kind:
		size = value.Uint()
	}
	switch {
	case r.among != nil && !slices.Contains(r.among, value.String()):
		return "must be " + anyOf(r.among)
	case size < r.min && size == 0:
		return "is required"
	case r.max > 0 && size > r.max:
		return fmt.Sprintf("must be at most %d%s", r.max, unit)
	default:
		return ""
	}
}

// anyOf joins values for people: 30, 90 or 365.
func anyOf(values []string) string {
	shown := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	last := len(shown) - 1
	return strings.Join(shown[:last], ", ") + " or " + shown[last]
}
