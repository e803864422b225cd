package upkeep

import (
	"context"
	"fmt"
	"slices"

	"paydown/ent/approval"
	"paydown/ent/bankaccounttoken"
	"paydown/ent/idempotencyrecord"
	"paydown/ent/merchantcontact"
	"paydown/ent/tenant"
	"paydown/ent/user"
	"paydown/ent/webhookendpoint"
	"paydown/internal/secret"
	"paydown/internal/service/collections"
	"paydown/internal/service/delivery"
	"paydown/internal/service/identity"
	"paydown/internal/service/parties"
	"paydown/internal/service/pipeline"
	"paydown/internal/store"
)

// sealedColumn is a column with values that are sealed under a secret key.
type sealedColumn struct {
	store.SealedColumn
	holds string // description of the values, in the plural
	// keys returns the ids of the keys that the values of a row are sealed under. It returns none for a document
	// without sealed values.
	keys func(row store.SealedRow) ([]string, error)
	// reseal returns the column's content with every value of a row sealed under the first key.
	reseal func(box *secret.Box, row store.SealedRow) ([]byte, error)
}

// sealedColumns are all columns with sealed values. Values in any other column would be lost with the next
// change of key: a test requires every binary column to be listed here or in the test's list of columns that
// are never opened. A column with sealed values inside a document sets Document, keys and reseal.
var sealedColumns = []sealedColumn{
	sealedFor("webhook signing secrets", webhookendpoint.Table, webhookendpoint.FieldSecret, delivery.SigningBound),
	sealedFor("earlier webhook signing secrets", webhookendpoint.Table, webhookendpoint.FieldPreviousSecret,
		delivery.SigningBound),
	sealedFor("inbound webhook secrets", tenant.Table, tenant.FieldInboundWebhookSecret, identity.InboundSecretOf),
	sealedFor("bank account numbers", bankaccounttoken.Table, bankaccounttoken.FieldToken, collections.AccountNumberOf),
	sealedFor("social security numbers", merchantcontact.Table, merchantcontact.FieldSsn, parties.SSNOf),
	sealedFor("second factors", user.Table, user.FieldTotpSecret, identity.CodeSecretOf),
	sealedFor("links of offers", approval.Table, approval.FieldShareToken, pipeline.TokenBound),
	sealedAs("stored answers", store.SealedColumn{
		Table: idempotencyrecord.Table, Column: idempotencyrecord.FieldBody,
		Where: idempotencyrecord.FieldSealed, Claim: idempotencyrecord.FieldClaim,
	}, func(row store.SealedRow) string { return string(row.Claim) }),
}

// sealedFor describes a column whose whole value is sealed for the row's id.
func sealedFor(holds, table, column string, bound func(id int) string) sealedColumn {
	return sealedAs(holds, store.SealedColumn{Table: table, Column: column},
		func(row store.SealedRow) string { return bound(row.ID) })
}

func sealedAs(holds string, column store.SealedColumn, bound func(store.SealedRow) string) sealedColumn {
	return sealedColumn{
		SealedColumn: column, holds: holds,
		keys: func(row store.SealedRow) ([]string, error) { return []string{secret.KeyOf(row.Value)}, nil },
		reseal: func(box *secret.Box, row store.SealedRow) ([]byte, error) {
			return box.Reseal(row.Value, bound(row))
		},
	}
}

// sealedPage is how many rows with sealed values are in memory at a time.
const sealedPage = 200

// walk calls f with the column's rows in the page, as long as f returns true.
func (c sealedColumn) walk(
	ctx context.Context, r store.SealedReader, p store.Page, f func(store.SealedRow) bool,
) error {
	for p.Limit = sealedPage; ; {
		rows, err := r.Rows(ctx, c.SealedColumn, p)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if !f(row) {
				return nil
			}
			p.Above = row.ID
		}
		if len(rows) < p.Limit {
			return nil
		}
	}
}

// count counts the values of the column by key. Unreadable values count under the key "".
func (c sealedColumn) count(ctx context.Context, r store.SealedReader) ([]SealedCount, error) {
	counts := map[string]int{}
	var err error
	if c.Document {
		err = c.walk(ctx, r, store.Page{}, func(row store.SealedRow) bool {
			ids, err := c.keys(row)
			if err != nil {
				ids = []string{""}
			}
			for _, id := range ids {
				counts[id]++
			}
			return true
		})
	} else {
		var found []store.KeyCount
		found, err = r.Count(ctx, c.SealedColumn)
		for _, k := range found {
			counts[k.KeyID] = k.Count
		}
	}
	var out []SealedCount
	for id, n := range counts {
		out = append(out, SealedCount{KeyID: id, Holds: c.holds, Count: n})
	}
	slices.SortFunc(out, func(a, b SealedCount) int { return b.Count - a.Count })
	return out, err
}

// SealedCount is the number of a column's values that are sealed under a key. The key's id is "" if it is
// unknown.
type SealedCount struct {
	KeyID string `json:"keyId"`
	Holds string `json:"holds"`
	Count int    `json:"count"`
}

// countSealed counts all sealed values.
func (s SecretKeys) countSealed(ctx context.Context, r store.SealedReader) ([]SealedCount, error) {
	var all []SealedCount
	for _, column := range s.keyWatch.columns {
		counts, err := column.count(ctx, r)
		if err != nil {
			return nil, err
		}
		all = append(all, counts...)
	}
	return all, nil
}

// cannotOpen returns why the values of a row cannot be opened; "" if they can.
func (c sealedColumn) cannotOpen(box *secret.Box, row store.SealedRow) string {
	_, err := c.reseal(box, row)
	if err == nil {
		return ""
	}
	where := fmt.Sprintf("%s of %s %d", c.Column, c.Table, row.ID)
	ids, unreadable := c.keys(row)
	if unreadable != nil {
		return where + " cannot be read"
	}
	for _, id := range ids {
		switch {
		case id == "":
			return where + " is not a sealed value"
		case !box.Has(id):
			return fmt.Sprintf("%s is sealed under key %s, which is not configured", where, id)
		}
	}
	return where + " does not open: it was changed or copied from another row"
}

// sealedValues checks that every sealed value opens.
func (s Integrity) sealedValues() store.Walk {
	return store.Walk{
		Name: "sealed_values", About: "every sealed value opens under a configured secret key", Noun: "sealed values",
		Run: func(ctx context.Context, view *store.Snapshot, found *store.Finding) error {
			recorded, err := s.secretKeys.recorded(ctx, s.core.Store.Reader())
			if err != nil {
				return err
			}
			if m := mismatch(s.core.Secrets, recorded); m != nil {
				found.Violate(m.Error())
			}
			for _, column := range s.secretKeys.keyWatch.columns {
				err := column.walk(ctx, view.Sealed(), store.Page{}, func(row store.SealedRow) bool {
					found.Looked++
					if problem := column.cannotOpen(s.core.Secrets, row); problem != "" {
						found.Violate(problem)
					}
					return true
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}
