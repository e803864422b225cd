package identity

import (
	"context"
	"sync"
	"time"
)

// A markedCache is this process's cache of records that every request needs. Every change of such a record
// increments a mark in the database. Each process reads the marks several times a second and empties the
// cache when its mark has moved. Entries are valid only while the mark was read recently, so a change takes
// effect within maxStale everywhere, and at once in the process that made it.
type markedCache struct {
	empty func() // removes all entries

	mu         sync.Mutex
	mark       int64
	seenAt     time.Time // when the mark was last read (monotonic)
	generation uint64    // incremented by every purge
}

const (
	watchEvery = 200 * time.Millisecond
	maxStale   = 900 * time.Millisecond
)

// setMark records the mark that was read at a time, and empties the cache if the mark has moved.
func (m *markedCache) setMark(mark int64, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if mark != m.mark {
		m.mark = mark
		m.purgeLocked()
	}
	m.seenAt = at
}

// purge empties the cache of this process.
func (m *markedCache) purge() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.purgeLocked()
}

func (m *markedCache) purgeLocked() {
	m.generation++
	m.empty()
}

// fresh reports whether entries are valid, and the generation under which to add a new entry.
func (m *markedCache) fresh() (bool, uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Since(m.seenAt) < maxStale, m.generation //nolint:forbidigo // see readMarks for the reason
}

// add stores an entry that was loaded under the generation, unless the cache was emptied since.
func (m *markedCache) add(generation uint64, keep func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if generation == m.generation {
		keep()
	}
}

// watch reads the marks until the context ends.
func (a *access) watch(ctx context.Context) {
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(func() { a.directory.existenceIndex.refresh(ctx) })
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		if err := a.readMarks(ctx); err != nil && ctx.Err() == nil {
			a.core.Log.WarnContext(ctx, "cannot read the change marks of tenants, keys and staff", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// readMarks reads the marks once.
func (a *access) readMarks(ctx context.Context) error {
	began := time.Now() //nolint:forbidigo // the age of the cache is measured with this machine's monotonic clock
	ctx, cancel := context.WithTimeout(ctx, maxStale)
	defer cancel()
	rows, err := a.core.Store.Reader().ChangeMark.Query().All(ctx)
	if err != nil {
		return err
	}
	marks := map[string]int64{} // a mark without a row is 0
	for _, row := range rows {
		marks[row.Name] = row.Version
	}
	a.directory.existenceIndex.reportMark(marks[directoryMark])
	a.directory.setMark(marks[directoryMark], began)
	a.staff.setMark(marks[staffMark], began)
	return nil
}
