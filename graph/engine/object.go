package engine

import (
	"sync"
	"time"
)

// object writes the selected fields of an object. All of them are executed even if one makes the object null, so
// that all errors are reported.
func (p *Place) object(selected *selection, obj any) bool {
	start, valid := len(p.text), true
	p.text = append(p.text, '{')
	var parts []*part
	if selected.waits > 1 && !selected.serial {
		parts = p.concurrent(selected, obj)
		defer func() { // also if this panics: nothing may outlive the response
			for _, a := range parts {
				a.Wait()
			}
		}()
	}
	for i := range selected.steps {
		s := &selected.steps[i]
		p.step, p.here = s, nil
		p.text = append(p.text, s.key...)
		var written bool
		switch {
		case s.typename != nil:
			p.text = append(p.text, s.typename...)
			continue
		case len(parts) > 0 && parts[0].place.step == s:
			a := parts[0]
			parts = parts[1:]
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

// part is a field that is resolved concurrently with others of its object, into its own buffer.
type part struct {
	sync.WaitGroup

	place   Place
	obj     any
	written bool
}

// concurrent starts to resolve the fields of an object that wait for a database, if that saves enough time: all but
// the first, which the caller resolves while it writes the object.
func (p *Place) concurrent(selected *selection, obj any) []*part {
	var some [8]*step
	waiting := some[:0]
	var all, longest time.Duration
	for i := range selected.steps {
		s := &selected.steps[i]
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
	p.outer() // set it now: the parts only read it
	started := make([]*part, 0, len(waiting)-1)
	for _, s := range waiting[1:] {
		a := &part{place: *p, obj: obj}
		a.place.buffer, a.place.step, a.place.here = &buffer{}, s, nil
		a.start()
		started = append(started, a)
	}
	return started
}

// timing updates how long the field waits for a database: a moving average of about the last ten times.
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
