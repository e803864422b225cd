package offers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/submission"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// Approvals are funders' offers on submissions. Staff draft them, send them to the merchant with a link, and
// record counters, acceptance and declines. Merchants see their offers through Offers.
type Approvals struct{ core *unit.Core }

// ApprovalFields are the terms of an offer. Any two of funded amount, payback amount and factor rate
// determine the third.
type ApprovalFields struct {
	FundedAmount   input.Opt[money.Amount] `json:"fundedAmount" doc:"Amount funded, before fees" example:"50000.00"`
	PaybackAmount  input.Opt[money.Amount] `json:"paybackAmount" doc:"Amount to collect. Computed from fundedAmount and factorRate" example:"65000.00"`
	FactorRate     input.Opt[money.Rate]   `json:"factorRate" doc:"paybackAmount ÷ fundedAmount, 1 to 2.5" example:"1.30"`
	TermDays       input.Opt[int]          `json:"termDays" doc:"Calendar days from funding to the last payment" example:"182"`
	BankFeePercent input.Opt[money.Rate]   `json:"bankFeePercent" doc:"Bank fee, in percent of fundedAmount" example:"3.00"`
	EPODiscount    input.Opt[money.Amount] `json:"epoDiscount" doc:"Discount for an early payoff" example:"2500.00"`
	ExpiresAt      input.Opt[civil.Moment] `json:"expiresAt" doc:"Expiry; default: 14 days after it is sent"`
	Notes          input.Opt[string]       `json:"notes" check:"notes" doc:"Free text, for staff"`
}

// NewApproval describes an offer to create.
type NewApproval struct {
	SubmissionID input.Opt[int] `json:"submissionId" check:"gte=1" need:"create" doc:"Submission of the offer"`
	ApprovalFields
}

// ApprovalListing describes the list of offers.
var ApprovalListing = &list.Listing[ent.Approval]{
	Resource: "approvals", Scope: auth.Read("submissions"), ByIDOnly: true,
	Filters: []list.Filter{
		{Name: "dealId", Column: approval.FieldDealID, Kind: list.IsID, Doc: "Only offers for this deal"},
		{Name: "submissionId", Column: approval.FieldSubmissionID, Kind: list.IsID, Doc: "Only offers on this submission"},
	},
}

// List returns a page of offers.
func (s Approvals) List(ctx context.Context, req list.Request) (*list.Page[ent.Approval], error) {
	return list.Read(ctx, s.core, ApprovalListing, req, s.core.Store.Reader().Approval.Query())
}

// OfDeals returns a page of offers for each deal.
func (s Approvals) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Approval], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: approval.FieldDealID}
	return list.PageOfEach(ctx, s.core, ApprovalListing, ofDeal, ids, req,
		s.core.Store.Reader().Approval.Query())
}

// OfSubmissions returns a page of offers for each submission.
func (s Approvals) OfSubmissions(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Approval], error) {
	ofSubmission := list.Belonging{Filter: "submissionId", Column: approval.FieldSubmissionID}
	return list.PageOfEach(ctx, s.core, ApprovalListing, ofSubmission, ids, req,
		s.core.Store.Reader().Approval.Query())
}

// State returns the current state of an offer. An offer past its date is EXPIRED, even if that is not stored
// yet.
func (s Approvals) State(a *ent.Approval) deal.OfferState {
	return a.State.At(s.core.Store.Now(), a.ExpiresAt)
}

// Create drafts an offer on an open submission.
func (s Approvals) Create(ctx context.Context, in NewApproval) (*ent.Approval, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Approval, error) {
		id := in.SubmissionID.Or(0)
		if err := t.Require(ctx, unit.Reference{Path: "submissionId", Record: "Submission", ID: &id}); err != nil {
			return nil, err
		}
		o := &offer{}
		if err := lockRelated(ctx, t, o, id); err != nil {
			return nil, err
		}
		if err := o.underNegotiation(); err != nil {
			return nil, err
		}
		blank := &ent.Approval{}
		changes, err := in.plan(blank, t.Zone())
		if err != nil {
			return nil, err
		}
		create := t.Approval.Create().SetSubmissionID(id).SetDealID(o.deal.ID)
		if err := input.SetColumns(create.Mutation(), changes); err != nil {
			return nil, err
		}
		made, err := create.Save(ctx)
		if err == nil {
			t.Record("approval.create", "approval", made.ID, &made.DealID, nil, made)
		}
		return made, err
	})
}

// Update changes the terms of a draft.
func (s Approvals) Update(ctx context.Context, id int, in ApprovalFields) (*ent.Approval, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.act(ctx, id, func(ctx context.Context, t *unit.Tx, o *offer) (*ent.Approval, error) {
		changes, err := in.plan(o.approval, t.Zone())
		if err != nil || len(changes) == 0 {
			return o.approval, err
		}
		if o.state != deal.OfferDraft {
			return nil, fault.Conflictf(
				"The offer is %s. Only a draft can be changed. Withdraw the offer and create a new one.", o.state).
				With("state", "must be %s", deal.OfferDraft)
		}
		return changeOffer(ctx, t, o, "approval.update", changes)
	})
}

