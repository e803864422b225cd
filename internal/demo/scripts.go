package demo

import (
	"paydown/internal/deal"
	"paydown/internal/schedule"
)

// script is the history of a deal up to the anchor day.
type script struct {
	merchant string // slug
	product  deal.Product
	pays     plan
	amount   int    // funded, or asked for, in dollars
	factor   string // "" where the deal was never priced
	// ago is how many days before the anchor the deal was funded or, where it never was, came in.
	ago    int
	ending ending
	// upTo is the part of the payments, in per cent, after which the ending comes.
	upTo int
	// small has the deal in a small portfolio as well.
	small bool
}

// ending is where a deal stands on the day of the anchor.
type ending int

const (
	stillOpen  ending = iota // INCEPTION
	inReview                 // SUBMITTED
	approved                 // PREFUNDED
	withdrawn                // WITHDRAWN, before it was approved
	lost                     // WITHDRAWN, after it was approved
	collecting               // FUNDED
	struggling               // FUNDED, with its last payments returned and the rest held back
	cured                    // FUNDED again, after a default
	renewed                  // RENEWED by the merchant's next deal
	paidUp                   // CLOSED by its last payment
	paidEarly                // CLOSED by an early payoff
	settled                  // CLOSED after a default, paid by what was agreed
	defaulted                // DEFAULTED
	neverPaid                // DEFAULTED within days of its funding
)

func (e ending) funded() bool { return e >= collecting }

// broken reports an ending that begins with payments that come back one after the other.
func (e ending) broken() bool {
	return e == struggling || e == cured || e == settled || e == defaulted || e == neverPaid
}

// plan is how a deal collects.
type plan struct {
	frequency schedule.Frequency
	rule      schedule.Rule
	day       int // collectionDay; 0 for none
	n         int // payments
}

func daily(n int) plan   { return plan{schedule.Daily, schedule.BankingDays, 0, n} }
func weekly(n int) plan  { return plan{schedule.Weekly, schedule.BankingDays, 1 + n%5, n} }
func monthly(n int) plan { return plan{schedule.Monthly, schedule.BankingDays, 1 + n%28, n} }

// monWedFri is the set of these days, as a collection day writes it.
const monWedFri = 1 + 4 + 16

func onDays(n int) plan      { return plan{schedule.Daily, schedule.CustomDays, monWedFri, n} }
func weekdays(n int) plan    { return plan{schedule.Daily, schedule.Weekdays, 0, n} }
func everyDay(n int) plan    { return plan{schedule.Daily, schedule.EveryDay, 0, n} }
func (p plan) isDaily() bool { return p.frequency == schedule.Daily }

// sparse is the same plan with a payment a week in the place of daily ones.
func (p plan) sparse() plan {
	if !p.isDaily() {
		return p
	}
	return weekly((p.n + 4) / 5)
}

const (
	small = true
	whole = 100
)

