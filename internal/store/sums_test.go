package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/changemark"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/store"
)

// Ent does not scope raw SQL. All of it must be listed here, and what takes a tenant is tested below.
func TestRawSQLIsKnown(t *testing.T) {
	t.Parallel()
	known := map[reflect.Type][]string{
		reflect.TypeFor[*store.Tx](): {
			"AfterCommit", "At", "Deferred", "DeferredCreate", "DeferredZero", "RunDeferred", // no SQL of their own
			"AddAnswer", "AddAudit", "AddEntries", "AddEvents", "BooksOf", // a tenant's
			"AddDeliveries", "DealSums", "DealsSums", "Dependents", "DropDeliveries", "Has", "NextDealNumber",
			"UnsharedCents", "CollectedShares", "ReplaceAnswers", "ReturnedItems", "WalletCents", // a tenant's
			"Claim", "Clock", "KeepLease", "LastEvent", "MoveMark", "TryClaim", // nobody's
			"ClaimDeliveries", "EndTries", "FannedOut", "LockEndpoints", "QueuedEvents", "ReplaceSealed", "Sealed",
			"SetOutcomes",   // across tenants
			"OpenThrottles", // of who tries to sign in, at no tenant yet
			"Exec", "Rows",  // of the tests
		},
		reflect.TypeFor[*store.Store](): {
			"Close", "IsPostgres", "MoveClock", "Now", "Ping", "RateLeases", "Reader", "View", "Watermark", "Write",
			"WriteRedoable", // no SQL
			"CentsRecorded", "CentsThrough", "CountOfEach", "DayFigures", "DealsSums", "Holdings", "PartySums",
			"PayoutSums", "PipelineFigures", "PipelineSums", "ReturnCounts", "Visit", "VisitByID",
			"VolumeFigures", "WorkQueueFigures", // a tenant's
			"Listen", "Notify", // nobody's
			"AddKeyUse", "Backup", "CheckMigrated", "ClaimMail", "FinishMail", "Mark", "Migrate", "Pending", "QueueDepth",
			"ReleaseLease", "Retire", "RunChecks", "Sealed", "TakeLease", "Topics", "TouchSessions",
			"WaitingEndpoints",                        // across tenants
			"MigrateThrough", "MigrateTo", "RunCheck", // of the tests
		},
	}
	client := reflect.TypeFor[*ent.Client]()
	for typ, names := range known {
		for method := range typ.Methods() {
			name := method.Name
			_, promoted := client.MethodByName(name)
			if !slices.Contains(names, name) && (!promoted || typ == reflect.TypeFor[*store.Store]()) {
				t.Errorf("%s.%s is new: say here whether it runs SQL, and test that it keeps to its tenant", typ, name)
			}
		}
	}
}

func TestRawSQLKeepsToItsTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for i, o := range []*owner{w.a, w.b} {
			o.book(t, s, int64(100+i), ledger.Funding)
		}
		// A posting of b that wrongly refers to a's deal and syndicator still counts for b.
		unguarded(t, s, db)(fmt.Sprintf(`UPDATE postings SET deal_id = %d, syndicator_id = %d WHERE id = %d`,
			w.a.rows[ent.TypeDeal], w.a.rows[ent.TypeSyndicator], w.b.rows[ent.TypePosting]))
		mishap, err := s.Reader().Posting.Get(w.b.ctx, w.b.rows[ent.TypePosting])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			asks, of *owner
			want     string
		}{
			{w.a, w.a, "[{1000 0 FUNDING 100} {2120 S FUNDING -100}] -100 true 1"},
			{w.b, w.b, "[{1000 0 FUNDING 101} {2120 S FUNDING -101}] -101 true 1"},
			{w.a, w.b, "[] 0 false 2"},
			{w.b, w.a, fmt.Sprintf("[{1000 S %s -100}] 0 false 2", mishap.Kind)},
		} {
			deal, syndicator := c.of.rows[ent.TypeDeal], c.of.rows[ent.TypeSyndicator]
			err := s.Write(c.asks.ctx, func(ctx context.Context, tx *store.Tx) error {
				sums, err := tx.DealSums(ctx, c.asks.id, deal)
				if err != nil {
					return err
				}
				books, err := tx.BooksOf(ctx, c.asks.id, deal, true)
				if err != nil {
					return err
				}
				participations := 0
				if c.asks == c.of {
					participations = 1
				}
				if !slices.Equal(inOrder(books.Sums, 0), inOrder(sums, 0)) || books.Participations != participations {
					t.Errorf("tenant %d about the deal of %d: books %+v, sums %+v", c.asks.id, c.of.id, books, sums)
				}
				cents, err := tx.WalletCents(ctx, c.asks.id, syndicator, "2120")
				if err != nil {
					return err
				}
				found, err := tx.Has(ctx, ent.TypeDeal, deal)
				if err != nil {
					return err
				}
				number, err := tx.NextDealNumber(ctx, c.asks.id)
				if got := fmt.Sprint(inOrder(sums, syndicator), cents, found, number); got != c.want {
					t.Errorf("tenant %d about the deal of %d: %s, want %s", c.asks.id, c.of.id, got, c.want)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// inOrder writes sums in a fixed order, with an S for the syndicator.
func inOrder(sums []store.Sum, syndicator int) []string {
	text := []string{}
	for _, s := range sums {
		of := fmt.Sprint(s.SyndicatorID)
		if s.SyndicatorID == syndicator {
			of = "S"
		}
		text = append(text, fmt.Sprintf("{%s %s %s %d}", s.Account, of, s.Kind, s.Cents))
	}
	slices.Sort(text)
	return text
}

// book posts cents from the wallet of the owner's syndicator to the bank, on the owner's deal.
func (o *owner) book(t *testing.T, s *store.Store, cents int64, kind ledger.Kind) {
	t.Helper()
	err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		deal := o.rows[ent.TypeDeal]
		j, err := tx.Journal.Create().
			SetKind(kind).
			SetLineCount(2).
			SetDealID(deal).
			SetOccurredAt(tx.At()).
			SetEffectiveDate(civil.On(tx.At(), time.UTC)).
			Save(ctx)
		if err != nil {
			return err
		}
		line := func(account string, cents int64) *ent.PostingCreate {
			return tx.Posting.Create().
				SetJournalID(j.ID).
				SetKind(kind).
				SetDealID(deal).
				SetAccount(account).
				SetAmount(money.Cents(cents))
		}
		return tx.Posting.CreateBulk(line("1000", cents), line("2120", -cents).SetSyndicatorID(o.rows[ent.TypeSyndicator])).
			Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDealNumbersAreConsecutive(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		made := 0
		o := newOwner(t, s, "a.test", &made)
		const each, writers = 10, 8
		var mu sync.Mutex
		var numbers []int
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				for range each {
					n := 0
					err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) (err error) {
						n, err = tx.NextDealNumber(ctx, o.id)
						return err
					})
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					numbers = append(numbers, n)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		slices.Sort(numbers)
		for i, n := range numbers {
			if n != i+1 {
				t.Fatalf("numbers %v", numbers)
			}
		}
	})
}

// Uses of keys are counted for all tenants at once; no other key's count changes, and no record's updated_at.
func TestKeyUseIsAdded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		key := w.a.rows[ent.TypeAPIKey]
		before := w.dump(t, kindOf(ent.TypeAPIKey), w.b)
		get := func() *ent.APIKey {
			row, err := s.Reader().APIKey.Get(w.a.ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			return row
		}
		made := get()
		late, early := s.Now().AddDate(0, 0, 2), s.Now().AddDate(0, 0, 1)
		for _, use := range []store.KeyUse{
			{key, 3, late, "192.0.2.1"}, {key, 4, early, "192.0.2.2"}, {1 << 30, 1, late, "192.0.2.3"},
		} {
			if err := s.AddKeyUse(auth.AllTenants(t.Context(), "test"), []store.KeyUse{use}); err != nil {
				t.Fatal(err)
			}
		}
		got := get()
		if got.CallCount != 7 || got.LastUsedAt == nil || !got.LastUsedAt.Equal(late) || *got.LastUsedAddress != "192.0.2.1" {
			t.Errorf("used %d times, last at %v from %v", got.CallCount, got.LastUsedAt, *got.LastUsedAddress)
		}
		if !got.UpdatedAt.Equal(made.UpdatedAt) || w.dump(t, kindOf(ent.TypeAPIKey), w.b) != before {
			t.Error("something else changed")
		}
	})
}

func TestMarksMoveWithTheTransaction(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		at := func(want int64) {
			t.Helper()
			var got int64 // until it first moves
			rows, err := s.Reader().ChangeMark.Query().Where(changemark.Name("x")).All(t.Context())
			for _, row := range rows {
				got += row.Version
			}
			if err != nil || got != want {
				t.Errorf("the mark is at %d, want %d: %v", got, want, err)
			}
		}
		at(0)
		for i := range int64(3) {
			undo := fmt.Errorf("undo")
			_ = s.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				if err := tx.MoveMark(ctx, "x"); err != nil {
					t.Error(err)
				}
				return undo
			})
			at(i)
			err := s.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.MoveMark(ctx, "x") })
			if err != nil {
				t.Error(err)
			}
			at(i + 1)
		}
	})
}
