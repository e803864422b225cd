package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ratelimit"
	"paydown/internal/rulebook"
	listeners "paydown/internal/server"
	"paydown/internal/service"
)

// The simulation of the rulebook: random deals through the API, compared with internal/rulebook to the cent at
// the end of each simulated banking day. Each family of rules runs by itself, so that a failing one hides no
// other; the last runs them all. In a short run, that one runs on both databases and each of the others on one.
// PAYDOWN_TEST_SOAK runs all of them on both, for 200 banking days, and compares after every step;
// PAYDOWN_TEST_SEED sets another seed.

const seedEnv = "PAYDOWN_TEST_SEED"

// family is a set of rules, with the steps that exercise it and the weight of each.
type family struct {
	name         string
	days, perDay int // of the short pass
	steps        map[string]int
	syndicators  []rulebook.PartTerms
	codes        []string // of returns
	epo          bool     // deals have a price for an early payoff
	backdated    bool     // deals may be funded, and payments clear, on earlier days
	payouts      bool     // syndicators are paid out
	failures     bool     // transfers of payouts may fail
	commissions  bool     // ISOs are paid
	prices       bool     // what parts are said to have cost is compared
	refunds      bool     // what was refunded by an adjustment may come back itself
}

const pct = rulebook.Percent

var (
	plain        = rulebook.PartTerms{}
	onCollection = rulebook.PartTerms{FeeOfCollections: true, FeePercent: 3 * pct}
	upfront      = rulebook.PartTerms{FeePercent: 2_500_000, Fronts: true}
	asCollected  = rulebook.PartTerms{FeePercent: 3 * pct, Fronts: true, AsCollected: true}
	proRata      = rulebook.PartTerms{SplitPercent: 80 * pct, FeePercent: 1_250_000, FeeOfCollections: true}
	costFirst    = rulebook.PartTerms{SplitPercent: 72_500_000, CostFirst: true}
	protected    = rulebook.PartTerms{Protected: true}
	allOfThem    = rulebook.PartTerms{
		SplitPercent: 85 * pct, FeePercent: 2 * pct, Fronts: true, AsCollected: true, SharesBankFee: true, Protected: true,
	}
	bankFee = rulebook.PartTerms{SharesBankFee: true}
)

// feeless are return codes for which the merchant owes no fee.
var feeless = []string{"R02", "R03", "R08", "R10", "R16", "R29"}

var collecting = map[string]int{
	"fund": 8, "collect": 30, "return": 12, "return unpaid": 3, "pay again": 5, "extra": 4, "overpay": 2, "adjust up": 3,
	"adjust down": 4,
	"fee":         4, "deposit": 1, "withdraw": 1,
}

