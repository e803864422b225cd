package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/lead"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// Sixteen writers of a server, with its readers, while the command line uses the same file: each reads a
// counter, increments it and writes it back with a record; no increment is lost, and none gets a busy error.
func TestSQLiteConcurrentWriters(t *testing.T) {
	t.Parallel()
	dbURL := apptest.SQLiteURL(t)
	server, cli := open(t, dbURL), open(t, dbURL)
	made := 0
	o := newOwner(t, server, "a.test", &made)
	var id int
	err := server.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.Lead.Create().SetBusinessName("0").Save(ctx)
		if err == nil {
			id = row.ID
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	const writers, byHand = 16, 80
	each := apptest.Length(50, 200)
	ctx, cancel := context.WithTimeout(o.ctx, 10*time.Minute) // wide, for a machine that is busy
	defer cancel()
	var mu sync.Mutex
	var slowest time.Duration
	var ended, overtaken int
	var write sync.WaitGroup
	wrote := make(chan struct{}, 1) // readers that never wait would keep the processors from the writers
	work := func(s *store.Store, times int) {
		for range times {
			mu.Lock()
			before := ended
			mu.Unlock()
			began := time.Now()
			if err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return countUp(ctx, tx, id) }); err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			slowest = max(slowest, time.Since(began))
			overtaken = max(overtaken, ended-before)
			ended++
			mu.Unlock()
			select {
			case wrote <- struct{}{}:
			default: // the readers are behind
			}
		}
	}
	for range writers {
		write.Go(func() { work(server, each) })
	}
	write.Go(func() { work(cli, byHand) })

	var read sync.WaitGroup
	for _, s := range []*store.Store{server, server, server, server, cli} {
		read.Go(func() {
			seen := 0
			for range wrote {
				n, err := counted(ctx, s, id)
				if err != nil || n < seen {
					t.Errorf("a reader sees %d after %d: %v", n, seen, err)
				}
				seen = n
			}
		})
	}
	write.Wait()
	close(wrote)
	read.Wait()

	want := writers*each + byHand
	t.Logf("the slowest write took %s, and %d others ended meanwhile", slowest, overtaken)
	if n, err := counted(o.ctx, server, id); err != nil || n != want {
		t.Errorf("%d of %d counts are there: %v", n, want, err)
	}
	if n, err := server.Reader().AuditEntry.Query().Where(auditentry.Entity("lead")).Count(o.ctx); err != nil ||
		n != want {
		t.Errorf("%d of %d records are there: %v", n, want, err)
	}
}

func countUp(ctx context.Context, tx *store.Tx, id int) error {
	row, err := tx.Lead.Query().Where(lead.ID(id), store.Locked).Only(ctx)
	if err != nil {
		return err
	}
	var n int
	if _, err := fmt.Sscan(row.BusinessName, &n); err != nil {
		return err
	}
	if err := row.Update().SetBusinessName(fmt.Sprint(n + 1)).Exec(ctx); err != nil {
		return err
	}
	return tx.AuditEntry.Create().SetActorKind("SYSTEM").SetActorName("").SetSurface("CLI").SetAction("lead.count").
		SetEntity("lead").SetEntityID(id).SetRequestID("").Exec(ctx)
}

func counted(ctx context.Context, s *store.Store, id int) (int, error) {
	var row *ent.Lead
	var n int
	row, err := s.Reader().Lead.Get(ctx, id)
	if err == nil {
		_, err = fmt.Sscan(row.BusinessName, &n)
	}
	return n, err
}
