package pricing_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
)

func TestDeriveRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*pricing.Terms)
		paths  []string
	}{
		"a funded amount of nothing": {func(t *pricing.Terms) { t.FundedAmount = amount("0") }, []string{"fundedAmount"}},
		"a negative payback":         {func(t *pricing.Terms) { t.PaybackAmount = amount("-1") }, []string{"paybackAmount"}},
		"a factor below 1":           {func(t *pricing.Terms) { t.FactorRate = rate("0.999999") }, []string{"factorRate"}},
		"a factor above 2.5":         {func(t *pricing.Terms) { t.FactorRate = rate("2.500001") }, []string{"factorRate"}},
		"a payback below the advance": {
			func(t *pricing.Terms) { t.FactorRate, t.PaybackAmount = nil, amount("49999.99") }, []string{"paybackAmount"},
		},
		"a payback above 2.5 times": {
			func(t *pricing.Terms) { t.FactorRate, t.PaybackAmount = nil, amount("125000.01") }, []string{"paybackAmount"},
		},
		"three amounts that disagree": {
			func(t *pricing.Terms) { t.PaybackAmount = amount("65002.51") }, []string{"paybackAmount"},
		},
		"a payback beyond what money holds": {func(t *pricing.Terms) {
			t.FundedAmount, t.FactorRate = amount("900000000000"), rate("1.2")
		}, []string{"fundedAmount"}},
		"a payback that funds nothing": {func(t *pricing.Terms) {
			t.FundedAmount, t.PaybackAmount, t.FactorRate, t.NumberOfPayments = nil, amount("0.01"), rate("2.5"), nil
		}, []string{"paybackAmount"}},
		"a buy rate below 1":         {func(t *pricing.Terms) { t.BuyRate = rate("0.9") }, []string{"buyRate"}},
		"a buy rate over the factor": {func(t *pricing.Terms) { t.BuyRate = rate("1.31") }, []string{"buyRate"}},
		"a buy rate over a derived factor": {func(t *pricing.Terms) {
			t.FactorRate, t.PaybackAmount, t.BuyRate = nil, amount("60000"), rate("1.21")
		}, []string{"buyRate"}},

		"no payments": {
			func(t *pricing.Terms) { t.NumberOfPayments = new(0) }, []string{"numberOfPayments"},
		},
		"payments without number": {
			func(t *pricing.Terms) { t.NumberOfPayments = new(3661) }, []string{"numberOfPayments"},
		},
		"a payment of nothing": {
			func(t *pricing.Terms) { t.PaymentAmount = amount("0") }, []string{"paymentAmount"},
		},
		"a payment over the payback": {
			func(t *pricing.Terms) { t.PaymentAmount, t.NumberOfPayments = amount("65000.01"), nil }, []string{"paymentAmount"},
		},
		"payments that repay too little": {
			func(t *pricing.Terms) { t.PaymentAmount = amount("515.87") }, []string{"paymentAmount"},
		},
		"payments that repay too soon": {
			func(t *pricing.Terms) { t.PaymentAmount = amount("520.00") }, []string{"paymentAmount"},
		},
		"a payment that takes too many": {
			func(t *pricing.Terms) { t.PaymentAmount, t.NumberOfPayments = amount("17.75"), nil }, []string{"paymentAmount"},
		},
		"more payments than there are cents": {
			func(t *pricing.Terms) { t.FundedAmount = amount("0.50") }, []string{"numberOfPayments"},
		},
		"a term that holds more than the cents": {
			func(t *pricing.Terms) { t.FundedAmount, t.NumberOfPayments, t.TermDays = amount("0.50"), nil, new(182) },
			[]string{"termDays"},
		},

		"a term of no days":                {func(t *pricing.Terms) { t.TermDays = new(0) }, []string{"termDays"}},
		"a term of more than thirty years": {func(t *pricing.Terms) { t.TermDays = new(10981) }, []string{"termDays"}},
		"a term eight days short":          {func(t *pricing.Terms) { t.TermDays = new(174) }, []string{"termDays"}},
		"a term eight days long":           {func(t *pricing.Terms) { t.TermDays = new(190) }, []string{"termDays"}},
		"a term without collection day": {func(t *pricing.Terms) {
			t.NumberOfPayments, t.TermDays, t.FundedOn = nil, new(2), day("2026-01-02")
		}, []string{"termDays"}},
		"a term with too many collection days": {func(t *pricing.Terms) {
			t.NumberOfPayments, t.TermDays, t.Schedule = nil, new(4000), new(schedule.EveryDay)
		}, []string{"termDays"}},
		"payments beyond thirty years": {func(t *pricing.Terms) {
			t.NumberOfPayments, t.Frequency, t.CollectionDay = new(400), new(schedule.Monthly), new(1)
		}, []string{"numberOfPayments"}},
		"a payment that takes beyond thirty years": {func(t *pricing.Terms) {
			t.NumberOfPayments, t.PaymentAmount, t.Frequency, t.CollectionDay = nil, amount("100"), new(schedule.Monthly), new(1)
		}, []string{"paymentAmount"}},
		"a term whose payments end beyond thirty years": {func(t *pricing.Terms) {
			t.NumberOfPayments, t.TermDays, t.FirstPaymentDate = nil, new(10980), day("2057-01-02")
		}, []string{"termDays"}},

		"a first payment on the day of funding": {func(t *pricing.Terms) {
			t.FundedOn, t.FirstPaymentDate = day("2026-01-06"), day("2026-01-06")
		}, []string{"firstPaymentDate"}},
		"a first payment before funding": {func(t *pricing.Terms) {
			t.FundedOn, t.FirstPaymentDate = day("2026-01-06"), day("2026-01-05")
		}, []string{"firstPaymentDate"}},
		"a first payment generations after funding": {
			func(t *pricing.Terms) { t.FirstPaymentDate = day("2099-01-05") }, []string{"firstPaymentDate"},
		},
		"dates that are slips of the pen": {func(t *pricing.Terms) {
			t.FundedOn, t.FirstPaymentDate = day("9999-12-31"), day("1026-01-05")
		}, []string{"fundedAt", "firstPaymentDate"}},

		"a funding too late for its first payment": {
			func(t *pricing.Terms) { t.FundedOn = day("2999-12-31") }, []string{"fundedAt"},
		},

		"weekly without collection day": {
			func(t *pricing.Terms) { t.Frequency = new(schedule.Weekly) }, []string{"collectionDay"},
		},
		"weekly on a Sunday": {
			func(t *pricing.Terms) { t.Frequency, t.CollectionDay = new(schedule.Weekly), new(7) }, []string{"collectionDay"},
		},
		"custom days weekly": {func(t *pricing.Terms) {
			t.Frequency, t.Schedule, t.CollectionDay = new(schedule.Weekly), new(schedule.CustomDays), new(3)
		}, []string{"collectionSchedule"}},
		"a collection day without frequency": {
			func(t *pricing.Terms) { t.Frequency, t.CollectionDay = nil, new(3) }, []string{"collectionDay"},
		},
		"a rule that is none, without frequency": {func(t *pricing.Terms) {
			t.Frequency, t.Schedule = nil, new(schedule.Rule("FRIDAYS"))
		}, []string{"collectionSchedule"}},
		"a frequency that is none": {
			func(t *pricing.Terms) { t.Frequency = new(schedule.Frequency("YEARLY")) }, []string{"collectionFrequency"},
		},

		"a negative percentage": {
			func(t *pricing.Terms) { t.SpecifiedPercentage = rate("-0.01") }, []string{"specifiedPercentage"},
		},
		"a percentage above 100": {
			func(t *pricing.Terms) { t.SpecifiedPercentage = rate("100.01") }, []string{"specifiedPercentage"},
		},
		"a commission without basis": {
			func(t *pricing.Terms) { t.CommissionValue = rate("10") }, []string{"commissionBasis"},
		},
		"a commission without value": {
			func(t *pricing.Terms) { t.CommissionBasis = new(pricing.Flat) }, []string{"commissionValue"},
		},
		"a bank fee without basis": {func(t *pricing.Terms) { t.BankFeeValue = rate("10") }, []string{"bankFeeBasis"}},
		"a bank fee without value": {
			func(t *pricing.Terms) { t.BankFeeBasis = new(pricing.Flat) }, []string{"bankFeeValue"},
		},
		"a basis that is none": {
			func(t *pricing.Terms) { t.BankFeeBasis, t.BankFeeValue = new(pricing.Basis("HALF")), rate("1") },
			[]string{"bankFeeBasis"},
		},
		"a commission above 100 %": {func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue = new(pricing.PercentOfPayback), rate("101")
		}, []string{"commissionValue"}},
		"a negative flat commission": {
			func(t *pricing.Terms) { t.CommissionBasis, t.CommissionValue = new(pricing.Flat), rate("-1") },
			[]string{"commissionValue"},
		},
		"a flat fee in tenths cents": {
			func(t *pricing.Terms) { t.BankFeeBasis, t.BankFeeValue = new(pricing.Flat), rate("10.001") },
			[]string{"bankFeeValue"},
		},
		"negative fees": {
			func(t *pricing.Terms) { t.ApplicationFee, t.WireFee = amount("-1"), amount("-1") },
			[]string{"applicationFee", "wireFee"},
		},
		"a negative surcharge": {
			func(t *pricing.Terms) { t.DefaultSurcharge = amount("-1") }, []string{"defaultSurcharge"},
		},
		"a bank fee over the advance": {func(t *pricing.Terms) {
			t.BankFeeBasis, t.BankFeeValue, t.WireFee = new(pricing.Flat), rate("50000"), amount("0.01")
		}, []string{"bankFeeValue"}},
		"fees over the advance": {
			func(t *pricing.Terms) { t.ApplicationFee, t.WireFee = amount("49990"), amount("11") }, []string{"applicationFee"},
		},
		"a wire fee over the advance": {func(t *pricing.Terms) { t.WireFee = amount("50000.01") }, []string{"wireFee"}},
		"points above the margin": {func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue, t.BuyRate = new(pricing.Points), rate("10.01"), rate("1.2")
		}, []string{"commissionValue"}},
		"points without a buy rate": {func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue = new(pricing.Points), rate("5")
		}, []string{"buyRate"}},
		"a bank fee in points above the margin": {func(t *pricing.Terms) {
			t.BankFeeBasis, t.BankFeeValue, t.BuyRate = new(pricing.Points), rate("10.01"), rate("1.2")
		}, []string{"bankFeeValue"}},
		"a bank fee in points without a buy rate": {func(t *pricing.Terms) {
			t.BankFeeBasis, t.BankFeeValue = new(pricing.Points), rate("5")
		}, []string{"buyRate"}},
		"both in points without either rate": {func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue, t.FactorRate = new(pricing.Points), rate("5"), nil
			t.BankFeeBasis, t.BankFeeValue = new(pricing.Points), rate("5")
		}, []string{"buyRate", "factorRate"}},
		"both in points above the margin": {func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue, t.BuyRate = new(pricing.Points), rate("11"), rate("1.2")
			t.BankFeeBasis, t.BankFeeValue = new(pricing.Points), rate("11")
		}, []string{"commissionValue", "bankFeeValue"}},
		"a cent more than rounding makes of the factor": {func(t *pricing.Terms) {
			t.FundedAmount, t.PaybackAmount, t.FactorRate, t.NumberOfPayments = amount("4.17"), amount("10.03"), rate("2.4"), nil
		}, []string{"paybackAmount"}},
		"points without either rate": {func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue, t.FactorRate = new(pricing.Points), rate("5"), nil
		}, []string{"buyRate", "factorRate"}},

		"an early factor without window": {
			func(t *pricing.Terms) { t.EPOFactorRate = rate("1.2") }, []string{"epoWindowDays"},
		},
		"an early window without factor": {func(t *pricing.Terms) { t.EPOWindowDays = new(30) }, []string{"epoFactorRate"}},
		"an early commission alone": {func(t *pricing.Terms) {
			t.EPOCommissionBasis, t.EPOCommissionValue = new("FLAT"), rate("10")
		}, []string{"epoFactorRate", "epoWindowDays"}},
		"an early commission without value": {func(t *pricing.Terms) {
			t.EPOFactorRate, t.EPOWindowDays, t.EPOCommissionBasis = rate("1.2"), new(30), new("by agreement")
		}, []string{"epoCommissionValue"}},
		"an early commission without basis": {func(t *pricing.Terms) {
			t.EPOFactorRate, t.EPOWindowDays, t.EPOCommissionValue = rate("1.2"), new(30), rate("1")
		}, []string{"epoCommissionBasis"}},
		"a negative early commission": {func(t *pricing.Terms) {
			t.EPOFactorRate, t.EPOWindowDays, t.EPOCommissionBasis, t.EPOCommissionValue = rate("1.2"), new(30),
				new("by agreement"), rate("-1")
		}, []string{"epoCommissionValue"}},
		"an early factor below 1": {
			func(t *pricing.Terms) { t.EPOFactorRate, t.EPOWindowDays = rate("0.99"), new(30) }, []string{"epoFactorRate"},
		},
		"an early factor as the factor": {
			func(t *pricing.Terms) { t.EPOFactorRate, t.EPOWindowDays = rate("1.3"), new(30) }, []string{"epoFactorRate"},
		},
		"an early window of no days": {
			func(t *pricing.Terms) { t.EPOFactorRate, t.EPOWindowDays = rate("1.2"), new(0) }, []string{"epoWindowDays"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			given := with(c.change)
			full, derived, problems := pricing.Derive(given, monday)
			if !slices.Equal(paths(problems), c.paths) {
				t.Errorf("%v, want problems at %v", problems, c.paths)
			}
			if derived != nil || encoded(t, full) != encoded(t, given) {
				t.Error("refused terms were changed")
			}
		})
	}
}

