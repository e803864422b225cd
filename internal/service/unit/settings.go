package unit

import (
	"context"

	"paydown/internal/auth"
)

// ChangeSettings runs a change of a company's settings. The actor needs the permission to edit them.
func ChangeSettings[T any](ctx context.Context, c *Core, work func(context.Context, *Tx) (T, error)) (T, error) {
	actor, err := RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		var none T
		return none, err
	}
	return Transact(ctx, c, actor, work)
}
