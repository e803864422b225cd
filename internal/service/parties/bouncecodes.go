package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/bouncecode"
	"paydown/internal/auth"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// BounceCodes are the NACHA return codes, and what the company does about a payment that comes back with one.
type BounceCodes struct{ core *unit.Core }

// BounceCodeUpdate is what staff change of a return code. Its code and class are NACHA's.
type BounceCodeUpdate struct {
	Title     input.Opt[string]               `json:"title" check:"name" need:"value"`
	Action    input.Opt[payment.ReturnAction] `json:"action" need:"value" doc:"What follows for further collection"`
	Retryable input.Opt[bool]                 `json:"retryable" need:"value" doc:"Whether the money may be asked for again"`
	Fee       input.Opt[money.Amount]         `json:"fee" check:"gte=0" doc:"What the merchant owes for the return; none where it is null"`
	IsActive  input.Opt[bool]                 `json:"isActive" need:"value"`
}

// List returns all of them, in the order of their codes.
func (s BounceCodes) List(ctx context.Context) ([]*ent.BounceCode, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().BounceCode.Query().Order(bouncecode.ByCode()).All(ctx)
}

// ByIDs returns those that there are, by id.
func (s BounceCodes) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.BounceCode, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().BounceCode.Query())
}

// Update changes what the company does about a code. It needs the permission edit-company-settings.
func (s BounceCodes) Update(ctx context.Context, id int, in BounceCodeUpdate) (*ent.BounceCode, error) {
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.BounceCode, error) {
		before, err := t.BounceCode.Query().Where(bouncecode.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "return code")
		}
		update := t.BounceCode.Update().Where(bouncecode.ID(id))
		return unit.Update(ctx, t, "bounceCode", id, before, in, update.Mutation(), update.Save)
	})
}
