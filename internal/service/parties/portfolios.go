package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/portfolio"
	"paydown/internal/auth"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Portfolios is the aggregate of portfolios: groups of syndicators whose money is managed together.
type Portfolios struct{ core *unit.Core }

// PortfolioInput is the input for creating or updating a portfolio.
type PortfolioInput struct {
	Name     input.Opt[string] `json:"name" check:"name" need:"create" doc:"Must be unique"`
	IsActive input.Opt[bool]   `json:"isActive" need:"value" doc:"Default: true"`
	Notes    input.Opt[string] `json:"notes" check:"notes"`
}

// List returns all portfolios, ordered by name.
func (s Portfolios) List(ctx context.Context) ([]*ent.Portfolio, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("syndicators")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Portfolio.Query().Order(portfolio.ByName(), portfolio.ByID()).All(ctx)
}

// ByIDs returns the existing portfolios among ids, by id.
func (s Portfolios) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Portfolio, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Portfolio.Query())
}

// Create creates a portfolio.
func (s Portfolios) Create(ctx context.Context, in PortfolioInput) (*ent.Portfolio, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Portfolio, error) {
		create := t.Portfolio.Create()
		row, err := unit.Create(ctx, t, "portfolio", in, create.Mutation(), create.Save)
		return row, unit.Taken(err, "name", "portfolio")
	})
}

// Update changes a portfolio. To retire one, set it inactive.
func (s Portfolios) Update(ctx context.Context, id int, in PortfolioInput) (*ent.Portfolio, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Portfolio, error) {
		before, err := t.Portfolio.Query().Where(portfolio.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "portfolio")
		}
		update := t.Portfolio.Update().Where(portfolio.ID(id))
		row, err := unit.Update(ctx, t, "portfolio", id, before, in, update.Mutation(), update.Save)
		return row, unit.Taken(err, "name", "portfolio")
	})
}
