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

// KeyUsage says how a secret key is used and what is sealed under it.
type KeyUsage struct {
	ID         string        `json:"id"`
	Seals      bool          `json:"seals"`      // the first configured key, which seals new values
	Configured bool          `json:"configured"` // this process can open values with it
	RecordedAt *time.Time    `json:"recordedAt"` // null: no fingerprint is recorded
	RetiredAt  *time.Time    `json:"retiredAt"`
	Total      int           `json:"total"`
	Values     []SealedCount `json:"values"`
}

// Usage returns every key that is configured, recorded, or found on a sealed value. Values without a key id
// are listed under the id "".
func (s SecretKeys) Usage(ctx context.Context) ([]KeyUsage, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	recorded, err := s.recorded(ctx, s.core.Store.Reader())
	if err != nil {
		return nil, err
	}
	counts, err := s.countSealed(ctx, s.core.Store.Sealed())
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

// Resealed is the result of Reseal.
type Resealed struct {
	Values   int      `json:"values"`   // values that were moved to the first key
	Failed   int      `json:"failed"`   // values that could not be opened and are unchanged
	Examples []string `json:"examples"` // some of the failed values
	Retired  []string `json:"retired"`  // keys that nothing is sealed under any more
	// Left are values that are still sealed under other keys.
	Left []SealedCount `json:"left"`
}

// resealBatch is the number of rows per transaction, small enough not to delay other work.
const (
	resealBatch    = 100
	resealExamples = 20
	// resealPasses limits how often Reseal retries rows that others changed meanwhile.
	resealPasses = 10
)

// Reseal seals all values again under the first key, in batches of separate transactions while the service
// keeps running; then it retires the keys that nothing is sealed under any more. It never overwrites a value
// that changes meanwhile. After an interruption it can be called again and continues. It refuses, with a
// *KeyError, while values are sealed under a key that is neither configured nor given up. tell, which may be
// nil, gets the number of finished values.
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

// prepareReseal activates the first key and every configured key that something is sealed under. A key
// that nothing is sealed under need not be configured.
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

// batch is the result of one transaction.
type batch struct {
	rows, done, changed int // changed: rows that others changed meanwhile
	last                int
	failed              []string
}

// resealColumn seals a column's values again and returns how many rows others changed meanwhile.
func (s SecretKeys) resealColumn(
	ctx context.Context, column sealedColumn, r *Resealed, tell func(string, int),
) (changed int, err error) {
	for b := (batch{}); ; {
		above := b.last
		begun := time.Now() //nolint:forbidigo // measures database time, not business time
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

// retire retires every key except the first that nothing is sealed under any more. If a process still seals
// with a retired key, it activates it again; see Look.
func (s SecretKeys) retire(ctx context.Context, r *Resealed) error {
	return s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r.Retired, r.Left = []string{}, []SealedCount{}
		recorded, err := s.lockKeys(ctx, tx)
		if err != nil {
			return err
		}
		counts, err := s.countSealed(ctx, tx.Sealed())
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

// GiveUp declares a key lost, so that processes start without it. The values sealed under it remain, but are
// unreadable unless the key is found and configured again. It returns the number of these values.
func (s SecretKeys) GiveUp(ctx context.Context, id string) ([]SealedCount, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	if s.core.Secrets.Has(id) {
		return nil, fault.Conflictf("Secret key %s is configured. To replace it, put the new key before it and reseal.", id)
	}
	lost := []SealedCount{}
	err := s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		lost = lost[:0]
		recorded, err := s.lockKeys(ctx, tx)
		if err != nil {
			return err
		}
		counts, err := s.countSealed(ctx, tx.Sealed())
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
		default: // from before fingerprints were recorded: none to keep
			return tx.SecretKey.Create().SetKeyID(id).SetFingerprint([]byte{}).SetRetiredAt(tx.At()).Exec(ctx)
		}
	})
	return lost, err
}
