package seeds

import (
	"context"
	"maps"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/deal"
	"paydown/ent/iso"
	"paydown/ent/merchant"
	"paydown/ent/merchantstatus"
	"paydown/ent/renewalopportunity"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/parties"
	"paydown/internal/service/payouts"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// Seeds make what the demo's portfolio has and what no service makes yet: contacts, a broker's papers, wallets,
// participations, renewals. Each call is one audited write, booked like any other, and only an operator may make it.
// Where a service comes to do one of these for its callers, the seed goes.
type Seeds struct{ core *unit.Core }

// seed runs one write of an operator.
func seed[T any](ctx context.Context, c *unit.Core, work func(context.Context, *unit.Tx) (T, error)) (T, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind != auth.ByOperator {
		var none T
		return none, fault.New(fault.Forbidden, "Only an operator seeds records.")
	}
	return unit.Transact(ctx, c, actor, work)
}

// Mark adds to the settings of the actor's tenant.
func (s Seeds) Mark(ctx context.Context, settings map[string]string) error {
	_, err := seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.Tenant, error) {
		before, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
		if err != nil {
			return nil, err
		}
		all := maps.Clone(before.Settings)
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, settings)
		after, err := t.Tenant.UpdateOneID(before.ID).SetSettings(all).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("tenant.update", "tenant", before.ID, nil, before, after)
		return after, identity.DirectoryChanged(ctx, t)
	})
	return err
}

// Written finds the writes of the actor's tenant whose request id begins with the prefix: the record that each is about,
// by request id.
func (s Seeds) Written(ctx context.Context, prefix string) (map[string]int, error) {
	rows, err := s.core.Store.Reader().AuditEntry.Query().Where(auditentry.RequestIDHasPrefix(prefix)).
		Order(auditentry.ByID()).Select(auditentry.FieldRequestID, auditentry.FieldEntityID).All(ctx)
	if err != nil {
		return nil, err
	}
	records := make(map[string]int, len(rows))
	for _, row := range rows {
		if _, seen := records[row.RequestID]; !seen { // what follows the first are its consequences
			records[row.RequestID] = row.EntityID
		}
	}
	return records, nil
}

// ReturnCodes are the ids of the tenant's NACHA return codes.
func (s Seeds) ReturnCodes(ctx context.Context) (map[string]int, error) {
	rows, err := s.core.Store.Reader().BounceCode.Query().All(ctx)
	if err != nil {
		return nil, err
	}
	ids := make(map[string]int, len(rows))
	for _, row := range rows {
		ids[row.Code] = row.ID
	}
	return ids, nil
}

// SeedContact is a person at a merchant.
type SeedContact struct {
	FirstName, LastName, Title, Email, Phone, SSN string
	OwnershipPct                                  money.Rate
	Guarantor, Primary                            bool
}

// Contacts adds people to a merchant, and gives it one of the tenant's labels.
func (s Seeds) Contacts(ctx context.Context, merchantID int, label string, people []SeedContact) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := parties.LockMerchant(ctx, t, merchantID)
		if err != nil {
			return 0, err
		}
		for _, p := range people {
			made, err := parties.AddContact(ctx, t, merchantID, parties.MerchantContactInput{
				FirstName: input.Some(p.FirstName), LastName: input.Some(p.LastName), Title: input.Some(p.Title), Email: input.Some(p.Email),
				Phone: input.Some(p.Phone), SSN: input.Some(p.SSN), OwnershipPct: input.Some(p.OwnershipPct),
				IsGuarantor: input.Some(p.Guarantor), IsPrimary: input.Some(p.Primary),
			})
			if err != nil {
				return 0, err
			}
			unit.AlsoCreated(t, "merchantContact", made)
		}
		return merchantID, setLabel(ctx, t, before, label)
	})
}

// Label gives a merchant one of the tenant's labels.
func (s Seeds) Label(ctx context.Context, merchantID int, label string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := parties.LockMerchant(ctx, t, merchantID)
		if err != nil {
			return 0, err
		}
		return merchantID, setLabel(ctx, t, before, label)
	})
}

func setLabel(ctx context.Context, t *unit.Tx, before *ent.Merchant, label string) error {
	status, err := t.MerchantStatus.Query().Where(merchantstatus.Name(label)).Only(ctx)
	if err != nil {
		return unit.NotFound(err, "merchant status")
	}
	if before.MerchantStatusID != nil && *before.MerchantStatusID == status.ID {
		return nil
	}
	update := t.Merchant.Update().Where(merchant.ID(before.ID))
	changes := []input.Change{input.Set(merchant.FieldMerchantStatusID, status.ID)}
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		t.Record("merchant.update", "merchant", before.ID, nil, before, after)
	}
	return err
}

