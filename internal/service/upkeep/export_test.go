package upkeep

import (
	"slices"

	"paydown/internal/secret"
	"paydown/internal/store"
)

// SealedColumns lists the columns of the registry as TABLE.COLUMN, with what each holds.
func SealedColumns() map[string]string {
	all := map[string]string{}
	for _, c := range sealedColumns {
		all[c.Table+"."+c.Column] = c.holds
	}
	return all
}

// SealInDocuments adds to the registry of a service a column of JSON documents, each with one sealed value, of which keys
// tells the key and reseal makes the document anew.
func SealInDocuments(
	s SecretKeys, table, column string, keys func([]byte) ([]string, error), reseal func(*secret.Box, int, []byte) ([]byte, error),
) {
	s.keyWatch.columns = append(slices.Clone(s.keyWatch.columns), sealedColumn{
		SealedColumn: store.SealedColumn{Table: table, Column: column, Document: true}, holds: "documents",
		keys: func(row store.SealedRow) ([]string, error) { return keys(row.Value) },
		reseal: func(box *secret.Box, row store.SealedRow) ([]byte, error) {
			return reseal(box, row.ID, row.Value)
		},
	})
}
