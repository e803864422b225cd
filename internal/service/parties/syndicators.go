package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/syndicator"
	"paydown/internal/auth"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Syndicators is the aggregate of syndicators: investors who take shares of deals.
type Syndicators struct{ core *unit.Core }

// SyndicatorInput is the input for creating or updating a syndicator.
type SyndicatorInput struct {
	Name                  input.Opt[string]                        `json:"name" check:"name" need:"create" example:"Bayview Income Partners LP"`
	ContactName           input.Opt[string]                        `json:"contactName" check:"text" example:"Dana Whitfield"`
	Email                 input.Opt[string]                        `json:"email" check:"email" example:"desk@bayview.example"`
	Phone                 input.Opt[string]                        `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(415) 555-0142"`
	Website               input.Opt[string]                        `json:"website" check:"web" example:"https://bayview.example"`
	PortfolioID           input.Opt[int]                           `json:"portfolioId" check:"gte=1"`
	IsHouse               input.Opt[bool]                          `json:"isHouse" need:"value" doc:"Default: false"`
	IsActive              input.Opt[bool]                          `json:"isActive" need:"value" doc:"Default: true"`
	ManagementFeeBasis    input.Opt[syndicator.ManagementFeeBasis] `json:"managementFeeBasis"`
	ManagementFeePercent  input.Opt[money.Rate]                    `json:"managementFeePercent" check:"gte=0,lte=100000000" doc:"Percentage of the basis" example:"3.00"`
	ProfitAccrual         input.Opt[syndicator.ProfitAccrual]      `json:"profitAccrual" need:"value" doc:"Whether each dollar includes profit, or only those after the cost is recovered; default: PRO_RATA"`
	ProfitSplitPercent    input.Opt[money.Rate]                    `json:"profitSplitPercent" check:"gte=0,lte=100000000" doc:"The syndicator's percentage of the profit" example:"80.00"`
	CAFRecognition        input.Opt[syndicator.CafRecognition]     `json:"cafRecognition" need:"value" doc:"When the tenant takes its charges; default: UPFRONT"`
	ParticipatesInBankFee input.Opt[bool]                          `json:"participatesInBankFee"`
	FrontsCommission      input.Opt[bool]                          `json:"frontsCommission" need:"value" doc:"Bears a share of the commission; default: false"`
	LossProtected         input.Opt[bool]                          `json:"lossProtected" need:"value" doc:"The tenant bears the syndicator's share of a loss; default: false"`
	MaxPerDeal            input.Opt[money.Amount]                  `json:"maxPerDeal" check:"gte=0" doc:"Maximum investment in one deal, in dollars" example:"25000.00"`
	DistributionFrequency input.Opt[string]                        `json:"distributionFrequency" check:"text" doc:"How often payout batches are drafted: DAILY, WEEKLY, BIWEEKLY, SEMIMONTHLY or MONTHLY, in any case. With any other text, or none, staff draft them" example:"WEEKLY"`
	Requires1099          input.Opt[bool]                          `json:"requires1099" column:"requires_1099" need:"value" doc:"Default: false"`
	ReferenceID           input.Opt[string]                        `json:"referenceId" check:"text" doc:"The caller's own reference"`
	Notes                 input.Opt[string]                        `json:"notes" check:"notes" doc:"Free text"`
}

func (in SyndicatorInput) references() []unit.Reference {
	return []unit.Reference{{Path: "portfolioId", Record: "Portfolio", ID: in.PortfolioID.Ptr()}}
}

// SyndicatorListing describes the list of syndicators.
var SyndicatorListing = &list.Listing[ent.Syndicator]{
	Resource: "syndicators", Scope: auth.Read("syndicators"),
	Sorts: []list.Sort{
		{Name: "name", Column: syndicator.FieldName, Kind: list.IsText},
	},
	Search: []string{syndicator.FieldName, syndicator.FieldContactName, syndicator.FieldEmail},
}

// List returns a page of syndicators.
func (s Syndicators) List(ctx context.Context, req list.Request) (*list.Page[ent.Syndicator], error) {
	return list.Read(ctx, s.core, SyndicatorListing, req, s.core.Store.Reader().Syndicator.Query())
}

// Get returns one syndicator.
func (s Syndicators) Get(ctx context.Context, id int) (*ent.Syndicator, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("syndicators")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().Syndicator.Get(ctx, id)
	return row, unit.NotFound(err, "syndicator")
}

// Create creates a syndicator.
func (s Syndicators) Create(ctx context.Context, in SyndicatorInput) (*ent.Syndicator, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Syndicator, error) {
		if err := t.Require(ctx, in.references()...); err != nil {
			return nil, err
		}
		create := t.Syndicator.Create()
		return unit.Create(ctx, t, "syndicator", in, create.Mutation(), create.Save)
	})
}

// Update changes a syndicator. Existing participations keep their terms.
func (s Syndicators) Update(ctx context.Context, id int, in SyndicatorInput) (*ent.Syndicator, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Syndicator, error) {
		before, err := lockSyndicator(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := t.Require(ctx, in.references()...); err != nil {
			return nil, err
		}
		update := t.Syndicator.Update().Where(syndicator.ID(id))
		return unit.Update(ctx, t, "syndicator", id, before, in, update.Mutation(), update.Save)
	})
}

// Delete deletes a syndicator that nothing refers to.
func (s Syndicators) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.Syndicator.Query().Where(syndicator.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "syndicator")
		}
		if err := t.Unreferenced(ctx, "syndicator", ent.TypeSyndicator, id); err != nil {
			return 0, err
		}
		if err := t.Syndicator.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "syndicator")
		}
		t.Record("syndicator.delete", "syndicator", id, nil, before, nil)
		return id, nil
	})
}

func lockSyndicator(ctx context.Context, t *unit.Tx, id int) (*ent.Syndicator, error) {
	row, err := t.Syndicator.Query().Where(syndicator.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "syndicator")
}
