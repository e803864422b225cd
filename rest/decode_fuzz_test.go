package rest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// FuzzDecode checks that the decoder only returns faults, and accepts nothing that encoding/json would refuse
// or read differently.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"name":"a","amount":"5.00"}`, `{"name":"a","amount":5,"rate":1.25,"count":3,"flag":true}`,
		`{"day":"2026-01-05","at":"2026-01-05T14:30:00Z","status":"NEW","note":"a\nb"}`, `{"name":"a","name":"b"}`,
		`{"Name":"a"}`, `{"rule":{"a":{"b":[1,2,{"c":null}]}},"tags":["a.example"]}`, `{"rule":{"a":1,"a":2}}`,
		`{"name":"\u0000"}`, `{"name":"\ud800"}`, `{"name":"\\u0000"}`, "{\"name\":\"\xff\"}", "\ufeff{}", `{} {}`,
		`{"amount":1e3}`,
		`{"amount":NaN}`, `{"a":{"a":{"a":{"a":{}}}}}`, `[[[[[[[[[[[[[[[[`, `{"name":null,"rate":null}`,
		`{"count":9223372036854775807}`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, create bool) {
		in, err := decode[sample](body, service.Mode(create))
		if err != nil {
			checkRefusal(t, err)
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatalf("%q is taken, though encoding/json says: %v", body, err)
		}
		v := reflect.ValueOf(in)
		for _, field := range service.InputFields(v.Type()) {
			raw, there := want[field.Name]
			delete(want, field.Name)
			opt := v.FieldByIndex(field.Index).Interface().(service.Optional)
			null := there && bytes.Equal(bytes.TrimSpace(raw), []byte("null"))
			if opt.Absent() == there || opt.IsNull() != null || opt.Given() != (there && !null) {
				t.Fatalf("%q: %s is absent %t, null %t", body, field.Name, opt.Absent(), opt.IsNull())
			}
			var text string
			if field.Name == "name" && opt.Given() && (json.Unmarshal(raw, &text) != nil || text != in.Name.Or("")) {
				t.Fatalf("%q: name is %q, want %q", body, in.Name.Or(""), text)
			}
		}
		if len(want) > 0 {
			t.Fatalf("%q is taken with unknown fields %v", body, want)
		}
	})
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	refusal := fault.As(err)
	if refusal == nil || (refusal.Code != fault.Validation && refusal.Code != fault.InvalidJSON) {
		t.Fatalf("refused with %v", err)
	}
	if refusal.Code == fault.Validation && len(refusal.Details) == 0 {
		t.Fatalf("%v names no field", err)
	}
	named := map[string]bool{}
	for _, d := range refusal.Details {
		if d.Message == "" || named[d.Path] {
			t.Fatalf("%v names %q twice, or says nothing of it", err, d.Path)
		}
		named[d.Path] = true
	}
}
