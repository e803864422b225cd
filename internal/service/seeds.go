package service

import (
	"context"
	"maps"

	"paydown/ent"
	"paydown/ent/auditentry"
	entdeal "paydown/ent/deal"
	"paydown/ent/iso"
	"paydown/ent/merchant"
	"paydown/ent/merchantstatus"
	"paydown/ent/renewalopportunity"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// Seeds make what the demo's portfolio has and what no service makes yet: contacts, a broker's papers, wallets,
// participations, renewals. Each call is one audited write, booked like any other, and only an operator may make it.
// Where a service comes to do one of these for its callers, the seed goes.
type Seeds struct{ *core }

// seed runs one write of an operator.
func seed[T any](ctx context.Context, c *core, work func(context.Context, *tx) (T, error)) (T, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind != auth.ByOperator {
		var none T
		return none, fault.New(fault.Forbidden, "Only an operator seeds records.")
	}
	return transact(ctx, c, actor, work)
}

// Mark adds to the settings of the actor's tenant.
func (s Seeds) Mark(ctx context.Context, settings map[string]string) error {
	_, err := seed(ctx, s.core, func(ctx context.Context, t *tx) (*ent.Tenant, error) {
		before, err := t.Tenant.Query().Where(tenant.ID(t.actor.TenantID), locked).Only(ctx)
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
		t.record("tenant.update", "tenant", before.ID, nil, before, after)
		return after, t.directoryChanged(ctx)
	})
	return err
}

// Written finds the writes of the actor's tenant whose request id begins with the prefix: the record that each is about,
// by request id.
func (s Seeds) Written(ctx context.Context, prefix string) (map[string]int, error) {
	rows, err := s.store.Reader().AuditEntry.Query().Where(auditentry.RequestIDHasPrefix(prefix)).
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
	rows, err := s.store.Reader().BounceCode.Query().All(ctx)
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
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.lockMerchant(ctx, merchantID)
		if err != nil {
			return 0, err
		}
		for _, p := range people {
			made, err := t.addContact(ctx, merchantID, MerchantContactInput{
				FirstName: Some(p.FirstName), LastName: Some(p.LastName), Title: Some(p.Title), Email: Some(p.Email),
				Phone: Some(p.Phone), SSN: Some(p.SSN), OwnershipPct: Some(p.OwnershipPct),
				IsGuarantor: Some(p.Guarantor), IsPrimary: Some(p.Primary),
			})
			if err != nil {
				return 0, err
			}
			alsoMade(t, "merchantContact", made)
		}
		return merchantID, t.label(ctx, before, label)
	})
}

// Label gives a merchant one of the tenant's labels.
func (s Seeds) Label(ctx context.Context, merchantID int, label string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.lockMerchant(ctx, merchantID)
		if err != nil {
			return 0, err
		}
		return merchantID, t.label(ctx, before, label)
	})
}

func (t *tx) label(ctx context.Context, before *ent.Merchant, label string) error {
	status, err := t.MerchantStatus.Query().Where(merchantstatus.Name(label)).Only(ctx)
	if err != nil {
		return missing(err, "merchant status")
	}
	if before.MerchantStatusID != nil && *before.MerchantStatusID == status.ID {
		return nil
	}
	update := t.Merchant.Update().Where(merchant.ID(before.ID))
	changes := []columnChange{{merchant.FieldMerchantStatusID, status.ID}}
	after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		t.record("merchant.update", "merchant", before.ID, nil, before, after)
	}
	return err
}

// BrokerPapers notes that all papers of an ISO are there, its signed agreement among them.
func (s Seeds) BrokerPapers(ctx context.Context, isoID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.lockISO(ctx, isoID)
		if err != nil {
			return 0, err
		}
		update := t.ISO.Update().Where(iso.ID(isoID))
		after, err := stored(ctx, t, before, []columnChange{
			{iso.FieldAgreementSignedAt, t.At()},
			{iso.FieldIDOnFileAt, t.At()},
			{iso.FieldVoidedCheckAt, t.At()},
			{iso.FieldW9OnFileAt, t.At()},
		}, update.Mutation(), update.Save)
		if err == nil {
			t.record("iso.update", "iso", isoID, nil, before, after)
		}
		return isoID, err
	})
}

// Deposit books what a syndicator has paid into the wallet.
func (s Seeds) Deposit(ctx context.Context, syndicatorID int, amount money.Amount) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		if _, err := t.lockSyndicator(ctx, syndicatorID); err != nil {
			return 0, err
		}
		if err := t.moveWallet(ctx, syndicatorID, amount, nil); err != nil {
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
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		if d.State.Live() || d.FundedAmount == nil {
			return 0, fault.Conflictf("A deal is syndicated between its pricing and its funding.")
		}
		for _, share := range shares {
			made, err := t.participate(ctx, d, NewParticipation{
				DealID: Some(dealID), SyndicatorID: Some(share.SyndicatorID), Percent: Some(share.Percent),
			})
			if err != nil {
				return 0, err
			}
			alsoMade(t, "participation", made)
		}
		t.record("deal.syndicate", "deal", dealID, &dealID, nil, nil)
		return dealID, nil
	})
}

// Renew says that a deal which is not funded yet renews another of the merchant's: funding it will pay that one off.
func (s Seeds) Renew(ctx context.Context, dealID, priorID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		prior, err := t.lockDeal(ctx, priorID)
		if err != nil {
			return 0, err
		}
		before, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		if before.State.TermsFrozen() || prior.State != deal.Funded || prior.MerchantID != before.MerchantID {
			return 0, fault.Conflictf("Deal %s cannot renew deal %s.", before.DealNumber, prior.DealNumber)
		}
		after, err := t.saveDeal(ctx, before, []columnChange{
			{entdeal.FieldIsRenewal, true}, {entdeal.FieldRenewedFromDealID, priorID},
		})
		if err == nil {
			t.record("deal.update", "deal", dealID, &dealID, before, after)
		}
		return dealID, err
	})
}

// Opportunity notes that a funded deal can be renewed, or where that stands by now.
func (s Seeds) Opportunity(ctx context.Context, dealID int, status renewalopportunity.Status) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		if d.State != deal.Funded {
			return 0, fault.Conflictf("Only a funded deal can be renewed.")
		}
		c := &candidate{deal: d}
		if err := t.gatherCandidates(ctx, []int{dealID}, map[int]*candidate{dealID: c}); err != nil {
			return 0, err
		}
		made, err := t.openOpportunity(ctx, c)
		if err != nil {
			return 0, err
		}
		if status != renewalopportunity.StatusELIGIBLE {
			changes := []columnChange{{renewalopportunity.FieldStatus, status}}
			if status == renewalopportunity.StatusDISMISSED {
				changes = append(changes, columnChange{renewalopportunity.FieldClosedAt, t.At()})
			}
			update := t.RenewalOpportunity.Update().Where(renewalopportunity.ID(made.ID))
			if made, err = stored(ctx, t, made, changes, update.Mutation(), update.Save); err != nil {
				return 0, err
			}
		}
		t.record("renewal.create", "renewalOpportunity", made.ID, &dealID, nil, made)
		return made.ID, nil
	})
}
