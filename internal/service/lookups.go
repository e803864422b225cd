package service

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/predicate"
	"paydown/internal/fault"
	"paydown/internal/store"
)

// locked is the row lock as a predicate of any query.
func locked(s *sql.Selector) { store.Locked(s) }

// descending orders by a field, largest first.
func descending() sql.OrderTermOption { return sql.OrderDesc() }

// missing turns "no such row" into the fault that names the record.
func missing(err error, what string) error {
	if ent.IsNotFound(err) {
		return fault.Missing(what)
	}
	return err
}

// countOf words a number of records: "1 deal", "3 deals".
func countOf(n int, singular string) string {
	if n == 1 {
		return "1 " + singular
	}
	return fmt.Sprintf("%d %ss", n, singular)
}

// inUse turns a foreign key's refusal of a delete into the conflict it is.
func inUse(err error, what string) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("The %s cannot be deleted: other records refer to it.", what).Because(err)
	}
	return err
}

// dependent is a kind of record that keeps another from being deleted.
type dependent struct {
	path, singular string
	count          func(context.Context) (int, error)
}

// dependents is a conflict that names all that depends on a record, or nil where nothing does.
func dependents(ctx context.Context, what string, kinds ...dependent) error {
	blocked := fault.Conflictf("The %s cannot be deleted: other records refer to it.", what)
	for _, k := range kinds {
		n, err := k.count(ctx)
		if err != nil {
			return err
		}
		if n > 0 {
			blocked = blocked.With(k.path, "the %s has %s", what, countOf(n, k.singular))
		}
	}
	if len(blocked.Details) > 0 {
		return blocked
	}
	return nil
}

// dealsOfFunder are the deals that name a funder as their lender.
func dealsOfFunder(id int) predicate.Deal {
	return entdeal.Or(entdeal.FundedLenderID(id), entdeal.InceptionLenderID(id))
}

// nullable is the value of a column that may be null, as nil where it is.
func nullable[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
