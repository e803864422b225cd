package rest_test

import (
	"regexp/syntax"
	"slices"
	"strings"

	"paydown/internal/apptest"
)

// canary is part of every hostile value: if it appears in an output, input was repeated.
const canary = "zq9xkw"

// nasty are texts with a special meaning to a database, a browser, a terminal, a log or a careless parser.
var nasty = []string{
	canary + "'; DROP TABLE deals; --", "' UNION SELECT token_hash FROM api_keys -- " + canary, canary + `" OR ""="`,
	canary + "\r\nX-Injected: yes", canary + "\x00", "\x00", canary + "\u202e\u2066", "\ufeff" + canary,
	"<script>" + canary + "</script>", "${jndi:ldap://" + canary + "}", "{{7*7}}" + canary, "%s%n%x" + canary,
	canary + "\\", "../../../../etc/passwd" + canary, "\u0130\u0131" + canary, canary + "e\u0301\u0327",
	"\U0001f468\u200d\U0001f469" + canary, "\u0085" + canary, "\x7f" + canary, strings.Repeat(canary, 2000),
	"NULL", "NaN", "-Infinity", "1e999", "", " ",
}

// value is a value that a schema allows.
func (d *dice) value(name string, schema apptest.Object) any {
	if ref := schema.Text("$ref"); ref != "" {
		schema = d.schemaNamed(strings.TrimPrefix(ref, "#/components/schemas/"))
	}
	for _, choice := range []string{"anyOf", "oneOf"} {
		if all := schema.List(choice); len(all) > 0 {
			return d.value(name, pick(d, all))
		}
	}
	types := typesOf(schema)
	if slices.Contains(types, "null") && d.chance(8) {
		return nil
	}
	if isReference(name, schema) {
		return d.id(kindOf[name])
	}
	if values, closed := schema["enum"].([]any); closed {
		return pick(d, values)
	}
	if examples, ok := schema["examples"].([]any); ok && !d.chance(3) {
		return pick(d, examples)
	}
	switch {
	case slices.Contains(types, "integer"):
		return d.integer(schema)
	case slices.Contains(types, "boolean"):
		return d.chance(2)
	case slices.Contains(types, "array"):
		items := make([]any, d.IntN(4))
		for i := range items {
			items[i] = d.value(name, schema.In("items"))
		}
		return items
	case slices.Contains(types, "string"):
		return d.text(name, schema)
	case slices.Contains(types, "object"):
		return d.object(3)
	default:
		return nil
	}
}

// integer is within the limits of the schema, often exactly on one.
func (d *dice) integer(schema apptest.Object) int {
	low, high := 0, 400
	if schema["minimum"] != nil {
		low = schema.Int("minimum")
	}
	if schema["maximum"] != nil {
		high = schema.Int("maximum")
	}
	return pick(d, []int{low, high, low + d.IntN(max(1, high-low)), low + d.IntN(max(1, min(130, high-low)))})
}

// text fits the schema's format, pattern and length.
func (d *dice) text(name string, schema apptest.Object) string {
	if pattern := schema.Text("pattern"); pattern != "" {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			panic(err)
		}
		return d.matching(re.Simplify())
	}
	most := 500
	if schema["maxLength"] != nil {
		most = schema.Int("maxLength")
	}
	switch schema.Text("format") {
	case "date":
		return pick(d, []string{
			"2026-01-06", "2024-02-29", "1999-12-31", "2026-07-03", "2030-01-01", "0001-01-01", "9999-12-31",
		})
	case "date-time":
		return pick(d, []string{
			"2026-01-05T14:30:00.000Z", "2026-01-05", "2026-03-08T02:30:00-05:00",
			"1999-12-31T23:59:59.999Z", "9999-12-31T23:59:59Z",
		})
	case "email":
		return pick(d, []string{"dana@harbor.example", "a+b@c.example", strings.Repeat("a", 64) + "@b.example"})
	case "uri":
		return pick(d, []string{"https://harbor.example", "http://harbor.example/a?b=c#d", "https://xn--caf-dma.example"})
	case "hostname":
		return pick(d, []string{"harbor.example", "a.b.c.example"})
	}
	if strings.Contains(strings.ToLower(name), "phone") {
		return pick(d, []string{"(212) 555-0142", "+12125550142", "212-555-0142 x12", "5"})
	}
	word := pick(d, []string{
		"a", "Harbor Street", "O'Brien & Sons", "Ünïcödé 咖啡", "\U0001f375", `back\slash "quoted"`, "%_",
	})
	switch d.IntN(10) {
	case 0:
		return strings.Repeat("é", most)
	case 1:
		return strings.Repeat("x", min(most, d.IntN(200)))
	default:
		return word
	}
}

// object is a JSON object with arbitrary fields, of this depth.
func (d *dice) object(levels int) apptest.Object {
	o := apptest.Object{}
	for range d.IntN(4) {
		key := pick(d, []string{"a", "amount", "count", "payment", "", "咖啡", "x y", "$ref"})
		switch d.IntN(5) {
		case 0:
			o[key] = nil
		case 1:
			o[key] = float64(d.IntN(1000)) / 8
		case 2:
			o[key] = pick(d, []string{"5.00", "x", "\U0001f375"})
		case 3:
			o[key] = []any{1, "a", nil}
		default:
			if levels > 0 {
				o[key] = d.object(levels - 1)
			}
		}
	}
	return o
}

// matching is a text that matches a regular expression.
func (d *dice) matching(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		pair := 2 * d.IntN(len(re.Rune)/2)
		low, high := re.Rune[pair], min(re.Rune[pair+1], re.Rune[pair]+100)
		return string(low + rune(d.IntN(int(high-low)+1)))
	case syntax.OpConcat, syntax.OpCapture:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(d.matching(sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return d.matching(pick(d, re.Sub))
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus:
		most := map[syntax.Op]int{syntax.OpQuest: 1, syntax.OpStar: 5, syntax.OpPlus: 5}[re.Op]
		least := map[syntax.Op]int{syntax.OpPlus: 1}[re.Op]
		var b strings.Builder
		for range least + d.IntN(most-least+1) {
			b.WriteString(d.matching(re.Sub[0]))
		}
		return b.String()
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpEmptyMatch:
		return ""
	default:
		panic("no text for the pattern " + re.String())
	}
}
