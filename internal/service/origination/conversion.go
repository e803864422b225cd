package origination

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
	"paydown/internal/service/input"
	"paydown/internal/service/parties"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// Conversion is the result of converting an application or a lead. A record that was not requested is nil.
type Conversion struct {
	Lead     *ent.Lead
	Merchant *ent.Merchant
	Deal     *ent.Deal
}

// ConversionInput says which records to create besides the lead.
type ConversionInput struct {
	MerchantID  input.Opt[int]          `json:"merchantId" check:"gte=1" doc:"The existing merchant, if there is one"`
	Deal        input.Opt[bool]         `json:"deal" need:"value" doc:"Whether to create a deal; default: false"`
	ProductType input.Opt[deal.Product] `json:"productType" need:"value" doc:"Product of the deal; default: MCA"`
}

// ApplicationConversion says which records to create from an application.
type ApplicationConversion struct {
	Merchant input.Opt[bool] `json:"merchant" need:"value" doc:"Whether to create a merchant too; implied by merchantId and deal; default: false"`
	ConversionInput
}

// LeadConversion says what to create from a lead: a merchant with the lead's names, mailing address and phone
// number.
type LeadConversion struct {
	LegalName input.Opt[string] `json:"legalName" check:"name" need:"value" doc:"Registered name of a new merchant; default: the lead's businessName"`
	FederalID input.Opt[string] `json:"federalId" check:"ein" doc:"EIN of a new merchant"`
	ConversionInput
}

// Convert creates a lead from an application and, if requested, a merchant and a deal, using the field
// mappings of the form. It refuses an application that is already CONVERTED. The actor needs
// applications:write and the write scopes of the records that it creates.
func (s Applications) Convert(ctx context.Context, id int, in ApplicationConversion) (*Conversion, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("applications"), func(ctx context.Context, t *unit.Tx) (*Conversion, error) {
		return convertApplication(ctx, t, id, in)
	})
}

func convertApplication(ctx context.Context, t *unit.Tx, id int, in ApplicationConversion) (*Conversion, error) {
	unlocked, err := t.ApplicationSubmission.Get(ctx, id)
	if unlocked, err = revealResult(t.Core, unlocked, err); err != nil {
		return nil, unit.NotFound(err, "application")
	}
	if err := t.Require(ctx, unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}); err != nil {
		return nil, err
	}
	f, err := t.Form.Query().Where(form.ID(unlocked.FormID)).Only(ctx)
	if err != nil {
		return nil, err
	}
	fields, answers, problems := answersOf(f, unlocked.Payload)
	if len(problems) > 0 {
		return nil, formMismatch(problems)
	}
	becomes := in.Merchant.Or(false) || in.MerchantID.Given() || in.Deal.Or(false)
	if err := checkScopes(t, becomes, in.Deal.Or(false)); err != nil {
		return nil, err
	}
	enquiry, err := mapped[LeadInput]("lead", fields, answers)
	if err != nil {
		return nil, err
	}
	if enquiry.Source.Absent() {
		enquiry.Source = input.Some(f.Slug)
	}
	var business parties.MerchantInput
	if becomes && !in.MerchantID.Given() {
		if business, err = mapped[parties.MerchantInput]("merchant", fields, answers); err != nil {
			return nil, err
		}
		if err := claimEIN(ctx, t, business.FederalID); err != nil {
			return nil, err
		}
	}
	before, err := lockApplication(ctx, t, id)
	if err != nil {
		return nil, err
	}
	if err := intake.Check(intake.Status(before.Status), intake.Converted); err != nil {
		return nil, err
	}
	made, err := createLead(ctx, t, enquiry)
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "lead", made)
	result := &Conversion{Lead: made}
	if becomes {
		if result, err = convertToMerchant(ctx, t, made, business, in.ConversionInput); err != nil {
			return nil, err
		}
		unit.AlsoUpdated(t, "lead", made, result.Lead)
	}
	_, err = moveApplication(ctx, t, before, applicationsubmission.StatusCONVERTED,
		input.Set(applicationsubmission.FieldLeadID, made.ID))
	return result, err
}

// formMismatch is the error for an application that no longer matches its form.
func formMismatch(problems []fault.Detail) error {
	f := fault.Conflictf("The application no longer matches its form, which has changed since.")
	f.Details = problems
	return f
}

// mapped returns the input for a record from the mapped answers.
func mapped[I any](record string, fields []intake.Field, answers intake.Answers) (I, error) {
	object := input.Payload{}
	if raw := answers.For(record, fields); raw != nil {
		if err := json.Unmarshal(raw, &object); err != nil {
			var none I
			return none, err
		}
	}
	in, err := input.FromPayload[I](object, nil)
	if f := fault.As(err); f != nil {
		refused := fault.Conflictf("The application's mapped answers are not a valid %s.", record)
		for _, d := range f.Details {
			refused = refused.With(record+"."+d.Path, "%s", d.Message)
		}
		return in, refused
	}
	return in, err
}

// checkScopes refuses an actor who may not write the records to create.
func checkScopes(t *unit.Tx, merchant, deal bool) error {
	for _, needs := range []struct {
		asked bool
		scope auth.Scope
	}{{true, auth.Write("leads")}, {merchant, auth.Write("merchants")}, {deal, auth.Write("deals")}} {
		if needs.asked && !t.Actor.May(needs.scope) {
			return fault.New(fault.Forbidden, "This needs the scope %s.", needs.scope)
		}
	}
	return nil
}

