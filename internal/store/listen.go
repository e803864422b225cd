package store

import (
	"context"
	"time"

	"github.com/lib/pq"
)

const (
	// A connection that listens is made anew after pauses from the first to the last of these, and asked so often whether it
	// lives.
	listenAgainFirst = 100 * time.Millisecond
	listenAgainLast  = 10 * time.Second
	listenPing       = 30 * time.Second
)

// Listen calls heard whenever a process on the same database calls Notify with the channel's name, and whenever
// notifications may have been missed, until the context ends. It is told of what it needs to know, and no more: whoever
// relies on it looks by himself from time to time. On SQLite, which one process serves, there is nothing to hear.
func (s *Store) Listen(ctx context.Context, channel string, heard func()) {
	if !s.IsPostgres() {
		return
	}
	l := pq.NewListener(s.pools.listening, listenAgainFirst, listenAgainLast, nil)
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	if err := l.Listen(channel); err != nil {
		return // it has been closed
	}
	ping := time.NewTicker(listenPing)
	defer ping.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case _, open := <-l.NotificationChannel():
			if !open {
				return
			}
			heard() // of a notification, or of a connection that was made anew
		case <-ping.C:
			go func() { _ = l.Ping() }() // which makes it anew where it is dead
		}
	}
}

// Notify tells the processes that listen to the channel. On SQLite there are none.
func (s *Store) Notify(ctx context.Context, channel string) error {
	if !s.IsPostgres() {
		return nil
	}
	_, err := s.pools.queue.ExecContext(ctx, `SELECT pg_notify($1, '')`, channel)
	return err
}
