package identity

import (
	"context"
	"sync"
	"time"
)

// A memory is what a process holds of records that every request needs. Every change of one of them moves a mark in the
// database; each process looks at the marks several times a second and forgets what it holds when its mark has moved.
// Entries are trusted only while the mark was seen lately, so a change holds everywhere within maxStale, and at once in
// the process that made it.
type memory struct {
	empty func() // throws away what is held

	mu         sync.Mutex
	mark       int64
	seenAt     time.Time // when the mark was last read; monotonic
	generation uint64    // moves with every purge
}

const (
	watchEvery = 200 * time.Millisecond
	maxStale   = 900 * time.Millisecond
)

// saw notes where the mark stood at a moment, and forgets everything where it has moved.
func (m *memory) saw(mark int64, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if mark != m.mark {
		m.mark = mark
		m.purgeLocked()
	}
	m.seenAt = at
}

// forget empties the memory of this process.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.purgeLocked()
}

func (m *memory) purgeLocked() {
	m.generation++
	m.empty()
}

// fresh reports whether entries may be trusted, and the generation that a new entry must be added under.
func (m *memory) fresh() (bool, uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Since(m.seenAt) < maxStale, m.generation //nolint:forbidigo // see look
}

// add keeps what was loaded under the generation, unless something has changed since.
func (m *memory) add(generation uint64, keep func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if generation == m.generation {
		keep()
	}
}

// watch looks at the marks until the context ends.
func (a *access) watch(ctx context.Context) {
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(func() { a.directory.roll.keep(ctx) })
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		if err := a.look(ctx); err != nil && ctx.Err() == nil {
			a.core.Log.WarnContext(ctx, "cannot see whether tenants, keys or members of staff have changed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look reads the marks.
func (a *access) look(ctx context.Context) error {
	began := time.Now() //nolint:forbidigo // how old the view is, is a matter of this machine's monotonic clock
	ctx, cancel := context.WithTimeout(ctx, maxStale)
	defer cancel()
	rows, err := a.core.Store.Reader().ChangeMark.Query().All(ctx)
	if err != nil {
		return err
	}
	marks := map[string]int64{} // one that has not moved yet is 0
	for _, row := range rows {
		marks[row.Name] = row.Version
	}
	a.directory.roll.tell(marks[directoryMark])
	a.directory.saw(marks[directoryMark], began)
	a.staff.saw(marks[staffMark], began)
	return nil
}
