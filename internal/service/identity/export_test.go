package identity

import "context"

// Turn is the turn to sign in, for tests.
func (s Sessions) Turn(ctx context.Context, tenantID int, from Origin) (leave func(), err error) {
	return s.access.turn(ctx, tenantID, from)
}
