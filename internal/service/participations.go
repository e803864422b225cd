package service

import (
	"context"
	"slices"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/participation"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

// Participations are syndicators' parts of deals. They are plans until the deal funds, which books them; until the terms of
// the deal freeze they can be changed.
type Participations struct{ *core }

// ParticipationTerms are what holds between the house and a syndicator in one deal; those of the syndicator unless given.
type ParticipationTerms struct {
	ManagementFeeBasis    Opt[participation.ManagementFeeBasis] `json:"managementFeeBasis"`
	ManagementFeePercent  Opt[money.Rate]                       `json:"managementFeePercent" check:"gte=0,lte=100000000" doc:"In per cent of the basis"`
	CAFRecognition        Opt[participation.CafRecognition]     `json:"cafRecognition" need:"value" doc:"When the house takes its charges"`
	ProfitAccrual         Opt[participation.ProfitAccrual]      `json:"profitAccrual" need:"value" doc:"Whether each dollar carries profit, or only those after the cost is back"`
	ProfitSplitPercent    Opt[money.Rate]                       `json:"profitSplitPercent" check:"gte=0,lte=100000000" doc:"The syndicator's part of the profit, in per cent"`
	ParticipatesInBankFee Opt[bool]                             `json:"participatesInBankFee"`
	FrontsCommission      Opt[bool]                             `json:"frontsCommission" need:"value" doc:"Bears a share of the commission"`
	LossProtected         Opt[bool]                             `json:"lossProtected" need:"value" doc:"The house bears the syndicator's part of a loss"`
}

// NewParticipation is what a participation is made of.
type NewParticipation struct {
	DealID       Opt[int]        `json:"dealId" check:"gte=1" need:"create" doc:"Deal that is shared; it has to be priced"`
	SyndicatorID Opt[int]        `json:"syndicatorId" check:"gte=1" need:"create"`
	Percent      Opt[money.Rate] `json:"percent" check:"gt=0,lte=100000000" need:"create" doc:"Share of the deal, in per cent"`
	ParticipationTerms
}

// ParticipationUpdate is what a caller changes of a participation.
type ParticipationUpdate struct {
	Percent Opt[money.Rate] `json:"percent" check:"gt=0,lte=100000000" need:"value" doc:"Share of the deal, in per cent"`
	ParticipationTerms
}

// OfDeals lists the participations of each of the deals, in the order in which they were made.
func (s Participations) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Participation, error) {
	return listOfEach(ctx, through, participation.FieldDealID, ids, s.store.Reader().Participation.Query())
}

// OfSyndicators lists the participations of each of the syndicators, in the order in which they were made.
func (s Participations) OfSyndicators(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Participation, error) {
	return listOfEach(ctx, through, participation.FieldSyndicatorID, ids, s.store.Reader().Participation.Query())
}

// Create gives a syndicator a part of a deal that is priced and whose terms are not frozen. A syndicator who has a part
// already or is not active, and parts of more than the whole, are conflicts; what else the funding will not pass, a limit
// or a wallet that is short, Problems tells.
func (s Participations) Create(ctx context.Context, in NewParticipation) (*ent.Participation, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (*ent.Participation, error) {
		if err := t.require(ctx, reference{"dealId", "Deal", in.DealID.Ptr()},
			reference{"syndicatorId", "Syndicator", in.SyndicatorID.Ptr()}); err != nil {
			return nil, err
		}
		d, err := t.lockDeal(ctx, in.DealID.Or(0))
		if err != nil {
			return nil, err
		}
		if err := mayShare(d); err != nil {
			return nil, err
		}
		made, err := t.participate(ctx, d, in)
		if err != nil {
			return nil, err
		}
		if made, err = t.priced(ctx, d, made); err != nil {
			return nil, err
		}
		t.record("participation.create", "participation", made.ID, &d.ID, nil, made)
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
func (t *tx) participate(ctx context.Context, d *ent.Deal, in NewParticipation) (*ent.Participation, error) {
	terms, err := t.Syndicator.Get(ctx, in.SyndicatorID.Or(0))
	if err != nil {
		return nil, missing(err, "syndicator")
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
	if err := setColumns(create.Mutation(), columnsOf(in, nil, t.zone())); err != nil {
		return nil, err
	}
	return create.Save(ctx)
}

// lockParticipation finds a participation with its deal, and locks both.
func (t *tx) lockParticipation(ctx context.Context, id int) (*ent.Deal, *ent.Participation, error) {
	dealID, err := t.Participation.Query().Where(participation.ID(id)).Select(participation.FieldDealID).Int(ctx)
	if err != nil {
		return nil, nil, missing(err, "participation")
	}
	d, err := t.lockDeal(ctx, dealID)
	if err != nil {
		return nil, nil, err
	}
	row, err := t.Participation.Query().Where(participation.ID(id), locked).Only(ctx)
	return d, row, missing(err, "participation")
}

// Update changes a participation of a deal whose terms are not frozen.
func (s Participations) Update(ctx context.Context, id int, in ParticipationUpdate) (*ent.Participation, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (*ent.Participation, error) {
		d, before, err := t.lockParticipation(ctx, id)
		if err != nil {
			return nil, err
		}
		changes := columnsOf(in, before, t.zone())
		if len(changes) == 0 {
			return before, nil
		}
		if err := mayShare(d); err != nil {
			return nil, err
		}
		after, err := t.saveParticipation(ctx, before, changes)
		if err != nil {
			return nil, err
		}
		if after, err = t.priced(ctx, d, after); err != nil {
			return nil, err
		}
		t.record("participation.update", "participation", id, &d.ID, before, after)
		return after, nil
	})
}

func (t *tx) saveParticipation(ctx context.Context, before *ent.Participation, changes []columnChange) (*ent.Participation, error) {
	update := t.Participation.Update().Where(participation.ID(before.ID))
	return stored(ctx, t, before, changes, update.Mutation(), update.Save)
}

// Delete takes a syndicator's part of a deal away, until the terms of the deal freeze.
func (s Participations) Delete(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("syndicators"), func(ctx context.Context, t *tx) (int, error) {
		d, before, err := t.lockParticipation(ctx, id)
		if err != nil {
			return 0, err
		}
		if err := mayShare(d); err != nil {
			return 0, err
		}
		if err := t.Participation.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, err
		}
		t.record("participation.delete", "participation", id, &d.ID, before, nil)
		facts, err := t.ledgerFacts(ctx, d)
		if err != nil {
			return 0, err
		}
		return id, t.priceParticipations(ctx, d.ID, facts.Stakes())
	})
}