var families = []family{
	{
		name: "collections", days: 12, perDay: 14, steps: collecting, codes: feeless,
		syndicators: []rulebook.PartTerms{plain, onCollection, upfront, asCollected, proRata, costFirst, protected},
	},
	{
		name: "refunds that come back themselves", days: 4, perDay: 12, codes: feeless, refunds: true,
		steps:       map[string]int{"fund": 4, "collect": 10, "adjust down": 14, "return": 12},
		syndicators: []rulebook.PartTerms{plain, onCollection},
	},
	{
		name: "prices of parts", days: 3, perDay: 8, codes: feeless, prices: true,
		steps:       map[string]int{"fund": 8, "collect": 4},
		syndicators: []rulebook.PartTerms{plain, upfront, plain},
	},
	{
		name: "a part of the bank fee", days: 3, perDay: 10, codes: feeless,
		steps:       map[string]int{"fund": 8, "collect": 20, "return": 5},
		syndicators: []rulebook.PartTerms{bankFee, allOfThem, plain},
	},
	{
		name: "write-offs and recoveries", days: 8, perDay: 12, codes: feeless,
		steps: with(collecting, map[string]int{
			"default": 8, "cure": 3, "write off": 8, "recover": 8, "return recovery": 3,
		}),
		syndicators: []rulebook.PartTerms{plain, protected},
	},
	{
		name: "write-offs as amended", days: 8, perDay: 12, codes: feeless,
		steps: with(collecting, map[string]int{
			"default": 8, "cure": 3, "write off": 8, "recover": 8, "return recovery": 3, "return late": 6,
		}),
		syndicators: []rulebook.PartTerms{
			plain,
			onCollection,
			upfront,
			asCollected,
			proRata,
			costFirst,
			protected,
			allOfThem,
		},
	},
	{
		name: "renewals", days: 8, perDay: 12, codes: feeless, epo: true,
		steps: map[string]int{
			"fund":           8,
			"collect":        12,
			"prepay":         10,
			"renew":          10,
			"fee":            2,
			"pending fee":    3,
			"return renewed": 2,
		},
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "early payoffs in two payments", days: 8, perDay: 12, codes: feeless, epo: true,
		steps: map[string]int{
			"fund":             8,
			"collect":          14,
			"return":           4,
			"discount and pay": 6,
			"return payoff":    4,
			"pay again":        2,
		},
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "early payoffs in one act", days: 8, perDay: 12, codes: feeless, epo: true,
		steps: map[string]int{
			"fund":            8,
			"collect":         14,
			"return":          4,
			"pay off":         4,
			"pay off by REST": 3,
			"return payoff":   4,
			"pay again":       2,
		},
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "early payoffs that are refunded", days: 8, perDay: 12, codes: feeless, epo: true,
		steps: map[string]int{
			"fund": 8, "collect": 14, "return": 2, "discount and pay": 4, "pay off": 4, "pay off by REST": 3, "refund payoff": 6,
			"return payoff": 1,
		},
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "payouts without returns", days: 16, perDay: 10, codes: feeless, payouts: true,
		steps:       map[string]int{"fund": 4, "collect": 24, "extra": 2},
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "payouts of which transfers fail", days: 12, perDay: 8, codes: feeless, payouts: true, failures: true,
		steps:       map[string]int{"fund": 4, "collect": 24},
		syndicators: []rulebook.PartTerms{plain, onCollection},
	},
	{
		name: "payouts", days: 16, perDay: 12, codes: feeless, payouts: true,
		steps:       map[string]int{"fund": 4, "collect": 24, "return": 9, "pay again": 2},
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "payouts by hand", days: 16, perDay: 12, codes: feeless, payouts: true,
		steps:       map[string]int{"fund": 4, "collect": 24, "return": 3, "pay by hand": 2},
		syndicators: []rulebook.PartTerms{plain, onCollection},
	},
	{
		name: "payouts after write-offs", days: 20, perDay: 12, codes: feeless, payouts: true,
		steps: map[string]int{
			"fund": 4, "collect": 20, "return": 5, "default": 3, "cure": 1, "write off": 4, "recover": 4, "return recovery": 2,
			"return late": 2,
		},
		syndicators: []rulebook.PartTerms{plain, onCollection, proRata, protected},
	},
	{
		name: "commissions without defaults", days: 30, perDay: 3, codes: feeless, commissions: true,
		steps:       map[string]int{"fund": 6, "collect": 6},
		syndicators: []rulebook.PartTerms{plain},
	},
	{
		name: "commissions", days: 30, perDay: 4, codes: feeless, commissions: true,
		steps:       map[string]int{"fund": 6, "collect": 6, "default": 4, "cure": 2},
		syndicators: []rulebook.PartTerms{plain},
	},
	{
		name: "commissions that syndicators front", days: 30, perDay: 4, codes: feeless, commissions: true,
		steps:       map[string]int{"fund": 6, "collect": 6, "return": 2, "default": 4, "cure": 2},
		syndicators: []rulebook.PartTerms{upfront, asCollected},
	},
	{
		name: "effective dates", days: 8, perDay: 12, codes: feeless, backdated: true,
		steps:       with(collecting, map[string]int{"move clearing": 8}),
		syndicators: []rulebook.PartTerms{plain, onCollection, asCollected, proRata, costFirst},
	},
	{
		name: "bounce fees", days: 5, perDay: 10, codes: []string{"R01", "R09", "R02"},
		steps:       map[string]int{"fund": 4, "collect": 12, "return": 8, "pay fee": 4, "return fee": 2},
		syndicators: []rulebook.PartTerms{plain},
	},
	{
		name: "collection holds", days: 5, perDay: 10, codes: feeless,
		steps:       map[string]int{"fund": 4, "collect": 8, "return": 6, "debit under a hold": 8},
		syndicators: []rulebook.PartTerms{plain},
	},
	{
		name: "what cannot be taken", days: 4, perDay: 10, codes: feeless, epo: true,
		steps:       map[string]int{"fund": 6, "collect": 10, "take too much": 12},
		syndicators: []rulebook.PartTerms{plain, proRata},
	},
	{
		name: "transfers to merchants", days: 4, perDay: 8, codes: feeless,
		steps:       map[string]int{"fund": 6, "collect": 4, "transfer": 10},
		syndicators: []rulebook.PartTerms{plain},
	},
	{
		name: "everything", days: 16, perDay: 14, codes: append([]string{"R01", "R09"}, feeless...), epo: true,
		backdated: true,
		payouts:   true, failures: true, commissions: true, prices: true, refunds: true,
		steps: with(collecting, map[string]int{
			"default": 3, "cure": 2, "write off": 3, "recover": 3, "return recovery": 1, "return late": 2, "prepay": 4,
			"renew":          3,
			"return renewed": 1, "pay off": 2, "return payoff": 2, "move clearing": 2, "pay fee": 2, "return fee": 1,
			"take too much": 1,
		}),
		syndicators: []rulebook.PartTerms{
			plain,
			onCollection,
			upfront,
			asCollected,
			proRata,
			costFirst,
			protected,
			allOfThem,
		},
	},
}

// with merges two sets of steps.
func with(steps, more map[string]int) map[string]int {
	all := map[string]int{}
	for _, some := range []map[string]int{steps, more} {
		maps.Copy(all, some)
	}
	return all
}

