package payouts

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/participation"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Participations is the aggregate of syndicators' participations in deals. A participation can be changed until
// the deal's terms freeze; it is posted when the deal funds.
type Participations struct{ core *unit.Core }

// ParticipationTerms are the terms between the tenant and a syndicator in one deal; by default the syndicator's
// own.
type ParticipationTerms struct {
	ManagementFeeBasis    input.Opt[participation.ManagementFeeBasis] `json:"managementFeeBasis"`
	ManagementFeePercent  input.Opt[money.Rate]                       `json:"managementFeePercent" check:"gte=0,lte=100000000" doc:"Percentage of the basis"`
	CAFRecognition        input.Opt[participation.CafRecognition]     `json:"cafRecognition" need:"value" doc:"When the tenant takes its charges"`
	ProfitAccrual         input.Opt[participation.ProfitAccrual]      `json:"profitAccrual" need:"value" doc:"Whether each dollar includes profit, or only those after the cost is recovered"`
	ProfitSplitPercent    input.Opt[money.Rate]                       `json:"profitSplitPercent" check:"gte=0,lte=100000000" doc:"The syndicator's percentage of the profit"`
	ParticipatesInBankFee input.Opt[bool]                             `json:"participatesInBankFee"`
	FrontsCommission      input.Opt[bool]                             `json:"frontsCommission" need:"value" doc:"Bears a share of the commission"`
	LossProtected         input.Opt[bool]                             `json:"lossProtected" need:"value" doc:"The tenant bears the syndicator's share of a loss"`
}

// NewParticipation is the input for creating a participation.
type NewParticipation struct {
	DealID       input.Opt[int]        `json:"dealId" check:"gte=1" need:"create" doc:"Deal to participate in; it must be priced"`
	SyndicatorID input.Opt[int]        `json:"syndicatorId" check:"gte=1" need:"create"`
	Percent      input.Opt[money.Rate] `json:"percent" check:"gt=0,lte=100000000" need:"create" doc:"Percentage of the deal"`
	ParticipationTerms
}

// ParticipationUpdate is the input for updating a participation.
type ParticipationUpdate struct {
	Percent input.Opt[money.Rate] `json:"percent" check:"gt=0,lte=100000000" need:"value" doc:"Percentage of the deal"`
	ParticipationTerms
}

// OfDeals lists the participations of each deal, in creation order.
func (s Participations) OfDeals(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.Participation, error) {
	return list.ReadOfEach(ctx, through, participation.FieldDealID, ids, s.core.Store.Reader().Participation.Query())
}

// OfSyndicators lists the participations of each syndicator, in creation order.
func (s Participations) OfSyndicators(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.Participation, error) {
	return list.ReadOfEach(ctx, through, participation.FieldSyndicatorID, ids, s.core.Store.Reader().Participation.Query())
}

// Create adds a syndicator to a priced deal whose terms are not frozen. It is a conflict if the syndicator
// already participates or is not active, or if more than 100% of the deal would be sold.
// Deals.ParticipationProblems reports what else would block funding: a limit, or too little in a wallet.
func (s Participations) Create(ctx context.Context, in NewParticipation) (*ent.Participation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Participation, error) {
		if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
			unit.Reference{Path: "syndicatorId", Record: "Syndicator", ID: in.SyndicatorID.Ptr()}); err != nil {
			return nil, err
		}
		d, err := books.LockDeal(ctx, t, in.DealID.Or(0))
		if err != nil {
			return nil, err
		}
		if err := mayShare(d); err != nil {
			return nil, err
		}
		created, err := participate(ctx, t, d, in)
		if err != nil {
			return nil, err
		}
		if created, err = priced(ctx, t, d, created); err != nil {
			return nil, err
		}
		t.Record("participation.create", "participation", created.ID, &d.ID, nil, created)
		return created, nil
	})
}

// mayShare rejects a change of participations in a deal that is not priced or is past approval.
func mayShare(d *ent.Deal) error {
	if d.State.TermsFrozen() {
		return fault.Conflictf("The participations of a deal in %s are frozen.", d.State).
			With("dealId", "must not name a deal that is %s", d.State)
	}
	if d.FundedAmount == nil {
		return fault.Conflictf("A deal must be priced before it can have participations.").
			With("dealId", "must name a deal with fundedAmount")
	}
	return nil
}

