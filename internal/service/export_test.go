package service

import (
	"context"

	"paydown/internal/auth"
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