// plan returns the column changes that the input makes to an offer, including derived terms.
func (f ApprovalFields) plan(before *ent.Approval, zone *time.Location) ([]input.Change, error) {
	changes := input.ChangesOf(f, before, zone)
	next := *before
	input.Apply(&next, changes)
	var named []string
	for _, in := range []struct {
		name  string
		field input.Optional
	}{{"fundedAmount", f.FundedAmount}, {"paybackAmount", f.PaybackAmount}, {"factorRate", f.FactorRate}} {
		if in.field.Given() {
			named = append(named, in.name)
		}
	}
	full, problems := offerTerms(&next).Complete(named...)
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	for _, c := range []input.Change{
		input.Set(approval.FieldFundedAmount, input.Nullable(full.FundedAmount)),
		input.Set(approval.FieldPaybackAmount, input.Nullable(full.PaybackAmount)),
		input.Set(approval.FieldFactorRate, input.Nullable(full.FactorRate)),
	} {
		if !input.EqualValues(input.ColumnValue(&next, c.Column), c.Value) {
			changes = servicing.ReplaceColumn(changes, c)
		}
	}
	return changes, nil
}

// offerTerms returns the stored terms of an offer.
func offerTerms(a *ent.Approval) deal.OfferTerms {
	return deal.OfferTerms{
		FundedAmount: a.FundedAmount, PaybackAmount: a.PaybackAmount, FactorRate: a.FactorRate, TermDays: a.TermDays,
		BankFeePercent: a.BankFeePercent, EPODiscount: a.EpoDiscount,
	}
}

// offer is an approval, locked after its deal and submission.
type offer struct {
	deal       *ent.Deal
	submission *ent.Submission // with its status
	approval   *ent.Approval
	state      deal.OfferState // at the instant of the transaction
}

// act runs a change of an offer by an actor who may write submissions.
func (s Approvals) act(
	ctx context.Context, id int, work func(context.Context, *unit.Tx, *offer) (*ent.Approval, error),
) (*ent.Approval, error) {
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Approval, error) {
		o, err := lockOffer(ctx, t, id)
		if err != nil {
			return nil, err
		}
		return work(ctx, t, o)
	})
}

func lockOffer(ctx context.Context, t *unit.Tx, id int) (*offer, error) {
	unlocked, err := t.Approval.Get(ctx, id)
	if err != nil {
		return nil, unit.NotFound(err, "approval")
	}
	o := &offer{}
	if err := lockRelated(ctx, t, o, unlocked.SubmissionID); err != nil {
		return nil, err
	}
	if o.approval, err = t.Approval.Query().Where(approval.ID(id), unit.Locked).Only(ctx); err != nil {
		return nil, unit.NotFound(err, "approval")
	}
	o.state = o.approval.State.At(t.At(), o.approval.ExpiresAt)
	return o, nil
}

// lockRelated locks the deal and submission of an offer.
func lockRelated(ctx context.Context, t *unit.Tx, o *offer, submissionID int) error {
	var err error
	if o.submission, err = pipeline.LockSubmission(ctx, t, submission.ID(submissionID)); err != nil {
		return err
	}
	o.deal, err = t.Deal.Get(ctx, o.submission.DealID)
	return err
}

// underNegotiation refuses a change once the deal's terms are final or the submission is closed.
func (o *offer) underNegotiation() error {
	if o.deal.State.TermsFrozen() || o.deal.State == deal.Withdrawn {
		return fault.Conflictf("The deal is %s. Offers can no longer be made or accepted for it.", o.deal.State).
			With("dealId", "must not be a deal in %s", o.deal.State)
	}
	if step := o.submission.Edges.Status; step.Category.Ended() {
		return fault.Conflictf("The submission is %s. Offers can no longer be made or accepted on it.", step.Code).
			With("submissionId", "must not be a submission in %s", step.Code)
	}
	return nil
}

// changeOffer stores columns of an offer as the main change of the write.
func changeOffer(
	ctx context.Context, t *unit.Tx, o *offer, action string, changes []input.Change,
) (*ent.Approval, error) {
	after, err := pipeline.StoreOffer(ctx, t, o.approval, changes, nil)
	if err == nil {
		t.Record(action, "approval", after.ID, &after.DealID, o.approval, after)
	}
	return after, err
}

// ShareToken returns the token of an offer's public page to an actor who may write submissions. It is nil for
// an offer without a link: a draft, an offer that has ended, or one past its date.
func (s Approvals) ShareToken(ctx context.Context, a *ent.Approval) (*string, error) {
	if _, err := unit.RequireWriteScope(ctx, auth.Write("submissions")); err != nil {
		return nil, err
	}
	if len(a.ShareToken) == 0 || unit.Past(a.ExpiresAt, s.core.Store.Now()) {
		return nil, nil //nolint:nilnil // no link
	}
	token, err := s.core.Secrets.Unseal(a.ShareToken, pipeline.TokenBound(a.ID))
	if err != nil {
		return nil, fmt.Errorf("unseal the token of approval %d: %w", a.ID, err)
	}
	return new(string(token)), nil
}

// requireTerms refuses an offer without the terms that acceptance requires.
func requireTerms(a *ent.Approval) error {
	missing := offerTerms(a).Missing()
	if len(missing) == 0 {
		return nil
	}
	refused := fault.Conflictf("The offer cannot be sent without %s.", strings.Join(missing, ", "))
	for _, name := range missing {
		refused = refused.With(name, "is required")
	}
	return refused
}