// The deals of the first company, which works under the integrator policy. A merchant's deals stand in order of time.
var localScripts = []script{
	// Paid off, and some of these merchants have come back.
	{"cedar-and-sage", deal.MCA, daily(60), 15_000, "1.26", 250, paidUp, whole, !small},
	{"cedar-and-sage", deal.MCA, daily(72), 20_000, "1.25", 145, paidUp, whole, !small},
	{"blue-heron", deal.MCA, daily(80), 45_000, "1.31", 400, paidUp, whole, !small},
	{"blue-heron", deal.MCA, daily(110), 65_000, "1.29", 120, collecting, 0, !small},
	{"tamarack", deal.MCA, daily(100), 35_000, "1.34", 390, paidUp, whole, !small},
	{"sundial", deal.MCA, weekly(20), 60_000, "1.24", 370, paidUp, whole, !small},
	{"sundial", deal.TermLoan, weekly(52), 90_000, "1.18", 150, collecting, 0, !small},
	{"old-mill", deal.Factoring, weekly(10), 40_000, "1.07", 300, paidUp, whole, small},
	{"old-mill", deal.Factoring, weekly(12), 55_000, "1.08", 60, collecting, 0, small},
	{"lantern-hill", deal.MCA, daily(84), 25_000, "1.30", 310, paidUp, whole, !small},
	{"northgate", deal.LOC, weekly(16), 30_000, "1.12", 260, paidUp, whole, !small},
	{"northgate", deal.LOC, weekly(26), 50_000, "1.14", 100, collecting, 0, !small},
	{"pinecrest", deal.MCA, daily(90), 30_000, "1.35", 280, paidEarly, 38, small},
	{"ironwood", deal.Equipment, monthly(36), 140_000, "1.22", 350, paidEarly, 14, !small},
	{"prairie-wind", deal.SBA, monthly(48), 120_000, "1.12", 400, paidEarly, 20, !small},
	{"coastal-ridge", deal.MCA, daily(100), 80_000, "1.38", 340, settled, 55, !small},

	// Renewed, and what renewed them.
	{"copper-kettle", deal.MCA, daily(110), 40_000, "1.32", 260, renewed, 0, small},
	{"copper-kettle", deal.MCA, daily(120), 60_000, "1.28", 130, collecting, 0, small},
	{"riverbend", deal.MCA, daily(126), 75_000, "1.33", 210, renewed, 0, !small},
	{"riverbend", deal.MCA, daily(120), 120_000, "1.29", 95, collecting, 0, !small},
	{"golden-sparrow", deal.MCA, weekly(26), 20_000, "1.34", 330, renewed, 0, !small},
	{"golden-sparrow", deal.MCA, weekly(26), 25_000, "1.31", 200, renewed, 0, !small},
	{"golden-sparrow", deal.MCA, weekly(28), 32_500, "1.28", 75, collecting, 0, !small},
	{"two-rivers", deal.TermLoan, weekly(40), 85_000, "1.21", 380, renewed, 0, !small},
	{"two-rivers", deal.TermLoan, weekly(48), 130_000, "1.19", 160, collecting, 0, !small},
	{"oxbow", deal.Equipment, monthly(12), 60_000, "1.16", 400, renewed, 0, !small},
	{"oxbow", deal.Equipment, monthly(24), 95_000, "1.18", 110, collecting, 0, !small},

	// In default.
	{"stonebridge", deal.MCA, daily(110), 40_000, "1.39", 220, defaulted, 56, small},
	{"magnolia", deal.MCA, daily(90), 17_500, "1.41", 160, defaulted, 28, !small},
	{"quarry-lane", deal.MCA, daily(80), 22_500, "1.42", 120, neverPaid, 0, small},
	{"silver-birch", deal.TermLoan, weekly(40), 55_000, "1.24", 300, defaulted, 48, !small},
	{"delta-skiff", deal.Factoring, weekly(12), 70_000, "1.09", 130, defaulted, 42, !small},

	// Being collected.
	{"bright-harbor", deal.MCA, daily(110), 30_000, "1.33", 70, collecting, 0, !small},
	{"whitetail", deal.MCA, daily(100), 35_000, "1.32", 45, collecting, 0, !small},
	{"marigold", deal.MCA, weekly(30), 90_000, "1.27", 135, collecting, 0, !small},
	{"juniper-point", deal.MCA, daily(90), 15_000, "1.36", 25, collecting, 0, !small},
	{"hearth-and-timber", deal.Equipment, monthly(36), 75_000, "1.20", 240, collecting, 0, !small},
	{"keystone-valley", deal.MCA, daily(120), 70_000, "1.30", 110, collecting, 0, !small},
	{"saltwater", deal.MCA, onDays(60), 20_000, "1.29", 90, collecting, 0, !small},
	{"elm-court", deal.TermLoan, weekly(52), 110_000, "1.17", 215, collecting, 0, small},
	{"redbud", deal.SBA, monthly(60), 85_000, "1.11", 300, collecting, 0, small},
	{"bluegrass", deal.MCA, daily(100), 25_000, "1.37", 95, struggling, 0, small},
	{"sagebrush", deal.MCA, daily(80), 30_000, "1.38", 65, struggling, 0, !small},
	{"cobalt", deal.Equipment, monthly(24), 150_000, "1.19", 160, collecting, 0, small},
	{"maple-and-vine", deal.MCA, everyDay(120), 32_500, "1.31", 50, collecting, 0, !small},
	{"anchor-point", deal.LOC, weekly(26), 100_000, "1.13", 125, collecting, 0, small},
	{"fern-hollow", deal.MCA, daily(100), 27_500, "1.36", 150, cured, 44, small},
	{"heartland", deal.SBA, monthly(48), 200_000, "1.10", 380, collecting, 0, !small},
	{"crescent-park", deal.MCA, weekdays(110), 25_000, "1.30", 84, collecting, 0, !small},
	{"summit-trail", deal.Factoring, weekly(14), 45_000, "1.06", 40, collecting, 0, !small},
	{"broad-street", deal.MCA, daily(120), 12_500, "1.40", 9, collecting, 0, !small},

	// Approved, and about to be funded.
	{"lantern-hill", deal.MCA, daily(100), 35_000, "1.27", 13, approved, 0, !small},
	{"lakeshore", deal.Factoring, weekly(16), 50_000, "1.08", 15, approved, 0, small},
	{"crab-shack", deal.MCA, daily(110), 40_000, "1.33", 12, approved, 0, !small},
	{"tamarack", deal.MCA, daily(110), 45_000, "1.28", 14, approved, 0, !small},
	{"pinecrest", deal.TermLoan, weekly(39), 40_000, "1.20", 17, approved, 0, !small},

	// In review.
	{"cedar-and-sage", deal.MCA, daily(90), 25_000, "1.24", 9, inReview, 0, !small},
	{"prairie-wind", deal.LOC, weekly(26), 60_000, "1.13", 8, inReview, 0, !small},
	{"ironwood", deal.Equipment, monthly(48), 180_000, "1.21", 11, inReview, 0, small},
	{"stonebridge", deal.MCA, daily(80), 20_000, "1.45", 18, inReview, 0, !small},
	{"whitetail", deal.MCA, daily(60), 15_000, "1.40", 10, inReview, 0, !small},

	// Just come in.
	{"coastal-ridge", deal.MCA, daily(90), 50_000, "1.36", 5, stillOpen, 0, small},
	{"heartland", deal.Equipment, monthly(60), 240_000, "", 4, stillOpen, 0, !small},
	{"juniper-point", deal.LOC, weekly(20), 12_500, "", 6, stillOpen, 0, !small},
	{"redbud", deal.SBA, monthly(84), 250_000, "", 7, stillOpen, 0, !small},

	// Come to nothing.
	{"lakeshore", deal.MCA, daily(80), 30_000, "1.37", 95, withdrawn, 0, !small},
	{"crab-shack", deal.LOC, weekly(26), 25_000, "1.15", 205, lost, 0, small},
	{"broad-street", deal.MCA, daily(60), 10_000, "", 63, withdrawn, 0, !small},
	{"magnolia", deal.TermLoan, weekly(30), 20_000, "1.22", 255, withdrawn, 0, !small},
	{"sagebrush", deal.SBA, monthly(36), 60_000, "1.12", 190, lost, 0, !small},
}

