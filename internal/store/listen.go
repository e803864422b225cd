package store

import (
	"context"
	"time"

	"github.com/lib/pq"
)

const (
	// A broken listening connection is retried after pauses that grow from the first to the last of these, and a
	// live one is pinged at the longer interval.
	listenAgainFirst = 100 * time.Millisecond
	listenAgainLast  = 10 * time.Second
	listenPing       = 30 * time.Second
)

// Listen calls heard when a process on the same database calls Notify with the channel's name, and when
// notifications may have been missed, until the context ends. It is a hint only: callers must also poll from
// time to time. On SQLite, which serves a single process, there are no notifications.
func (s *Store) Listen(ctx context.Context, channel string, heard func()) {
	if !s.IsPostgres() {
		return
	}
	l := pq.NewListener(s.pools.listening, listenAgainFirst, listenAgainLast, nil)
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	if err := l.Listen(channel); err != nil {
		return // it was closed
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
			heard() // a notification, or a reconnection
		case <-ping.C:
			go func() { _ = l.Ping() }() // reconnects if the connection is dead
		}
	}
}

// Notify notifies the processes that listen to the channel. On SQLite there are none.
func (s *Store) Notify(ctx context.Context, channel string) error {
	if !s.IsPostgres() {
		return nil
	}
	_, err := s.pools.queue.ExecContext(ctx, `SELECT pg_notify($1, '')`, channel)
	return err
}
