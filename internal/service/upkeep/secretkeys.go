package upkeep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"paydown/ent"
	"paydown/ent/secretkey"
	"paydown/internal/secret"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// SecretKeys compares the process's keys with those that the data is sealed under.
//
// The database has a fingerprint of each key in use. A process without one of these keys must not start; if a
// key is missing while it runs, the process is not ready. A key is retired, and no longer needed, once
// nothing is sealed under it.
type SecretKeys struct {
	core     *unit.Core
	keyWatch *keyWatch
}

const (
	// keysEvery is how often a process checks that it has the keys that the data is sealed under.
	keysEvery = 5 * time.Second
	// countEvery is how often a process counts the values that it cannot open, which reads every sealed value.
	countEvery   = 5 * time.Minute
	countTimeout = 30 * time.Second
	// samples is the maximum number of a column's values that are tried until one opens.
	samples = 5
)

// KeyError is a mismatch between the configured keys and those that the data is sealed under.
type KeyError struct {
	Missing []string // ids of keys that are not configured
	Wrong   []string // ids of configured keys whose key differs from the recorded one
	// Values are the values sealed under the missing keys, if they were counted.
	Values     []SealedCount
	Configured []string // ids; the first key seals
}

func (e *KeyError) Error() string {
	var b strings.Builder
	if len(e.Missing) > 0 {
		fmt.Fprintf(&b, "the data is sealed under a secret key that is not configured: %s. ", e.listMissing())
	}
	if len(e.Wrong) > 0 {
		fmt.Fprintf(&b, "the data is sealed under a different secret key than the one configured as %s. ",
			strings.Join(e.Wrong, ", "))
	}
	fmt.Fprintf(&b, "Configured: %s. Add the missing key again, after the first key and a comma; "+
		"you can remove it once `paydown secrets reseal` has retired it", strings.Join(e.Configured, ", "))
	return b.String()
}

func (e *KeyError) listMissing() string {
	texts := make([]string, len(e.Missing))
	for i, id := range e.Missing {
		var kinds []string
		for _, v := range e.Values {
			if v.KeyID == id {
				kinds = append(kinds, fmt.Sprintf("%d %s", v.Count, v.Holds))
			}
		}
		if texts[i] = id; len(kinds) > 0 {
			texts[i] += " (" + strings.Join(kinds, ", ") + ")"
		}
	}
	return strings.Join(texts, "; ")
}

// keyWatch is what a process knows about its keys.
type keyWatch struct {
	columns  []sealedColumn           // columns with sealed values
	mismatch atomic.Pointer[KeyError] // nil: no key is missing
	// unreadable is the number of values under keys that the process lacks; -1 if they could not be counted.
	unreadable atomic.Int64
}

func newKeyWatch() *keyWatch {
	w := &keyWatch{columns: sealedColumns}
	w.unreadable.Store(-1)
	return w
}

func configured(box *secret.Box) []string {
	var ids []string
	for _, k := range box.Keys() {
		ids = append(ids, k.ID)
	}
	return ids
}

// mismatch compares the keys of a box with the recorded ones; nil if none is missing or wrong.
func mismatch(box *secret.Box, recorded []*ent.SecretKey) *KeyError {
	keys := box.Keys()
	e := &KeyError{Configured: configured(box)}
	for _, r := range recorded {
		i := slices.IndexFunc(keys, func(k secret.Key) bool { return k.ID == r.KeyID })
		switch {
		case r.RetiredAt != nil:
		case i < 0:
			e.Missing = append(e.Missing, r.KeyID)
		case !bytes.Equal(keys[i].Fingerprint, r.Fingerprint):
			e.Wrong = append(e.Wrong, r.KeyID)
		}
	}
	if len(e.Missing)+len(e.Wrong) == 0 {
		return nil
	}
	return e
}

// isActive reports whether a key is recorded and not retired.
func isActive(recorded []*ent.SecretKey, id string) bool {
	return slices.ContainsFunc(recorded, func(r *ent.SecretKey) bool { return r.KeyID == id && r.RetiredAt == nil })
}

func (s SecretKeys) recorded(ctx context.Context, c *ent.Client) ([]*ent.SecretKey, error) {
	rows, err := c.SecretKey.Query().Order(secretkey.ByID()).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the fingerprints of secret keys: %w", err)
	}
	return rows, nil
}

// Admit checks the configured keys against the data and records the key that seals. A process that Admit
// refuses, with a *KeyError if a key is missing, must not work on the data. In a database without
// fingerprints, Admit records every key that something is sealed under, after opening a value with it.
func (s SecretKeys) Admit(ctx context.Context) error {
	recorded, err := s.recorded(ctx, s.core.Store.Reader())
	if err != nil {
		return err
	}
	if m := mismatch(s.core.Secrets, recorded); m != nil {
		return s.counted(ctx, m)
	}
	if isActive(recorded, s.core.Secrets.Keys()[0].ID) {
		return nil
	}
	return s.core.Store.Write(ctx, s.record)
}

