package servicing

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/bankaccounttoken"
	"paydown/ent/deal"
	"paydown/ent/decisionresult"
	"paydown/ent/disclosure"
	"paydown/ent/merchant"
	"paydown/ent/signaturerequest"
	"paydown/ent/stipulation"
	"paydown/ent/uccfiling"
	"paydown/internal/deal"
	rules "paydown/internal/disclosure"
	"paydown/internal/pricing"
	"paydown/internal/service/books"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/underwriting"
	"paydown/internal/service/unit"
)

// blocks returns the funding blocks that prevent a guarded move of the deal.
func blocks(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State) ([]deal.Block, error) {
	by, err := gather(ctx, t, d, to)
	if err != nil {
		return nil, err
	}
	return deal.Evaluate(to, by.policy, by.facts, by.overridden), nil
}

// assess returns the funding blocks that apply to a guarded move of the deal, including overridden ones.
func assess(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State) ([]deal.Block, error) {
	by, err := gather(ctx, t, d, to)
	if err != nil {
		return nil, err
	}
	return deal.Assess(to, by.policy, by.facts, by.overridden), nil
}

// evidence is what funding blocks are evaluated against.
type evidence struct {
	policy     deal.Policy
	facts      deal.Facts
	overridden map[deal.BlockCode]bool
}

// gather reads only the facts that the active blocks need.
func gather(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State) (*evidence, error) {
	policy, err := identity.FundingPolicy(ctx, t)
	if err != nil {
		return nil, err
	}
	needs := policy.Needs(to)
	facts := deal.Facts{Today: t.Today()}
	for _, group := range []struct {
		facts  deal.FactGroups
		gather func(context.Context, *unit.Tx, *ent.Deal, *deal.Facts) error
	}{
		{deal.FactsEconomics, economicsFacts},
		{deal.FactsApproval, approvalFacts},
		{deal.FactsStatement, statementFacts},
		{deal.FactsDecision, decisionFacts},
		{deal.FactsDefaults, defaultFacts},
		{deal.FactsPositions, positionFacts},
		{deal.FactsISO, isoFacts},
		{deal.FactsStipulations, stipulationFacts},
		{deal.FactsDisclosure, disclosureFacts},
		{deal.FactsContract, contractFacts},
		{deal.FactsBank, bankFacts},
		{deal.FactsUCC, uccFacts},
		{deal.FactsParticipations, participationFacts},
	} {
		if !needs.Has(group.facts) {
			continue
		}
		if err := group.gather(ctx, t, d, &facts); err != nil {
			return nil, fmt.Errorf("gather facts of deal %d: %w", d.ID, err)
		}
	}
	overridden, err := overrides(ctx, t, d)
	if err != nil {
		return nil, err
	}
	return &evidence{policy, facts, overridden}, nil
}

// TermsHash identifies the deal's current terms: its economics, its product, and the ISO that is paid for it.
func TermsHash(t *unit.Tx, d *ent.Deal) []byte {
	terms := map[string]string{entdeal.FieldProductType: string(d.ProductType)}
	if d.IsoID != nil {
		terms[entdeal.FieldIsoID] = strconv.Itoa(*d.IsoID)
	}
	for _, c := range termColumns(books.TermsOf(d, t.Zone())) {
		if c.Value != nil {
			terms[c.Column] = list.WireValue(c.Value)
		}
	}
	return deal.TermsHash(terms)
}

func economicsFacts(_ context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	terms := books.TermsOf(d, t.Zone())
	f.MissingTerms = fieldNames(terms.Missing())
	if len(f.MissingTerms) > 0 {
		return nil
	}
	agreed := pricing.Context{Today: t.Today(), TermAgreed: true}
	if _, _, problems := pricing.Derive(terms.Without(derivedOf(d)...), agreed); len(problems) > 0 {
		f.Inconsistency = problems[0].Path + " " + problems[0].Message
	}
	return nil
}

func approvalFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	offers, err := t.Approval.Query().
		Where(approval.DealID(d.ID), approval.StateIn(
			deal.OfferSent, deal.OfferAccepted, deal.OfferCountered, deal.OfferLapsed)).
		Order(approval.ByID(unit.Descending())).All(ctx)
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
	f.Approval.Expired = offer.State == deal.OfferLapsed || unit.Past(offer.ExpiresAt, t.At())
	if f.Approval.Accepted {
		f.Approval.Differing = changedTerms(d, offer)
	}
	return nil
}

