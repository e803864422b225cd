package rest

import (
	"encoding/json"
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"

	"paydown/ent/lead"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service"
)

// sample is an input with a field of every kind.
type sample struct {
	Name   service.Opt[string]          `json:"name" check:"name" need:"create"`
	Amount service.Opt[money.Amount]    `json:"amount" check:"gte=0" need:"create"`
	Rate   service.Opt[money.Rate]      `json:"rate"`
	Count  service.Opt[int]             `json:"count" check:"gte=1,lte=50"`
	Flag   service.Opt[bool]            `json:"flag" need:"value"`
	Day    service.Opt[civil.Date]      `json:"day"`
	At     service.Opt[civil.Moment]    `json:"at"`
	Status service.Opt[lead.Status]     `json:"status" need:"value"`
	Note   service.Opt[string]          `json:"note" check:"notes"`
	Tags   service.Opt[[]string]        `json:"tags" check:"domain"`
	Rule   service.Opt[json.RawMessage] `json:"rule" check:"object"`
}

// judged decodes a body and validates its values like every service.
func judged(body string, mode service.Mode) (sample, error) {
	in, err := decode[sample]([]byte(body), mode)
	if err != nil {
		return in, err
	}
	if problems := service.Check(in, mode); len(problems) > 0 {
		return in, fault.Invalid(problems...)
	}
	return in, nil
}

// refused decodes an invalid body, and returns the code with the messages by path.
func refused(t *testing.T, body string, mode service.Mode) (fault.Code, map[string]string) {
	t.Helper()
	_, err := judged(body, mode)
	f := fault.As(err)
	if f == nil {
		t.Fatalf("%.80q is taken, or fails without a fault: %v", body, err)
	}
	messages := map[string]string{}
	for _, d := range f.Details {
		if messages[d.Path] != "" {
			t.Errorf("%.80q: %s is named twice: %q and %q", body, d.Path, messages[d.Path], d.Message)
		}
		messages[d.Path] = d.Message
	}
	return f.Code, messages
}