// KeysOf returns the ids of the secret keys that a database needs: the active ones, and those that something
// is sealed under.
func KeysOf(ctx context.Context, s *store.Store) ([]string, error) {
	keys := SecretKeys{&unit.Core{Store: s}, newKeyWatch()}
	recorded, err := keys.recorded(ctx, s.Reader())
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range recorded {
		if r.RetiredAt == nil {
			ids = append(ids, r.KeyID)
		}
	}
	counts, err := keys.countSealed(ctx, s.Sealed())
	if err != nil {
		return nil, err
	}
	for _, n := range counts {
		if n.KeyID != "" && !slices.Contains(ids, n.KeyID) {
			ids = append(ids, n.KeyID)
		}
	}
	return ids, nil
}

// counted adds to the error what is sealed under the missing keys, if the database can count it.
func (s SecretKeys) counted(ctx context.Context, m *KeyError) error {
	if counts, err := s.countSealed(ctx, s.core.Store.Sealed()); err == nil {
		m.Values = counts
	}
	return m
}

// record records the key that seals and, in a database without fingerprints, the keys that values are sealed
// under.
func (s SecretKeys) record(ctx context.Context, tx *store.Tx) error {
	recorded, err := s.lockKeys(ctx, tx)
	if err != nil {
		return err
	}
	if m := mismatch(s.core.Secrets, recorded); m != nil {
		return m
	}
	known := []string{s.core.Secrets.Keys()[0].ID}
	if !slices.ContainsFunc(recorded, func(r *ent.SecretKey) bool { return r.RetiredAt == nil }) {
		used, err := s.proven(ctx, tx, recorded)
		if err != nil {
			return err
		}
		known = append(known, used...)
	}
	return s.enforce(ctx, tx, recorded, known)
}

// lockKeys returns the recorded keys and prevents other processes from recording until the transaction ends.
func (s SecretKeys) lockKeys(ctx context.Context, tx *store.Tx) ([]*ent.SecretKey, error) {
	claim := sha256.Sum256([]byte("secret keys"))
	if err := tx.Claim(ctx, claim[:]); err != nil {
		return nil, fmt.Errorf("lock the secret keys: %w", err)
	}
	return s.recorded(ctx, tx.Client)
}

