package underwriting

import (
	"context"

	"paydown/ent"
	"paydown/ent/stipulationtemplate"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// TemplateFields are the fields of a stipulation template that can be set at any time.
type TemplateFields struct {
	Title       input.Opt[string]           `json:"title" check:"name" need:"create" example:"Letter of the landlord"`
	Requirement input.Opt[deal.Requirement] `json:"requirement" need:"create" doc:"Whether it is required; NOT_USED to leave it out"`
	Months      input.Opt[int]              `json:"months" check:"gte=1,lte=120" doc:"Number of months of statements requested"`
	Position    input.Opt[int]              `json:"position" check:"gte=0,lte=100000" need:"value" doc:"Position in the list; default: last"`
}

// NewStipulationTemplate is the input for creating a stipulation template of a product.
type NewStipulationTemplate struct {
	Product input.Opt[deal.Product] `json:"product" need:"create" doc:"Product of the deals it applies to"`
	Code    input.Opt[string]       `json:"code" check:"code" need:"create" example:"LANDLORD_LETTER"`
	TemplateFields
}

// Templates lists the stipulation templates by product and in order; only those of one product if product is
// not nil.
func (s Stipulations) Templates(ctx context.Context, product *deal.Product) ([]*ent.StipulationTemplate, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("deals")); err != nil {
		return nil, err
	}
	query := s.core.Store.Reader().StipulationTemplate.Query()
	if product != nil {
		query.Where(stipulationtemplate.ProductEQ(*product))
	}
	return query.
		Order(stipulationtemplate.ByProduct(), stipulationtemplate.ByPosition(), stipulationtemplate.ByID()).All(ctx)
}

// CreateTemplate adds a template. Existing deals do not change.
func (s Stipulations) CreateTemplate(ctx context.Context, in NewStipulationTemplate) (*ent.StipulationTemplate, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.StipulationTemplate, error) {
		if in.Position.Absent() {
			place, err := list.PlaceAfter(t.StipulationTemplate.Query().Where(stipulationtemplate.ProductEQ(in.Product.Or(""))).
				Order(stipulationtemplate.ByPosition(unit.Descending())).First(ctx))
			if err != nil {
				return nil, err
			}
			in.Position = input.Some(place)
		}
		create := t.StipulationTemplate.Create()
		row, err := unit.Create(ctx, t, "stipulationTemplate", in, create.Mutation(), create.Save)
		return row, list.TakenCode(err)
	})
}

// UpdateTemplate changes a template. Existing deals do not change.
func (s Stipulations) UpdateTemplate(ctx context.Context, id int, in TemplateFields) (*ent.StipulationTemplate, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.StipulationTemplate, error) {
		before, err := t.StipulationTemplate.Query().Where(stipulationtemplate.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "stipulation template")
		}
		update := t.StipulationTemplate.Update().Where(stipulationtemplate.ID(id))
		return unit.Update(ctx, t, "stipulationTemplate", id, before, in, update.Mutation(), update.Save)
	})
}
