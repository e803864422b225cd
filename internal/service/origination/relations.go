package origination

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// These methods load related records of many records in one statement. ByIDs and similar methods require the
// scope of the referring record, as a list's Expand does; pages require the scope of their own list.

// ByIDs returns the existing leads among ids, by id.
func (s Leads) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Lead, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Lead.Query())
}

// FormsByIDs returns the existing forms among ids, by id.
func (s Applications) FormsByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Form, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Form.Query())
}
