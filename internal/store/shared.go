package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect"

	"paydown/internal/ratelimit"
)

// TryClaim takes the claim for the rest of the transaction, and reports whether no other process has it. On
// SQLite, where one transaction writes at a time, it always succeeds.
func (tx *Tx) TryClaim(ctx context.Context, claim []byte) (bool, error) {
	if tx.dialect == dialect.SQLite {
		return true, nil
	}
	var free bool
	err := tx.queryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, []any{claimKey(claim)}, &free)
	return free, err
}

// Claim takes the claim for the rest of the transaction, waiting until no other process has it. Take it before
// locking rows, to avoid deadlocks. On SQLite, where one transaction writes at a time, there is nothing to wait
// for.
func (tx *Tx) Claim(ctx context.Context, claim []byte) error {
	if tx.dialect == dialect.SQLite {
		return nil
	}
	return tx.exec(ctx, `SELECT pg_advisory_xact_lock($1)`, claimKey(claim))
}

func claimKey(claim []byte) int64 {
	return int64(binary.BigEndian.Uint64(claim)) //nolint:gosec // any 64 bits of the hash will do
}

// MoveMark increments a change mark in the transaction.
func (tx *Tx) MoveMark(ctx context.Context, name string) error {
	return tx.exec(ctx, `INSERT INTO change_marks (name, version) VALUES ($1, 1)
		ON CONFLICT (name) DO UPDATE SET version = change_marks.version + 1`, name)
}

// KeyUse is the use of a key since it was last stored.
type KeyUse struct {
	KeyID   int
	Calls   int64
	Last    time.Time
	Address string
}

// AddKeyUse adds to the counts of keys, across tenants, in one transaction. It does not change their
// updated_at.
func (s *Store) AddKeyUse(ctx context.Context, uses []KeyUse) error {
	// A fixed order, so that two processes cannot deadlock.
	slices.SortFunc(uses, func(a, b KeyUse) int { return a.KeyID - b.KeyID })
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		for _, u := range uses {
			err := tx.exec(ctx, `UPDATE api_keys SET call_count = call_count + $1,
				last_used_address = CASE WHEN last_used_at IS NULL OR last_used_at <= $2 THEN $3 ELSE last_used_address END,
				last_used_at = CASE WHEN last_used_at IS NULL OR last_used_at <= $2 THEN $2 ELSE last_used_at END
				WHERE id = $4`, u.Calls, u.Last, u.Address, u.KeyID)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// RateLeases shares the count of requests between the replicas on one PostgreSQL; see package ratelimit.
type RateLeases struct {
	store  *Store
	holder string
}

// RateLeases returns the leases of one replica; holder must identify it uniquely.
func (s *Store) RateLeases(holder string) *RateLeases { return &RateLeases{s, holder} }

// inHand is how many requests of a limit of 120 may be on unspent leases at a time: a refusal may come early by
// this number. A lease takes half of it, so that two replicas get equal shares. Other limits scale it.
const (
	inHandOf120 = 10
	baseLimit   = 120
)

// Lease implements ratelimit.Store with one row lock and the database's clock.
func (r *RateLeases) Lease(ctx context.Context, caller string, limit int) (ratelimit.Lease, error) {
	var lease ratelimit.Lease
	err := r.store.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.exec(ctx, `INSERT INTO rate_windows (caller, began_at, granted, held)
			VALUES ($1, clock_timestamp(), 0, '{}') ON CONFLICT (caller) DO NOTHING`, caller); err != nil {
			return err
		}
		var granted int
		var rawHeld []byte
		var age float64
		if err := tx.queryRow(ctx, `SELECT granted, held, extract(epoch FROM clock_timestamp() - began_at)::float8
			FROM rate_windows WHERE caller = $1 FOR UPDATE`, []any{caller}, &granted, &rawHeld, &age); err != nil {
			return err
		}
		held := map[string]int{}
		if err := json.Unmarshal(rawHeld, &held); err != nil {
			return fmt.Errorf("leases of %s: %w", caller, err)
		}
		began := "began_at"
		if age < 0 { // the clock was set back: the window restarts with its count
			age, began = 0, "clock_timestamp()"
		}
		if age >= ratelimit.Window.Seconds() {
			granted, age, began = 0, 0, "clock_timestamp()"
			clear(held)
		}
		lease.Granted = r.share(limit, granted, held)
		granted += lease.Granted
		lease.Remaining = max(0, limit-granted)
		lease.Ends = ratelimit.Window - time.Duration(age*float64(time.Second))
		held[r.holder] = lease.Granted
		rawHeld, err := json.Marshal(held)
		if err != nil {
			return err
		}
		return tx.exec(ctx, `UPDATE rate_windows SET began_at = `+began+`, granted = $1, held = $2 WHERE caller = $3`,
			granted, string(rawHeld), caller)
	})
	return lease, err
}

// share returns how many requests this replica gets: no more than remain, and no more than may be unspent in
// addition to the newest leases of the others; at least one while any remain.
func (r *RateLeases) share(limit, granted int, held map[string]int) int {
	scale := max(1, limit/baseLimit)
	others := 0
	for holder, n := range held {
		if holder != r.holder {
			others += n
		}
	}
	n := min(inHandOf120*scale/2, inHandOf120*scale-others)
	return max(0, min(max(1, n), limit-granted))
}

// bind rewrites numbered arguments of raw SQL for the database.
func (s *Store) bind(query string) string { return bind(s.dialect, query) }
