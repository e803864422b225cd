package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/referrer"
	"paydown/internal/auth"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Referrers is the aggregate of referrers: people who are paid for an introduction without being brokers.
type Referrers struct{ core *unit.Core }

// ReferrerInput is the input for creating or updating a referrer.
type ReferrerInput struct {
	Name         input.Opt[string] `json:"name" check:"name" need:"create"`
	Email        input.Opt[string] `json:"email" check:"email"`
	Phone        input.Opt[string] `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given"`
	EIN          input.Opt[string] `json:"ein" check:"ein"`
	Requires1099 input.Opt[bool]   `json:"requires1099" column:"requires_1099" need:"value" doc:"Default: false"`
	IsActive     input.Opt[bool]   `json:"isActive" need:"value" doc:"Default: true"`
	Notes        input.Opt[string] `json:"notes" check:"notes"`
}

// List returns all referrers, ordered by name.
func (s Referrers) List(ctx context.Context) ([]*ent.Referrer, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("isos")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Referrer.Query().Order(referrer.ByName(), referrer.ByID()).All(ctx)
}

// ByIDs returns the existing referrers among ids, by id.
func (s Referrers) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Referrer, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Referrer.Query())
}

// Create creates a referrer.
func (s Referrers) Create(ctx context.Context, in ReferrerInput) (*ent.Referrer, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *unit.Tx) (*ent.Referrer, error) {
		create := t.Referrer.Create()
		row, err := unit.Create(ctx, t, "referrer", in, create.Mutation(), create.Save)
		return row, err
	})
}

// Update changes a referrer. To retire one, set it inactive.
func (s Referrers) Update(ctx context.Context, id int, in ReferrerInput) (*ent.Referrer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *unit.Tx) (*ent.Referrer, error) {
		before, err := t.Referrer.Query().Where(referrer.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "referrer")
		}
		update := t.Referrer.Update().Where(referrer.ID(id))
		row, err := unit.Update(ctx, t, "referrer", id, before, in, update.Mutation(), update.Save)
		return row, err
	})
}
