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

// Participations are syndicators' parts of deals. They are plans until the deal funds, which books them; until the terms of
// the deal freeze they can be changed.
type Participations struct{ core *unit.Core }

// ParticipationTerms are what holds between the house and a syndicator in one deal; those of the syndicator unless given.
type ParticipationTerms struct {
	ManagementFeeBasis    input.Opt[participation.ManagementFeeBasis] `json:"managementFeeBasis"`
	ManagementFeePercent  input.Opt[money.Rate]                       `json:"managementFeePercent" check:"gte=0,lte=100000000" doc:"In per cent of the basis"`
	CAFRecognition        input.Opt[participation.CafRecognition]     `json:"cafRecognition" need:"value" doc:"When the house takes its charges"`
	ProfitAccrual         input.Opt[participation.ProfitAccrual]      `json:"profitAccrual" need:"value" doc:"Whether each dollar carries profit, or only those after the cost is back"`
	ProfitSplitPercent    input.Opt[money.Rate]                       `json:"profitSplitPercent" check:"gte=0,lte=100000000" doc:"The syndicator's part of the profit, in per cent"`
	ParticipatesInBankFee input.Opt[bool]                             `json:"participatesInBankFee"`
	FrontsCommission      input.Opt[bool]                             `json:"frontsCommission" need:"value" doc:"Bears a share of the commission"`
	LossProtected         input.Opt[bool]                             `json:"lossProtected" need:"value" doc:"The house bears the syndicator's part of a loss"`
}

// NewParticipation is what a participation is made of.
type NewParticipation struct {
	DealID       input.Opt[int]        `json:"dealId" check:"gte=1" need:"create" doc:"Deal that is shared; it has to be priced"`
	SyndicatorID input.Opt[int]        `json:"syndicatorId" check:"gte=1" need:"create"`
	Percent      input.Opt[money.Rate] `json:"percent" check:"gt=0,lte=100000000" need:"create" doc:"Share of the deal, in per cent"`
	ParticipationTerms
}

// ParticipationUpdate is what a caller changes of a participation.
type ParticipationUpdate struct {
	Percent input.Opt[money.Rate] `json:"percent" check:"gt=0,lte=100000000" need:"value" doc:"Share of the deal, in per cent"`
	ParticipationTerms
}

// OfDeals lists the participations of each of the deals, in the order in which they were made.
func (s Participations) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Participation, error) {
	return list.ReadOfEach(ctx, through, participation.FieldDealID, ids, s.core.Store.Reader().Participation.Query())
}

// OfSyndicators lists the participations of each of the syndicators, in the order in which they were made.
func (s Participations) OfSyndicators(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Participation, error) {
	return list.ReadOfEach(ctx, through, participation.FieldSyndicatorID, ids, s.core.Store.Reader().Participation.Query())
}

// Create gives a syndicator a part of a deal that is priced and whose terms are not frozen. A syndicator who has a part
// already or is not active, and parts of more than the whole, are conflicts; what else the funding will not pass, a limit
// or a wallet that is short, Problems tells.
func (s Participations) Create(ctx context.Context, in NewParticipation) (*ent.Participation, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *unit.Tx) (*ent.Participation, error) {
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
		made, err := participate(ctx, t, d, in)
		if err != nil {
			return nil, err
		}
		if made, err = priced(ctx, t, d, made); err != nil {
			return nil, err
		}
		t.Record("participation.create", "participation", made.ID, &d.ID, nil, made)
		return made, nil
	})
}

// mayShare refuses to change the parts of a deal that is not priced, or past its approval.
func mayShare(d *ent.Deal) error {
	if d.State.TermsFrozen() {
		return fault.Conflictf("The parts of a deal in %s no longer change.", d.State).With("dealId", "names a deal that is %s", d.State)
	}
	if d.FundedAmount == nil {
		return fault.Conflictf("A deal is shared once it is priced.").With("dealId", "names a deal without fundedAmount")
	}
	return nil
}

// participate stores a syndicator's part of a deal, on the terms of the syndicator where the input has none.
func participate(ctx context.Context, t *unit.Tx, d *ent.Deal, in NewParticipation) (*ent.Participation, error) {
	terms, err := t.Syndicator.Get(ctx, in.SyndicatorID.Or(0))
	if err != nil {
		return nil, unit.NotFound(err, "syndicator")
	}
	if !terms.IsActive {
		return nil, fault.Conflictf("%s is not active.", terms.Name).With("syndicatorId", "names a syndicator who is not active")
	}
	taken, err := t.Participation.Query().
		Where(participation.DealID(d.ID), participation.SyndicatorID(terms.ID)).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if taken {
		return nil, fault.Conflictf("%s has a part of the deal already.", terms.Name).With("syndicatorId", "has a part of the deal")
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

// lockParticipation finds a participation with its deal, and locks both.
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

// Update changes a participation of a deal whose terms are not frozen.
func (s Participations) Update(ctx context.Context, id int, in ParticipationUpdate) (*ent.Participation, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *unit.Tx) (*ent.Participation, error) {
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

func saveParticipation(ctx context.Context, t *unit.Tx, before *ent.Participation, changes []input.Change) (*ent.Participation, error) {
	update := t.Participation.Update().Where(participation.ID(before.ID))
	return unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
}

// Delete takes a syndicator's part of a deal away, until the terms of the deal freeze.
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

// PriceParticipations stores what each part of a deal costs: the amounts of the parts add up to the cent, so that one of
// them may differ by a cent from its percentage.
func PriceParticipations(ctx context.Context, t *unit.Tx, dealID int, stakes []ledger.Stake) error {
	rows, err := t.Participation.Query().Where(participation.DealID(dealID), unit.Locked).Order(participation.ByID()).All(ctx)
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

// costOf is what a part of a deal costs.
func costOf(stakes []ledger.Stake, p *ent.Participation) money.Amount {
	at := slices.IndexFunc(stakes, func(s ledger.Stake) bool { return s.SyndicatorID == p.SyndicatorID })
	if at < 0 {
		return p.Amount
	}
	return stakes[at].Cost
}

// priced is a part that was just made or changed, at what it costs among the parts of its deal, all of which are priced
// with it. Parts of more than the whole are refused.
func priced(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Participation) (*ent.Participation, error) {
	facts, err := books.LedgerFacts(ctx, t, d)
	if err != nil {
		return nil, err
	}
	if f := fault.As(facts.Check()); f != nil {
		return nil, f.With("percent", "leaves nothing for others: the parts come to more than the whole")
	}
	stakes := facts.Stakes()
	if cost := costOf(stakes, p); !cost.Equal(p.Amount) {
		if p, err = saveParticipation(ctx, t, p, []input.Change{input.Set(participation.FieldAmount, cost)}); err != nil {
			return nil, err
		}
	}
	return p, PriceParticipations(ctx, t, d.ID, stakes)
}
