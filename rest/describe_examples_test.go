package rest_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// Every example in the description is valid by the schema beside it, and every body has one.
func TestEveryExampleFitsItsSchema(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "examples.test")
	answer := c.Do(t, "GET", "/api/openapi.json", nil)
	var doc map[string]any
	if err := json.Unmarshal(answer.Body, &doc); err != nil {
		t.Fatal(err)
	}
	x := &exhibition{t: t, description: describedBy(t, c)}
	x.visit(nil, doc)
	for what, count := range map[string]int{"bodies": x.bodies, "parameters": x.parameters, "schemas": x.schemas} {
		if count < 10 {
			t.Errorf("%d examples of %s", count, what)
		}
	}
}

type exhibition struct {
	*description
	t                           *testing.T
	bodies, parameters, schemas int
}

func (x *exhibition) visit(place []string, node any) {
	switch n := node.(type) {
	case map[string]any:
		if slices.Contains([]string{"example", "examples", "default", "enum"}, last(place)) {
			return // what is in an example is no description
		}
		x.media(place, n)
		x.schema(place, n)
		for name, child := range n {
			x.visit(append(slices.Clone(place), name), child)
		}
	case []any:
		for i, child := range n {
			x.visit(append(slices.Clone(place), strconv.Itoa(i)), child)
		}
	}
}

// media checks the example of a body, which is required, or of a parameter, which is optional.
func (x *exhibition) media(place []string, n map[string]any) {
	if _, described := n["schema"]; !described || last(place) == "properties" {
		return
	}
	example, given := n["example"]
	body := last(place) == "application/json"
	switch {
	case body && !given:
		x.t.Errorf("%s has no example", strings.Join(place, "/"))
	case given:
		x.judge(append(slices.Clone(place), "schema"), example)
	}
	if body {
		x.bodies++
	} else if given {
		x.parameters++
	}
}

// schema checks the examples and the default of a schema.
func (x *exhibition) schema(place []string, n map[string]any) {
	examples, _ := n["examples"].([]any)
	if value, given := n["default"]; given && last(place) != "responses" {
		examples = append(slices.Clone(examples), value)
	}
	if last(place) == "properties" {
		return // a field may be called examples
	}
	for _, example := range examples {
		x.schemas++
		x.judge(place, example)
	}
}

func (x *exhibition) judge(place []string, example any) {
	if err := check(x.strict, pointer(place...), marshal(x.t, example)); err != nil {
		x.t.Errorf("%s: the example %s is none: %v", strings.Join(place, "/"), marshal(x.t, example), err)
	}
}

func last(place []string) string {
	if len(place) == 0 {
		return ""
	}
	return place[len(place)-1]
}
