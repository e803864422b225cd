package upkeep

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/secretkey"
	"paydown/internal/fault"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// KeyUsage is what becomes of a secret key, and what is sealed under it.
type KeyUsage struct {
	ID         string        `json:"id"`
	Seals      bool          `json:"seals"`      // it is the first of those that are configured
	Configured bool          `json:"configured"` // it opens
	RecordedAt *time.Time    `json:"recordedAt"` // null: no fingerprint of it is kept
	RetiredAt  *time.Time    `json:"retiredAt"`
	Total      int           `json:"total"`
	Values     []SealedCount `json:"values"`
}

// Usage tells of every key that is configured, recorded or found on a sealed value. Values that carry no key's id come under
// the id "".
func (s SecretKeys) Usage(ctx context.Context) ([]KeyUsage, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	recorded, err := s.recorded(ctx, s.core.Store.Reader())
	if err != nil {
		return nil, err
	}
	counts, err := s.census(ctx, s.core.Store.Sealed())
	if err != nil {
		return nil, err
	}
	var all []KeyUsage
	of := func(id string) *KeyUsage {
		i := slices.IndexFunc(all, func(u KeyUsage) bool { return u.ID == id })
		if i < 0 {
			i, all = len(all), append(all, KeyUsage{ID: id, Values: []SealedCount{}})
		}
		return &all[i]
	}
	for i, id := range configured(s.core.Secrets) {
		u := of(id)
		u.Seals, u.Configured = i == 0, true
	}
	for _, r := range recorded {
		u := of(r.KeyID)
		u.RecordedAt, u.RetiredAt = &r.CreatedAt, r.RetiredAt
	}
	for _, n := range counts {
		u := of(n.KeyID)
		u.Total += n.Count
		u.Values = append(u.Values, n)
	}
	return all, nil
}

// Resealed is what sealing everything again came to.
type Resealed struct {
	Values   int      `json:"values"`   // that are under the first key now and were not
	Failed   int      `json:"failed"`   // that could not be opened and stay as they are
	Examples []string `json:"examples"` // some of those
	Retired  []string `json:"retired"`  // keys that nothing is left under
	// Left are values that are under other keys still.
	Left []SealedCount `json:"left"`
}

// resealBatch is how many rows a transaction seals again: few enough to hold nobody up.
const (
	resealBatch    = 100
	resealExamples = 20
	// resealPasses bounds how often rows that somebody else has changed meanwhile are looked for.
	resealPasses = 10
)

// Reseal seals everything again under the first key, in batches of their own transactions, while others work on; then it
// retires the keys that nothing is left under. A value that changes meanwhile is never overwritten. Where it is interrupted
// it may be called again: it goes on with what is left. It refuses, with a *KeyError, while something is sealed under a key
// that is not configured, unless that was given up. Tell, which may be nil, hears how many values are done.
func (s SecretKeys) Reseal(ctx context.Context, tell func(holds string, done int)) (*Resealed, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	if err := s.core.Store.Write(ctx, s.prepareReseal); err != nil {
		return nil, err
	}
	r := &Resealed{Examples: []string{}, Retired: []string{}, Left: []SealedCount{}}
	for range resealPasses {
		changed := 0
		r.Failed, r.Examples = 0, r.Examples[:0]
		for _, column := range s.keyWatch.columns {
			n, err := s.resealColumn(ctx, column, r, tell)
			if err != nil {
				return r, fmt.Errorf("seal %s again: %w", column.holds, err)
			}
			changed += n
		}
		if changed == 0 {
			break
		}
	}
	return r, s.retire(ctx, r)
}

// prepareReseal puts every configured key in force that something is sealed under, and the first one. What nothing is sealed
// under need not be configured.
func (s SecretKeys) prepareReseal(ctx context.Context, tx *store.Tx) error {
	recorded, err := s.lockKeys(ctx, tx)
	if err != nil {
		return err
	}
	if m := mismatch(s.core.Secrets, recorded); m != nil && len(m.Wrong) > 0 {
		return m
	}
	retired := slices.DeleteFunc(slices.Clone(recorded), func(k *ent.SecretKey) bool { return k.RetiredAt == nil })
	used, err := s.used(ctx, tx, retired)
	if err != nil {
		return err
	}
	return s.enforce(ctx, tx, recorded, append(used, s.core.Secrets.Keys()[0].ID))
}

// batch is what one transaction came to.
type batch struct {
	rows, done, changed int // changed are those that somebody else has changed meanwhile
	last                int
	failed              []string
}