// changedTerms names the terms in which the deal differs from the accepted offer. A term that the offer does
// not set cannot differ.
func changedTerms(d *ent.Deal, offer *ent.Approval) []string {
	var names []string
	for _, term := range []struct {
		name           string
		offered, terms any
	}{
		{"fundedAmount", input.Nullable(offer.FundedAmount), input.Nullable(d.FundedAmount)},
		{"paybackAmount", input.Nullable(offer.PaybackAmount), input.Nullable(d.PaybackAmount)},
		{"factorRate", input.Nullable(offer.FactorRate), input.Nullable(d.FactorRate)},
		{"termDays", input.Nullable(offer.TermDays), input.Nullable(d.TermDays)},
		{"bankFeeValue", input.Nullable(offer.BankFeePercent), bankFeePercent(d)},
	} {
		if term.offered != nil && !input.EqualValues(term.offered, term.terms) {
			names = append(names, term.name)
		}
	}
	return names
}

// bankFeePercent returns the bank fee as a percentage of the funded amount; nil if it has another basis.
func bankFeePercent(d *ent.Deal) any {
	if d.BankFeeBasis == nil || *d.BankFeeBasis != pricing.PercentOfFunded {
		return nil
	}
	return input.Nullable(d.BankFeeValue)
}

func statementFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	latest, err := underwriting.LatestAnalysis(ctx, t, d.ID)
	if err != nil || latest == nil {
		return err
	}
	f.Statement = deal.StatementFacts{Present: true, Altered: latest.Altered, PeriodEnd: latest.PeriodEnd}
	return nil
}

func decisionFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	latest, err := t.DecisionResult.Query().Where(decisionresult.DealID(d.ID)).
		Order(decisionresult.ByID(unit.Descending())).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err == nil {
		f.Recommendation = string(latest.Recommendation)
	}
	return err
}

// sameMerchant queries the other deals of the merchant, and of merchants with the same EIN.
func sameMerchant(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.DealQuery, error) {
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return nil, err
	}
	others := entdeal.MerchantID(d.MerchantID)
	if m.FederalIDDigits != nil {
		others = entdeal.Or(others, entdeal.HasMerchantWith(
			merchant.TenantID(t.Actor.TenantID), merchant.FederalIDDigits(*m.FederalIDDigits)))
	}
	return t.Deal.Query().Where(others, entdeal.IDNEQ(d.ID)).Order(entdeal.ByID()), nil
}

func defaultFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	others, err := sameMerchant(ctx, t, d)
	if err != nil {
		return err
	}
	return others.Where(entdeal.StateEQ(deal.Defaulted)).Select(entdeal.FieldDealNumber).Scan(ctx, &f.Defaulted)
}

func positionFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	others, err := sameMerchant(ctx, t, d)
	if err != nil {
		return err
	}
	if d.RenewedFromDealID != nil {
		others = others.Where(entdeal.IDNEQ(*d.RenewedFromDealID))
	}
	return others.Where(entdeal.StateEQ(deal.Funded)).Select(entdeal.FieldDealNumber).Scan(ctx, &f.OpenPositions)
}

func isoFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
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

func stipulationFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	requested, err := t.Stipulation.Query().Where(stipulation.DealID(d.ID), stipulation.Required(true)).
		Order(stipulation.ByPosition(), stipulation.ByID()).All(ctx)
	for _, s := range requested {
		if s.Status.Outstanding() {
			f.Stipulations = append(f.Stipulations, s.Title)
		}
	}
	return err
}

func disclosureFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return err
	}
	if m.State == nil || !input.IsUSState(*m.State) {
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
		Order(disclosure.ByID(unit.Descending())).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	stale := !bytes.Equal(newest.InputsHash, TermsHash(t, d))
	if newest.Status == disclosure.StatusSUPERSEDED && !stale {
		return nil // none is current, even if the terms have changed back since
	}
	f.Disclosure.Delivered = newest.DeliveredAt != nil
	f.Disclosure.Signed = newest.SignedAt != nil
	f.Disclosure.Stale = stale
	return nil
}

func contractFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	completed, err := t.SignatureRequest.Query().Where(signaturerequest.DealID(d.ID),
		signaturerequest.KindEQ(signaturerequest.KindCONTRACT),
		signaturerequest.StatusEQ(signaturerequest.StatusCOMPLETED)).All(ctx)
	hash := TermsHash(t, d)
	for _, c := range completed {
		// A contract with other terms than the deal's does not count.
		f.ContractSigned = f.ContractSigned || len(c.TermsHash) == 0 || bytes.Equal(c.TermsHash, hash)
	}
	return err
}

func bankFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	verified, err := t.BankAccountToken.Query().Where(
		bankaccounttoken.MerchantID(d.MerchantID),
		bankaccounttoken.Or(bankaccounttoken.DealIDIsNil(), bankaccounttoken.DealID(d.ID)),
		bankaccounttoken.StatusEQ(bankaccounttoken.StatusVERIFIED)).Exist(ctx)
	f.BankVerified = verified
	return err
}

// uccFacts finds filings on the merchant's receivables, except for this deal and the deal it renews.
func uccFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
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
