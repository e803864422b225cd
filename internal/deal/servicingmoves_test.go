package deal_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/status"
)

// Allowed moves of the records that follow a funding.
func TestMovesAfterFunding(t *testing.T) {
	for name, c := range map[string]struct {
		table status.Table[string]
		want  map[string]string
	}{
		"line": {deal.Lines, map[string]string{"ACTIVE": "SUSPENDED CLOSED", "SUSPENDED": "ACTIVE CLOSED", "CLOSED": ""}},
		"draw": {deal.Draws, map[string]string{
			"REQUESTED": "APPROVED DECLINED", "APPROVED": "FUNDED DECLINED", "FUNDED": "", "REPAID": "", "DECLINED": "",
		}},
		"opportunity": {deal.Opportunities, map[string]string{
			"ELIGIBLE": "CONTACTED DISMISSED RENEWED", "CONTACTED": "DISMISSED RENEWED", "RENEWED": "", "DISMISSED": "",
		}},
		"batch": {deal.Batches, map[string]string{
			"DRAFT": "APPROVED", "APPROVED": "PAID PARTIAL", "PARTIAL": "PAID", "PAID": "PARTIAL",
		}},
		"item": {deal.Items, map[string]string{
			"PENDING": "PAID HELD FAILED CLAWED_BACK", "HELD": "PENDING CLAWED_BACK", "FAILED": "PENDING CLAWED_BACK",
			"PAID": "FAILED CLAWED_BACK", "CLAWED_BACK": "FAILED",
		}},
		"disbursement": {deal.Transfers, map[string]string{
			"PENDING": "SENT FAILED CANCELLED", "SENT": "SETTLED FAILED", "SETTLED": "FAILED", "FAILED": "SENT CANCELLED",
			"CANCELLED": "",
		}},
	} {
		for from, next := range c.want {
			for to := range c.want {
				if allowed := slices.Contains(strings.Fields(next), to); (c.table.Check(name, from, to) == nil) != allowed {
					t.Errorf("%s from %s to %s: want allowed %t", name, from, to, allowed)
				}
			}
		}
	}
}

func TestRenewalEligibility(t *testing.T) {
	today := civil.Must("2026-06-30")
	ago := func(days ...int) []civil.Date {
		var dates []civil.Date
		for _, d := range days {
			dates = append(dates, today.AddDays(-d))
		}
		return dates
	}
	for name, c := range map[string]struct {
		product deal.Product
		state   deal.State
		paid    string
		returns []civil.Date
		may     bool
	}{
		"half of an MCA":                         {deal.MCA, deal.Funded, "50", nil, true},
		"less than half":                         {deal.MCA, deal.Funded, "49.99", nil, false},
		"equipment needs more":                   {deal.Equipment, deal.Funded, "59.99", nil, false},
		"equipment at 60":                        {deal.Equipment, deal.Funded, "60", nil, true},
		"a term loan":                            {deal.TermLoan, deal.Funded, "50", nil, true},
		"a line of credit is not":                {deal.LOC, deal.Funded, "90", nil, false},
		"a default is not":                       {deal.MCA, deal.Defaulted, "90", nil, false},
		"a return 29 days ago":                   {deal.MCA, deal.Funded, "90", ago(29), false},
		"a return 30 days ago":                   {deal.MCA, deal.Funded, "90", ago(30), true},
		"two of which both are within 60 days":   {deal.MCA, deal.Funded, "90", ago(30, 59), false},
		"two of which one is longer ago than 60": {deal.MCA, deal.Funded, "90", ago(30, 60), true},
	} {
		got := deal.Renewals.Refusal(deal.RenewalFacts{
			State: c.state, Product: c.product, PaidDown: money.MustRate(c.paid), Returned: c.returns, Today: today,
		})
		if (got == "") != c.may {
			t.Errorf("%s: %q", name, got)
		}
	}
	if !deal.Renewals.Rests(today.AddDays(-29), today) || deal.Renewals.Rests(today.AddDays(-30), today) {
		t.Error("a dismissed deal is considered again within 30 days")
	}
	if got := deal.PaidDown(money.Must("1"), money.Must("3")); got.String() != "33.33" {
		t.Errorf("one third is %s", got)
	}
	if !deal.PaidDown(money.Must("1"), money.Zero).IsZero() {
		t.Error("PaidDown without a payback is not 0")
	}
}

func TestUnpaidOfDraws(t *testing.T) {
	draws := []deal.Draw{
		{Amount: money.Must("20000"), Payback: money.Must("24000"), Tagged: money.Must("1000")},
		{Amount: money.Must("12000"), Payback: money.Must("14400"), Tagged: money.Must("14400")},
		{Amount: money.Must("6000"), Payback: money.Must("7200")},
	}
	for outstanding, want := range map[string]string{
		"45600": "24000.00 14400.00 7200.00", // nothing was collected, regardless of the payments
		"30200": "23000.00 0.00 7200.00",     // each payment repaid the draw it names
		"30000": "22800.00 0.00 7200.00",     // a payment without a draw repays the oldest
		"7000":  "0.00 0.00 7000.00",
		"0":     "0.00 0.00 0.00",
		"50000": "24000.00 14400.00 7200.00", // more was returned than collected
	} {
		var got []string
		for _, a := range deal.Unpaid(draws, money.Must(outstanding)) {
			got = append(got, a.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of %s: %v, want %s", outstanding, got, want)
		}
	}
	if got := draws[0].Principal(money.Must("23000")); got.String() != "19166.67" {
		t.Errorf("principal is %s", got)
	}
	if got := (deal.Draw{Amount: money.Must("5")}).Principal(money.Zero); got.String() != "5.00" {
		t.Errorf("principal without a payback is %s", got)
	}
}

func TestCreditLineFollowsDeal(t *testing.T) {
	for _, c := range []struct {
		from, to deal.State
		want     string
	}{
		{deal.Prefunded, deal.Funded, "ACTIVE"},
		{deal.Defaulted, deal.Funded, "SUSPENDED"},
		{deal.Closed, deal.Funded, "SUSPENDED"},
		{deal.Funded, deal.Defaulted, "SUSPENDED"},
		{deal.Funded, deal.Closed, "CLOSED"},
		{deal.Funded, deal.Renewed, "CLOSED"},
		{deal.Submitted, deal.Withdrawn, "CLOSED"},
		{deal.Withdrawn, deal.Inception, "SUSPENDED"},
		{deal.Inception, deal.Submitted, "SUSPENDED"},
	} {
		if got := deal.LineOf("SUSPENDED", c.from, c.to); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
	for from, want := range map[deal.State]string{
		deal.Funded: "CLOSED", deal.Closed: "SUSPENDED", deal.Renewed: "SUSPENDED",
	} {
		to := deal.Funded
		if from == to {
			to = deal.Defaulted
		}
		if got := deal.LineOf("CLOSED", from, to); got != want {
			t.Errorf("a closed line, %s to %s: %s, want %s", from, to, got, want)
		}
	}
}