// participate stores a syndicator's participation in a deal. Terms that the input does not set come from the
// syndicator.
func participate(ctx context.Context, t *unit.Tx, d *ent.Deal, in NewParticipation) (*ent.Participation, error) {
	terms, err := t.Syndicator.Get(ctx, in.SyndicatorID.Or(0))
	if err != nil {
		return nil, unit.NotFound(err, "syndicator")
	}
	if !terms.IsActive {
		return nil, fault.Conflictf("%s is not active.", terms.Name).
			With("syndicatorId", "must name an active syndicator")
	}
	taken, err := t.Participation.Query().
		Where(participation.DealID(d.ID), participation.SyndicatorID(terms.ID)).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if taken {
		return nil, fault.Conflictf("%s already participates in the deal.", terms.Name).
			With("syndicatorId", "must name a syndicator without a participation in the deal")
	}
	create := t.Participation.Create().SetAmount(d.FundedAmount.Percent(in.Percent.Or(money.Rate{}))).
		SetNillableManagementFeePercent(terms.ManagementFeePercent).
		SetCafRecognition(participation.CafRecognition(terms.CafRecognition)).
		SetProfitAccrual(participation.ProfitAccrual(terms.ProfitAccrual)).
		SetNillableProfitSplitPercent(terms.ProfitSplitPercent).
		SetNillableParticipatesInBankFee(terms.ParticipatesInBankFee).
		SetFrontsCommission(terms.FrontsCommission).SetLossProtected(terms.LossProtected)
	if terms.ManagementFeeBasis != nil {
		create.SetManagementFeeBasis(participation.ManagementFeeBasis(*terms.ManagementFeeBasis))
	}
	if err := input.SetColumns(create.Mutation(), input.ChangesOf(in, nil, t.Zone())); err != nil {
		return nil, err
	}
	return create.Save(ctx)
}

// lockParticipation finds and locks a participation and its deal.
func lockParticipation(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.Participation, error) {
	dealID, err := t.Participation.Query().Where(participation.ID(id)).Select(participation.FieldDealID).Int(ctx)
	if err != nil {
		return nil, nil, unit.NotFound(err, "participation")
	}
	d, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return nil, nil, err
	}
	row, err := t.Participation.Query().Where(participation.ID(id), unit.Locked).Only(ctx)
	return d, row, unit.NotFound(err, "participation")
}

// Update changes a participation in a deal whose terms are not frozen.
func (s Participations) Update(ctx context.Context, id int, in ParticipationUpdate) (*ent.Participation, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Participation, error) {
		d, before, err := lockParticipation(ctx, t, id)
		if err != nil {
			return nil, err
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if len(changes) == 0 {
			return before, nil
		}
		if err := mayShare(d); err != nil {
			return nil, err
		}
		after, err := saveParticipation(ctx, t, before, changes)
		if err != nil {
			return nil, err
		}
		if after, err = priced(ctx, t, d, after); err != nil {
			return nil, err
		}
		t.Record("participation.update", "participation", id, &d.ID, before, after)
		return after, nil
	})
}

func saveParticipation(
	ctx context.Context, t *unit.Tx, before *ent.Participation, changes []input.Change,
) (*ent.Participation, error) {
	update := t.Participation.Update().Where(participation.ID(before.ID))
	return unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
}

// Delete deletes a participation in a deal whose terms are not frozen.
func (s Participations) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *unit.Tx) (int, error) {
		d, before, err := lockParticipation(ctx, t, id)
		if err != nil {
			return 0, err
		}
		if err := mayShare(d); err != nil {
			return 0, err
		}
		if err := t.Participation.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, err
		}
		t.Record("participation.delete", "participation", id, &d.ID, before, nil)
		facts, err := books.LedgerFacts(ctx, t, d)
		if err != nil {
			return 0, err
		}
		return id, PriceParticipations(ctx, t, d.ID, facts.Stakes())
	})
}

// PriceParticipations stores the cost of each participation in a deal. The costs add up to the cent, so one of
// them may differ from its percentage by a cent.
func PriceParticipations(ctx context.Context, t *unit.Tx, dealID int, stakes []ledger.Stake) error {
	rows, err := t.Participation.Query().Where(participation.DealID(dealID), unit.Locked).
		Order(participation.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range rows {
		cost := costOf(stakes, p)
		if cost.Equal(p.Amount) {
			continue
		}
		changed, err := saveParticipation(ctx, t, p, []input.Change{input.Set(participation.FieldAmount, cost)})
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "participation", p, changed)
	}
	return nil
}

// costOf returns what a participation costs.
func costOf(stakes []ledger.Stake, p *ent.Participation) money.Amount {
	at := slices.IndexFunc(stakes, func(s ledger.Stake) bool { return s.SyndicatorID == p.SyndicatorID })
	if at < 0 {
		return p.Amount
	}
	return stakes[at].Cost
}

// priced prices all participations of a deal after p was created or changed, and returns p with its cost. It
// rejects participations of more than 100% in total.
func priced(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Participation) (*ent.Participation, error) {
	facts, err := books.LedgerFacts(ctx, t, d)
	if err != nil {
		return nil, err
	}
	if f := fault.As(facts.Check()); f != nil {
		return nil, f.With("percent", "is too high: participations must not exceed 100 percent in total")
	}
	stakes := facts.Stakes()
	if cost := costOf(stakes, p); !cost.Equal(p.Amount) {
		if p, err = saveParticipation(ctx, t, p, []input.Change{input.Set(participation.FieldAmount, cost)}); err != nil {
			return nil, err
		}
	}
	return p, PriceParticipations(ctx, t, d.ID, stakes)
}
