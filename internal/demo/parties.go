package demo

import (
	"paydown/ent/iso"
	"paydown/ent/syndicator"
)

// broker is an ISO.
type broker struct {
	name    string
	kind    iso.Type
	contact person
	domain  string
	phone   string
	rule    string // what it earns
	gone    bool   // no longer active
}

var localBrokers = []broker{
	{
		"Larkspur Funding Advisors LLC", iso.TypeBROKER,
		person{"Bianca", "Trevathan"},
		"larkspurfunding.example", "(212) 555-0117", `{"basis": "PERCENT_OF_FUNDED", "value": "10.00"}`, false,
	},
	{
		"Tidewater Merchant Capital Group LLC", iso.TypeSUPER_BROKER,
		person{"Quentin", "Ashdown"},
		"tidewatermerchant.example", "(757) 555-0133", `{"basis": "POINTS", "value": "8.00", "override": "1.00"}`, false,
	},
	{
		"Mercer & Holt Referral Partners", iso.TypeREFERRAL,
		person{"Gloria", "Holtz"},
		"mercerholt.example", "(312) 555-0160", `{"basis": "FLAT", "value": "500.00"}`, false,
	},
	{
		"Bluestem Commercial Brokers LLC", iso.TypeBROKER,
		person{"Andre", "Castillon"},
		"bluestembrokers.example", "(316) 555-0121", `{"basis": "PERCENT_OF_FUNDED", "value": "8.00"}`, false,
	},
	{
		"Northfork Deal Desk LLC", iso.TypeBROKER,
		person{"Shauna", "Merriweather"},
		"northforkdesk.example", "(516) 555-0148", `{"basis": "PERCENT_OF_PAYBACK", "value": "6.00"}`, false,
	},
	{
		"Catalpa Street Funding LLC", iso.TypeBROKER,
		person{"Ivan", "Petrosyan"},
		"catalpafunding.example", "(305) 555-0185", `{"basis": "PERCENT_OF_FUNDED", "value": "12.00"}`, false,
	},
	{
		"Drumlin Hill Equipment Finance LLC", iso.TypeBROKER,
		person{"Harriet", "Osgood"},
		"drumlinhill.example", "(585) 555-0106", `{"basis": "PERCENT_OF_FUNDED", "value": "4.00"}`, false,
	},
	{
		"Second Wind Business Loans Inc", iso.TypeBROKER,
		person{"Marcus", "Delaune"},
		"secondwindloans.example", "(954) 555-0172", `{"basis": "PERCENT_OF_FUNDED", "value": "10.00"}`, true,
	},
}

var beaconBrokers = []broker{
	{
		"Fathom Brokerage Group LLC", iso.TypeBROKER,
		person{"Celeste", "Warrington"},
		"fathombrokerage.example", "(617) 555-0124", `{"basis": "PERCENT_OF_FUNDED", "value": "9.00"}`, false,
	},
	{
		"Longacre Funding Referrals", iso.TypeREFERRAL,
		person{"Dmitri", "Vasilenko"},
		"longacrereferrals.example", "(718) 555-0139", `{"basis": "FLAT", "value": "400.00"}`, false,
	},
	{
		"Switchback Capital Brokers LLC", iso.TypeSUPER_BROKER,
		person{"Odessa", "Merrifield"},
		"switchbackbrokers.example", "(303) 555-0151", `{"basis": "PERCENT_OF_PAYBACK", "value": "5.00"}`, false,
	},
}

// funder is a lender besides the house.
type funder struct {
	name    string
	contact person
	domain  string
	phone   string
	gone    bool
}

var localFunders = []funder{
	{"Granite Quay Funding LLC", person{"Simon", "Ackerley"}, "granitequay.example", "(646) 555-0112", false},
	{"Meridian Oak Finance LP", person{"Lucinda", "Farnsworth"}, "meridianoak.example", "(469) 555-0143", false},
	{"Pelican Reach Credit LLC", person{"Theo", "Marchetti"}, "pelicanreach.example", "(813) 555-0177", true},
	{"Whistler & Rowe Equipment Credit", person{"Agnes", "Whistler"}, "whistlerrowe.example", "(612) 555-0128", false},
}

