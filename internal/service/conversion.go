package service

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/ent/form"
	"paydown/ent/lead"
	"paydown/ent/merchant"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/intake"
	"paydown/internal/money"
	"paydown/internal/webhook"
)

// Conversion is what an application or a lead has become. What was not asked for is nil.
type Conversion struct {
	Lead     *ent.Lead
	Merchant *ent.Merchant
	Deal     *ent.Deal
}

// ConversionInput says what an application or a lead becomes besides a lead.
type ConversionInput struct {
	MerchantID  Opt[int]          `json:"merchantId" check:"gte=1" doc:"The merchant that it is, where there is one already"`
	Deal        Opt[bool]         `json:"deal" need:"value" doc:"Whether a deal begins; false unless given"`
	ProductType Opt[deal.Product] `json:"productType" need:"value" doc:"Kind of financing of the deal; MCA unless given"`
}

// ApplicationConversion says what an application becomes.
type ApplicationConversion struct {
	Merchant Opt[bool] `json:"merchant" need:"value" doc:"Whether it becomes a merchant too, as it does where merchantId or deal is given; false unless given"`
	ConversionInput
}

// LeadConversion says what a lead becomes: a merchant, of which it knows the names, the address for mail and the telephone.
type LeadConversion struct {
	LegalName Opt[string] `json:"legalName" check:"name" need:"value" doc:"Registered name of a new merchant; the lead's businessName unless given"`
	FederalID Opt[string] `json:"federalId" check:"ein" doc:"EIN of a new merchant"`
	ConversionInput
}

// Convert makes a lead of an application, and a merchant and a deal where they are asked for, as the form's fields are
// mapped. It is done once: an application that is CONVERTED is refused. Besides applications:write the actor needs to be
// allowed to write whatever is made.
func (s Applications) Convert(ctx context.Context, id int, in ApplicationConversion) (*Conversion, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("applications"), func(ctx context.Context, t *tx) (*Conversion, error) {
		return t.convertApplication(ctx, id, in)
	})
}

func (t *tx) convertApplication(ctx context.Context, id int, in ApplicationConversion) (*Conversion, error) {
	unlocked, err := t.ApplicationSubmission.Get(ctx, id)
	if unlocked, err = t.core.revealed(unlocked, err); err != nil {
		return nil, missing(err, "application")
	}
	if err := t.require(ctx, reference{"merchantId", "Merchant", in.MerchantID.Ptr()}); err != nil {
		return nil, err
	}
	f, err := t.Form.Query().Where(form.ID(unlocked.FormID)).Only(ctx)
	if err != nil {
		return nil, err
	}
	fields, answers, problems := answersOf(f, unlocked.Payload)
	if len(problems) > 0 {
		return nil, unfit(problems)
	}
	becomes := in.Merchant.Or(false) || in.MerchantID.Given() || in.Deal.Or(false)
	if err := t.mayConvert(becomes, in.Deal.Or(false)); err != nil {
		return nil, err
	}
	enquiry, err := mapped[LeadInput]("lead", fields, answers)
	if err != nil {
		return nil, err
	}
	if enquiry.Source.Absent() {
		enquiry.Source = Some(f.Slug)
	}
	var business MerchantInput
	if becomes && !in.MerchantID.Given() {
		if business, err = mapped[MerchantInput]("merchant", fields, answers); err != nil {
			return nil, err
		}
		if err := t.claimEIN(ctx, business.FederalID); err != nil {
			return nil, err
		}
	}
	before, err := t.lockApplication(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := intake.Check(intake.Status(before.Status), intake.Converted); err != nil {
		return nil, err
	}
	made, err := t.makeLead(ctx, enquiry)
	if err != nil {
		return nil, err
	}
	alsoMade(t, "lead", made)
	result := &Conversion{Lead: made}
	if becomes {
		if result, err = t.becomeMerchant(ctx, made, business, in.ConversionInput); err != nil {
			return nil, err
		}
		alsoChanged(t, "lead", made, result.Lead)
	}
	_, err = t.moveApplication(ctx, before, applicationsubmission.StatusCONVERTED,
		columnChange{applicationsubmission.FieldLeadID, made.ID})
	return result, err
}

// unfit is what is wrong with an application by what its form asks now.
func unfit(problems []fault.Detail) error {
	f := fault.Conflictf("The application does not fit its form, which has changed since.")
	f.Details = problems
	return f
}

// mapped is the input that an application makes of a record.
func mapped[I any](record string, fields []intake.Field, answers intake.Answers) (I, error) {
	object := inboundPayload{}
	if raw := answers.For(record, fields); raw != nil {
		if err := json.Unmarshal(raw, &object); err != nil {
			var none I
			return none, err
		}
	}
	in, err := inputOf[I](object, nil)
	if f := fault.As(err); f != nil {
		refused := fault.Conflictf("The application does not make a %s, as its form is mapped.", record)
		for _, d := range f.Details {
			refused = refused.With(record+"."+d.Path, "%s", d.Message)
		}
		return in, refused
	}
	return in, err
}

// mayConvert refuses who may not write what is to be made.
func (t *tx) mayConvert(merchant, deal bool) error {
	for _, needs := range []struct {
		asked bool
		scope auth.Scope
	}{{true, auth.Write("leads")}, {merchant, auth.Write("merchants")}, {deal, auth.Write("deals")}} {
		if needs.asked && !t.actor.May(needs.scope) {
			return fault.New(fault.Forbidden, "This needs the scope %s.", needs.scope)
		}
	}
	return nil
}

// claimEIN has conversions into merchants of one EIN follow each other, so that two at once do not make two of it.
func (t *tx) claimEIN(ctx context.Context, ein Opt[string]) error {
	digits := digitsOf(ein)
	if digits == nil {
		return nil
	}
	claim := sha256.Sum256(fmt.Appendf(nil, "EIN %s of tenant %d", *digits, t.actor.TenantID))
	return t.Claim(ctx, claim[:])
}

// Convert makes a merchant of a lead, or has it be one that is there already, and begins a deal where one is asked for. It
// is done once: a lead that is CONVERTED is refused. Besides leads:write the actor needs to be allowed to write whatever is
// made.
func (s Leads) Convert(ctx context.Context, id int, in LeadConversion) (*Conversion, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *tx) (*Conversion, error) {
		if !in.MerchantID.Given() {
			if err := t.claimEIN(ctx, in.FederalID); err != nil {
				return nil, err
			}
		}
		before, err := t.lockLead(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := t.mayConvert(true, in.Deal.Or(false)); err != nil {
			return nil, err
		}
		if before.Status == lead.StatusCONVERTED || before.MerchantID != nil {
			return nil, fault.Conflictf("The lead has been converted already.").With("status", "is %s", before.Status)
		}
		business := MerchantInput{
			LegalName: Some(in.LegalName.Or(before.BusinessName)), DBAName: optional(before.DbaName),
			Email: optional(before.Email), Phone: optional(before.Phone), FederalID: in.FederalID,
		}
		result, err := t.becomeMerchant(ctx, before, business, in.ConversionInput)
		if err == nil {
			t.record("lead.update", "lead", id, nil, before, result.Lead)
		}
		return result, err
	})
}

