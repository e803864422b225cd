package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/syndicator"
	"paydown/internal/auth"
	"paydown/internal/money"
)

// Syndicators are the investors who buy parts of deals.
type Syndicators struct{ *core }

// SyndicatorInput is what a caller sets of a syndicator.
type SyndicatorInput struct {
	Name                  Opt[string]                        `json:"name" check:"name" need:"create" example:"Bayview Income Partners LP"`
	ContactName           Opt[string]                        `json:"contactName" check:"text" example:"Dana Whitfield"`
	Email                 Opt[string]                        `json:"email" check:"email" example:"desk@bayview.example"`
	Phone                 Opt[string]                        `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(415) 555-0142"`
	Website               Opt[string]                        `json:"website" check:"web" example:"https://bayview.example"`
	PortfolioID           Opt[int]                           `json:"portfolioId" check:"gte=1"`
	IsHouse               Opt[bool]                          `json:"isHouse" need:"value" doc:"False unless given"`
	IsActive              Opt[bool]                          `json:"isActive" need:"value" doc:"True unless given"`
	ManagementFeeBasis    Opt[syndicator.ManagementFeeBasis] `json:"managementFeeBasis"`
	ManagementFeePercent  Opt[money.Rate]                    `json:"managementFeePercent" check:"gte=0,lte=100000000" doc:"In per cent of the basis" example:"3.00"`
	ProfitAccrual         Opt[syndicator.ProfitAccrual]      `json:"profitAccrual" need:"value" doc:"Whether each dollar carries profit, or only those after the cost is back; PRO_RATA unless given"`
	ProfitSplitPercent    Opt[money.Rate]                    `json:"profitSplitPercent" check:"gte=0,lte=100000000" doc:"The syndicator's part of the profit, in per cent" example:"80.00"`
	CAFRecognition        Opt[syndicator.CafRecognition]     `json:"cafRecognition" need:"value" doc:"When the house takes its charges; UPFRONT unless given"`
	ParticipatesInBankFee Opt[bool]                          `json:"participatesInBankFee"`
	FrontsCommission      Opt[bool]                          `json:"frontsCommission" need:"value" doc:"Bears a share of the commission; false unless given"`
	LossProtected         Opt[bool]                          `json:"lossProtected" need:"value" doc:"The house bears the syndicator's part of a loss; false unless given"`
	MaxPerDeal            Opt[money.Amount]                  `json:"maxPerDeal" check:"gte=0" doc:"Most that may go into one deal, in dollars" example:"25000.00"`
	DistributionFrequency Opt[string]                        `json:"distributionFrequency" check:"text" doc:"How often payout batches are drafted: DAILY, WEEKLY, BIWEEKLY, SEMIMONTHLY or MONTHLY, in capitals or not; with any other text, or none, staff draft them" example:"WEEKLY"`
	Requires1099          Opt[bool]                          `json:"requires1099" column:"requires_1099" need:"value" doc:"False unless given"`
	ReferenceID           Opt[string]                        `json:"referenceId" check:"text" doc:"The caller's own reference"`
	Notes                 Opt[string]                        `json:"notes" check:"notes" doc:"Free text"`
}

func (in SyndicatorInput) references() []reference {
	return []reference{{"portfolioId", "Portfolio", in.PortfolioID.Ptr()}}
}

// SyndicatorListing describes the list of syndicators.
var SyndicatorListing = &Listing[ent.Syndicator]{
	Resource: "syndicators", Scope: auth.Read("syndicators"),
	Sorts: []Sort{
		{"name", syndicator.FieldName, IsText},
	},
	Search: []string{syndicator.FieldName, syndicator.FieldContactName, syndicator.FieldEmail},
}

// List returns a page of syndicators.
func (s Syndicators) List(ctx context.Context, params map[string]string) (*Page[ent.Syndicator], error) {
	return page(ctx, s.core, SyndicatorListing, params, s.store.Reader().Syndicator.Query())
}

// Get returns one syndicator.
func (s Syndicators) Get(ctx context.Context, id int) (*ent.Syndicator, error) {
	if _, err := permit(ctx, auth.Read("syndicators")); err != nil {
		return nil, err
	}
	row, err := s.store.Reader().Syndicator.Get(ctx, id)
	return row, missing(err, "syndicator")
}

// Create makes a syndicator.
func (s Syndicators) Create(ctx context.Context, in SyndicatorInput) (*ent.Syndicator, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (*ent.Syndicator, error) {
		if err := t.require(ctx, in.references()...); err != nil {
			return nil, err
		}
		create := t.Syndicator.Create()
		return made(ctx, t, "syndicator", in, create.Mutation(), create.Save)
	})
}

// Update changes a syndicator. Participations keep the terms they were taken on.
func (s Syndicators) Update(ctx context.Context, id int, in SyndicatorInput) (*ent.Syndicator, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (*ent.Syndicator, error) {
		before, err := t.lockSyndicator(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := t.require(ctx, in.references()...); err != nil {
			return nil, err
		}
		update := t.Syndicator.Update().Where(syndicator.ID(id))
		return changed(ctx, t, "syndicator", id, before, in, update.Mutation(), update.Save)
	})
}

// Delete removes a syndicator that nothing refers to.
func (s Syndicators) Delete(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Syndicator.Query().Where(syndicator.ID(id), lockedToDelete).Only(ctx)
		if err != nil {
			return 0, missing(err, "syndicator")
		}
		if err := t.unreferenced(ctx, "syndicator", ent.TypeSyndicator, id); err != nil {
			return 0, err
		}
		if err := t.Syndicator.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, inUse(err, "syndicator")
		}
		t.record("syndicator.delete", "syndicator", id, nil, before, nil)
		return id, nil
	})
}

func (t *tx) lockSyndicator(ctx context.Context, id int) (*ent.Syndicator, error) {
	row, err := t.Syndicator.Query().Where(syndicator.ID(id), locked).Only(ctx)
	return row, missing(err, "syndicator")
}
