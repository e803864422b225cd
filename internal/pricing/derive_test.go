package pricing_test

import (
	"encoding/json"
	"slices"
	"testing"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
)

// Monday 5 January 2026: the banking days after it begin on the Tuesday.
var monday = pricing.Context{Today: civil.Must("2026-01-05")}

func amount(s string) *money.Amount { return new(money.Must(s)) }
func rate(s string) *money.Rate     { return new(money.MustRate(s)) }
func day(s string) *civil.Date      { return new(civil.Must(s)) }

// validTerms returns consistent terms with all inputs of Derive: 126 banking days at 1.30.
func validTerms() pricing.Terms {
	return pricing.Terms{
		FundedAmount: amount("50000.00"), FactorRate: rate("1.3"), NumberOfPayments: new(126),
		Frequency: new(schedule.Daily), Schedule: new(schedule.BankingDays),
	}
}

func with(change func(*pricing.Terms)) pricing.Terms {
	t := validTerms()
	change(&t)
	return t
}

func mustDerive(t *testing.T, given pricing.Terms, in pricing.Context) (pricing.Terms, []pricing.Field) {
	t.Helper()
	full, derived, problems := pricing.Derive(given, in)
	if len(problems) > 0 {
		t.Fatalf("refused: %v", problems)
	}
	return full, derived
}

