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

// Locked is the row lock as a predicate of any query.
func Locked(s *sql.Selector) { store.Locked(s) }

// LockedToDelete is the row lock of a delete: nobody can come to refer to the row either.
func LockedToDelete(s *sql.Selector) { store.LockedToDelete(s) }

// Descending orders by a field, largest first.
func Descending() sql.OrderTermOption { return sql.OrderDesc() }

// NotFound turns "no such row" into the fault that names the record.
func NotFound(err error, what string) error {
	if ent.IsNotFound(err) {
		return fault.Missing(what)
	}
	return err
}

// countOf words a number of records of a table: "1 deal", "3 UCC filings".
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

// tradeNouns are what records are called whose tables are called otherwise.
var tradeNouns = map[string]string{
	"bank_account_tokens": "bank accounts",
	"journals":            "ledger entries",
	"postings":            "ledger postings",
	"ucc_filings":         "UCC filings",
}

// InUse turns a foreign key's refusal of a delete into the conflict it is.
func InUse(err error, what string) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("The %s cannot be deleted: other records refer to it.", what).Because(err)
	}
	return err
}

// Unreferenced is nil where nothing refers to a record, and otherwise a conflict that names all that does. kind is the
// name of its Go type in package ent, what is what people call it. Records in the tables of along go with it.
func (t *Tx) Unreferenced(ctx context.Context, what, kind string, id int, along ...string) error {
	found, err := t.Dependents(ctx, kind, id, along...)
	if err != nil {
		return err
	}
	return StillReferred(what, found)
}

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

// Taken turns a unique index's refusal into the conflict it is: another record of the kind has what the field says.
func Taken(err error, path, what string) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("Another %s has this %s.", what, path).With(path, "is that of another %s", what).Because(err)
	}
	return err
}

// TakenExternal turns the database's refusal of a second record under one externalSource and externalRef into the conflict
// it is.
func TakenExternal(err error, what string) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("Another %s has this externalSource and externalRef.", what).
			With("externalRef", "is that of another %s", what).Because(err)
	}
	return err
}