// repriced has what was agreed on for a deal's funded amount follow a change of it: the amounts of the parts, and the first
// draw of a line of credit, whose limit has to suffice.
func (t *tx) repriced(ctx context.Context, before, after *ent.Deal) error {
	if after.FundedAmount == nil || equalValues(nullable(before.FundedAmount), *after.FundedAmount) {
		return nil
	}
	facts, err := t.ledgerFacts(ctx, after)
	if err != nil {
		return err
	}
	if err := t.priceParticipations(ctx, after.ID, facts.Stakes()); err != nil {
		return err
	}
	return t.repriceLine(ctx, after)
}

// priceParticipations stores what each part of a deal costs: the amounts of the parts add up to the cent, so that one of
// them may differ by a cent from its percentage.
func (t *tx) priceParticipations(ctx context.Context, dealID int, stakes []ledger.Stake) error {
	rows, err := t.Participation.Query().Where(participation.DealID(dealID), locked).Order(participation.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range rows {
		cost := costOf(stakes, p)
		if cost.Equal(p.Amount) {
			continue
		}
		changed, err := t.saveParticipation(ctx, p, []columnChange{{participation.FieldAmount, cost}})
		if err != nil {
			return err
		}
		alsoChanged(t, "participation", p, changed)
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
func (t *tx) priced(ctx context.Context, d *ent.Deal, p *ent.Participation) (*ent.Participation, error) {
	facts, err := t.ledgerFacts(ctx, d)
	if err != nil {
		return nil, err
	}
	if f := fault.As(facts.Check()); f != nil {
		return nil, f.With("percent", "leaves nothing for others: the parts come to more than the whole")
	}
	stakes := facts.Stakes()
	if cost := costOf(stakes, p); !cost.Equal(p.Amount) {
		if p, err = t.saveParticipation(ctx, p, []columnChange{{participation.FieldAmount, cost}}); err != nil {
			return nil, err
		}
	}
	return p, t.priceParticipations(ctx, d.ID, stakes)
}

// ParticipationProblems are, by deal, what the funding of each of the deals will not pass about its parts, in sentences for
// people: more than the whole, more than a syndicator's limit, less in a wallet than the part costs. A wallet is judged
// for each deal by itself; funding judges it anew.
func (s Deals) ParticipationProblems(ctx context.Context, through auth.Scope, ids []int) (map[int][]string, error) {
	actor, err := permit(ctx, through)
	if err != nil {
		return nil, err
	}
	reader := s.store.Reader()
	rows, err := reader.Participation.Query().Where(participation.DealIDIn(ids...)).WithSyndicator().WithDeal(func(q *ent.DealQuery) {
		q.Where(entdeal.StateIn(deal.Inception, deal.Submitted, deal.Prefunded))
	}).Order(participation.BySyndicatorID(), participation.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	of := map[int][]*ent.Participation{}
	var syndicators []int
	for _, p := range rows {
		if p.Edges.Deal != nil && p.Edges.Deal.FundedAmount != nil {
			of[p.DealID] = append(of[p.DealID], p)
			syndicators = append(syndicators, p.SyndicatorID)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	wallets, err := s.store.PartySums(ctx, actor.TenantID, syndicators)
	if err != nil {
		return nil, err
	}
	problems := map[int][]string{}
	for id, parts := range of {
		facts := factsOfDeal(parts[0].Edges.Deal, zoneOf(actor))
		named := map[int]*ent.Syndicator{}
		for _, p := range parts {
			facts.Participants = append(facts.Participants, participantOf(p))
			named[p.SyndicatorID] = p.Edges.Syndicator
		}
		if f := fault.As(facts.Check()); f != nil {
			problems[id] = []string{f.Message}
			continue
		}
		for _, stake := range facts.Stakes() {
			have := balancesOf(wallets[stake.SyndicatorID]).Of(ledger.SyndicatorWallet).Neg()
			problems[id] = append(problems[id], stakeProblems(named[stake.SyndicatorID], stake, have)...)
		}
	}
	return problems, nil
}
