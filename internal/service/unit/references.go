package unit

import (
	"context"

	"paydown/internal/fault"
)

// Reference is an id in a request body: its path, and the kind of record it must name.
type Reference struct {
	Path, Record string
	ID           *int
}

// Require checks that every id names a record of the tenant, and reports all that do not.
func (t *Tx) Require(ctx context.Context, references ...Reference) error {
	var unknown []fault.Detail
	for _, r := range references {
		if r.ID == nil {
			continue
		}
		found, err := t.Has(ctx, r.Record, *r.ID)
		if err != nil {
			return err
		}
		if !found {
			unknown = append(unknown, fault.Detail{Path: r.Path, Message: "no such record"})
		}
	}
	if len(unknown) > 0 {
		return fault.UnknownReference(unknown...)
	}
	return nil
}
