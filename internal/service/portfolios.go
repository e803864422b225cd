package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/portfolio"
	"paydown/internal/auth"
)

// Portfolios are groups of syndicators whose money is managed together.
type Portfolios struct{ *core }

// PortfolioInput is what a caller sets of one.
type PortfolioInput struct {
	Name     Opt[string] `json:"name" check:"name" need:"create" doc:"No two have the same"`
	IsActive Opt[bool]   `json:"isActive" need:"value" doc:"True unless given"`
	Notes    Opt[string] `json:"notes" check:"notes"`
}

// List returns all of them, in the order of their names.
func (s Portfolios) List(ctx context.Context) ([]*ent.Portfolio, error) {
	if _, err := permit(ctx, auth.Read("syndicators")); err != nil {
		return nil, err
	}
	return s.store.Reader().Portfolio.Query().Order(portfolio.ByName(), portfolio.ByID()).All(ctx)
}

// ByIDs returns those that there are, by id.
func (s Portfolios) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Portfolio, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Portfolio.Query())
}

// Create makes one.
func (s Portfolios) Create(ctx context.Context, in PortfolioInput) (*ent.Portfolio, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (*ent.Portfolio, error) {
		create := t.Portfolio.Create()
		row, err := made(ctx, t, "portfolio", in, create.Mutation(), create.Save)
		return row, taken(err, "name", "portfolio")
	})
}

// Update changes one. What is no longer used is set inactive.
func (s Portfolios) Update(ctx context.Context, id int, in PortfolioInput) (*ent.Portfolio, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (*ent.Portfolio, error) {
		before, err := t.Portfolio.Query().Where(portfolio.ID(id), locked).Only(ctx)
		if err != nil {
			return nil, missing(err, "portfolio")
		}
		update := t.Portfolio.Update().Where(portfolio.ID(id))
		row, err := changed(ctx, t, "portfolio", id, before, in, update.Mutation(), update.Save)
		return row, taken(err, "name", "portfolio")
	})
}
