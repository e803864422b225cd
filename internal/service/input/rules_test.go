package input

import (
	"encoding/json"
	"strings"
	"testing"

	"paydown/ent/lead"
	"paydown/internal/money"
)

func TestTextRules(t *testing.T) {
	for check, c := range map[string]struct{ good, bad []string }{
		"name": {
			[]string{
				"A", "Harbor Street Bakery LLC", "Ünïcode 咖啡 🍵", "O'Brien & Sons <br>", strings.Repeat("é", 200),
				"a'); DROP TABLE leads;--",
			},
			[]string{"", " ", "\u3000", strings.Repeat("x", 201), "a\nb", "a\tb", "a\x00", "a\x7f", "a\u0085b", "\xff"},
		},
		"text": {
			[]string{"", " ", strings.Repeat("é", 500), "%_\\"},
			[]string{strings.Repeat("é", 501), "a\nb", "a\rb", "a\x1bb", "a\u009bb", "\xc3"},
		},
		"notes": {
			[]string{"", "one\ntwo\tthree", strings.Repeat("é", 10_000)},
			[]string{strings.Repeat("é", 10_001), "a\r\nb", "a\x00b", "a\vb", "\xff"},
		},
		"email": {
			[]string{"owner@harborstreet.example", "o.w+tag@sub.harbor-street.example", "O'Brien@example.com"},
			[]string{
				"", "owner", "@example.com", "owner@", "owner@@example.com", "owner@example", "a b@example.com", "a..b@example.com",
				"Dana <owner@example.com>", "<owner@example.com>", "owner@example.com, b@example.com", "owner@example.com\n",
				"owner@exa mple.com", "owner@-example.com", strings.Repeat("x", 500) + "@example.com",
				"owner@example.com\r\nBcc: x@example.com",
			},
		},
		"web": {
			[]string{"https://harborstreet.example", "http://harborstreet.example:8080/a?b=c#d", "HTTPS://EXAMPLE.COM/"},
			[]string{
				"", "harborstreet.example", "//harborstreet.example", "ftp://harborstreet.example", "javascript:alert(1)",
				"https://",
				"https:///path", "https://a b.example", "https://example.com/\nb", "data:text/html,x", "https:example.com",
				"https://example.com/" + strings.Repeat("x", 500),
			},
		},
		"domain": {
			[]string{"harborstreet.example", "mail.harbor-street.example"},
			[]string{
				"", "harborstreet", "@harborstreet.example", "https://harborstreet.example", "harbor street.example", "-a.example",
				"a..example",
			},
		},
		"phone": {
			[]string{
				"(212) 555-0142", "212-555-0142", "212.555.0142", "2125550142", "+12125550142", "1 212 555 0142",
				"+1 (212) 555-0142",
				"+44 20 7946 0958", "+49 30 901820", "(212) 555-0142 x123", "212-555-0142 ext. 9",
			},
			[]string{
				"", "phone", "911", "+", "+1", "+999 212 555 0142 99 99 99", "212-555-0142-99999", "212 555 0142; 3", "٢١٢٥٥٥٠١٤٢",
				"212-555-0142\n", "1-800-FLOWERS", "tel:+12125550142", "++12125550142", "+12125550142<script>",
			},
		},
		"usstate": {
			[]string{"NY", "CA", "DC", "PR", "GU", "VI", "AS", "MP"},
			[]string{"", "N", "ny", "New York", "ZZ", "XX", "NYC", "N ", "AA"},
		},
		"zip": {
			[]string{"10004", "00501", "10004-1234"},
			[]string{"", "1000", "100041", "100041234", "10004-123", "10004 1234", "1000A", "１０００４", "10004\n", "SW1A 1AA"},
		},
		"ein": {
			[]string{"123456789", "12-3456789"},
			[]string{
				"", "12345678", "1234567890", "1-23456789", "123-456789", "12–3456789", "12 3456789", "AB-3456789", "12-3456789\n",
				"１２3456789",
			},
		},
	} {
		for _, value := range c.good {
			if message := Violation(value, check); message != "" {
				t.Errorf("%s refuses %.40q: %s", check, value, message)
			}
		}
		for _, value := range c.bad {
			switch message := Violation(value, check); {
			case message == "":
				t.Errorf("%s accepts %.40q", check, value)
			case message != Rules[check].Message:
				t.Errorf("%s of %.40q says %q", check, value, message)
			}
		}
	}
}