func TestTheBooksFollowTheRulebook(t *testing.T) {
	t.Parallel()
	for i, f := range families {
		simulate := func(t *testing.T, a *apptest.App) { openSimulation(t, a, f).run() }
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			switch short := !apptest.Soaking() && i < len(families)-1; {
			case !short:
				apptest.Databases(t, simulate, withoutLimits)
			case i%2 == 0:
				t.Run("SQLite", func(t *testing.T) { simulate(t, apptest.OnSQLite(t, withoutLimits)) })
			default:
				t.Run("PostgreSQL", func(t *testing.T) { simulate(t, apptest.OnPostgres(t, withoutLimits)) })
			}
		})
	}
}

// withoutLimits counts requests by a clock of its own, on which they are an hour apart: months of them happen
// within a minute.
func withoutLimits(_ *service.Config, cfg *listeners.Config) {
	var counted atomic.Int64
	began := time.Now()
	cfg.Limiter = ratelimit.New(nil, func() time.Time { return began.Add(time.Duration(counted.Add(1)) * time.Hour) })
}

// simulation drives one family of rules against one database.
type simulation struct {
	*booktest.Desk
	family
	t         *testing.T
	rng       *rand.Rand
	seed      uint64
	rules     *rulebook.Company
	zone      *time.Location
	start     rulebook.Day
	day       rulebook.Day
	ends      []rulebook.Day // the days that are over
	codeIDs   map[string]string
	signedIn  map[string]*apptest.Client
	merchants map[*rulebook.Deal]int
	touched   map[*rulebook.Deal]bool
	steps     []simulated
	open      map[*rulebook.Batch]string // batches that are not paid, with where they stand
	soak      bool
}

// simulated is a step that was run.
type simulated struct {
	deal int
	text string
}

func openSimulation(t *testing.T, a *apptest.App, f family) *simulation {
	t.Helper()
	s := &simulation{
		family: f, t: t, rules: &rulebook.Company{}, signedIn: map[string]*apptest.Client{},
		touched:   map[*rulebook.Deal]bool{},
		merchants: map[*rulebook.Deal]int{},
		open:      map[*rulebook.Batch]string{}, codeIDs: map[string]string{}, seed: 1, soak: apptest.Soaking(),
	}
	if given := os.Getenv(seedEnv); given != "" {
		var err error
		if s.seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatalf("%s: %v", seedEnv, err)
		}
	}
	s.rng = rand.New(rand.NewPCG(s.seed, uint64(len(f.name))))
	var err error
	if s.zone, err = time.LoadLocation("America/New_York"); err != nil {
		t.Fatal(err)
	}
	s.Desk = booktest.OpenDesk(t, a, "rulebook.test")
	s.day = rulebook.DayOf(booktest.Monday.In(s.zone))
	s.start = s.day
	for _, c := range s.Graph(t, wireCodes, nil).List("bounceCodes") {
		s.codeIDs[c.Text("code")] = c.Text("id")
	}
	for i, terms := range f.syndicators {
		sy := &rulebook.Syndicator{Name: fmt.Sprintf("Syndicator %d", i+1), PartTerms: terms}
		sy.ID = s.send("POST", "/syndicators", wireSyndicator(sy)).ID()
		s.rules.Syndicators = append(s.rules.Syndicators, sy)
		s.deposit(sy, 50_000_000_00) // enough for 200 days of the hungriest family
	}
	for i := range 2 {
		iso := &rulebook.ISO{ID: s.send("POST", "/isos", object{"name": fmt.Sprintf("Broker %d", i+1)}).ID()}
		s.rules.ISOs = append(s.rules.ISOs, iso)
	}
	return s
}

// run simulates banking days. With payouts it ends only after the last holding period.
func (s *simulation) run() {
	days := s.days
	if s.soak {
		days = 200
	}
	for n := range days {
		s.begin()
		for range s.perDay {
			s.act()
			if s.soak {
				s.compare()
			}
		}
		s.payOut(n == days-1)
		s.end(s.soak || n == days-1)
	}
	if s.payouts {
		s.clear()
	}
	booktest.Verify(s.t, s.App)
}

// begin starts the next banking day.
func (s *simulation) begin() {
	if len(s.ends) > 0 {
		s.day = s.day.NextBanking()
	}
	s.App.Clock.Set(s.day.At(10, s.zone))
	clear(s.signedIn)
}

func (s *simulation) end(whole bool) {
	s.compare()
	if days := s.rules.Books.Unbalanced(); len(days) > 0 {
		s.fail("the rulebook itself does not balance on %v", days)
	}
	s.ends = append(s.ends, s.day)
	if whole || len(s.ends)%4 == 0 {
		earlier := s.ends[s.rng.IntN(len(s.ends))]
		s.comparePast(earlier, s.day)
	}
}

// act runs one step, picked by the weights of the family. A step that finds nothing to act on is skipped.
func (s *simulation) act() {
	if len(s.rules.Deals) < 2 {
		s.fund(nil)
		return
	}
	total := 0
	for _, step := range allSteps {
		total += s.family.steps[step.name]
	}
	pick := s.rng.IntN(total)
	for _, step := range allSteps {
		if pick -= s.family.steps[step.name]; pick < 0 {
			step.take(s)
			return
		}
	}
}
