package engine

import "sync"

// object writes the fields that are asked of an object. All of them are executed even if one makes the object null, so
// that all errors are reported.
func (p *Place) object(asked *selection, obj any) bool {
	start, valid := len(p.text), true
	p.text = append(p.text, '{')
	var apart []*part
	if asked.waits > 1 && !asked.serial {
		apart = p.apart(asked, obj)
		defer func() { // also if this panics: nothing may outlive the response
			for _, a := range apart {
				a.Wait()
			}
		}()
	}
	for i := range asked.steps {
		s := &asked.steps[i]
		p.step, p.here = s, nil
		p.text = append(p.text, s.key...)
		written := false
		switch {
		case s.typename != nil:
			p.text = append(p.text, s.typename...)
			continue
		case len(apart) > 0 && apart[0].place.step == s:
			a := apart[0]
			apart = apart[1:]
			a.Wait()
			p.text = append(p.text, a.place.text...)
			written = a.written
		case s.Resolve != nil:
			written = p.resolve(obj)
		case s.Computed:
			written = p.computed(obj)
		default:
			written = s.Plain(p, obj)
		}
		if !written {
			p.text = append(p.text, "null"...)
			valid = valid && !s.NonNull
		}
	}
	if !valid {
		p.text = p.text[:start]
		return false
	}
	p.text = append(p.text, '}')
	return true
}

// part is a field that is resolved at the same time as others of its object, into a text of its own.
type part struct {
	sync.WaitGroup

	place   Place
	obj     any
	written bool
}

// apart begins to resolve the fields of an object that wait for a database, all but the first: that one runs where the
// object is written.
func (p *Place) apart(asked *selection, obj any) []*part {
	var begun []*part
	first := true
	for i := range asked.steps {
		s := &asked.steps[i]
		if s.Field == nil || !s.Waits || s.Absent != nil && s.Absent(obj) ||
			p.run.Loaded != nil && p.run.Loaded(p.run.ctx, obj, s.Name) {
			continue
		}
		if first {
			first = false
			continue
		}
		p.outer() // from here on it is only read
		a := &part{place: *p}
		a.place.buffer, a.place.step, a.place.here = &buffer{}, s, nil
		a.obj = obj
		a.begin()
		begun = append(begun, a)
	}
	return begun
}

// computed writes a value that a method of the object returns.
func (p *Place) computed(obj any) (written bool) {
	start := len(p.text)
	defer func() {
		if r := recover(); r != nil {
			p.text, written = p.text[:start], false
			p.recovered(r)
		}
	}()
	return p.step.Plain(p, obj)
}