func TestDeriveAccepts(t *testing.T) {
	for name, change := range map[string]func(*pricing.Terms){
		"a factor of 1":                      func(t *pricing.Terms) { t.FactorRate = rate("1") },
		"a factor of 2.5":                    func(t *pricing.Terms) { t.FactorRate = rate("2.5") },
		"a payback off by what rounding may": func(t *pricing.Terms) { t.PaybackAmount = amount("65002.50") },
		"half a cent above the top factor": func(t *pricing.Terms) {
			t.FundedAmount, t.FactorRate, t.PaybackAmount = amount("100.01"), rate("2.5"), amount("250.03")
		},
		"a term seven days short": func(t *pricing.Terms) { t.TermDays = new(175) },
		"a term seven days long":  func(t *pricing.Terms) { t.TermDays = new(189) },
		"a term of a year for twelve months": func(t *pricing.Terms) {
			t.NumberOfPayments, t.TermDays, t.Frequency, t.CollectionDay = new(12), new(365), new(schedule.Monthly), new(7)
		},
		"a term that fits a later funding, while there is none": func(t *pricing.Terms) {
			t.FirstPaymentDate, t.TermDays = day("2026-03-17"), new(182)
		},
		"a term that fitted an earlier today, while there is no funding": func(t *pricing.Terms) {
			t.FirstPaymentDate, t.TermDays = day("2025-12-30"), new(189)
		},
		"a single payment of everything": func(t *pricing.Terms) {
			t.PaymentAmount, t.NumberOfPayments = amount("65000"), new(1)
		},
		"points up to the margin": func(t *pricing.Terms) {
			t.CommissionBasis, t.CommissionValue, t.BuyRate = new(pricing.Points), rate("10"), rate("1.2")
		},
		"points with a derived factor": func(t *pricing.Terms) {
			t.FactorRate, t.PaybackAmount = nil, amount("65000")
			t.CommissionBasis, t.CommissionValue, t.BuyRate = new(pricing.Points), rate("10"), rate("1.2")
		},
		"a bank fee in points up to the margin": func(t *pricing.Terms) {
			t.BankFeeBasis, t.BankFeeValue, t.BuyRate = new(pricing.Points), rate("10"), rate("1.2")
		},
		"a bank fee in points with a derived factor": func(t *pricing.Terms) {
			t.FactorRate, t.PaybackAmount = nil, amount("65000")
			t.BankFeeBasis, t.BankFeeValue, t.BuyRate = new(pricing.Points), rate("10"), rate("1.2")
		},
		"amounts of which the funded one was rounded": func(t *pricing.Terms) {
			t.FundedAmount, t.PaybackAmount, t.FactorRate, t.NumberOfPayments = amount("4.17"), amount("10"), rate("2.4"), nil
		},
		"fees that leave nothing": func(t *pricing.Terms) { t.WireFee = amount("50000") },
		"a whole early payoff": func(t *pricing.Terms) {
			t.EPOFactorRate, t.EPOWindowDays, t.EPOCommissionBasis, t.EPOCommissionValue = rate("1"), new(30),
				new("by agreement"), rate("500.125")
		},
		"weekly under any rule": func(t *pricing.Terms) {
			t.Frequency, t.Schedule, t.CollectionDay = new(schedule.Weekly), new(schedule.EveryDay), new(3)
		},
	} {
		t.Run(name, func(t *testing.T) { mustDerive(t, with(change), monday) })
	}
}

func TestDeriveReportsEveryProblemAndNoValue(t *testing.T) {
	given := with(func(t *pricing.Terms) {
		t.FactorRate, t.BuyRate = rate("7.77"), rate("0.77")
		t.NumberOfPayments = new(7777)
		t.Frequency = new(schedule.Monthly)
		t.CollectionDay = new(77)
		t.WireFee = new(money.Must("-77.77"))
	})
	_, _, problems := pricing.Derive(given, monday)
	want := []string{"factorRate", "buyRate", "numberOfPayments", "collectionDay", "wireFee"}
	if !slices.Equal(paths(problems), want) {
		t.Errorf("%v, want problems at %v", problems, want)
	}
	for _, p := range problems {
		if strings.Contains(p.Message, "77") {
			t.Errorf("%s: %s", p.Path, p.Message)
		}
	}
}
