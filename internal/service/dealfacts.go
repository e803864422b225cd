package service

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/bankaccounttoken"
	entdeal "paydown/ent/deal"
	"paydown/ent/decisionresult"
	"paydown/ent/disclosure"
	"paydown/ent/merchant"
	"paydown/ent/signaturerequest"
	"paydown/ent/stipulation"
	"paydown/ent/uccfiling"
	"paydown/internal/deal"
	rules "paydown/internal/disclosure"
	"paydown/internal/pricing"
)

// blocks are those that stand in the way of a deal's guarded move.
func (t *tx) blocks(ctx context.Context, d *ent.Deal, to deal.State) ([]deal.Block, error) {
	by, err := t.gather(ctx, d, to)
	if err != nil {
		return nil, err
	}
	return deal.Evaluate(to, by.policy, by.facts, by.overridden), nil
}

// assess are the blocks that apply to a deal's guarded move, those too that were overridden.
func (t *tx) assess(ctx context.Context, d *ent.Deal, to deal.State) ([]deal.Block, error) {
	by, err := t.gather(ctx, d, to)
	if err != nil {
		return nil, err
	}
	return deal.Assess(to, by.policy, by.facts, by.overridden), nil
}

// grounds are what blocks are judged by.
type grounds struct {
	policy     deal.Policy
	facts      deal.Facts
	overridden map[deal.BlockCode]bool
}

// gather reads from the database only what the blocks in force need.
func (t *tx) gather(ctx context.Context, d *ent.Deal, to deal.State) (*grounds, error) {
	policy, err := t.fundingPolicy(ctx)
	if err != nil {
		return nil, err
	}
	needs := policy.Needs(to)
	facts := deal.Facts{Today: t.today()}
	for _, group := range []struct {
		facts  deal.FactGroups
		gather func(context.Context, *ent.Deal, *deal.Facts) error
	}{
		{deal.FactsEconomics, t.economicsFacts},
		{deal.FactsApproval, t.approvalFacts},
		{deal.FactsStatement, t.statementFacts},
		{deal.FactsDecision, t.decisionFacts},
		{deal.FactsDefaults, t.defaultFacts},
		{deal.FactsPositions, t.positionFacts},
		{deal.FactsISO, t.isoFacts},
		{deal.FactsStipulations, t.stipulationFacts},
		{deal.FactsDisclosure, t.disclosureFacts},
		{deal.FactsContract, t.contractFacts},
		{deal.FactsBank, t.bankFacts},
		{deal.FactsUCC, t.uccFacts},
		{deal.FactsParticipations, t.participationFacts},
	} {
		if !needs.Has(group.facts) {
			continue
		}
		if err := group.gather(ctx, d, &facts); err != nil {
			return nil, fmt.Errorf("gather facts of deal %d: %w", d.ID, err)
		}
	}
	overridden, err := t.overrides(ctx, d)
	if err != nil {
		return nil, err
	}
	return &grounds{policy, facts, overridden}, nil
}

// termsHash names the deal's present terms: its economics, what kind of financing it is, and who is paid for bringing it.
func (t *tx) termsHash(d *ent.Deal) []byte {
	terms := map[string]string{entdeal.FieldProductType: string(d.ProductType)}
	if d.IsoID != nil {
		terms[entdeal.FieldIsoID] = strconv.Itoa(*d.IsoID)
	}
	for _, c := range termColumns(termsOf(d, t.zone())) {
		if c.value != nil {
			terms[c.column] = wireValue(c.value)
		}
	}
	return deal.TermsHash(terms)
}

func (t *tx) economicsFacts(_ context.Context, d *ent.Deal, f *deal.Facts) error {
	terms := termsOf(d, t.zone())
	f.MissingTerms = fieldNames(terms.Missing())
	if len(f.MissingTerms) > 0 {
		return nil
	}
	agreed := pricing.Context{Today: t.today(), TermAgreed: true}
	if _, _, problems := pricing.Derive(terms.Without(derivedOf(d)...), agreed); len(problems) > 0 {
		f.Inconsistency = problems[0].Path + " " + problems[0].Message
	}
	return nil
}

func (t *tx) approvalFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	offers, err := t.Approval.Query().
		Where(approval.DealID(d.ID), approval.StateIn(
			deal.OfferSent, deal.OfferAccepted, deal.OfferCountered, deal.OfferLapsed)).
		Order(approval.ByID(descending())).All(ctx)
	if err != nil || len(offers) == 0 {
		return err
	}
	offer := offers[0]
	for _, o := range offers {
		if o.State == deal.OfferAccepted {
			offer, f.Approval.Accepted = o, true
			break
		}
	}
	f.Approval.Expired = offer.State == deal.OfferLapsed || past(offer.ExpiresAt, t.At())
	if f.Approval.Accepted {
		f.Approval.Differing = differing(d, offer)
	}
	return nil
}

// differing names the terms in which the deal is not what was accepted. A term that the offer leaves open cannot differ.
func differing(d *ent.Deal, offer *ent.Approval) []string {
	var names []string
	for _, term := range []struct {
		name           string
		offered, terms any
	}{
		{"fundedAmount", nullable(offer.FundedAmount), nullable(d.FundedAmount)},
		{"paybackAmount", nullable(offer.PaybackAmount), nullable(d.PaybackAmount)},
		{"factorRate", nullable(offer.FactorRate), nullable(d.FactorRate)},
		{"termDays", nullable(offer.TermDays), nullable(d.TermDays)},
		{"bankFeeValue", nullable(offer.BankFeePercent), bankFeePercent(d)},
	} {
		if term.offered != nil && !equalValues(term.offered, term.terms) {
			names = append(names, term.name)
		}
	}
	return names
}

