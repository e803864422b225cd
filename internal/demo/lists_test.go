package demo_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/locdraw"
	"paydown/ent/payoutitem"
	"paydown/internal/apptest"
	"paydown/internal/deal"
	"paydown/internal/disclosure"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/underwriting"
)

// everyList names the lists that callers only read, the fields that each of their records must have, and the
// statuses that occur at least once in a portfolio with funded deals.
var everyList = []struct {
	path, key, required string
	status              string // field
	statuses            []string
}{
	{
		"/submissions", "submissions", "dealId funderId statusId statusChangedAt funder status deal", "status.code",
		strings.Fields("NEW UNDER_REVIEW DOCS_REQUIRED OFFER_RECEIVED ACCEPTED CONTRACT_OUT FUNDED DECLINED " +
			"REJECTED_BY_MERCHANT WITHDRAWN"),
	},
	{
		"/decisions", "decisions", "dealId policyId recommendation score category flags metrics", "recommendation",
		underwriting.Approve.Values(),
	},
	{
		"/renewals", "renewals", "priorDealId merchantId status paidDownPct outstanding priorDeal", "status",
		strings.Fields("ELIGIBLE CONTACTED RENEWED DISMISSED"),
	},
	{
		"/credit-facilities", "creditFacilities", "dealId creditLimit availableRoom status draws", "status",
		strings.Fields("ACTIVE SUSPENDED CLOSED"),
	},
	{
		"/disclosures", "disclosures", "dealId state computed status", "status",
		strings.Fields("DRAFT DELIVERED SIGNED SUPERSEDED"),
	},
	{ // none lapses within the fourteen months
		"/ucc-filings", "uccFilings", "dealId provider jurisdiction type status", "status",
		strings.Fields("DRAFT SUBMITTED ACCEPTED REJECTED TERMINATED"),
	},
	{
		"/payouts", "payouts", "kind periodFrom periodTo status items", "status",
		strings.Fields("DRAFT APPROVED PAID PARTIAL"),
	},
	{
		"/applications", "applications", "formId payload status form", "status",
		strings.Fields("RECEIVED REVIEWED CONVERTED SPAM"),
	},
	{"/communications", "communications", "channel direction occurredAt", "channel", strings.Fields("CALL SMS")},
}

// checkLists holds that every list has something to show, with nothing missing that must be there.
func checkLists(t *testing.T, c *apptest.Client, but ...string) {
	t.Helper()
	for _, l := range everyList {
		if slices.Contains(but, l.key) {
			continue
		}
		seen := counts{}
		for _, r := range walk(t, c, l.path, l.key) {
			for name := range strings.FieldsSeq(l.required + " id") {
				if r[name] == nil {
					t.Errorf("%s: record %d has no %s", l.path, r.ID(), name)
				}
			}
			if outer, inner, nested := strings.Cut(l.status, "."); nested {
				seen[r.In(outer).Text(inner)]++
			} else {
				seen[r.Text(l.status)]++
			}
		}
		if len(but) > 0 && len(seen) > 0 {
			continue // not every status, where no deal is funded
		}
		seen.has(t, "the "+l.path[1:], l.statuses...)
	}
}

func walk(t *testing.T, c *apptest.Client, path, key string) []apptest.Object {
	t.Helper()
	var all []apptest.Object
	for query := "?limit=200"; ; {
		page := c.Get(t, path+query)
		all = append(all, page.List(key)...)
		next, more := page["nextCursor"].(string)
		if !more {
			return all
		}
		query = "?limit=200&cursor=" + url.QueryEscape(next)
	}
}

// checkPapers holds that the papers of the deals agree with the deals and with each other.
func (c contents) checkPapers(t *testing.T) {
	t.Helper()
	c.checkDecisions(t)
	c.checkDisclosures(t)
	c.checkLines(t)
	c.checkOffers(t)
	c.checkPayouts(t)
	c.checkContacts(t)
}

func (c contents) checkDecisions(t *testing.T) {
	t.Helper()
	latest := map[int]*ent.DecisionResult{}
	for _, d := range c.read.DecisionResult.Query().Order(ent.Asc("id")).AllX(c.ctx) {
		latest[d.DealID] = d
		var parts []underwriting.Contribution
		if err := json.Unmarshal(d.Contributions, &parts); err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, p := range parts {
			sum += p.Points
		}
		if len(parts) != 8 || sum != d.Score || d.StatementAnalysisID == nil {
			t.Errorf("decision %d has a score of %d and rules that add %d: %s", d.ID, d.Score, sum, d.Contributions)
		}
		clean := string(d.Flags) == "{}"
		if (d.Recommendation == underwriting.Approve) != (d.Score >= 55 && clean) {
			t.Errorf("decision %d says %s of %d with flags %s", d.ID, d.Recommendation, d.Score, d.Flags)
		}
	}
	for _, d := range c.deals {
		made := latest[d.ID]
		if (made != nil) != (d.UwScore != nil) {
			t.Errorf("%s has a score of %v and a decision %v", d.DealNumber, d.UwScore, made)
		} else if made != nil && (made.Score != *d.UwScore || made.Category != *d.UwScoreCategory) {
			t.Errorf("%s has %d %s, its decision %d %s", d.DealNumber, *d.UwScore, *d.UwScoreCategory, made.Score, made.Category)
		}
	}
}