// claimEIN serializes conversions with the same EIN, so that two concurrent ones do not create two merchants.
func claimEIN(ctx context.Context, t *unit.Tx, ein input.Opt[string]) error {
	digits := parties.DigitsOf(ein)
	if digits == nil {
		return nil
	}
	claim := sha256.Sum256(fmt.Appendf(nil, "EIN %s of tenant %d", *digits, t.Actor.TenantID))
	return t.Claim(ctx, claim[:])
}

// Convert creates a merchant from a lead, or links the lead to an existing one, and creates a deal if
// requested. It refuses a lead that is already CONVERTED. The actor needs leads:write and the write scopes of
// the records that it creates.
func (s Leads) Convert(ctx context.Context, id int, in LeadConversion) (*Conversion, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *unit.Tx) (*Conversion, error) {
		if !in.MerchantID.Given() {
			if err := claimEIN(ctx, t, in.FederalID); err != nil {
				return nil, err
			}
		}
		before, err := lockLead(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := checkScopes(t, true, in.Deal.Or(false)); err != nil {
			return nil, err
		}
		if before.Status == lead.StatusCONVERTED || before.MerchantID != nil {
			return nil, fault.Conflictf("The lead has already been converted.").With("status", "is %s", before.Status)
		}
		business := parties.MerchantInput{
			LegalName: input.Some(in.LegalName.Or(before.BusinessName)), DBAName: input.FromPtr(before.DbaName),
			Email: input.FromPtr(before.Email), Phone: input.FromPtr(before.Phone), FederalID: in.FederalID,
		}
		result, err := convertToMerchant(ctx, t, before, business, in.ConversionInput)
		if err == nil {
			t.Record("lead.update", "lead", id, nil, before, result.Lead)
		}
		return result, err
	})
}

// convertToMerchant creates a merchant from a locked lead, or uses the named one, and creates a deal if
// requested. It records all changes, except the lead's own, as side effects of the write.
func convertToMerchant(
	ctx context.Context, t *unit.Tx, before *ent.Lead, business parties.MerchantInput, in ConversionInput,
) (*Conversion, error) {
	m, err := merchantOf(ctx, t, before, business, in)
	if err != nil {
		return nil, err
	}
	update := t.Lead.Update().Where(lead.ID(before.ID))
	after, err := unit.Store(ctx, t, before, []input.Change{
		input.Set(lead.FieldStatus, lead.StatusCONVERTED), input.Set(lead.FieldMerchantID, m.ID),
	}, update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	if before.Status != after.Status {
		t.Emit("lead", before.ID, webhook.LeadStatusChanged{
			LeadID: before.ID, From: string(before.Status), To: string(after.Status),
		})
	}
	result := &Conversion{Lead: after, Merchant: m}
	if !in.Deal.Or(false) {
		return result, nil
	}
	terms := servicing.NewDeal{MerchantID: input.Some(m.ID)}
	terms.ProductType, terms.FundedAmount = in.ProductType, input.FromPtr(before.RequestedAmount)
	if before.RequestedAmount != nil && before.RequestedAmount.IsZero() {
		terms.FundedAmount = input.Opt[money.Amount]{}
	}
	if result.Deal, err = servicing.MakeDeal(ctx, t, terms); err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "deal", result.Deal)
	return result, nil
}

// merchantOf returns the merchant for a lead. If a merchant with the EIN already exists, the caller has to
// name it by id.
func merchantOf(
	ctx context.Context, t *unit.Tx, from *ent.Lead, business parties.MerchantInput, in ConversionInput,
) (*ent.Merchant, error) {
	if id, given := in.MerchantID.Get(); given {
		if err := t.Require(ctx, unit.Reference{Path: "merchantId", Record: "Merchant", ID: &id}); err != nil {
			return nil, err
		}
		return parties.LockMerchant(ctx, t, id)
	}
	if digits := parties.DigitsOf(business.FederalID); digits != nil {
		known, err := t.Merchant.Query().Where(merchant.FederalIDDigits(*digits)).Order(merchant.ByID()).First(ctx)
		if err == nil {
			return nil, fault.Conflictf("A merchant with this EIN already exists: %s. Convert the lead into that merchant.",
				known.LegalName).
				With("merchantId", "must be %d, the merchant with this EIN", known.ID)
		}
		if !ent.IsNotFound(err) {
			return nil, err
		}
	}
	m, err := parties.MakeMerchant(ctx, t, business)
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "merchant", m)
	return m, addApplicant(ctx, t, m.ID, from)
}

// addApplicant adds the lead's contact person as the new merchant's primary contact, if the name has a first
// and a last part.
func addApplicant(ctx context.Context, t *unit.Tx, merchantID int, from *ent.Lead) error {
	if from.ContactName == nil {
		return nil
	}
	names := strings.Fields(*from.ContactName)
	if len(names) < 2 {
		return nil
	}
	in := parties.MerchantContactInput{
		FirstName: input.Some(strings.Join(names[:len(names)-1], " ")), LastName: input.Some(names[len(names)-1]),
		Email: input.FromPtr(from.Email), Phone: input.FromPtr(from.Phone), IsPrimary: input.Some(true),
	}
	if len(input.Check(in, input.ForCreate)) > 0 {
		return nil // too long for a name
	}
	row, err := parties.AddContact(ctx, t, merchantID, in)
	if err == nil {
		unit.AlsoCreated(t, "merchantContact", row)
	}
	return err
}
