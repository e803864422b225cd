package engine

import (
	"sync"
	"time"
)

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
		var written bool
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

// apart begins to resolve the fields of an object that wait for a database, if that saves enough time: all but the
// first, which is resolved where the object is written.
func (p *Place) apart(asked *selection, obj any) []*part {
	var some [8]*step
	waiting := some[:0]
	var all, longest time.Duration
	for i := range asked.steps {
		s := &asked.steps[i]
		if s.Field == nil || !s.Waits || s.Absent != nil && s.Absent(obj) ||
			p.run.Loaded != nil && p.run.Loaded(p.run.ctx, obj, s.Name) {
			continue
		}
		took := time.Duration(s.took.Load())
		all, longest = all+took, max(longest, took)
		waiting = append(waiting, s)
	}
	if len(waiting) < 2 {
		return nil
	}
	p.timed = true
	if all-longest < p.run.Saving {
		return nil
	}
	p.outer() // from here on it is only read
	begun := make([]*part, 0, len(waiting)-1)
	for _, s := range waiting[1:] {
		a := &part{place: *p, obj: obj}
		a.place.buffer, a.place.step, a.place.here = &buffer{}, s, nil
		a.begin()
		begun = append(begun, a)
	}
	return begun
}

// timing notes how long a field takes that waits for a database: an average of about the last ten times.
func (s *step) timing(began time.Time) {
	took, before := int64(time.Since(began)), s.took.Load()
	if before > 0 {
		took = before + (took-before)/8
	}
	s.took.Store(took)
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
