package deal_test

import (
	"fmt"
	"strings"
	"testing"

	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// offered parses terms: funded, payback, factor, with - for an open term.
func offered(text string) deal.OfferTerms {
	part := strings.Fields(text)
	var t deal.OfferTerms
	if part[0] != "-" {
		t.FundedAmount = new(money.Must(part[0]))
	}
	if part[1] != "-" {
		t.PaybackAmount = new(money.Must(part[1]))
	}
	if part[2] != "-" {
		t.FactorRate = new(money.MustRate(part[2]))
	}
	return t
}

func shown(t deal.OfferTerms) string {
	show := func(p fmt.Stringer, there bool) string {
		if !there {
			return "-"
		}
		return p.String()
	}
	return show(t.FundedAmount, t.FundedAmount != nil) + " " + show(t.PaybackAmount, t.PaybackAmount != nil) + " " +
		show(t.FactorRate, t.FactorRate != nil)
}

func paths(problems []fault.Detail) string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Path)
	}
	return strings.Join(all, " ")
}

func TestOfferTermIsDerivedFromOtherTwo(t *testing.T) {
	for _, c := range []struct{ terms, named, want, wrong string }{
		{"50000.00 - 1.30", "fundedAmount factorRate", "50000.00 65000.00 1.30", ""},
		{"50000.00 65000.00 -", "fundedAmount paybackAmount", "50000.00 65000.00 1.30", ""},
		{"- 65000.00 1.30", "paybackAmount factorRate", "50000.00 65000.00 1.30", ""},
		{"50000.00 - -", "fundedAmount", "50000.00 - -", ""},
		{"- - -", "", "- - -", ""},
		// Of complete terms, fields that are not named are recomputed.
		{"50000.00 65000.00 1.40", "factorRate", "50000.00 70000.00 1.40", ""},
		{"60000.00 65000.00 1.30", "fundedAmount", "60000.00 78000.00 1.30", ""},
		{"50000.00 70000.00 1.30", "paybackAmount", "50000.00 70000.00 1.40", ""},
		{"50000.00 70000.00 1.25", "paybackAmount factorRate", "56000.00 70000.00 1.25", ""},
		{"50000.00 70000.00 1.30", "fundedAmount paybackAmount factorRate", "", "paybackAmount"},
		{"50000.00 - 2.60", "fundedAmount factorRate", "", "factorRate"},
		{"-5.00 - 1.30", "fundedAmount", "", "fundedAmount"},
	} {
		got, problems := offered(c.terms).Complete(strings.Fields(c.named)...)
		if paths(problems) != c.wrong || c.wrong == "" && shown(got) != c.want {
			t.Errorf("%s with %s: %s %v, want %s %s", c.terms, c.named, shown(got), problems, c.want, c.wrong)
		}
	}
	fee := offered("50000.00 - 1.30")
	fee.BankFeePercent = new(money.MustRate("101"))
	if _, problems := fee.Complete(); paths(problems) != "bankFeePercent" {
		t.Errorf("a fee of 101 %%: %v", problems)
	}
}

func TestDiscountLimit(t *testing.T) {
	for discount, wrong := range map[string]string{"15000.00": "", "15000.01": "epoDiscount", "0.00": "epoDiscount"} {
		terms := offered("50000.00 - 1.30")
		terms.EPODiscount = new(money.Must(discount))
		if _, problems := terms.Complete(); paths(problems) != wrong {
			t.Errorf("%s: %v", discount, problems)
		}
	}
}

func TestCounteredTermsMustBeValid(t *testing.T) {
	offer := offered("50000.00 65000.00 1.30")
	offer.TermDays, offer.EPODiscount = new(180), new(money.Must("15000.00"))
	got, problems := offer.Countered(deal.OfferCounter{
		Amount: new(money.Must("60000.00")), Factor: new(money.MustRate("1.25")),
	})
	if shown(got) != "60000.00 75000.00 1.25" || len(problems) > 0 || *got.TermDays != 180 || got.EPODiscount == nil {
		t.Errorf("%s %+v %v", shown(got), got, problems)
	}
	less, problems := offer.Countered(deal.OfferCounter{Factor: new(money.MustRate("1.20"))})
	if shown(less) != "50000.00 60000.00 1.20" || len(problems) > 0 || less.EPODiscount != nil {
		t.Errorf("a discount that there is no room for: %+v %v", less, problems)
	}
	if shown(offer) != "50000.00 65000.00 1.30" {
		t.Errorf("the offer has changed: %s", shown(offer))
	}
	for wrong, counter := range map[string]deal.OfferCounter{
		"counterAmount":         {},
		"counterFactor":         {Factor: new(money.MustRate("0.90"))},
		"counterTermDays":       {TermDays: new(0)},
		"counterBankFeePercent": {BankFeePercent: new(money.MustRate("101"))},
	} {
		if _, problems := offer.Countered(counter); paths(problems) != wrong {
			t.Errorf("%+v: %v, want %s", counter, problems, wrong)
		}
	}
	_, problems = offer.Countered(deal.OfferCounter{Amount: new(money.Must("50000.00")), TermDays: new(180)})
	if paths(problems) != "counterAmount" {
		t.Errorf("a counter of what was offered: %v", problems)
	}
}

func TestOfferSendRequirements(t *testing.T) {
	for terms, want := range map[string]string{
		"- - -": "fundedAmount paybackAmount factorRate", "50000.00 - -": "paybackAmount factorRate",
		"50000.00 65000.00 1.30": "",
	} {
		if got := strings.Join(offered(terms).Missing(), " "); got != want {
			t.Errorf("%s lacks %q, want %q", terms, got, want)
		}
	}
}
