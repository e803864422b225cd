package service

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/ent/form"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/intake"
)

// Applications are application forms as they were filled in.
type Applications struct{ *core }

// ApplicationListing describes the list.
var ApplicationListing = &Listing[ent.ApplicationSubmission]{
	Resource: "applications", Scope: auth.Read("applications"), NoUpdatedAt: true,
	Sorts: []Sort{
		{"status", applicationsubmission.FieldStatus, IsText},
	},
	Filters: []Filter{
		{
			Name: "status", Column: applicationsubmission.FieldStatus, Kind: IsEnum, Values: applicationsubmission.Status("").Values(),
			Doc: "Only applications of this status",
		},
		{Name: "formId", Column: applicationsubmission.FieldFormID, Kind: IsID, Doc: "Only applications made on this form"},
	},
	Expands: []Expand{
		{"form", auth.Read("applications")},
	},
}

// List returns a page of them, each with what it always includes.
func (s Applications) List(ctx context.Context, params map[string]string) (*Page[ent.ApplicationSubmission], error) {
	found, err := page(ctx, s.core, ApplicationListing, params, s.store.Reader().ApplicationSubmission.Query().WithForm())
	if err != nil {
		return nil, err
	}
	for i, row := range found.Records {
		if found.Records[i], err = s.reveal(row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// NewApplication is a form as it was filled in.
type NewApplication struct {
	FormID  Opt[int]             `json:"formId" check:"gte=1" need:"create" doc:"Form that was filled in"`
	Payload Opt[json.RawMessage] `json:"payload" check:"object" need:"create" doc:"The answers, by the names of the form's fields"`
}

// Create takes in an application that somebody made by hand or by telephone.
func (s Applications) Create(ctx context.Context, in NewApplication) (*ent.ApplicationSubmission, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("applications"), func(ctx context.Context, t *tx) (*ent.ApplicationSubmission, error) {
		if err := t.require(ctx, reference{"formId", "Form", in.FormID.Ptr()}); err != nil {
			return nil, err
		}
		f, err := t.Form.Query().Where(form.ID(in.FormID.Or(0)), locked).Only(ctx)
		if err != nil {
			return nil, missing(err, "form")
		}
		return t.apply(ctx, f, in.Payload.Or(nil), filledIn{})
	})
}

// filledIn is how a form was filled in on the web: from which address, on the page of which ticket (nil where it was no
// page of ours), and whether by what looks like a program. It is the zero value where a member of staff did so.
type filledIn struct {
	from   *string
	ticket []byte
	spam   bool
}

// apply keeps a form as it was filled in, judged by what it asks.
func (t *tx) apply(
	ctx context.Context, f *ent.Form, payload json.RawMessage, how filledIn,
) (*ent.ApplicationSubmission, error) {
	if !f.IsActive {
		return nil, fault.Conflictf("The form takes no applications any more.").With("formId", "names a form that is not active")
	}
	fields, _, problems := answersOf(f, payload)
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	masked := canonical(intake.Masked(fields, payload))
	create := t.ApplicationSubmission.Create().SetFormID(f.ID).SetPayload(masked).SetNillableIP(how.from)
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
	t.record("application.create", "applicationSubmission", row.ID, nil, nil, row)
	if err := t.sealAnswers(ctx, row, fields, payload); err != nil {
		return nil, err
	}
	answered := *row
	answered.Payload = canonical(payload)
	return &answered, nil
}

// Mark says what is thought of an application: that it was REVIEWED, or is SPAM. It is CONVERTED by Convert alone.
func (s Applications) Mark(
	ctx context.Context, id int, status applicationsubmission.Status,
) (*ent.ApplicationSubmission, error) {
	return write(ctx, s.core, auth.Write("applications"), func(ctx context.Context, t *tx) (*ent.ApplicationSubmission, error) {
		before, err := t.lockApplication(ctx, id)
		if err != nil || before.Status == status {
			return s.revealed(before, err)
		}
		if status == applicationsubmission.StatusCONVERTED {
			return nil, fault.Conflictf("An application is converted together with the lead that it becomes.").
				With("status", "cannot be set to CONVERTED")
		}
		after, err := t.moveApplication(ctx, before, status)
		return s.revealed(after, err)
	})
}

func (t *tx) lockApplication(ctx context.Context, id int) (*ent.ApplicationSubmission, error) {
	row, err := t.ApplicationSubmission.Query().Where(applicationsubmission.ID(id), locked).Only(ctx)
	return row, missing(err, "application")
}

// moveApplication moves an application that is locked to another status, with more of its columns where more is given.
func (t *tx) moveApplication(
	ctx context.Context, before *ent.ApplicationSubmission, to applicationsubmission.Status, more ...columnChange,
) (*ent.ApplicationSubmission, error) {
	if err := intake.Check(intake.Status(before.Status), intake.Status(to)); err != nil {
		return nil, err
	}
	update := t.ApplicationSubmission.Update().Where(applicationsubmission.ID(before.ID))
	after, err := stored(ctx, t, before, append(more, columnChange{applicationsubmission.FieldStatus, to}),
		update.Mutation(), update.Save)
	if err == nil {
		t.record("application.update", "applicationSubmission", before.ID, nil, before, after)
	}
	return after, err
}