var beaconFunders = []funder{
	{"Sandpiper Working Capital LLC", person{"Roberta", "Nylander"}, "sandpipercapital.example", "(415) 555-0119", false},
	{"Kestrel Point Finance LLC", person{"Emmett", "Slade"}, "kestrelpoint.example", "(704) 555-0154", false},
}

// investor is a syndicator, on terms of its own.
type investor struct {
	name          string
	contact       person
	domain        string
	phone         string
	basis         syndicator.ManagementFeeBasis
	fee           string
	split         string // "" keeps all of the profit
	recognition   syndicator.CafRecognition
	accrual       syndicator.ProfitAccrual
	fronts        bool
	protected     bool
	maxPerDeal    int
	distributions string
	deposits      []int // into the wallet, in dollars: at the start, then every third month
}

var localInvestors = []investor{
	{
		"Bayhill Income Partners LP",
		person{"Constance", "Ferrer"},
		"bayhillincome.example", "(415) 555-0102",
		syndicator.ManagementFeeBasisPERCENT_OF_COLLECTIONS, "3", "", syndicator.CafRecognitionUPFRONT,
		syndicator.ProfitAccrualPRO_RATA, true, false, 50_000, "MONTHLY",
		[]int{180_000, 60_000, 60_000, 40_000},
	},
	{
		"Cedar Fork Family Office LLC",
		person{"Bertrand", "Forkenbrock"},
		"cedarfork.example", "(617) 555-0163",
		syndicator.ManagementFeeBasisPERCENT_OF_PARTICIPATION, "2", "", syndicator.CafRecognitionAS_COLLECTED,
		syndicator.ProfitAccrualPRO_RATA, true, false, 40_000, "MONTHLY",
		[]int{150_000, 50_000, 50_000, 25_000},
	},
	{
		"Longmeadow Yield Fund II LP",
		person{"Iskander", "Malikov"},
		"longmeadowyield.example", "(203) 555-0191",
		syndicator.ManagementFeeBasisPERCENT_OF_COLLECTIONS, "2.5", "80", syndicator.CafRecognitionUPFRONT,
		syndicator.ProfitAccrualCOST_FIRST, false, false, 60_000, "MONTHLY",
		[]int{220_000, 80_000, 40_000},
	},
	{
		"Osprey Lane Investments LLC",
		person{"Winifred", "Dace"},
		"ospreylane.example", "(970) 555-0180",
		syndicator.ManagementFeeBasisPERCENT_OF_PARTICIPATION, "3", "85", syndicator.CafRecognitionAS_COLLECTED,
		syndicator.ProfitAccrualPRO_RATA, false, true, 25_000, "MONTHLY",
		[]int{90_000, 30_000, 30_000},
	},
}

var beaconInvestors = []investor{
	{
		"Halyard Private Credit LP",
		person{"Thaddeus", "Boone"},
		"halyardcredit.example", "(860) 555-0145",
		syndicator.ManagementFeeBasisPERCENT_OF_COLLECTIONS, "3", "", syndicator.CafRecognitionUPFRONT,
		syndicator.ProfitAccrualPRO_RATA, true, false, 75_000, "MONTHLY",
		[]int{200_000, 50_000},
	},
	{
		"Two Coves Capital LLC",
		person{"Meredith", "Lund"},
		"twocoves.example", "(207) 555-0158",
		syndicator.ManagementFeeBasisPERCENT_OF_PARTICIPATION, "2", "", syndicator.CafRecognitionAS_COLLECTED,
		syndicator.ProfitAccrualPRO_RATA, false, false, 30_000, "QUARTERLY",
		[]int{100_000},
	},
}
