package service

import (
	"context"
	"slices"

	"paydown/internal/auth"
	"paydown/internal/secret"
	"paydown/internal/store"
)

// Notice is what notifications say, for tests.
type Notice struct {
	Kind, Title, Body, Entity string
	EntityID                  int
}

// NotifyAdministrators tells the administrators of the actor's tenant in a write of its own, which fails with fail.
func NotifyAdministrators(ctx context.Context, s *Service, n Notice, fail error) error {
	_, err := transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *tx) (int, error) {
		t.record("test.notify", "tenant", t.actor.TenantID, nil, nil, nil)
		if err := t.notifyAdministrators(ctx, notice{n.Kind, n.Title, n.Body, n.Entity, n.EntityID}); err != nil {
			return 0, err
		}
		return 0, fail
	})
	return err
}

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
	s *Service, table, column string, keys func([]byte) ([]string, error), reseal func(*secret.Box, int, []byte) ([]byte, error),
) {
	s.SecretKeys.keyWatch.columns = append(slices.Clone(s.SecretKeys.keyWatch.columns), sealedColumn{
		SealedColumn: store.SealedColumn{Table: table, Column: column, Document: true}, holds: "documents",
		keys: func(row store.SealedRow) ([]string, error) { return keys(row.Value) },
		reseal: func(box *secret.Box, row store.SealedRow) ([]byte, error) {
			return reseal(box, row.ID, row.Value)
		},
	})
}

// SigningBound is what the secrets of a webhook endpoint are sealed for.
func SigningBound(endpointID int) string { return signingBound(endpointID) }
