package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/referrer"
	"paydown/internal/auth"
)

// Referrers are people who are paid for an introduction without being brokers.
type Referrers struct{ *core }

// ReferrerInput is what a caller sets of one.
type ReferrerInput struct {
	Name         Opt[string] `json:"name" check:"name" need:"create"`
	Email        Opt[string] `json:"email" check:"email"`
	Phone        Opt[string] `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given"`
	EIN          Opt[string] `json:"ein" check:"ein"`
	Requires1099 Opt[bool]   `json:"requires1099" column:"requires_1099" need:"value" doc:"False unless given"`
	IsActive     Opt[bool]   `json:"isActive" need:"value" doc:"True unless given"`
	Notes        Opt[string] `json:"notes" check:"notes"`
}

// List returns all of them, in the order of their names.
func (s Referrers) List(ctx context.Context) ([]*ent.Referrer, error) {
	if _, err := permit(ctx, auth.Read("isos")); err != nil {
		return nil, err
	}
	return s.store.Reader().Referrer.Query().Order(referrer.ByName(), referrer.ByID()).All(ctx)
}

// ByIDs returns those that there are, by id.
func (s Referrers) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Referrer, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Referrer.Query())
}

// Create makes one.
func (s Referrers) Create(ctx context.Context, in ReferrerInput) (*ent.Referrer, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *tx) (*ent.Referrer, error) {
		create := t.Referrer.Create()
		row, err := made(ctx, t, "referrer", in, create.Mutation(), create.Save)
		return row, err
	})
}

// Update changes one. What is no longer used is set inactive.
func (s Referrers) Update(ctx context.Context, id int, in ReferrerInput) (*ent.Referrer, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *tx) (*ent.Referrer, error) {
		before, err := t.Referrer.Query().Where(referrer.ID(id), locked).Only(ctx)
		if err != nil {
			return nil, missing(err, "referrer")
		}
		update := t.Referrer.Update().Where(referrer.ID(id))
		row, err := changed(ctx, t, "referrer", id, before, in, update.Mutation(), update.Save)
		return row, err
	})
}
