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

// An input is a struct of Opt fields, the allow-list of what a caller may set. Field tags:
//
//	json:"requestedAmount"   name in the API; in snake case, the column
//	check:"money,gte=0"      check that the value must pass (see rules.go)
//	need:"create"            required on creation, never null
//	need:"value"             has a default on creation, never null
//	column:"-"               not a column: the service handles the field itself
//	by:"staff"               only people may set it: not in the public API, and refused from an API key

// Mode is the operation that an input is for.
type Mode bool

// The modes.
const (
	ForCreate Mode = true
	ForUpdate Mode = false
)

// InputField describes a field of an input.
type InputField struct {
	Name   string // in the API
	Column string // "" if the service handles the field itself
	Check  string
	Need   string // "", "create" or "value"
	Type   reflect.Type
	Index  []int
	Tag    reflect.StructTag
	Staff  bool // only people may set it
}

var inputFields sync.Map // reflect.Type → []InputField

// InputFields lists the fields of an input type in order, including those of embedded structs.
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

// PublicFields lists the fields of an input type that the public API accepts: all except staff fields.
func PublicFields(t reflect.Type) []InputField {
	return slices.DeleteFunc(slices.Clone(InputFields(t)), func(f InputField) bool { return f.Staff })
}

// RefuseStaffFields refuses an input that sets staff fields, unless the actor is a person or the system.
func RefuseStaffFields(ctx context.Context, in any) error {
	if actor := auth.From(ctx); actor == nil || actor.IsUser() || actor.Kind == auth.ByOperator ||
		actor.Kind == auth.BySystem {
		return nil // without an actor the write is refused later
	}
	named := GivenFields(in)
	var details []fault.Detail
	for _, f := range InputFields(reflect.Indirect(reflect.ValueOf(in)).Type()) {
		if f.Staff && named[f.Name] {
			details = append(details, fault.Detail{Path: f.Name, Message: "can only be set by staff"})
		}
	}
	if len(details) == 0 {
		return nil
	}
	refused := fault.New(fault.Forbidden, "Only staff can set some of these fields.")
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

// Validate returns the problems that Check finds as an error.
func Validate(in any, mode Mode) error {
	if problems := Check(in, mode); len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// ValidateBy is Validate for an input with staff fields.
func ValidateBy(ctx context.Context, in any, mode Mode) error {
	if err := RefuseStaffFields(ctx, in); err != nil {
		return err
	}
	return Validate(in, mode)
}

// Change is a column with its new value; nil clears the column.
type Change struct {
	Column string
	Value  any
}

// ChangesOf lists the changes that an input makes to a record. record is a pointer to an Ent entity, or nil
// on creation. A value that the record already has is not a change.
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

// SameColumn reports whether the record's column already has the value. On creation absent and null are the
// same.
func SameColumn(record any, column string, next any) bool {
	if record == nil {
		return next == nil
	}
	return EqualValues(ColumnValue(record, column), next)
}

// ColumnValue returns the value of an Ent entity's column; nil if it is null.
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

// ColumnField returns the field of an Ent entity that holds a column.
func ColumnField(record any, column string) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(record))
	index, ok := ColumnsIn(v.Type())[column]
	if !ok {
		panic(fmt.Sprintf("service: %s has no column %s", v.Type(), column)) // the input's tag is wrong
	}
	return v.FieldByIndex(index)
}

// ColumnsIn returns the field indexes of an Ent entity by column.
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

// JSONName returns the name of a struct field in JSON.
func JSONName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// Apply sets the changes on an Ent entity in memory.
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

// GivenFields returns the names of the fields that the input sets to a value or null.
func GivenFields(in any) map[string]bool {
	v := reflect.Indirect(reflect.ValueOf(in))
	names := map[string]bool{}
	for _, f := range InputFields(v.Type()) {
		if !v.FieldByIndex(f.Index).Interface().(Optional).Absent() {
			names[f.Name] = true
		}
	}
	return names
}

// EqualValues reports whether two column values are equal as stored: instants in any zone, JSON in any form,
// amounts in any scale.
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
	if as, ok := a.(fmt.Stringer); ok { // amounts, rates and dates: their string form is canonical
		bs, ok := b.(fmt.Stringer)
		return ok && as.String() == bs.String()
	}
	return reflect.DeepEqual(a, b)
}

// Canonical returns the canonical form of JSON that is stored as sent: no white space, object keys sorted
// (RFC 8785), and minimal string escapes. Unlike RFC 8785 it keeps numbers as written, because a double
// cannot represent every number. It returns invalid JSON unchanged.
func Canonical(raw json.RawMessage) json.RawMessage {
	value := jsontext.Value(bytes.Clone(raw))
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		return raw
	}
	return json.RawMessage(value)
}

// SetColumns sets the changes on an Ent mutation.
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
