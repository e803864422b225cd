package input

import (
	"encoding/json"
	"testing"
)

func TestCanonicalJSON(t *testing.T) {
	for sent, want := range map[string]string{
		`{}`:                                `{}`,
		"{ \"b\" : 1 ,\n\"a\" : [ 2, 1 ] }": `{"a":[2,1],"b":1}`,
		`{"b":{"d":1,"c":2},"a":[{"y":1,"x":2}]}`: `{"a":[{"x":2,"y":1}],"b":{"c":2,"d":1}}`,
		`{"aa":1,"b":2,"B":3,"é":4,"10":5,"9":6}`: `{"10":5,"9":6,"B":3,"aa":1,"b":2,"é":4}`,
		`[1.0,1.00,1e2,1E+2,-0,0.10,100000000000000000001,0.1000000000000000055511151231257827]`: "" +
			`[1.0,1.00,1e2,1E+2,-0,0.10,100000000000000000001,0.1000000000000000055511151231257827]`,
		`{"t":"\u0041\u00e9\/\n\u0001"}`: `{"t":"Aé/\n\u0001"}`,
		`[true,false,null,""]`:           `[true,false,null,""]`,
		// RFC 8785 sorts by UTF-16 code units: an emoji comes before U+FF41.
		"{\"\uff41\":1,\"\U0001F375\":2}": "{\"\U0001F375\":2,\"\uff41\":1}",
		`no JSON`:                         `no JSON`,
	} {
		raw := json.RawMessage(sent)
		got := Canonical(raw)
		if string(got) != want {
			t.Errorf("%s is stored as %s, want %s", sent, got, want)
		}
		if again := Canonical(got); string(again) != want {
			t.Errorf("%s changes again, to %s", want, again)
		}
		if string(raw) != sent {
			t.Errorf("%s was changed in place, to %s", sent, raw)
		}
		if !EqualValues(raw, json.RawMessage(want)) {
			t.Errorf("%s differs from %s", sent, want)
		}
	}
	if EqualValues(json.RawMessage(`{"a":1}`), json.RawMessage(`{"a":1.0}`)) || EqualValues(json.RawMessage(`{}`), nil) {
		t.Error("different values count as equal")
	}
}
