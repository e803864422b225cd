package input

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"entgo.io/ent"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-openapi/inflect"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
)

// An input is a struct of Opt fields: the allow-list of what a caller may set. Tags say the rest:
//
//	json:"requestedAmount"   its name on the wire, and in snake case its column
//	check:"money,gte=0"      what a value must satisfy (see rules.go)
//	need:"create"            must be there on creation, and can never be null
//	need:"value"             has a default on creation, and can never be null
//	column:"-"               is no column: the service handles it by itself
//	by:"staff"               only people set it: it is no part of the public API, and a key that sends it is refused

// Mode says which operation an input is for.
type Mode bool

// The modes.
const (
	ForCreate Mode = true
	ForUpdate Mode = false
)

// InputField describes a field of an input, to code that walks over inputs.
type InputField struct {
	Name   string // on the wire
	Column string // "" where the service handles it by itself
	Check  string
	Need   string // "", "create" or "value"
	Type   reflect.Type
	Index  []int
	Tag    reflect.StructTag
	Staff  bool // only people set it
}

var inputFields sync.Map // reflect.Type → []InputField

// InputFields lists the fields of an input type in order, those of embedded structs among them.
func InputFields(t reflect.Type) []InputField {
	if cached, ok := inputFields.Load(t); ok {
		return cached.([]InputField)
	}
	var fields []InputField
	for _, f := range reflect.VisibleFields(t) {
		value, ok := ValueType(f.Type)
		if f.Anonymous || !ok {
			continue
		}
		in := InputField{
			Name: f.Tag.Get("json"), Check: f.Tag.Get("check"), Need: f.Tag.Get("need"), Type: value, Index: f.Index,
			Tag: f.Tag, Staff: f.Tag.Get("by") == "staff",
		}
		switch column := f.Tag.Get("column"); column {
		case "-":
		case "":
			in.Column = inflect.Underscore(in.Name)
		default:
			in.Column = column
		}
		fields = append(fields, in)
	}
	inputFields.Store(t, fields)
	return fields
}

// PublicFields are the fields of an input type that the public API takes: all but those for staff.
func PublicFields(t reflect.Type) []InputField {
	return slices.DeleteFunc(slices.Clone(InputFields(t)), func(f InputField) bool { return f.Staff })
}

// RefuseStaffFields refuses an input that names fields for staff, where the actor is neither a person nor the product itself.
func RefuseStaffFields(ctx context.Context, in any) error {
	if actor := auth.From(ctx); actor == nil || actor.IsUser() || actor.Kind == auth.ByOperator || actor.Kind == auth.BySystem {
		return nil // without an actor the write itself is refused
	}
	named := NamesGiven(in)
	var details []fault.Detail
	for _, f := range InputFields(reflect.Indirect(reflect.ValueOf(in)).Type()) {
		if f.Staff && named[f.Name] {
			details = append(details, fault.Detail{Path: f.Name, Message: "is set by staff only"})
		}
	}
	if len(details) == 0 {
		return nil
	}
	refused := fault.New(fault.Forbidden, "Only staff may set some of these fields.")
	refused.Details = details
	return refused
}

// Check reports every problem of an input's values.
func Check(in any, mode Mode) []fault.Detail {
	v := reflect.Indirect(reflect.ValueOf(in))
	var problems []fault.Detail
	for _, f := range InputFields(v.Type()) {
		opt := v.FieldByIndex(f.Index).Interface().(Optional)
		switch {
		case opt.Absent():
			if mode == ForCreate && f.Need == "create" {
				problems = append(problems, fault.Detail{Path: f.Name, Message: "is required"})
			}
		case opt.IsNull():
			if f.Need != "" {
				problems = append(problems, fault.Detail{Path: f.Name, Message: "must not be null"})
			}
		default:
			problems = append(problems, violations(f.Name, opt.any(), f.Check)...)
		}
	}
	return problems
}

