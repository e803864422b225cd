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

// BounceCodes is the aggregate of NACHA return codes and how the tenant handles payments returned with them.
type BounceCodes struct{ core *unit.Core }

// BounceCodeUpdate is the input for updating a return code. Its code and class are fixed by Nacha.
type BounceCodeUpdate struct {
	Title     input.Opt[string]               `json:"title" check:"name" need:"value"`
	Action    input.Opt[payment.ReturnAction] `json:"action" need:"value" doc:"What the return means for further collection"`
	Retryable input.Opt[bool]                 `json:"retryable" need:"value" doc:"Whether the payment may be retried"`
	Fee       input.Opt[money.Amount]         `json:"fee" check:"gte=0" doc:"Fee the merchant owes for the return; null for none"`
	IsActive  input.Opt[bool]                 `json:"isActive" need:"value"`
}

// List returns all return codes, ordered by code.
func (s BounceCodes) List(ctx context.Context) ([]*ent.BounceCode, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().BounceCode.Query().Order(bouncecode.ByCode()).All(ctx)
}

// ByIDs returns the existing return codes among ids, by id.
func (s BounceCodes) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.BounceCode, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().BounceCode.Query())
}

// Update changes how the tenant handles a return code. It needs the permission edit-company-settings.
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
