package unit

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/go-openapi/inflect"

	"paydown/ent"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/store"
)

// Locked makes any query lock its rows until the transaction ends.
func Locked(s *sql.Selector) { store.Locked(s) }

// LockedToDelete makes a query lock a row that is to be deleted. It also blocks new references to the row.
func LockedToDelete(s *sql.Selector) { store.LockedToDelete(s) }

// Descending sorts a field from high to low.
func Descending() sql.OrderTermOption { return sql.OrderDesc() }

// NotFound turns Ent's "not found" into the not_found fault of the record; other errors pass through.
func NotFound(err error, what string) error {
	if ent.IsNotFound(err) {
		return fault.Missing(what)
	}
	return err
}

// countOf formats a count of records of a table: "1 deal", "3 UCC filings".
func countOf(table string, n int) string {
	noun, ok := tradeNouns[table]
	if !ok {
		noun = strings.ReplaceAll(table, "_", " ")
	}
	if n == 1 {
		noun = inflect.Singularize(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// tradeNouns are the names of records that differ from the names of their tables.
var tradeNouns = map[string]string{
	"bank_account_tokens": "bank accounts",
	"journals":            "ledger entries",
	"postings":            "ledger postings",
	"ucc_filings":         "UCC filings",
}

// InUse turns a foreign key violation on delete into a conflict; other errors pass through.
func InUse(err error, what string) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("The %s cannot be deleted: other records refer to it.", what).Because(err)
	}
	return err
}

// Unreferenced returns a conflict that lists every kind of record that still refers to a record, or nil if none
// does. kind is the record's Go type name in package ent, what its name in messages. References from the tables in
// along do not count: their rows are deleted too.
func (t *Tx) Unreferenced(ctx context.Context, what, kind string, id int, along ...string) error {
	found, err := t.Dependents(ctx, kind, id, along...)
	if err != nil {
		return err
	}
	return StillReferred(what, found)
}

// StillReferred returns a conflict that lists the records that refer to a record, or nil if there are none.
func StillReferred(what string, by []store.Dependents) error {
	if len(by) == 0 {
		return nil
	}
	blocked := fault.Conflictf("The %s cannot be deleted: other records refer to it.", what)
	for _, d := range by {
		blocked = blocked.With(input.FieldName(d.Table), "the %s has %s", what, countOf(d.Table, d.Count))
	}
	return blocked
}

// Taken turns a unique index violation into a conflict: another record of the kind has the value of the field
// path. Other errors pass through.
func Taken(err error, path, what string) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("Another %s has this %s.", what, path).
			With(path, "is already used by another %s", what).Because(err)
	}
	return err
}

// TakenExternal turns a violation of the unique index on externalSource and externalRef into a conflict; other
// errors pass through.
func TakenExternal(err error, what string) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("Another %s has this externalSource and externalRef.", what).
			With("externalRef", "is already used by another %s", what).Because(err)
	}
	return err
}
