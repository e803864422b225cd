package workspace

import (
	"context"

	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// NotifyInOwnWrite notifies the administrators of the actor's tenant in its own write, which then fails
// with fail if fail is not nil. It is for tests.
func (s Notifications) NotifyInOwnWrite(ctx context.Context, n Notice, fail error) error {
	_, err := unit.Transact(ctx, s.core, auth.From(ctx), func(ctx context.Context, t *unit.Tx) (int, error) {
		t.Record("test.notify", "tenant", t.Actor.TenantID, nil, nil, nil)
		if err := NotifyAdministrators(ctx, t, n); err != nil {
			return 0, err
		}
		return 0, fail
	})
	return err
}
