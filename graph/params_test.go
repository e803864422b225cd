package graph_test

import (
	"reflect"
	"testing"

	"paydown/graph"
)

// bodies are requests of every form.
var bodies = []string{
	`{"query":"{ a }"}`,
	`{"query":"{ \u0061 \"é\" }","operationName":"A","variables":{"id":12345678901234567890,"f":1.50,"n":null},
		"extensions":{}}`,
	` {"variables":{"a":[1,{"b":"c"}]},"query":"{ a }"} `,
	`{"query":"{ a }","variables":null,"operationName":null,"extensions":null}`,
	`{"QUERY":"{ a }"}`, `{"query":"{ a }","Query":"{ b }"}`, `{"query":"{ a }","id":1}`,
	`{"query":"{ a }","query":"{ b }"}`, `{"query":"{ a }","variables":{"a":1,"a":2}}`,
	`{"query":1}`, `{"query":null}`, `{"query":""}`, `{"query":"{ a }","variables":[]}`,
	`{"query":"{ a }","variables":"{}"}`,
	`{"query":"{ a }"}{}`, `{"query":"{ a }"} x`, `{"query":"\ud800"}`, `[{"query":"{ a }"}]`, `null`, ``, `{`, `"{ a }"`,
}

func FuzzARequestIsReadTheSameStrictly(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		strictly := graph.ParsedStrictly(body)
		if strictly == nil {
			return // and is read leniently
		}
		leniently, err := graph.ParsedLeniently(body)
		if err != nil || !reflect.DeepEqual(strictly, leniently) {
			t.Errorf("%q: %+v strictly, %+v leniently, %v", body, strictly, leniently, err)
		}
	})
}

func TestUsualRequestsAreReadStrictly(t *testing.T) {
	for _, body := range bodies[:4] {
		if graph.ParsedStrictly([]byte(body)) == nil {
			t.Errorf("%s is not", body)
		}
	}
}
