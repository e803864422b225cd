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

// FormInput is what somebody sets of a form.
type FormInput struct {
	Name     input.Opt[string]          `json:"name" check:"name" need:"create" example:"Application for funding"`
	Slug     input.Opt[string]          `json:"slug" check:"slug" need:"create" doc:"Its name in the address of its page" example:"apply"`
	Fields   input.Opt[json.RawMessage] `json:"fields" check:"json" need:"create" doc:"What it asks, in order: [{name, label, type, required, help, options, mapsTo}]"`
	IsActive input.Opt[bool]            `json:"isActive" need:"value" doc:"Whether it takes applications; true unless given"`
}

// List returns all forms, those that take no applications any more among them.
func (s Forms) List(ctx context.Context) ([]*ent.Form, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("applications")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Form.Query().Order(form.ByID()).All(ctx)
}

// Create publishes a form.
func (s Forms) Create(ctx context.Context, in FormInput) (*ent.Form, error) {
	if err := checkedForm(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.Form, error) { return makeForm(ctx, t, in) })
}

func makeForm(ctx context.Context, t *unit.Tx, in FormInput) (*ent.Form, error) {
	create := t.Form.Create()
	row, err := unit.Create(ctx, t, "form", in, create.Mutation(), create.Save)
	return row, unit.Taken(err, "slug", "form")
}

// Update changes a form, or turns it on or off. Applications that were made on it stay as they are, and are read by what
// the form asks now.
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

// targets are what answers may become: the fields of a lead and of a merchant, but for where the lead stands.
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

// textTypes are the checks that text answers of a type pass.
var textTypes = map[intake.Type]string{
	intake.Text: "text", intake.Notes: "notes", intake.Email: "email", intake.Phone: "phone", intake.URL: "web",
	intake.State: "usstate", intake.ZIP: "zip", intake.EIN: "ein", intake.SSN: "ssn", intake.Account: "account", intake.Choice: "text",
}

// fitsTarget says what is wrong with having answers of a type become a field of a lead or a merchant, or "". What only
// some answers do not fit, such as the length of a name, is told of those when they are converted.
func fitsTarget(t intake.Type, target string) string {
	f, known := targets[target]
	if !known {
		return "must be lead. or merchant. and the name of a field that one is made of"
	}
	if t == intake.SSN || t == intake.Account {
		return "takes no answer of this type, which is kept with the application alone"
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
			return "is text, which an answer of this type is not"
		case check == "name", check == "text" && t != intake.Notes, check == "notes", check == asText:
			return ""
		default:
			return "needs an answer of another type"
		}
	}
	if want != t {
		return "needs a field of type " + string(want)
	}
	return ""
}

// answersOf reads an application by what its form asks now.
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
