package store

import (
	"context"
	"database/sql/driver"
	"time"
)

// MigrateTo is Migrate with further migrations, given as pairs of a name and its SQL, after the ones there are.
func (s *Store) MigrateTo(ctx context.Context, further ...[2]string) ([]string, error) {
	known, err := migrationsOf(s.dialect)
	if err != nil {
		return nil, err
	}
	for _, m := range further {
		known = append(known, migration{m[0], m[1]})
	}
	return s.migrate(ctx, known)
}

// Exec runs raw SQL inside the transaction.
func (tx *Tx) Exec(ctx context.Context, query string) error {
	return tx.exec(ctx, query)
}

// RunCheck runs one integrity check.
func (s *Store) RunCheck(ctx context.Context, c Check) (Finding, error) {
	findings, err := s.RunChecks(ctx, []Check{c})
	if err != nil {
		return Finding{}, err
	}
	return findings[0], nil
}

// SetClock replaces the store's clock.
func SetClock(s *Store, clock func() time.Time) { s.clock = clock }

// Caching puts the cache of statements over a driver's connector.
func Caching(c driver.Connector, finalise bool) driver.Connector { return connector{c, finalise} }

// Limits of the cache.
const (
	CachedStatements = cachedStatements
	MaxCachedArgs    = maxCachedArgs
)

// Fold is what both databases compare in a search.
func Fold(text string) string { return fold(text) }