func TestBodyFormat(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for name, c := range map[string]struct {
		body string
		code fault.Code
		path string
	}{
		"empty":                  {"", fault.Validation, "body"},
		"only blanks":            {" \r\n\t ", fault.Validation, "body"},
		"null":                   {"null", fault.Validation, "body"},
		"an array":               {`[{"name":"a"}]`, fault.Validation, "body"},
		"a string":               {`"name"`, fault.Validation, "body"},
		"a number":               {"1", fault.Validation, "body"},
		"no UTF-8":               {"{\"name\":\"\xff\"}", fault.Validation, "body"},
		"an overlong NUL":        {"{\"name\":\"\xc0\x80\"}", fault.Validation, "body"},
		"an encoded surrogate":   {"{\"name\":\"\xed\xa0\x80\"}", fault.Validation, "body"},
		"too deep":               {`{"rule":` + deep + `}`, fault.Validation, "body"},
		"too deep, never closed": {strings.Repeat(`{"a":`, 100_000), fault.Validation, "body"},
		"just too deep": {
			`{"rule":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, fault.Validation, "body",
		},
		"cut off":                  {`{"name":"a"`, fault.InvalidJSON, ""},
		"followed by a brace":      {`{"name":"a"}}`, fault.InvalidJSON, ""},
		"followed by a value":      {`{"name":"a"} {}`, fault.InvalidJSON, ""},
		"followed by a word":       {`{"name":"a"} x`, fault.InvalidJSON, ""},
		"followed by a NUL":        {"{\"name\":\"a\"}\x00", fault.InvalidJSON, ""},
		"followed by a hard space": {"{\"name\":\"a\"}\u00a0", fault.InvalidJSON, ""},
		"after a byte order mark":  {"\ufeff" + `{"name":"a"}`, fault.InvalidJSON, ""},
		"with NaN":                 {`{"amount":NaN}`, fault.InvalidJSON, ""},
		"with Infinity":            {`{"amount":-Infinity}`, fault.InvalidJSON, ""},
		"with a leading zero":      {`{"amount":05}`, fault.InvalidJSON, ""},
		"with a plus":              {`{"amount":+5}`, fault.InvalidJSON, ""},
		"with a bare point":        {`{"amount":5.}`, fault.InvalidJSON, ""},
		"with a trailing comma":    {`{"name":"a",}`, fault.InvalidJSON, ""},
		"with a comment":           {`{"name":"a"/**/}`, fault.InvalidJSON, ""},
		"with single quotes":       {`{'name':'a'}`, fault.InvalidJSON, ""},
		"with a bare newline":      {"{\"name\":\"a\nb\"}", fault.InvalidJSON, ""},
		"with a bare NUL":          {"{\"name\":\"a\x00b\"}", fault.InvalidJSON, ""},
		"with a bad escape":        {`{"name":"\x41"}`, fault.InvalidJSON, ""},
		"of a form":                {`name=a&amount=5`, fault.InvalidJSON, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, messages := refused(t, c.body, service.ForCreate)
			if _, named := messages[c.path]; code != c.code || (c.path != "" && (!named || len(messages) != 1)) {
				t.Errorf("%s with %v", code, messages)
			}
		})
	}
}

// A deep body costs no more memory, and so no more time, than a few times its size.
func TestDeepBodyIsRejectedCheaply(t *testing.T) {
	body := []byte(strings.Repeat(`{"rule":`, 130_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := decode[sample](body, service.ForCreate)
	runtime.ReadMemStats(&after)
	if !fault.Is(err, fault.Validation) {
		t.Errorf("a body of 130 000 levels: %v", err)
	}
	if bytes, objects := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs; bytes > 8*uint64(len(body)) ||
		objects > 1000 {
		t.Errorf("it takes %d bytes and %d objects", bytes, objects)
	}
}

func TestFieldTypes(t *testing.T) {
	const (
		amount = "must be a decimal string with at most 12 digits"
		rate   = "must be a decimal string with at most 9 digits"
	)
	for name, c := range map[string]struct{ body, path, says string }{
		"unknown":                      {`{"nickname":"x"}`, "nickname", "unknown field"},
		"in another case":              {`{"Name":"x"}`, "Name", "unknown field"},
		"in capitals":                  {`{"AMOUNT":"1"}`, "AMOUNT", "unknown field"},
		"an id":                        {`{"id":7}`, "id", "unknown field"},
		"with an empty name":           {`{"":1}`, "", "unknown field"},
		"twice":                        {`{"name":"a","name":"a"}`, "name", "more than once"},
		"twice, the second escaped":    {`{"name":"a","n\u0061me":"b"}`, "name", "more than once"},
		"twice and unknown":            {`{"who":1,"who":2}`, "who", "more than once"},
		"twice inside":                 {`{"rule":{"a":1,"a":2}}`, "rule", "repeat a name"},
		"twice far inside":             {`{"rule":{"a":[{"b":{"c":1,"c":1}}]}}`, "rule", "repeat a name"},
		"with a NUL":                   {`{"name":"a\u0000b"}`, "name", "NUL"},
		"with a NUL inside":            {`{"rule":{"a":["\\\u0000"]}}`, "rule", "NUL"},
		"with a NUL in a name inside":  {`{"rule":{"\u0000":1}}`, "rule", "NUL"},
		"a lone high surrogate":        {`{"name":"\ud83d"}`, "name", "Unicode"},
		"a lone low surrogate":         {`{"name":"a\udc00b"}`, "name", "Unicode"},
		"surrogates the wrong way":     {`{"name":"\udc00\ud83d"}`, "name", "Unicode"},
		"a lone surrogate inside":      {`{"rule":{"a":"\ud83dx"}}`, "rule", "Unicode"},
		"a number for a string":        {`{"name":5}`, "name", "must be a string"},
		"an object for a string":       {`{"name":{"a":1}}`, "name", "must be a string"},
		"a bool for a string":          {`{"name":true}`, "name", "must be a string"},
		"blank":                        {`{"name":" \u3000"}`, "name", "1 to 200 characters"},
		"empty":                        {`{"name":""}`, "name", "1 to 200 characters"},
		"too long":                     {`{"name":"` + strings.Repeat("é", 201) + `"}`, "name", "1 to 200 characters"},
		"a control character":          {`{"name":"a\u001bb"}`, "name", "control characters"},
		"a newline in a name":          {`{"name":"a\nb"}`, "name", "control characters"},
		"null, though required":        {`{"name":null}`, "name", "must not be null"},
		"null, though it has a value":  {`{"flag":null}`, "flag", "must not be null"},
		"an exponent":                  {`{"amount":1e3}`, "amount", amount},
		"a capital exponent":           {`{"amount":1E3}`, "amount", amount},
		"an exponent as text":          {`{"amount":"1e3"}`, "amount", amount},
		"three decimals":               {`{"amount":12.345}`, "amount", amount},
		"three decimals as text":       {`{"amount":"12.345"}`, "amount", amount},
		"three decimals, one a zero":   {`{"amount":12.340}`, "amount", amount},
		"a comma":                      {`{"amount":"1,000"}`, "amount", amount},
		"a decimal comma":              {`{"amount":"1,5"}`, "amount", amount},
		"a leading blank":              {`{"amount":" 5"}`, "amount", amount},
		"a trailing newline":           {`{"amount":"5\n"}`, "amount", amount},
		"an empty amount":              {`{"amount":""}`, "amount", amount},
		"NaN as text":                  {`{"amount":"NaN"}`, "amount", amount},
		"a plus as text":               {`{"amount":"+5"}`, "amount", amount},
		"a bare point as text":         {`{"amount":".5"}`, "amount", amount},
		"a point at the end":           {`{"amount":"5."}`, "amount", amount},
		"a currency":                   {`{"amount":"$5"}`, "amount", amount},
		"hexadecimal":                  {`{"amount":"0x5"}`, "amount", amount},
		"other digits":                 {`{"amount":"٥"}`, "amount", amount},
		"a bool for an amount":         {`{"amount":true}`, "amount", amount},
		"an array for an amount":       {`{"amount":["5"]}`, "amount", amount},
		"13 digits":                    {`{"amount":1000000000000}`, "amount", amount},
		"19 digits":                    {`{"amount":"1234567890123456789"}`, "amount", amount},
		"19 digits as a number":        {`{"amount":1234567890123456789}`, "amount", amount},
		"negative":                     {`{"amount":"-0.01"}`, "amount", "must be at least 0"},
		"a rate with seven decimals":   {`{"rate":"1.1234567"}`, "rate", rate},
		"a number with three decimals": {`{"rate":1.125}`, "rate", rate},
		"a rate of ten digits":         {`{"rate":"1234567890"}`, "rate", rate},
		"a rate with an exponent":      {`{"rate":1e0}`, "rate", rate},
		"text for an integer":          {`{"count":"5"}`, "count", "must be an integer"},
		"a fraction for an integer":    {`{"count":5.5}`, "count", "must be an integer"},
		"a point in an integer":        {`{"count":5.0}`, "count", "must be an integer"},
		"an exponent in an integer":    {`{"count":1e1}`, "count", "must be an integer"},
		"an integer of 64 bits":        {`{"count":9223372036854775808}`, "count", "must be an integer"},
		"an integer too small":         {`{"count":0}`, "count", "must be at least 1"},
		"an integer too large":         {`{"count":51}`, "count", "must be at most 50"},
		"text for a bool":              {`{"flag":"true"}`, "flag", "must be true or false"},
		"a number for a bool":          {`{"flag":1}`, "flag", "must be true or false"},
		"a day that is none":           {`{"day":"2026-02-30"}`, "day", "YYYY-MM-DD"},
		"a timestamp for a day":        {`{"day":"2026-02-03T00:00:00Z"}`, "day", "YYYY-MM-DD"},
		"a day written otherwise":      {`{"day":"02/03/2026"}`, "day", "YYYY-MM-DD"},
		"a number for a day":           {`{"day":20260203}`, "day", "YYYY-MM-DD"},
		"a time without its offset":    {`{"at":"2026-02-03T10:00:00"}`, "at", "timestamp"},
		"a time with a blank":          {`{"at":"2026-02-03 10:00:00Z"}`, "at", "timestamp"},
		"seconds since 1970":           {`{"at":1770000000}`, "at", "timestamp"},
		"an unknown status":            {`{"status":"WON"}`, "status", "NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD"},
		"a status in lower case":       {`{"status":"new"}`, "status", "NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD"},
		"an empty status":              {`{"status":""}`, "status", "NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD"},
		"a number for a status":        {`{"status":0}`, "status", "NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD"},
		"a carriage return in a note":  {`{"note":"a\r\nb"}`, "note", "control characters"},
		"a note that is too long":      {`{"note":"` + strings.Repeat("x", 10_001) + `"}`, "note", "10000"},
		"text for a list":              {`{"tags":"a.example"}`, "tags", "must be an array"},
		"a number in a list":           {`{"tags":["a.example",5]}`, "tags", "must be an array"},
		"a bad entry in a list":        {`{"tags":["a.example","no domain"]}`, "tags.1", "domain"},
		"an array for an object":       {`{"rule":[]}`, "rule", "must be an object"},
		"text for an object":           {`{"rule":"{}"}`, "rule", "must be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			code, messages := refused(t, c.body, service.ForUpdate)
			if code != fault.Validation || len(messages) != 1 || !strings.Contains(messages[c.path], c.says) {
				t.Errorf("%s with %v, want %s: …%s…", code, messages, c.path, c.says)
			}
		})
	}
}

func TestAllBodyProblemsAreReported(t *testing.T) {
	code, messages := refused(t, `{"amount":"1,000","count":0,"Name":"x","status":"WON","day":null,"flag":null,"rate":"1",
		"note":"\u0007","at":"now","who":1,"who":2}`, service.ForCreate)
	want := map[string]string{
		"amount": "must be a decimal string with at most 12 digits before and 2 after the point",
		"count":  "must be at least 1",
		"Name":   "unknown field", "status": "must be one of NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD",
		"flag": "must not be null",
		"note": "must be at most 10000 characters without control characters except newline and tab",
		"at":   "must be a timestamp with its offset, such as 2026-01-05T14:30:00Z, or a date written as YYYY-MM-DD",
		"who":  "is given more than once", "name": "is required",
	}
	if code != fault.Validation || !maps.Equal(messages, want) {
		t.Errorf("%s\n got %v\nwant %v", code, messages, want)
	}
}

func TestProblemsDoNotEchoValues(t *testing.T) {
	const value = "s3cr3t-4711"
	for _, field := range []string{
		"name", "amount", "rate", "count", "flag", "day", "at", "status", "note", "tags", "rule",
	} {
		for _, raw := range []string{`"` + value + `\u0007"`, `["` + value + `"]`, `{"a":"` + value + `\u0000"}`} {
			_, err := judged(`{"`+field+`":`+raw+`}`, service.ForCreate)
			if err == nil || strings.Contains(err.Error(), value) {
				t.Errorf("%s: %v", field, err)
			}
		}
	}
	if _, err := decode[sample]([]byte(`{"name":"`+value), service.ForCreate); strings.Contains(err.Error(), value) {
		t.Error(err)
	}
}

func TestDecodedValues(t *testing.T) {
	in, err := judged(` {
		"name": "Caf\u00e9 \ud83c\udf75", "amount": 12.5, "rate": 1.3, "count": 50, "flag": false, "day": "2024-02-29",
		"at": "2026-02-03T10:00:00.1239+02:00", "status": "DEAD", "note": "one\n\ttwo", "tags": [], "rule": {"a": [1, {}]}
	} `, service.ForCreate)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][2]string{
		"name":   {in.Name.Or(""), "Café 🍵"},
		"amount": {in.Amount.Or(money.Zero).String(), "12.50"},
		"rate":   {in.Rate.Or(money.MustRate("0")).String(), "1.30"},
		"day":    {in.Day.Or(civil.Date{}).String(), "2024-02-29"},
		"at":     {in.At.Or(civil.Moment{}).String(), "2026-02-03T08:00:00.123Z"},
		"status": {string(in.Status.Or("")), "DEAD"},
		"note":   {in.Note.Or(""), "one\n\ttwo"},
		"rule":   {string(in.Rule.Or(nil)), `{"a": [1, {}]}`},
	} {
		if got[0] != got[1] {
			t.Errorf("%s is %q, want %q", name, got[0], got[1])
		}
	}
	if flag, given := in.Flag.Get(); flag || !given {
		t.Errorf("flag is %t, given %t", flag, given)
	}
	if tags, given := in.Tags.Get(); len(tags) != 0 || !given {
		t.Errorf("tags are %v, given %t", tags, given)
	}
}

func TestNullClearsAndAbsentKeeps(t *testing.T) {
	in, err := decode[sample]([]byte(`{"rate":null,"day":null,"note":null,"rule":null}`), service.ForUpdate)
	if err != nil {
		t.Fatal(err)
	}
	if !in.Rate.IsNull() || !in.Day.IsNull() || !in.Note.IsNull() || !in.Rule.IsNull() {
		t.Errorf("a null is no null: %+v", in)
	}
	if !in.Name.Absent() || !in.Amount.Absent() || !in.Flag.Absent() || !in.At.Absent() {
		t.Errorf("what is absent is there: %+v", in)
	}
	if _, err := decode[sample]([]byte(`{}`), service.ForUpdate); err != nil {
		t.Errorf("an empty change: %v", err)
	}
}

func TestWhatIsTakenAtTheEdge(t *testing.T) {
	for _, body := range []string{
		`{"amount":"999999999999.99"}`, `{"amount":999999999999.99}`, `{"amount":0}`, `{"amount":-0}`,
		`{"amount":"000000000005"}`,
		`{"rate":"999999999.999999"}`, `{"rate":"-1"}`, `{"count":1}`,
		`{"name":"` + strings.Repeat("é", 200) + `"}`, `{"note":"` + strings.Repeat("x", 10_000) + `"}`, `{"note":""}`,
		`{"at":"2026-02-03"}`, `{"at":"2026-02-03T00:00:00\u002B05:00"}`,
		`{"name":"\\u0000"}`, `{"name":"\ud83c\udf75"}`, `{"rule":{"a":{"A":1}}}`,
		`{"rule":` + strings.Repeat(`{"a":`, 19) + "{}" + strings.Repeat("}", 19) + `}`,
	} {
		if _, err := judged(body, service.ForUpdate); err != nil {
			t.Errorf("%.60s: %v", body, err)
		}
	}
}

func TestDecoderErrorsAreFaults(t *testing.T) {
	for _, body := range []string{"", "x", "{", `{"a"`, `{"name":`, `{"rule":{"a":1,"a":`} {
		_, err := decode[sample]([]byte(body), service.ForCreate)
		if _, ok := errors.AsType[*fault.Error](err); !ok {
			t.Errorf("%q: %v", body, err)
		}
	}
}
