package upkeep

import (
	"slices"

	"paydown/internal/secret"
	"paydown/internal/store"
)

// SealedColumns returns the registry's columns as TABLE.COLUMN, with what each holds.
func SealedColumns() map[string]string {
	all := map[string]string{}
	for _, c := range sealedColumns {
		all[c.Table+"."+c.Column] = c.holds
	}
	return all
}

// SealInDocuments adds a column of JSON documents to the registry of a service. Each document has one sealed
// value; keys returns its key, and reseal returns the document with the value sealed again.
func SealInDocuments(
	s SecretKeys, table, column string, keys func([]byte) ([]string, error),
	reseal func(*secret.Box, int, []byte) ([]byte, error),
) {
	s.keyWatch.columns = append(slices.Clone(s.keyWatch.columns), sealedColumn{
		SealedColumn: store.SealedColumn{Table: table, Column: column, Document: true}, holds: "documents",
		keys: func(row store.SealedRow) ([]string, error) { return keys(row.Value) },
		reseal: func(box *secret.Box, row store.SealedRow) ([]byte, error) {
			return reseal(box, row.ID, row.Value)
		},
	})
}