func encoded(t *testing.T, terms pricing.Terms) string {
	t.Helper()
	b, err := json.Marshal(terms)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnyTwoOfFundedPaybackAndFactorGiveTheThird(t *testing.T) {
	for name, c := range map[string]struct {
		given   pricing.Terms
		derived pricing.Field
		want    string
	}{
		"payback": {
			pricing.Terms{FundedAmount: amount("50000"), FactorRate: rate("1.3")},
			pricing.PaybackAmount,
			`{"fundedAmount":"50000.00","paybackAmount":"65000.00","factorRate":"1.30"}`,
		},
		"payback, half a cent up": {
			pricing.Terms{FundedAmount: amount("100.01"), FactorRate: rate("2.5")},
			pricing.PaybackAmount,
			`{"fundedAmount":"100.01","paybackAmount":"250.03","factorRate":"2.50"}`,
		},
		"factor, at six decimals": {
			pricing.Terms{FundedAmount: amount("30000"), PaybackAmount: amount("40000")},
			pricing.FactorRate,
			`{"fundedAmount":"30000.00","paybackAmount":"40000.00","factorRate":"1.333333"}`,
		},
		"funded": {
			pricing.Terms{PaybackAmount: amount("65000"), FactorRate: rate("1.3")},
			pricing.FundedAmount,
			`{"fundedAmount":"50000.00","paybackAmount":"65000.00","factorRate":"1.30"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			full, derived := mustDerive(t, c.given, monday)
			if got := encoded(t, full); got != c.want || !slices.Equal(derived, []pricing.Field{c.derived}) {
				t.Errorf("%s, derived %v", got, derived)
			}
		})
	}
}

func TestPaymentsAreRoundedUpAndTheLastIsWhatRemains(t *testing.T) {
	t.Run("130,000 in 252 payments", func(t *testing.T) {
		full, _ := mustDerive(t, pricing.Terms{PaybackAmount: amount("130000"), NumberOfPayments: new(252)}, monday)
		last, ok := schedule.FinalPayment(*full.PaybackAmount, *full.PaymentAmount, 252)
		if full.PaymentAmount.String() != "515.88" || last.String() != "514.12" || !ok {
			t.Errorf("payment %s, last %s", full.PaymentAmount, last)
		}
	})
	t.Run("149,000 in payments of 1,199", func(t *testing.T) {
		full, _ := mustDerive(t, pricing.Terms{PaybackAmount: amount("149000"), PaymentAmount: amount("1199")}, monday)
		last, ok := schedule.FinalPayment(*full.PaybackAmount, *full.PaymentAmount, *full.NumberOfPayments)
		if *full.NumberOfPayments != 125 || last.String() != "324.00" || !ok {
			t.Errorf("%d payments, last %s", *full.NumberOfPayments, last)
		}
	})
	t.Run("a count that divides evenly", func(t *testing.T) {
		full, _ := mustDerive(t, pricing.Terms{PaybackAmount: amount("1000"), PaymentAmount: amount("100")}, monday)
		if *full.NumberOfPayments != 10 {
			t.Errorf("%d payments", *full.NumberOfPayments)
		}
	})
	t.Run("a payment above the exact part is kept", func(t *testing.T) {
		given := pricing.Terms{PaybackAmount: amount("1000"), PaymentAmount: amount("105"), NumberOfPayments: new(10)}
		if _, derived := mustDerive(t, given, monday); derived != nil {
			t.Errorf("derived %v", derived)
		}
	})
}

func TestTermCountsFromFundingToTheLastPayment(t *testing.T) {
	for name, c := range map[string]struct {
		given pricing.Terms
		days  int
	}{
		"from today":                        {validTerms(), 182},
		"from the day of funding":           {with(func(t *pricing.Terms) { t.FundedOn = day("2026-01-02") }), 182},
		"to a first payment that was given": {with(func(t *pricing.Terms) { t.FirstPaymentDate = day("2026-01-20") }), 193},
		"from before a first payment that has passed": {
			with(func(t *pricing.Terms) { t.FirstPaymentDate = day("2025-01-07") }), 183,
		},
		"on banking days where no rule is given": {with(func(t *pricing.Terms) { t.Schedule = nil }), 182},
	} {
		t.Run(name, func(t *testing.T) {
			full, derived := mustDerive(t, c.given, monday)
			if *full.TermDays != c.days || !slices.Contains(derived, pricing.TermDays) {
				t.Errorf("%d days, derived %v", *full.TermDays, derived)
			}
		})
	}
}

func TestTheTermGivesTheNumberOfPayments(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*pricing.Terms)
		n      int
	}{
		"as banking days": {func(t *pricing.Terms) { t.TermDays = new(182) }, 126},
		"as months, though the last is long before its end": {func(t *pricing.Terms) {
			t.TermDays, t.Frequency, t.CollectionDay = new(185), new(schedule.Monthly), new(1)
		}, 6},
		"from a later first payment on": {func(t *pricing.Terms) {
			t.TermDays, t.FirstPaymentDate = new(182), day("2026-06-30")
		}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			given := with(func(t *pricing.Terms) { t.NumberOfPayments = nil; c.change(t) })
			full, derived := mustDerive(t, given, monday)
			if *full.NumberOfPayments != c.n || !slices.Contains(derived, pricing.NumberOfPayments) {
				t.Errorf("%d payments, derived %v", *full.NumberOfPayments, derived)
			}
			if full.PaymentAmount == nil || *full.TermDays != *given.TermDays {
				t.Error("the payment is missing or the term was changed")
			}
		})
	}
}

func TestTheFirstPaymentIsDerivedOnceTheFundingDayIsKnown(t *testing.T) {
	full, _ := mustDerive(t, validTerms(), monday)
	if full.FirstPaymentDate != nil {
		t.Errorf("before: %s", full.FirstPaymentDate)
	}
	if start, ok := full.Start(monday.Today); !ok || start.String() != "2026-01-06" {
		t.Errorf("it would start on %s", start)
	}
	full, derived := mustDerive(t, with(func(t *pricing.Terms) { t.FundedOn = day("2026-01-16") }), monday)
	if full.FirstPaymentDate.String() != "2026-01-20" || !slices.Contains(derived, pricing.FirstPaymentDate) {
		t.Errorf("after: %s, derived %v", full.FirstPaymentDate, derived)
	}
}

func TestAFirstPaymentDateThatIsNoCollectionDayIsKept(t *testing.T) {
	full, _ := mustDerive(t, with(func(t *pricing.Terms) { t.FirstPaymentDate = day("2026-01-17") }), monday)
	start, _ := full.Start(monday.Today)
	if full.FirstPaymentDate.String() != "2026-01-17" || start.String() != "2026-01-20" {
		t.Errorf("given %s, starts on %s", full.FirstPaymentDate, start)
	}
}

func TestThePercentageOfRevenue(t *testing.T) {
	in := monday
	in.MonthlyRevenue = amount("100000")
	full, derived := mustDerive(t, validTerms(), in)
	if full.SpecifiedPercentage.String() != "10.83348" || !slices.Contains(derived, pricing.SpecifiedPercentage) {
		t.Errorf("%s, derived %v", full.SpecifiedPercentage, derived)
	}
	given := with(func(t *pricing.Terms) { t.SpecifiedPercentage = rate("9") })
	if full, _ = mustDerive(t, given, in); full.SpecifiedPercentage.String() != "9.00" {
		t.Errorf("a given one became %s", full.SpecifiedPercentage)
	}
	in.MonthlyRevenue = amount("10000")
	if full, _ = mustDerive(t, validTerms(), in); full.SpecifiedPercentage != nil {
		t.Errorf("payments above the revenue are %s of it", full.SpecifiedPercentage)
	}
}

func TestAChangedTermRecomputesWhatFollowsFromIt(t *testing.T) {
	full, derived := mustDerive(t, validTerms(), monday)
	given := full.Without(derived...)
	given.FactorRate = rate("1.4")
	changed, _ := mustDerive(t, given, monday)
	if changed.PaybackAmount.String() != "70000.00" || changed.PaymentAmount.String() != "555.56" {
		t.Errorf("payback %s, payment %s", changed.PaybackAmount, changed.PaymentAmount)
	}
}

func TestTooFewTermsDeriveNothing(t *testing.T) {
	for name, given := range map[string]pricing.Terms{
		"nothing":            {},
		"one amount":         {FundedAmount: amount("1000")},
		"a count alone":      {NumberOfPayments: new(10)},
		"a term, no plan":    {PaybackAmount: amount("1000"), TermDays: new(100)},
		"a plan, no count":   {Frequency: new(schedule.Daily)},
		"a rule alone":       {Schedule: new(schedule.CustomDays)},
		"payments, no total": {PaymentAmount: amount("10"), NumberOfPayments: new(10)},
	} {
		if full, derived := mustDerive(t, given, monday); derived != nil || encoded(t, full) != encoded(t, given) {
			t.Errorf("%s: derived %v", name, derived)
		}
	}
}

func TestAtFunding(t *testing.T) {
	t.Run("dates what was left open and keeps the payments", func(t *testing.T) {
		given := with(func(t *pricing.Terms) { t.NumberOfPayments, t.TermDays = nil, new(182) })
		stored, derived := mustDerive(t, given, monday)
		funded, derived, problems := pricing.AtFunding(stored, derived, civil.Must("2026-03-13"))
		if problems != nil {
			t.Fatal(problems)
		}
		want := stored
		want.FundedOn, want.FirstPaymentDate = day("2026-03-13"), day("2026-03-16")
		if got := encoded(t, funded); got != encoded(t, want) {
			t.Errorf("got %s, want %s", got, encoded(t, want))
		}
		if !slices.Contains(derived, pricing.FirstPaymentDate) || slices.Contains(derived, pricing.TermDays) {
			t.Errorf("derived %v", derived)
		}
	})
	t.Run("recomputes a derived term", func(t *testing.T) {
		stored, derived := mustDerive(t, validTerms(), monday)
		funded, derived, problems := pricing.AtFunding(stored, derived, civil.Must("2026-02-13"))
		if problems != nil || *funded.TermDays != 181 || *stored.TermDays != 182 {
			t.Errorf("%d days, was %d; %v", *funded.TermDays, *stored.TermDays, problems)
		}
		if i := slices.Index(derived, pricing.TermDays); i < 0 || slices.Contains(derived[i+1:], pricing.TermDays) {
			t.Errorf("derived %v", derived)
		}
	})
	t.Run("does not move a monthly deal whose count came from its term", func(t *testing.T) {
		given := with(func(t *pricing.Terms) {
			t.NumberOfPayments, t.TermDays, t.Frequency, t.CollectionDay = nil, new(185), new(schedule.Monthly), new(1)
		})
		stored, derived := mustDerive(t, given, monday)
		funded, _, problems := pricing.AtFunding(stored, derived, civil.Must("2026-01-30"))
		if problems != nil || *funded.NumberOfPayments != *stored.NumberOfPayments {
			t.Errorf("%d payments; %v", *funded.NumberOfPayments, problems)
		}
	})
	t.Run("refuses a first payment that has passed", func(t *testing.T) {
		given := with(func(t *pricing.Terms) { t.FirstPaymentDate = day("2026-01-06") })
		stored, derived := mustDerive(t, given, monday)
		_, _, problems := pricing.AtFunding(stored, derived, civil.Must("2026-01-06"))
		if !slices.Equal(paths(problems), []string{"firstPaymentDate"}) {
			t.Error(problems)
		}
	})
	t.Run("refuses a day that puts the given term and payments apart", func(t *testing.T) {
		given := with(func(t *pricing.Terms) { t.FirstPaymentDate, t.TermDays = day("2026-03-02"), new(238) })
		stored, derived := mustDerive(t, given, monday)
		_, _, problems := pricing.AtFunding(stored, derived, civil.Must("2026-02-27"))
		if !slices.Equal(paths(problems), []string{"termDays"}) {
			t.Error(problems)
		}
	})
}

// Half a year that begins on another day may contain a different number of first days of a month.
func TestATermThatWasAgreedIsNotComparedAgain(t *testing.T) {
	agreed := with(func(t *pricing.Terms) {
		t.NumberOfPayments, t.TermDays, t.Frequency, t.CollectionDay = new(6), new(185), new(schedule.Monthly), new(1)
	})
	mustDerive(t, agreed, monday)
	later := pricing.Context{Today: civil.Must("2026-01-30")}
	if _, _, problems := pricing.Derive(agreed, later); !slices.Equal(paths(problems), []string{"termDays"}) {
		t.Errorf("new terms: %v", problems)
	}
	later.TermAgreed = true
	mustDerive(t, agreed, later)
	if funded, _, problems := pricing.AtFunding(agreed, nil, later.Today); problems != nil || *funded.TermDays != 185 {
		t.Errorf("at funding: %v", problems)
	}
}

func paths(problems []fault.Detail) (paths []string) {
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	return paths
}