// bankFeePercent is the deal's bank fee in per cent of the funded amount; nil where it is measured otherwise.
func bankFeePercent(d *ent.Deal) any {
	if d.BankFeeBasis == nil || *d.BankFeeBasis != pricing.PercentOfFunded {
		return nil
	}
	return nullable(d.BankFeeValue)
}

func (t *tx) statementFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	latest, err := t.latestAnalysis(ctx, d.ID)
	if err != nil || latest == nil {
		return err
	}
	f.Statement = deal.StatementFacts{Present: true, Altered: latest.Altered, PeriodEnd: latest.PeriodEnd}
	return nil
}

func (t *tx) decisionFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	latest, err := t.DecisionResult.Query().Where(decisionresult.DealID(d.ID)).
		Order(decisionresult.ByID(descending())).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err == nil {
		f.Recommendation = string(latest.Recommendation)
	}
	return err
}

// sameMerchant are the other deals of the merchant, or of one with the same EIN.
func (t *tx) sameMerchant(ctx context.Context, d *ent.Deal) (*ent.DealQuery, error) {
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return nil, err
	}
	others := entdeal.MerchantID(d.MerchantID)
	if m.FederalIDDigits != nil {
		others = entdeal.Or(others, entdeal.HasMerchantWith(
			merchant.TenantID(t.actor.TenantID), merchant.FederalIDDigits(*m.FederalIDDigits)))
	}
	return t.Deal.Query().Where(others, entdeal.IDNEQ(d.ID)).Order(entdeal.ByID()), nil
}

func (t *tx) defaultFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	others, err := t.sameMerchant(ctx, d)
	if err != nil {
		return err
	}
	return others.Where(entdeal.StateEQ(deal.Defaulted)).Select(entdeal.FieldDealNumber).Scan(ctx, &f.Defaulted)
}

func (t *tx) positionFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	others, err := t.sameMerchant(ctx, d)
	if err != nil {
		return err
	}
	if d.RenewedFromDealID != nil {
		others = others.Where(entdeal.IDNEQ(*d.RenewedFromDealID))
	}
	return others.Where(entdeal.StateEQ(deal.Funded)).Select(entdeal.FieldDealNumber).Scan(ctx, &f.OpenPositions)
}

func (t *tx) isoFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	if d.IsoID == nil {
		return nil
	}
	broker, err := t.ISO.Get(ctx, *d.IsoID)
	if err != nil {
		return err
	}
	f.ISO = deal.ISOFacts{Present: true, Active: broker.IsActive, AgreementSigned: broker.AgreementSignedAt != nil}
	return nil
}

func (t *tx) stipulationFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	asked, err := t.Stipulation.Query().Where(stipulation.DealID(d.ID), stipulation.Required(true)).
		Order(stipulation.ByPosition(), stipulation.ByID()).All(ctx)
	for _, s := range asked {
		if s.Status.Outstanding() {
			f.Stipulations = append(f.Stipulations, s.Title)
		}
	}
	return err
}

func (t *tx) disclosureFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return err
	}
	if m.State == nil || !isUSState(*m.State) {
		f.Disclosure.StateUnknown = true
		return nil
	}
	if d.FundedAmount == nil {
		return nil
	}
	rule, required := rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
	if !required {
		return nil
	}
	f.Disclosure.Required, f.Disclosure.SignatureRequired = true, rule.Signed
	newest, err := t.Disclosure.Query().Where(disclosure.DealID(d.ID), disclosure.State(*m.State)).
		Order(disclosure.ByID(descending())).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	stale := !bytes.Equal(newest.InputsHash, t.termsHash(d))
	if newest.Status == disclosure.StatusSUPERSEDED && !stale {
		return nil // nothing is in force, though the terms are again what they were
	}
	f.Disclosure.Delivered = newest.DeliveredAt != nil
	f.Disclosure.Signed = newest.SignedAt != nil
	f.Disclosure.Stale = stale
	return nil
}

func (t *tx) contractFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	completed, err := t.SignatureRequest.Query().Where(signaturerequest.DealID(d.ID),
		signaturerequest.KindEQ(signaturerequest.KindCONTRACT),
		signaturerequest.StatusEQ(signaturerequest.StatusCOMPLETED)).All(ctx)
	hash := t.termsHash(d)
	for _, c := range completed {
		// A contract that shows other terms than the deal has is no contract for it.
		f.ContractSigned = f.ContractSigned || len(c.TermsHash) == 0 || bytes.Equal(c.TermsHash, hash)
	}
	return err
}

func (t *tx) bankFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	verified, err := t.BankAccountToken.Query().Where(
		bankaccounttoken.MerchantID(d.MerchantID),
		bankaccounttoken.Or(bankaccounttoken.DealIDIsNil(), bankaccounttoken.DealID(d.ID)),
		bankaccounttoken.StatusEQ(bankaccounttoken.StatusVERIFIED)).Exist(ctx)
	f.BankVerified = verified
	return err
}

// uccFacts finds filings on the merchant's receivables for other deals than this one and the one it renews.
func (t *tx) uccFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	filings, err := t.UCCFiling.Query().Where(
		uccfiling.DealIDNEQ(d.ID),
		uccfiling.HasDealWith(entdeal.MerchantID(d.MerchantID)),
		uccfiling.TypeEQ(uccfiling.TypeUCC1),
		uccfiling.StatusIn(uccfiling.StatusSUBMITTED, uccfiling.StatusACCEPTED)).
		WithDeal().All(ctx)
	for _, filing := range filings {
		if d.RenewedFromDealID != nil && filing.DealID == *d.RenewedFromDealID {
			continue
		}
		f.UCCConflicts = append(f.UCCConflicts, fmt.Sprintf("a UCC-1 in %s for deal %s",
			filing.Jurisdiction, filing.Edges.Deal.DealNumber))
	}
	return err
}