// BrokerPapers notes that all papers of an ISO are there, its signed agreement among them.
func (s Seeds) BrokerPapers(ctx context.Context, isoID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := parties.LockISO(ctx, t, isoID)
		if err != nil {
			return 0, err
		}
		update := t.ISO.Update().Where(iso.ID(isoID))
		after, err := unit.Store(ctx, t, before, []input.Change{
			input.Set(iso.FieldAgreementSignedAt, t.At()),
			input.Set(iso.FieldIDOnFileAt, t.At()),
			input.Set(iso.FieldVoidedCheckAt, t.At()),
			input.Set(iso.FieldW9OnFileAt, t.At()),
		}, update.Mutation(), update.Save)
		if err == nil {
			t.Record("iso.update", "iso", isoID, nil, before, after)
		}
		return isoID, err
	})
}

// Deposit books what a syndicator has paid into the wallet.
func (s Seeds) Deposit(ctx context.Context, syndicatorID int, amount money.Amount) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		if _, err := parties.LockSyndicator(ctx, t, syndicatorID); err != nil {
			return 0, err
		}
		if err := parties.MoveWallet(ctx, t, syndicatorID, amount, nil); err != nil {
			return 0, err
		}
		return syndicatorID, nil
	})
}

// SeedShare is a syndicator's part of a deal, in per cent.
type SeedShare struct {
	SyndicatorID int
	Percent      money.Rate
}

// Participate gives syndicators their parts of a deal that is not funded yet, on the terms that hold for each.
func (s Seeds) Participate(ctx context.Context, dealID int, shares []SeedShare) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		if d.State.Live() || d.FundedAmount == nil {
			return 0, fault.Conflictf("A deal is syndicated between its pricing and its funding.")
		}
		for _, share := range shares {
			made, err := payouts.Participate(ctx, t, d, payouts.NewParticipation{
				DealID: input.Some(dealID), SyndicatorID: input.Some(share.SyndicatorID), Percent: input.Some(share.Percent),
			})
			if err != nil {
				return 0, err
			}
			unit.AlsoCreated(t, "participation", made)
		}
		t.Record("deal.syndicate", "deal", dealID, &dealID, nil, nil)
		return dealID, nil
	})
}

// Renew says that a deal which is not funded yet renews another of the merchant's: funding it will pay that one off.
func (s Seeds) Renew(ctx context.Context, dealID, priorID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		prior, err := books.LockDeal(ctx, t, priorID)
		if err != nil {
			return 0, err
		}
		before, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		if before.State.TermsFrozen() || prior.State != deal.Funded || prior.MerchantID != before.MerchantID {
			return 0, fault.Conflictf("Deal %s cannot renew deal %s.", before.DealNumber, prior.DealNumber)
		}
		after, err := servicing.SaveDeal(ctx, t, before, []input.Change{
			input.Set(entdeal.FieldIsRenewal, true), input.Set(entdeal.FieldRenewedFromDealID, priorID),
		})
		if err == nil {
			t.Record("deal.update", "deal", dealID, &dealID, before, after)
		}
		return dealID, err
	})
}

// Opportunity notes that a funded deal can be renewed, or where that stands by now.
func (s Seeds) Opportunity(ctx context.Context, dealID int, status renewalopportunity.Status) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		if d.State != deal.Funded {
			return 0, fault.Conflictf("Only a funded deal can be renewed.")
		}
		c := &servicing.Candidate{Deal: d}
		if err := servicing.GatherCandidates(ctx, t, []int{dealID}, map[int]*servicing.Candidate{dealID: c}); err != nil {
			return 0, err
		}
		made, err := servicing.OpenOpportunity(ctx, t, c)
		if err != nil {
			return 0, err
		}
		if status != renewalopportunity.StatusELIGIBLE {
			changes := []input.Change{input.Set(renewalopportunity.FieldStatus, status)}
			if status == renewalopportunity.StatusDISMISSED {
				changes = append(changes, input.Set(renewalopportunity.FieldClosedAt, t.At()))
			}
			update := t.RenewalOpportunity.Update().Where(renewalopportunity.ID(made.ID))
			if made, err = unit.Store(ctx, t, made, changes, update.Mutation(), update.Save); err != nil {
				return 0, err
			}
		}
		t.Record("renewal.create", "renewalOpportunity", made.ID, &dealID, nil, made)
		return made.ID, nil
	})
}
