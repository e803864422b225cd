package intake_test

import (
	"encoding/json"
	"strings"
	"testing"

	"paydown/internal/fault"
	"paydown/internal/intake"
)

func TestApplicationMoves(t *testing.T) {
	all := []intake.Status{intake.Received, intake.Reviewed, intake.Converted, intake.Spam}
	allowed := map[[2]intake.Status]bool{
		{intake.Received, intake.Reviewed}: true, {intake.Received, intake.Spam}: true,
		{intake.Received, intake.Converted}: true, {intake.Reviewed, intake.Spam}: true,
		{intake.Reviewed, intake.Converted}: true, {intake.Spam, intake.Reviewed}: true,
	}
	for _, from := range all {
		for _, to := range all {
			err := intake.Check(from, to)
			if (err == nil) != allowed[[2]intake.Status{from, to}] || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
		}
	}
}

// knows accepts two targets.
func knows(_ intake.Type, target string) string {
	if target == "lead.businessName" || target == "merchant.legalName" {
		return ""
	}
	return "names no field"
}

func TestParseFieldsReportsAllProblems(t *testing.T) {
	good := `[
		{"name":"business","label":"Name","type":"text","required":true,
		 "mapsTo":["lead.businessName","merchant.legalName"]},
		{"name":"use","label":"What for?","type":"choice","required":false,"options":["Stock","Rent"]}]`
	fields, problems := intake.ParseFields(json.RawMessage(good), knows)
	if len(problems) > 0 || len(fields) != 2 || fields[1].Options[1] != "Rent" {
		t.Fatalf("%v %v", fields, problems)
	}
	for raw, want := range map[string]string{
		`{}`:   "fields",
		`null`: "fields",
		`[]`:   "fields",
		`[{"name":"a","label":"A","type":"text","colour":"red"}]`: "fields",
		`[{"name":"A","label":" ","type":"word"}]`:                "fields.0.name fields.0.label fields.0.type",
		`[{"name":"a","label":"A","type":"text"},{"name":"a","label":"A","type":"text","options":["x"]}]`: "" +
			"fields.1.name fields.1.options",
		`[{"name":"a","label":"A","type":"choice"}]`:                        "fields.0.options",
		`[{"name":"a","label":"A","type":"choice","options":["x","x",""]}]`: "fields.0.options.1 fields.0.options.2",
		`[{"name":"a","label":"A","type":"text","mapsTo":["lead.businessName","lead.businessName","lead.id"]}]`: "" +
			"fields.0.mapsTo.1 fields.0.mapsTo.2",
	} {
		_, problems := intake.ParseFields(json.RawMessage(raw), knows)
		if got := paths(problems); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func paths(problems []fault.Detail) string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Path)
	}
	return strings.Join(all, " ")
}

func TestAnswersAreCheckedAgainstTheForm(t *testing.T) {
	var fields []intake.Field
	for _, kind := range intake.Types {
		f := intake.Field{
			Name: string(kind), Label: "A field", Type: kind, Required: kind == intake.Checkbox || kind == intake.Text,
		}
		if kind == intake.Choice {
			f.Options = []string{"Stock", "Rent"}
		}
		fields = append(fields, f)
	}
	text := func(kind intake.Type, answer string) string {
		if strings.HasPrefix(answer, "wrong") {
			return "is no " + string(kind)
		}
		return ""
	}
	for payload, want := range map[string]string{
		`{"text":"x","checkbox":true}`: "",
		`{"text":"x","checkbox":true,"money":"5.00","number":3,"date":"2026-01-05",` +
			`"choice":"Rent","email":"","zip":null}`: "",
		`{}`:                           "payload.text payload.checkbox",
		`{"text":"","checkbox":false}`: "payload.text payload.checkbox",
		`{"text":5,"checkbox":"true"}`: "payload.text payload.checkbox",
		`{"text":"x","checkbox":true,"email":"wrong","tel":"wrong","url":"wrong","state":"wrong",` +
			`"zip":"wrong","ein":"wrong","notes":"wrong"}`: "payload.notes payload.email payload.tel " +
			"payload.url payload.state payload.zip payload.ein",
		`{"text":"x","checkbox":true,"money":"1,000","number":1.5,"date":"tomorrow","choice":"Yacht"}`: "" +
			"payload.money payload.number payload.date payload.choice",
		`{"text":"x","checkbox":true,"money":-5,"other":1}`: "payload.money payload",
		`[]`:   "payload",
		`null`: "payload",
	} {
		answers, problems := intake.ParseAnswers(fields, json.RawMessage(payload), text)
		if got := paths(problems); got != want {
			t.Errorf("%s: %s, want %s", payload, got, want)
		}
		if want == "" && string(answers["text"]) != `"x"` {
			t.Errorf("%s: the answers are %v", payload, answers)
		}
	}
}

func TestAnswersAreMapped(t *testing.T) {
	fields := []intake.Field{
		{Name: "business", Type: intake.Text, MapsTo: []string{"lead.businessName", "merchant.legalName"}},
		{Name: "amount", Type: intake.Money, MapsTo: []string{"lead.requestedAmount"}},
		{Name: "phone", Type: intake.Phone, MapsTo: []string{"lead.phone"}},
		{Name: "consent", Type: intake.Checkbox},
	}
	answers := intake.Answers{
		"business": json.RawMessage(`"Harbor"`), "amount": json.RawMessage(`5000`), "consent": json.RawMessage(`true`),
	}
	for record, want := range map[string]string{
		"lead": `{"businessName":"Harbor","requestedAmount":5000}`, "merchant": `{"legalName":"Harbor"}`, "deal": "",
	} {
		if got := string(answers.For(record, fields)); got != want {
			t.Errorf("a %s is made of %s", record, got)
		}
	}
}