// optional is a column that may be null as a field of an input.
func optional[T any](p *T) Opt[T] {
	if p == nil {
		return Opt[T]{}
	}
	return Some(*p)
}

// becomeMerchant makes a merchant of a lead that is locked, or has it be the one that is named, and begins a deal where
// one is asked for. All of it is noted as consequences of the write, the lead's own change excepted.
func (t *tx) becomeMerchant(
	ctx context.Context, before *ent.Lead, business MerchantInput, in ConversionInput,
) (*Conversion, error) {
	m, err := t.merchantOf(ctx, before, business, in)
	if err != nil {
		return nil, err
	}
	update := t.Lead.Update().Where(lead.ID(before.ID))
	after, err := stored(ctx, t, before, []columnChange{
		{lead.FieldStatus, lead.StatusCONVERTED}, {lead.FieldMerchantID, m.ID},
	}, update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	if before.Status != after.Status {
		t.emit("lead", before.ID, webhook.LeadStatusChanged{
			LeadID: before.ID, From: string(before.Status), To: string(after.Status),
		})
	}
	result := &Conversion{Lead: after, Merchant: m}
	if !in.Deal.Or(false) {
		return result, nil
	}
	terms := NewDeal{MerchantID: Some(m.ID)}
	terms.ProductType, terms.FundedAmount = in.ProductType, optional(before.RequestedAmount)
	if before.RequestedAmount != nil && before.RequestedAmount.IsZero() {
		terms.FundedAmount = Opt[money.Amount]{}
	}
	if result.Deal, err = t.makeDeal(ctx, terms); err != nil {
		return nil, err
	}
	alsoMade(t, "deal", result.Deal)
	return result, nil
}

// merchantOf is the merchant that a lead becomes. One that is there already under the EIN has to be named by its id.
func (t *tx) merchantOf(
	ctx context.Context, from *ent.Lead, business MerchantInput, in ConversionInput,
) (*ent.Merchant, error) {
	if id, given := in.MerchantID.Get(); given {
		if err := t.require(ctx, reference{"merchantId", "Merchant", &id}); err != nil {
			return nil, err
		}
		return t.lockMerchant(ctx, id)
	}
	if digits := digitsOf(business.FederalID); digits != nil {
		known, err := t.Merchant.Query().Where(merchant.FederalIDDigits(*digits)).Order(merchant.ByID()).First(ctx)
		if err == nil {
			return nil, fault.Conflictf("There is a merchant with this EIN: %s. Convert into it by its id.", known.LegalName).
				With("merchantId", "can be %d, the merchant with this EIN", known.ID)
		}
		if !ent.IsNotFound(err) {
			return nil, err
		}
	}
	m, err := t.makeMerchant(ctx, business)
	if err != nil {
		return nil, err
	}
	alsoMade(t, "merchant", m)
	return m, t.addApplicant(ctx, m.ID, from)
}

// addApplicant makes the person that a lead names the new merchant's primary contact, where it is a first and a last name.
func (t *tx) addApplicant(ctx context.Context, merchantID int, from *ent.Lead) error {
	if from.ContactName == nil {
		return nil
	}
	names := strings.Fields(*from.ContactName)
	if len(names) < 2 {
		return nil
	}
	in := MerchantContactInput{
		FirstName: Some(strings.Join(names[:len(names)-1], " ")), LastName: Some(names[len(names)-1]),
		Email: optional(from.Email), Phone: optional(from.Phone), IsPrimary: Some(true),
	}
	if len(Check(in, ForCreate)) > 0 {
		return nil // a name too long to be one
	}
	row, err := t.addContact(ctx, merchantID, in)
	if err == nil {
		alsoMade(t, "merchantContact", row)
	}
	return err
}