func (c contents) checkDisclosures(t *testing.T) {
	t.Helper()
	inForce := map[int]*ent.Disclosure{}
	for _, d := range c.read.Disclosure.Query().Order(ent.Asc("id")).AllX(c.ctx) {
		var shown struct {
			AmountFinanced, FinanceCharge, TotalRepayment, RecipientFunds, PriorBalancePaid money.Amount
			Itemization                                                                     []struct{ Amount money.Amount }
			EstimatedAPR                                                                    any `json:"estimatedApr"`
		}
		if err := json.Unmarshal(d.Computed, &shown); err != nil {
			t.Fatal(err)
		}
		if !shown.AmountFinanced.Add(shown.FinanceCharge).Equal(shown.TotalRepayment) ||
			!shown.RecipientFunds.Add(shown.PriorBalancePaid).Equal(shown.AmountFinanced) {
			t.Errorf("disclosure %d does not add up: %s", d.ID, d.Computed)
		}
		if d.SignedAt != nil && (d.DeliveredAt == nil || d.SignedAt.Before(*d.DeliveredAt)) {
			t.Errorf("disclosure %d was signed at %v and delivered at %v", d.ID, d.SignedAt, d.DeliveredAt)
		}
		if d.SupersededAt == nil {
			inForce[d.DealID] = d
		}
	}
	states := map[int]string{}
	for _, m := range c.merchants {
		states[m.ID] = *m.State
	}
	for _, d := range c.deals {
		law, required := disclosure.Required(states[d.MerchantID], string(d.ProductType), *d.FundedAmount)
		have := inForce[d.ID]
		switch {
		case have != nil && (!required || have.State != law.State):
			t.Errorf("%s has a disclosure under the law of %s", d.DealNumber, have.State)
		case d.State.Live() && required && (have == nil || have.DeliveredAt == nil || law.Signed != (have.SignedAt != nil)):
			t.Errorf("%s is %s with the disclosure %v", d.DealNumber, d.State, have)
		}
	}
}

// checkLines holds that a line's room is its limit less what is drawn and not repaid, and what waits to be drawn.
func (c contents) checkLines(t *testing.T) {
	t.Helper()
	for _, line := range c.read.CreditFacility.Query().WithDraws().AllX(c.ctx) {
		room := line.CreditLimit
		for _, draw := range line.Edges.Draws {
			switch draw.Status {
			case locdraw.StatusREQUESTED, locdraw.StatusAPPROVED:
				room = room.Sub(draw.Amount)
			case locdraw.StatusFUNDED:
				owed := *draw.PaybackAmount
				for _, p := range c.payments {
					if p.DealID == line.DealID && p.Status == payment.Paid && p.Type.ReducesReceivable() {
						owed = owed.Sub(p.Amount)
					}
				}
				room = room.Sub(money.Cumulative(draw.Amount, owed, *draw.PaybackAmount))
			default: // takes no room
			}
			if (draw.Status == locdraw.StatusFUNDED || draw.Status == locdraw.StatusREPAID) != (draw.FundedAt != nil) {
				t.Errorf("draw %d is %s and was funded at %v", draw.ID, draw.Status, draw.FundedAt)
			}
		}
		if !room.Equal(line.AvailableRoom) || room.Sign() < 0 {
			t.Errorf("the line of deal %d has room for %s, want %s", line.DealID, line.AvailableRoom, room)
		}
	}
}

// checkPayouts holds that each payout is the sum of its items.
func (c contents) checkPayouts(t *testing.T) {
	t.Helper()
	sums := map[int]money.Amount{}
	for _, item := range c.read.PayoutItem.Query().Where(payoutitem.PaymentIDNotNil()).AllX(c.ctx) {
		sums[*item.PaymentID] = sums[*item.PaymentID].Add(item.Amount)
	}
	for _, p := range c.payments {
		if p.Type == payment.ParticipationPayout && !sums[p.ID].Equal(p.Amount) {
			t.Errorf("payout %d of %s has items of %s", p.ID, p.Amount, sums[p.ID])
		}
	}
}

var fictionalPhone = regexp.MustCompile(`^\(\d{3}\) 555-01\d\d$`)

// checkContacts holds that merchants are called within office hours of the whole country, at numbers of nobody.
func (c contents) checkContacts(t *testing.T) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range c.read.Communication.Query().AllX(c.ctx) {
		at := m.OccurredAt.In(zone)
		if !fictionalPhone.MatchString(*m.FromAddr) || !fictionalPhone.MatchString(*m.ToAddr) ||
			at.Hour() < 14 || at.Hour() > 17 || at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
			t.Errorf("communication %d from %s to %s at %s", m.ID, *m.FromAddr, *m.ToAddr, at)
		}
		if (m.DispositionReasonID != nil) != (m.Channel == "CALL") || (m.Body != nil) != (m.Channel == "SMS") {
			t.Errorf("communication %d is incomplete: %s", m.ID, fmt.Sprint(m))
		}
	}
}

// checkOffers holds that what was approved was offered and accepted, and that what is in review waits or was answered.
func (c contents) checkOffers(t *testing.T) {
	t.Helper()
	of := map[int][]*ent.Approval{}
	for _, o := range c.read.Approval.Query().AllX(c.ctx) {
		of[o.DealID] = append(of[o.DealID], o)
	}
	waiting := 0
	for _, d := range c.deals {
		offers := of[d.ID]
		if d.State == deal.Prefunded && (len(offers) != 1 || offers[0].State != deal.OfferAccepted) {
			t.Errorf("%s is approved, and its offers are %v", d.DealNumber, offers)
		}
		for _, o := range offers {
			if o.State == deal.OfferSent {
				waiting++
			}
			if o.State == deal.OfferSent && len(o.ShareToken) == 0 {
				t.Errorf("an offer for %s is out, and has no page", d.DealNumber)
			}
		}
	}
	if c.states()["PREFUNDED"] > 0 && waiting == 0 {
		t.Error("no offer waits for its merchant")
	}
}