// Validate is Check as an error.
func Validate(in any, mode Mode) error {
	if problems := Check(in, mode); len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// ValidateBy is checked for an input that has fields for staff.
func ValidateBy(ctx context.Context, in any, mode Mode) error {
	if err := RefuseStaffFields(ctx, in); err != nil {
		return err
	}
	return Validate(in, mode)
}

// Change is a column and its new value; nil clears it.
type Change struct {
	Column string
	Value  any
}

// ChangesOf lists what an input changes of the record as it is now, a pointer to an Ent entity, or nil on creation. A
// value that the record has already is no change.
func ChangesOf(in, record any, zone *time.Location) []Change {
	v := reflect.Indirect(reflect.ValueOf(in))
	var changes []Change
	for _, f := range InputFields(v.Type()) {
		opt := v.FieldByIndex(f.Index).Interface().(Optional)
		if f.Column == "" || opt.Absent() {
			continue
		}
		var next any
		if opt.Given() {
			switch value := opt.any().(type) {
			case civil.Moment:
				next = value.At(zone)
			case json.RawMessage:
				next = Canonical(value)
			default:
				next = value
			}
		}
		if SameColumn(record, f.Column, next) {
			continue
		}
		changes = append(changes, Change{f.Column, next})
	}
	return changes
}

// SameColumn reports whether the record has that value already. On creation an absent value and a null are the same.
func SameColumn(record any, column string, next any) bool {
	if record == nil {
		return next == nil
	}
	return EqualValues(ColumnValue(record, column), next)
}

// ColumnValue reads a column of an Ent entity; nil where it is null.
func ColumnValue(record any, column string) any {
	field := ColumnField(record, column)
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		field = field.Elem()
	}
	return field.Interface()
}

// ColumnField is the field of an Ent entity that holds a column.
func ColumnField(record any, column string) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(record))
	index, ok := ColumnsIn(v.Type())[column]
	if !ok {
		panic(fmt.Sprintf("service: %s has no column %s", v.Type(), column)) // an input's tag is wrong
	}
	return v.FieldByIndex(index)
}

// ColumnsIn are the fields of an Ent entity by their columns.
func ColumnsIn(entity reflect.Type) map[string][]int {
	if columns, ok := entityColumns.Load(entity); ok {
		return columns.(map[string][]int)
	}
	columns := map[string][]int{}
	for _, f := range reflect.VisibleFields(entity) {
		columns[JSONName(f)] = f.Index
	}
	entityColumns.Store(entity, columns)
	return columns
}

var entityColumns sync.Map // reflect.Type → map[string][]int

func JSONName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// Apply puts the changes into an Ent entity in memory.
func Apply(record any, changes []Change) {
	for _, c := range changes {
		field := ColumnField(record, c.Column)
		switch {
		case c.Value == nil:
			field.SetZero()
		case field.Kind() == reflect.Pointer:
			p := reflect.New(field.Type().Elem())
			p.Elem().Set(reflect.ValueOf(c.Value))
			field.Set(p)
		default:
			field.Set(reflect.ValueOf(c.Value))
		}
	}
}

// NamesGiven are the fields that the input names, with a value or null.
func NamesGiven(in any) map[string]bool {
	v := reflect.Indirect(reflect.ValueOf(in))
	names := map[string]bool{}
	for _, f := range InputFields(v.Type()) {
		if !v.FieldByIndex(f.Index).Interface().(Optional).Absent() {
			names[f.Name] = true
		}
	}
	return names
}

func EqualValues(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if at, ok := a.(time.Time); ok {
		bt, ok := b.(time.Time)
		return ok && at.Equal(bt)
	}
	if ar, ok := a.(json.RawMessage); ok {
		br, ok := b.(json.RawMessage)
		return ok && bytes.Equal(Canonical(ar), Canonical(br))
	}
	if as, ok := a.(fmt.Stringer); ok { // amounts, rates and dates: their wire form is canonical
		bs, ok := b.(fmt.Stringer)
		return ok && as.String() == bs.String()
	}
	return reflect.DeepEqual(a, b)
}

// Canonical is the one form of JSON that is stored as it was sent: without white space, the keys of every object in
// order (RFC 8785), strings with no more escapes than they need. Numbers stay as they were written, since not every
// figure that somebody sends is one that a double holds. What is no JSON comes back as it is.
func Canonical(raw json.RawMessage) json.RawMessage {
	value := jsontext.Value(bytes.Clone(raw))
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		return raw
	}
	return json.RawMessage(value)
}

// SetColumns puts the changes into an Ent mutation.
func SetColumns(m ent.Mutation, changes []Change) error {
	for _, c := range changes {
		var err error
		switch {
		case c.Value != nil:
			err = m.SetField(c.Column, c.Value)
		case m.Op().Is(ent.OpCreate):
		default:
			err = m.ClearField(c.Column)
		}
		if err != nil {
			return fmt.Errorf("set %s: %w", c.Column, err)
		}
	}
	return nil
}
