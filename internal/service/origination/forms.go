package origination

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"paydown/ent"
	"paydown/ent/form"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/intake"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/parties"
	"paydown/internal/service/unit"
)

// Forms are the application forms that the company publishes.
type Forms struct{ core *unit.Core }

// FormInput holds what a caller sets on a form.
type FormInput struct {
	Name     input.Opt[string]          `json:"name" check:"name" need:"create" example:"Application for funding"`
	Slug     input.Opt[string]          `json:"slug" check:"slug" need:"create" doc:"The form's name in its page's URL" example:"apply"`
	Fields   input.Opt[json.RawMessage] `json:"fields" check:"json" need:"create" doc:"The questions, in order: [{name, label, type, required, help, options, mapsTo}]"`
	IsActive input.Opt[bool]            `json:"isActive" need:"value" doc:"Whether it accepts applications; default: true"`
}

// List returns all forms, including inactive ones.
func (s Forms) List(ctx context.Context) ([]*ent.Form, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("applications")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Form.Query().Order(form.ByID()).All(ctx)
}

// Create creates a form.
func (s Forms) Create(ctx context.Context, in FormInput) (*ent.Form, error) {
	if err := checkedForm(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core,
		func(ctx context.Context, t *unit.Tx) (*ent.Form, error) { return createForm(ctx, t, in) })
}

func createForm(ctx context.Context, t *unit.Tx, in FormInput) (*ent.Form, error) {
	create := t.Form.Create()
	row, err := unit.Create(ctx, t, "form", in, create.Mutation(), create.Save)
	return row, unit.Taken(err, "slug", "form")
}

// Update changes a form, or turns it on or off. Existing applications stay unchanged and are read with the
// form's current fields.
func (s Forms) Update(ctx context.Context, id int, in FormInput) (*ent.Form, error) {
	if err := checkedForm(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.Form, error) {
		before, err := t.Form.Query().Where(form.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "form")
		}
		update := t.Form.Update().Where(form.ID(id))
		row, err := unit.Update(ctx, t, "form", id, before, in, update.Mutation(), update.Save)
		return row, unit.Taken(err, "slug", "form")
	})
}

func checkedForm(in FormInput, mode input.Mode) error {
	problems := input.Check(in, mode)
	if raw, given := in.Fields.Get(); given {
		_, wrong := intake.ParseFields(raw, fitsTarget)
		problems = input.MergeProblems(problems, wrong)
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// targets are the fields that answers can be mapped to: those of a lead and of a merchant, except the lead's
// status.
var targets = func() map[string]input.InputField {
	all := map[string]input.InputField{}
	for record, fields := range map[string]reflect.Type{
		"lead": reflect.TypeFor[LeadInput](), "merchant": reflect.TypeFor[parties.MerchantInput](),
	} {
		for _, f := range input.PublicFields(fields) {
			all[record+"."+f.Name] = f
		}
	}
	delete(all, "lead.status")
	return all
}()

// textTypes are the input checks of text answers, by field type.
var textTypes = map[intake.Type]string{
	intake.Text: "text", intake.Notes: "notes", intake.Email: "email", intake.Phone: "phone", intake.URL: "web",
	intake.State: "usstate", intake.ZIP: "zip", intake.EIN: "ein", intake.SSN: "ssn", intake.Account: "account",
	intake.Choice: "text",
}

// fitsTarget returns why answers of a type cannot be mapped to a field of a lead or a merchant, or "". Checks
// that depend on the answer, such as the length of a name, run at conversion.
func fitsTarget(t intake.Type, target string) string {
	f, known := targets[target]
	if !known {
		return "must be lead. or merchant. followed by a field name"
	}
	if t == intake.SSN || t == intake.Account {
		return "cannot be a target: answers of this type are kept with the application only"
	}
	var want intake.Type
	switch f.Type {
	case reflect.TypeFor[money.Amount]():
		want = intake.Money
	case reflect.TypeFor[civil.Date]():
		want = intake.Date
	case reflect.TypeFor[bool]():
		want = intake.Checkbox
	default:
		check, _, _ := strings.Cut(f.Check, ",")
		switch asText := textTypes[t]; {
		case asText == "":
			return "must be a target of the same type; this target is text"
		case check == "name", check == "text" && t != intake.Notes, check == "notes", check == asText:
			return ""
		default:
			return "must be a target that accepts answers of this type"
		}
	}
	if want != t {
		return "requires a field of type " + string(want)
	}
	return ""
}

// answersOf reads an application with the form's current fields.
func answersOf(f *ent.Form, payload json.RawMessage) ([]intake.Field, intake.Answers, []fault.Detail) {
	fields, problems := intake.ParseFields(f.Fields, fitsTarget)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	answers, problems := intake.ParseAnswers(fields, payload, func(t intake.Type, answer string) string {
		return input.Violation(answer, textTypes[t])
	})
	return fields, answers, problems
}