func TestComparisonMessages(t *testing.T) {
	for _, c := range []struct {
		value any
		check string
		want  string
	}{
		{money.Must("0.00"), "gte=0", ""},
		{money.Must("-0.01"), "gte=0", "must be at least 0"},
		{money.Must("0.00"), "ne=0", "must not be 0"},
		{money.Must("-5.00"), "ne=0", ""},
		{money.Must("999999999999.99"), "gte=0", ""},
		{money.Must("0.99"), "gte=100", "must be at least 1"},
		{money.Must("12.34"), "lte=1050", "must be at most 10.5"},
		{money.MustRate("0.000001"), "gte=0", ""},
		{money.MustRate("100.000001"), "gte=0,lte=100000000", "must be at most 100"},
		{money.MustRate("-0.000001"), "gte=0,lte=100000000", "must be at least 0"},
		{1, "gte=1,lte=50", ""},
		{0, "gte=1,lte=50", "must be at least 1"},
		{51, "gte=1,lte=50", "must be at most 50"},
		{-1 << 62, "gte=1", "must be at least 1"},
		{true, "", ""},
		{lead.Status("NEW"), "", ""},
		{lead.Status("new"), "", "must be one of NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD"},
	} {
		if got := Violation(c.value, c.check); got != c.want {
			t.Errorf("%v under %s: %q, want %q", c.value, c.check, got, c.want)
		}
	}
}

func TestMessagesUseTheFieldsUnit(t *testing.T) {
	for digits, want := range map[string]string{
		"0": "0", "1": "0.000001", "1000000": "1", "2500000": "2.5", "100000000": "100",
	} {
		if got := unscaled(digits, money.RateScale); got != want {
			t.Errorf("%s is %s, want %s", digits, got, want)
		}
	}
}

func TestListEntriesAreChecked(t *testing.T) {
	problems := violations("domains", []string{"a.example", "b", "c.example", "d e"}, "domain")
	if len(problems) != 2 || problems[0].Path != "domains.1" || problems[1].Path != "domains.3" {
		t.Errorf("%v", problems)
	}
	long := make([]string, MaxEntries+1)
	for i := range long {
		long[i] = "a.example"
	}
	if problems := violations("domains", long[:MaxEntries], "domain"); len(problems) != 0 {
		t.Errorf("%v", problems)
	}
	if problems := violations("domains", long, "domain"); len(problems) != 1 || problems[0].Path != "domains" {
		t.Errorf("%v", problems)
	}
}

func TestObjectRules(t *testing.T) {
	nested := func(levels int) string {
		return strings.Repeat(`{"a":`, levels-1) + "{}" + strings.Repeat("}", levels-1)
	}
	text := func(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }
	for _, good := range []string{
		`{}`, nested(20), text(256 << 10), `{"a":"{[\"{{{{{{{{{{{{{{{{{{{{{{{{{"}`, `{"a":["]","}"]}`,
	} {
		if message := Violation(json.RawMessage(good), "object"); message != "" {
			t.Errorf("%.40s: %s", good, message)
		}
	}
	for bad, says := range map[string]string{
		`[]`: "must be an object", `"{}"`: "must be an object", `1`: "must be an object", nested(21): "20 levels",
		`{"a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`: "20 levels", text(256<<10 + 1): "256 KiB",
		`{"a\"":` + nested(20) + `}`: "20 levels",
	} {
		if message := Violation(json.RawMessage(bad), "object"); !strings.Contains(message, says) {
			t.Errorf("%.40s: %q, want %q", bad, message, says)
		}
	}
}
