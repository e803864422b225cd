package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/bouncecode"
	"paydown/internal/auth"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// BounceCodes are the NACHA return codes, and what the company does about a payment that comes back with one.
type BounceCodes struct{ *core }

// BounceCodeUpdate is what staff change of a return code. Its code and class are NACHA's.
type BounceCodeUpdate struct {
	Title     Opt[string]               `json:"title" check:"name" need:"value"`
	Action    Opt[payment.ReturnAction] `json:"action" need:"value" doc:"What follows for further collection"`
	Retryable Opt[bool]                 `json:"retryable" need:"value" doc:"Whether the money may be asked for again"`
	Fee       Opt[money.Amount]         `json:"fee" check:"gte=0" doc:"What the merchant owes for the return; none where it is null"`
	IsActive  Opt[bool]                 `json:"isActive" need:"value"`
}

// List returns all of them, in the order of their codes.
func (s BounceCodes) List(ctx context.Context) ([]*ent.BounceCode, error) {
	if _, err := permit(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	return s.store.Reader().BounceCode.Query().Order(bouncecode.ByCode()).All(ctx)
}

// ByIDs returns those that there are, by id.
func (s BounceCodes) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.BounceCode, error) {
	return byIDs(ctx, through, ids, s.store.Reader().BounceCode.Query())
}

// Update changes what the company does about a code. It needs the permission edit-company-settings.
func (s BounceCodes) Update(ctx context.Context, id int, in BounceCodeUpdate) (*ent.BounceCode, error) {
	actor, err := entitled(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return transact(ctx, s.core, actor, func(ctx context.Context, t *tx) (*ent.BounceCode, error) {
		before, err := t.BounceCode.Query().Where(bouncecode.ID(id), locked).Only(ctx)
		if err != nil {
			return nil, missing(err, "return code")
		}
		update := t.BounceCode.Update().Where(bouncecode.ID(id))
		return changed(ctx, t, "bounceCode", id, before, in, update.Mutation(), update.Save)
	})
}
