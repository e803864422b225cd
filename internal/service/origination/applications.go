package origination

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/ent/form"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/intake"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Applications are completed application forms.
type Applications struct{ core *unit.Core }

// ApplicationListing describes the list.
var ApplicationListing = &list.Listing[ent.ApplicationSubmission]{
	Resource: "applications", Scope: auth.Read("applications"), NoUpdatedAt: true,
	Sorts: []list.Sort{
		{Name: "status", Column: applicationsubmission.FieldStatus, Kind: list.IsText},
	},
	Filters: []list.Filter{
		{
			Name: "status", Column: applicationsubmission.FieldStatus, Kind: list.IsEnum,
			Values: applicationsubmission.Status("").Values(),
			Doc:    "Only applications with this status",
		},
		{Name: "formId", Column: applicationsubmission.FieldFormID, Kind: list.IsID, Doc: "Only applications of this form"},
	},
	Expands: []list.Expand{
		{Name: "form", Scope: auth.Read("applications")},
	},
}

// List returns a page of applications with their forms.
func (s Applications) List(ctx context.Context, req list.Request) (*list.Page[ent.ApplicationSubmission], error) {
	found, err := list.Read(ctx, s.core, ApplicationListing, req,
		s.core.Store.Reader().ApplicationSubmission.Query().WithForm())
	if err != nil {
		return nil, err
	}
	for i, row := range found.Records {
		if found.Records[i], err = reveal(s.core, row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// NewApplication is a completed form to store.
type NewApplication struct {
	FormID  input.Opt[int]             `json:"formId" check:"gte=1" need:"create" doc:"Form that was filled in"`
	Payload input.Opt[json.RawMessage] `json:"payload" check:"object" need:"create" doc:"The answers, by field name"`
}

// Create stores an application that was received on paper or by phone.
func (s Applications) Create(ctx context.Context, in NewApplication) (*ent.ApplicationSubmission, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("applications"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.ApplicationSubmission, error) {
		if err := t.Require(ctx, unit.Reference{Path: "formId", Record: "Form", ID: in.FormID.Ptr()}); err != nil {
			return nil, err
		}
		f, err := t.Form.Query().Where(form.ID(in.FormID.Or(0)), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "form")
		}
		return apply(ctx, t, f, in.Payload.Or(nil), arrival{})
	})
}

// arrival says how an application arrived from the web: the sender's address, the page's ticket (nil if it
// was not sent from a public page), and whether it looks automated. It is the zero value for an application
// that a member of staff enters.
type arrival struct {
	From   *string
	ticket []byte
	spam   bool
}

// apply checks the answers against the form and stores the application.
func apply(
	ctx context.Context, t *unit.Tx, f *ent.Form, payload json.RawMessage, how arrival,
) (*ent.ApplicationSubmission, error) {
	if !f.IsActive {
		return nil, fault.Conflictf("The form no longer accepts applications.").With("formId", "must be an active form")
	}
	fields, _, problems := answersOf(f, payload)
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	masked := input.Canonical(intake.Masked(fields, payload))
	create := t.ApplicationSubmission.Create().SetFormID(f.ID).SetPayload(masked).SetNillableIP(how.From)
	if how.ticket != nil {
		create.SetTicket(how.ticket)
	}
	if how.spam {
		create.SetStatus(applicationsubmission.StatusSPAM)
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record("application.create", "applicationSubmission", row.ID, nil, nil, row)
	if err := sealAnswers(ctx, t, row, fields, payload); err != nil {
		return nil, err
	}
	answered := *row
	answered.Payload = input.Canonical(payload)
	return &answered, nil
}

// Mark sets an application's status to REVIEWED or SPAM. Only Convert sets CONVERTED.
func (s Applications) Mark(
	ctx context.Context, id int, status applicationsubmission.Status,
) (*ent.ApplicationSubmission, error) {
	return unit.Write(ctx, s.core, auth.Write("applications"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.ApplicationSubmission, error) {
		before, err := lockApplication(ctx, t, id)
		if err != nil || before.Status == status {
			return revealResult(s.core, before, err)
		}
		if status == applicationsubmission.StatusCONVERTED {
			return nil, fault.Conflictf("An application becomes CONVERTED only when you convert it to a lead.").
				With("status", "cannot be set to CONVERTED")
		}
		after, err := moveApplication(ctx, t, before, status)
		return revealResult(s.core, after, err)
	})
}

func lockApplication(ctx context.Context, t *unit.Tx, id int) (*ent.ApplicationSubmission, error) {
	row, err := t.ApplicationSubmission.Query().Where(applicationsubmission.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "application")
}

// moveApplication moves a locked application to another status and stores more columns.
func moveApplication(
	ctx context.Context, t *unit.Tx, before *ent.ApplicationSubmission, to applicationsubmission.Status,
	more ...input.Change,
) (*ent.ApplicationSubmission, error) {
	if err := intake.Check(intake.Status(before.Status), intake.Status(to)); err != nil {
		return nil, err
	}
	update := t.ApplicationSubmission.Update().Where(applicationsubmission.ID(before.ID))
	after, err := unit.Store(ctx, t, before, append(more, input.Set(applicationsubmission.FieldStatus, to)),
		update.Mutation(), update.Save)
	if err == nil {
		t.Record("application.update", "applicationSubmission", before.ID, nil, before, after)
	}
	return after, err
}