// enforce records configured keys and makes sure that they are not retired.
func (s SecretKeys) enforce(ctx context.Context, tx *store.Tx, recorded []*ent.SecretKey, ids []string) error {
	for _, k := range s.core.Secrets.Keys() {
		if !slices.Contains(ids, k.ID) {
			continue
		}
		i := slices.IndexFunc(recorded, func(r *ent.SecretKey) bool { return r.KeyID == k.ID })
		if i >= 0 && bytes.Equal(recorded[i].Fingerprint, k.Fingerprint) {
			if err := tx.SecretKey.Update().Where(secretkey.ID(recorded[i].ID)).ClearRetiredAt().Exec(ctx); err != nil {
				return err
			}
			continue
		}
		if i >= 0 { // given up before its fingerprint was recorded
			if err := tx.SecretKey.DeleteOneID(recorded[i].ID).Exec(ctx); err != nil {
				return err
			}
		}
		if err := tx.SecretKey.Create().SetKeyID(k.ID).SetFingerprint(k.Fingerprint).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// used lists the configured keys that something is sealed under. It refuses values sealed under a key that is
// neither configured nor given up.
func (s SecretKeys) used(ctx context.Context, tx *store.Tx, givenUp []*ent.SecretKey) ([]string, error) {
	counts, err := s.countSealed(ctx, tx.Sealed())
	if err != nil {
		return nil, err
	}
	keyErr := &KeyError{Configured: configured(s.core.Secrets), Values: counts}
	var used []string
	for _, n := range counts {
		switch {
		case n.KeyID == "" || slices.Contains(used, n.KeyID) || slices.Contains(keyErr.Missing, n.KeyID):
		case s.core.Secrets.Has(n.KeyID):
			used = append(used, n.KeyID)
		case !slices.ContainsFunc(givenUp, func(r *ent.SecretKey) bool { return r.KeyID == n.KeyID }):
			keyErr.Missing = append(keyErr.Missing, n.KeyID)
		}
	}
	if len(keyErr.Missing) > 0 {
		return nil, keyErr
	}
	return used, nil
}

// proven is used, limited to keys that open at least one value.
func (s SecretKeys) proven(ctx context.Context, tx *store.Tx, givenUp []*ent.SecretKey) ([]string, error) {
	used, err := s.used(ctx, tx, givenUp)
	if err != nil {
		return nil, err
	}
	keyErr := &KeyError{Configured: configured(s.core.Secrets)}
	for _, id := range used {
		opens, err := s.opens(ctx, tx.Sealed(), id)
		if err != nil {
			return nil, err
		}
		if !opens {
			keyErr.Wrong = append(keyErr.Wrong, id)
		}
	}
	if len(keyErr.Wrong) > 0 {
		return nil, keyErr
	}
	return used, nil
}

// opens reports whether a key opens values that carry its id. It tries samples of each column, logs a column
// of which it opens none, and refuses a key that opens nothing.
func (s SecretKeys) opens(ctx context.Context, r store.SealedReader, id string) (bool, error) {
	good := false
	for _, column := range s.keyWatch.columns {
		tried, opened := 0, false
		err := column.walk(ctx, r, store.Page{Under: id}, func(row store.SealedRow) bool {
			if ids, err := column.keys(row); err == nil && slices.Contains(ids, id) {
				tried++
				opened = column.cannotOpen(s.core.Secrets, row) == ""
			}
			return !opened && tried < samples
		})
		if err != nil {
			return false, err
		}
		good = good || opened
		if tried > 0 && !opened {
			s.core.Log.ErrorContext(ctx, "sealed values do not open; run paydown verify", "what", column.holds, "key", id)
		}
	}
	return good, nil
}

// run checks the keys and counts unreadable values until the context ends.
func (s SecretKeys) run(ctx context.Context) {
	look, count := time.NewTicker(keysEvery), time.NewTicker(countEvery)
	defer look.Stop()
	defer count.Stop()
	s.Count(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-count.C:
			s.Count(ctx)
		case <-look.C:
			changed, err := s.Look(ctx)
			if err != nil && ctx.Err() == nil {
				s.core.Log.WarnContext(ctx, "cannot check which secret keys the data is sealed under", "error", err)
			}
			if changed {
				s.Count(ctx)
			}
		}
	}
}

// Look checks that the process has the keys that the data is sealed under, and reports whether that has
// changed. If the process's own sealing key was retired meanwhile, Look activates it again.
func (s SecretKeys) Look(ctx context.Context) (changed bool, err error) {
	recorded, err := s.recorded(ctx, s.core.Store.Reader())
	if err != nil {
		return false, err
	}
	now := mismatch(s.core.Secrets, recorded)
	before := s.keyWatch.mismatch.Swap(now)
	switch {
	case now != nil && (before == nil || !slices.Equal(before.Missing, now.Missing)):
		s.core.Log.ErrorContext(ctx, "not ready: another process seals with a secret key that this process lacks",
			"missing", now.Missing, "wrong", now.Wrong, "configured", now.Configured)
		changed = true
	case now == nil && before != nil:
		s.core.Log.InfoContext(ctx, "all secret keys that the data is sealed under are configured again")
		changed = true
	}
	first := s.core.Secrets.Keys()[0].ID
	if isActive(recorded, first) {
		return changed, nil
	}
	s.core.Log.WarnContext(ctx, "the secret key of this process was retired while in use; it is active again",
		"key", first)
	return true, s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		recorded, err := s.lockKeys(ctx, tx)
		if err != nil {
			return err
		}
		return s.enforce(ctx, tx, recorded, []string{first})
	})
}

// Count counts the sealed values under keys that the process lacks.
func (s SecretKeys) Count(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	counts, err := s.countSealed(bounded, s.core.Store.Sealed())
	if err != nil {
		s.keyWatch.unreadable.Store(-1)
		if ctx.Err() == nil {
			s.core.Log.WarnContext(ctx, "cannot count unreadable sealed values", "error", err)
		}
		return
	}
	total := 0
	for _, n := range counts {
		if !s.core.Secrets.Has(n.KeyID) {
			total += n.Count
			s.core.Log.ErrorContext(ctx, "sealed values are unreadable: their secret key is not configured",
				"what", n.Holds, "count", n.Count, "key", n.KeyID)
		}
	}
	s.keyWatch.unreadable.Store(int64(total))
}

// Unreadable returns how many sealed values are unreadable because their keys are missing, as of the last
// Count; known is false if they could not be counted.
func (s SecretKeys) Unreadable() (n int64, known bool) {
	n = s.keyWatch.unreadable.Load()
	return n, n >= 0
}

// Missing returns how many keys the process lacks, as of the last Look.
func (s SecretKeys) Missing() int {
	if m := s.keyWatch.mismatch.Load(); m != nil {
		return len(m.Missing) + len(m.Wrong)
	}
	return 0
}

// Failures returns how often this process failed to open a sealed value.
func (s SecretKeys) Failures() uint64 { return s.core.Secrets.Failures() }

// Ready returns the *KeyError of the last Look; nil if no key is missing.
func (s SecretKeys) Ready() error {
	if m := s.keyWatch.mismatch.Load(); m != nil {
		return m
	}
	return nil
}
