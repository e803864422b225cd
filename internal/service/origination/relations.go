package origination

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// The methods here read what a number of records refer to, or what belongs to them, in one statement. ByIDs and the like
// serve whoever holds the scope that leads there, as a list's Expand does; pages need the scope of their own list.

// ByIDs returns those of the leads that there are, by id.
func (s Leads) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Lead, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Lead.Query())
}

// FormsByIDs returns those of the forms that there are, by id.
func (s Applications) FormsByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Form, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Form.Query())
}