// resealColumn seals a column again and returns how many rows somebody else changed meanwhile.
func (s SecretKeys) resealColumn(
	ctx context.Context, column sealedColumn, r *Resealed, tell func(string, int),
) (changed int, err error) {
	for b := (batch{}); ; {
		above := b.last
		begun := time.Now() //nolint:forbidigo // how long the database took, whatever the time is
		err := s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			b = batch{last: above}
			return s.resealRows(ctx, tx, column, &b)
		})
		if err != nil {
			return changed, err
		}
		r.Values += b.done
		r.Failed += len(b.failed)
		r.Examples = append(r.Examples, b.failed[:min(len(b.failed), max(0, resealExamples-len(r.Examples)))]...)
		changed += b.changed
		if tell != nil && b.done > 0 {
			tell(column.holds, b.done)
		}
		if b.rows < resealBatch {
			return changed, nil
		}
		if err := rest(ctx, time.Since(begun)); err != nil { //nolint:forbidigo // see above
			return changed, err
		}
	}
}

func (s SecretKeys) resealRows(ctx context.Context, tx *store.Tx, column sealedColumn, b *batch) error {
	first := s.core.Secrets.Keys()[0].ID
	rows, err := tx.Sealed().Rows(ctx, column.SealedColumn, store.Page{Above: b.last, Limit: resealBatch, Except: first})
	if err != nil {
		return err
	}
	b.rows = len(rows)
	for _, row := range rows {
		b.last = row.ID
		ids, err := column.keys(row)
		if err == nil && !slices.ContainsFunc(ids, func(id string) bool { return id != first }) {
			continue
		}
		fresh, err := column.reseal(s.core.Secrets, row)
		if err != nil {
			b.failed = append(b.failed, column.cannotOpen(s.core.Secrets, row))
			continue
		}
		if bytes.Equal(fresh, row.Value) {
			continue
		}
		replaced, err := tx.ReplaceSealed(ctx, column.SealedColumn, row, fresh)
		if err != nil {
			return err
		}
		if replaced {
			b.done++
		} else {
			b.changed++
		}
	}
	return nil
}

// retire retires every key but the first that nothing is left under. A process that still seals under one of them puts it
// in force again; see Look.
func (s SecretKeys) retire(ctx context.Context, r *Resealed) error {
	return s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r.Retired, r.Left = []string{}, []SealedCount{}
		recorded, err := s.lockKeys(ctx, tx)
		if err != nil {
			return err
		}
		counts, err := s.census(ctx, tx.Sealed())
		if err != nil {
			return err
		}
		first := s.core.Secrets.Keys()[0].ID
		for _, n := range counts {
			if n.KeyID != first {
				r.Left = append(r.Left, n)
			}
		}
		for _, k := range recorded {
			left := slices.ContainsFunc(counts, func(n SealedCount) bool { return n.KeyID == k.KeyID })
			if k.KeyID == first || k.RetiredAt != nil || left {
				continue
			}
			if err := tx.SecretKey.Update().Where(secretkey.ID(k.ID)).SetRetiredAt(tx.At()).Exec(ctx); err != nil {
				return err
			}
			r.Retired = append(r.Retired, k.KeyID)
		}
		return nil
	})
}

// GiveUp declares a key lost: processes start without it. What is sealed under it stays, and cannot be read unless the key
// is found and configured again. It returns what that is.
func (s SecretKeys) GiveUp(ctx context.Context, id string) ([]SealedCount, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	if s.core.Secrets.Has(id) {
		return nil, fault.Conflictf("Secret key %s is configured. To replace it, put the new key in front of it and reseal.", id)
	}
	lost := []SealedCount{}
	err := s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		lost = lost[:0]
		recorded, err := s.lockKeys(ctx, tx)
		if err != nil {
			return err
		}
		counts, err := s.census(ctx, tx.Sealed())
		if err != nil {
			return err
		}
		for _, n := range counts {
			if n.KeyID == id {
				lost = append(lost, n)
			}
		}
		i := slices.IndexFunc(recorded, func(r *ent.SecretKey) bool { return r.KeyID == id })
		switch {
		case i >= 0:
			return tx.SecretKey.Update().Where(secretkey.ID(recorded[i].ID)).SetRetiredAt(tx.At()).Exec(ctx)
		case len(lost) == 0:
			return fault.Missing("secret key")
		default: // from before fingerprints were kept: there is none to keep
			return tx.SecretKey.Create().SetKeyID(id).SetFingerprint([]byte{}).SetRetiredAt(tx.At()).Exec(ctx)
		}
	})
	return lost, err
}