// The deals of the second company. Under the full policy none of them can be approved yet.
var beaconScripts = []script{
	{"harborlight", deal.MCA, daily(100), 45_000, "1.32", 12, inReview, 0, small},
	{"saguaro-pools", deal.MCA, daily(90), 25_000, "1.35", 3, stillOpen, 0, small},
	{"tupelo-road", deal.TermLoan, weekly(40), 20_000, "1.20", 48, withdrawn, 0, small},
	{"highland-spine", deal.MCA, daily(110), 50_000, "1.29", 9, inReview, 0, !small},
	{"gateway-pallet", deal.Equipment, monthly(36), 115_000, "1.19", 21, inReview, 0, !small},
	{"plumeria", deal.LOC, weekly(26), 30_000, "1.14", 13, inReview, 0, !small},
	{"black-spruce", deal.Equipment, monthly(48), 160_000, "1.21", 15, inReview, 0, !small},
	{"badlands", deal.MCA, weekly(24), 40_000, "1.31", 75, withdrawn, 0, !small},
	{"red-river", deal.Factoring, weekly(14), 65_000, "1.08", 10, inReview, 0, !small},
	{"wind-river", deal.TermLoan, weekly(36), 35_000, "", 5, stillOpen, 0, !small},
	{"peachtree-lane", deal.MCA, daily(80), 17_500, "1.38", 7, inReview, 0, !small},
	{"district-couriers", deal.Factoring, weekly(10), 25_000, "1.07", 4, stillOpen, 0, !small},
	{"bayou-bright", deal.MCA, daily(90), 30_000, "1.34", 14, inReview, 0, !small},
	{"orange-grove", deal.SBA, monthly(60), 90_000, "1.11", 26, inReview, 0, !small},
	{"hudson-loft", deal.MCA, daily(60), 10_000, "1.42", 33, withdrawn, 0, !small},
	{"caliche-granite", deal.TermLoan, weekly(52), 85_000, "1.18", 16, inReview, 0, !small},
	{"palmetto-pet", deal.LOC, weekly(20), 22_500, "1.15", 8, stillOpen, 0, !small},
	{"shenandoah", deal.SBA, monthly(48), 40_000, "", 2, stillOpen, 0, !small},
	{"tupelo-road", deal.MCA, daily(70), 15_000, "1.36", 6, stillOpen, 0, !small},
	{"badlands", deal.Equipment, monthly(30), 45_000, "1.17", 88, withdrawn, 0, !small},
}
