package engine

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// run is one execution of an operation.
type run struct {
	*Schema

	ctx  context.Context
	root *graphql.FieldContext // that of ctx
	oc   *graphql.OperationContext
}

func (s *Schema) run(ctx context.Context, oc *graphql.OperationContext, object string) *run {
	root := &graphql.FieldContext{Object: object}
	return &run{Schema: s, ctx: graphql.WithFieldContext(ctx, root), root: root, oc: oc}
}

// buffer holds a response, or a part of one.
type buffer struct{ text []byte }

// Place is the position in the response where a value is written: a field of an object, or an element of a list.
type Place struct {
	*buffer

	run        *run
	parent     *Place
	step       *step      // the field; nil in an element
	index      int        // of the element
	inner      *selection // the selected fields of objects at an element
	timed      bool       // several fields of the object wait for a database
	outerField *graphql.FieldContext
	here       *graphql.FieldContext
}

// Text returns the response so far, for a value to be appended to.
func (p *Place) Text() []byte { return p.text }

// Put sets the response to text, which is Text with a value appended. It returns false if nothing was appended: the
// value is null.
func (p *Place) Put(text []byte) bool {
	if len(text) == len(p.text) {
		return false
	}
	p.text = text
	return true
}

// Missing reports null where the schema does not allow it.
func (p *Place) Missing() bool {
	ctx, field := p.context()
	if !graphql.HasFieldError(ctx, field) {
		graphql.AddErrorf(ctx, "the requested element is null which the schema does not allow")
	}
	return false
}

// Object writes the selected fields of an object.
func (p *Place) Object(obj any) bool {
	inner := p.inner
	if p.step != nil {
		inner = p.step.inner
	}
	q := Place{buffer: p.buffer, run: p.run, parent: p}
	return q.object(inner, obj)
}

// List writes a list. An element that is null although its type forbids it makes the list null.
func List[T any](p *Place, list []T, nonNull bool, write func(*Place, T) bool) bool {
	inner := p.inner
	if p.step != nil {
		inner = p.step.inner
	}
	start, valid := len(p.text), true
	p.text = append(p.text, '[')
	q := Place{buffer: p.buffer, run: p.run, parent: p, inner: inner}
	for i, value := range list {
		if i > 0 {
			p.text = append(p.text, ',')
		}
		q.index, q.here = i, nil
		if !write(&q, value) {
			p.text = append(p.text, "null"...)
			valid = valid && !nonNull
		}
	}
	if !valid {
		p.text = p.text[:start]
		return false
	}
	p.text = append(p.text, ']')
	return true
}

// field returns the field context of the place, for errors and resolvers.
func (p *Place) field() *graphql.FieldContext {
	if p.here == nil {
		p.here = &graphql.FieldContext{Parent: p.outer()}
		if p.step != nil {
			p.here.Object, p.here.Field = p.step.object, p.step.selected
		} else {
			index := p.index
			p.here.Index = &index
		}
	}
	return p.here
}

// outer returns the field context around the place.
func (p *Place) outer() *graphql.FieldContext {
	if p.outerField == nil {
		p.outerField = p.run.root
		if p.parent != nil {
			p.outerField = p.parent.field()
		}
	}
	return p.outerField
}

func (p *Place) context() (context.Context, *graphql.FieldContext) {
	field := p.field()
	ctx := graphql.WithFieldContext(p.run.ctx, field)
	field.Parent = p.outer() // WithFieldContext has set it to the root
	return ctx, field
}
