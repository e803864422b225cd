package demo

import (
	"context"
	"fmt"
	"time"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/disclosure"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// decide has the deal weighed by the policy.
func (d *life) decide(ctx context.Context) error {
	_, err := d.step(ctx, "decision on "+d.merchant, func(ctx context.Context) (int, error) {
		row, err := d.Decisions.Run(ctx, d.id)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	return err
}

// Submissions.

// leg is a step of a submission to another funder, so many banking days after the deal came in.
type leg struct {
	day            int
	status, reason string
}

// routes are the ways that a submission to another funder goes, by what becomes of the deal at the company.
// Those of a deal that is still open end where it stands today.
func (e ending) routes() [][]leg {
	review := leg{2, "UNDER_REVIEW", ""}
	switch e {
	case stillOpen:
		return [][]leg{{}}
	case inReview:
		return [][]leg{
			{review},
			{review, {4, "DOCS_REQUIRED", ""}},
			{review, {5, "OFFER_RECEIVED", ""}},
			{review, {4, "DECLINED", "RESTRICTED_INDUSTRY"}},
		}
	case withdrawn:
		return [][]leg{{review, {4, "DECLINED", "NSF_ACTIVITY"}}, {review, {3, "DECLINED", "TOO_MANY_POSITIONS"}}}
	case lost:
		return [][]leg{{
			review, {4, "OFFER_RECEIVED", ""}, {6, "ACCEPTED", ""}, {7, "CONTRACT_OUT", ""}, {9, "FUNDED", ""},
		}}
	default:
		return [][]leg{
			{review, {4, "DECLINED", "LOW_REVENUE"}},
			{review, {4, "OFFER_RECEIVED", ""}, {6, "REJECTED_BY_MERCHANT", ""}},
			{review, {3, "DOCS_REQUIRED", ""}, {7, "WITHDRAWN", ""}},
			{review, {5, "DECLINED", "CREDIT_HISTORY"}},
			{{3, "DECLINED", "TIME_IN_BUSINESS"}},
			{review, {3, "OFFER_RECEIVED", ""}, {5, "ACCEPTED", ""}, {6, "WITHDRAWN", ""}},
		}
	}
}

// sendOut plans which other funders see the deal, and what they make of it. One that comes back to be renewed is not
// shown around.
func (d *life) sendOut(came civil.Date) {
	chance := map[ending]int{stillOpen: 40, inReview: 70, lost: 100}[d.ending]
	if chance == 0 {
		chance = 35
	}
	if d.side.IntN(100) >= chance {
		return
	}
	routes := d.ending.routes()
	first := d.side.IntN(len(routes))
	minute := morning + 20 + d.side.IntN(300)
	for i := range 1 + d.side.IntN(5)/3 {
		if i > 0 && d.ending == lost {
			return
		}
		var id int
		d.on(schedule.AddBankingDays(came, toSubmit), minute+90+15*i, func(ctx context.Context) error {
			if len(d.funders) == 0 || d.prior != nil {
				return nil
			}
			funder := d.funders[(d.number+i)%len(d.funders)]
			var err error
			id, err = d.step(ctx, "submission of "+d.merchant, func(ctx context.Context) (int, error) {
				row, err := d.Submissions.Create(ctx, service.NewSubmission{DealID: some(d.id), FunderID: some(funder)})
				if err != nil {
					return 0, err
				}
				return row.ID, nil
			})
			return err
		})
		for _, l := range routes[(first+i)%len(routes)] {
			d.on(schedule.AddBankingDays(came, l.day), minute+7*l.day, func(ctx context.Context) error {
				if id == 0 {
					return nil
				}
				_, err := d.step(ctx, "submission of "+d.merchant, func(ctx context.Context) (int, error) {
					_, err := d.Submissions.Move(ctx, id, d.moveTo(l.status, l.reason))
					return id, err
				})
				return err
			})
		}
	}
}

// atHouse moves the deal's submission to the company itself.
func (d *life) atHouse(ctx context.Context, status, reason string) error {
	_, err := d.moveHouseSubmission(ctx, status, reason)
	return err
}

// moveHouseSubmission does the same as atHouse and returns the submission's id.
func (d *life) moveHouseSubmission(ctx context.Context, status, reason string) (int, error) {
	return d.step(ctx, "house submission of "+d.merchant, func(ctx context.Context) (int, error) {
		pages, err := d.Submissions.OfDeals(ctx, []int{d.id}, service.ListRequest{})
		if err != nil {
			return 0, err
		}
		for _, row := range pages[d.id].Records {
			if row.FunderID == d.house {
				_, err := d.Submissions.Move(ctx, row.ID, d.moveTo(status, reason))
				return row.ID, err
			}
		}
		return 0, fmt.Errorf("deal %d has no submission to the house", d.id)
	})
}

// moveTo is a move to a step of the pipeline, by the codes of the step and of the reason to decline; "" is no reason.
func (b *builder) moveTo(status, reason string) service.SubmissionMove {
	in := service.SubmissionMove{StatusID: some(b.lists.steps[status])}
	if reason != "" {
		in.DeclineReasonID = some(b.lists.declineReasons[reason])
	}
	return in
}

// syncHouseSubmission moves the submission to the company along with the deal.
func (d *life) syncHouseSubmission(ctx context.Context, to deal.State) error {
	switch {
	case to == deal.Submitted:
		return d.atHouse(ctx, "UNDER_REVIEW", "")
	case to == deal.Prefunded:
		if d.ending != approved || d.number%2 == 0 {
			d.on(d.today(), d.minutes()+35, func(ctx context.Context) error { return d.atHouse(ctx, "CONTRACT_OUT", "") })
		}
		return d.atHouse(ctx, "ACCEPTED", "")
	case to == deal.Funded && d.firstDay.IsZero():
		return d.atHouse(ctx, "FUNDED", "")
	case to == deal.Withdrawn && d.ending == lost:
		return d.atHouse(ctx, "REJECTED_BY_MERCHANT", "")
	case to == deal.Withdrawn && d.factor == "":
		return d.atHouse(ctx, "WITHDRAWN", "")
	case to == deal.Withdrawn:
		return d.atHouse(ctx, "DECLINED", "TOO_MANY_POSITIONS")
	default:
		return nil
	}
}

// offer tells the merchant the terms, or asks for more papers first. What is to be declined is not offered.
func (d *life) offer(ctx context.Context) error {
	switch {
	case d.ending == withdrawn:
		return nil
	case d.ending == inReview && (d.number%4 == 0 || d.altered()):
		d.logDocumentRequest(d.today())
		return d.atHouse(ctx, "DOCS_REQUIRED", "")
	}
	submission, err := d.moveHouseSubmission(ctx, "OFFER_RECEIVED", "")
	if err != nil {
		return err
	}
	if err := d.makeOffer(ctx, submission); err != nil {
		return err
	}
	return d.disclose(ctx)
}

// Disclosures.

// law is that of the merchant's state, where it demands a disclosure of the deal.
func (d *life) law() (disclosure.Rule, bool) {
	for _, m := range d.company.merchants {
		if m.slug == d.merchant {
			return disclosure.Required(m.state, string(d.product), dollars(d.amount))
		}
	}
	return disclosure.Rule{}, false
}

// disclose drafts the disclosure and plans what becomes of it. Some merchants have the wire fee taken off the
// terms, which requires another disclosure.
func (d *life) disclose(ctx context.Context) error {
	if _, required := d.law(); required && d.number%2 == 0 && d.ending != inReview {
		next := schedule.NextBankingDay(d.today())
		d.on(next, morning+10, d.waiveWireFee)
		d.on(next, morning+15, d.draftDisclosure)
		d.on(next, morning+40, d.deliverDisclosure)
	}
	return d.present(ctx)
}

// present drafts the disclosure that the terms need now, and plans its delivery and signature.
func (d *life) present(ctx context.Context) error {
	law, required := d.law()
	if !required {
		return nil
	}
	if err := d.draftDisclosure(ctx); err != nil {
		return err
	}
	if d.ending == inReview && d.number%2 == 1 {
		return nil
	}
	d.on(d.today(), d.minutes()+50, d.deliverDisclosure)
	next := schedule.NextBankingDay(d.today())
	if law.Signed {
		d.on(next, noon+d.side.IntN(240), func(ctx context.Context) error {
			return d.moveDisclosure(ctx, entdisclosure.StatusDELIVERED, d.Disclosures.Sign)
		})
	}
	return nil
}

func (d *life) draftDisclosure(ctx context.Context) error {
	_, err := d.step(ctx, "disclosure of "+d.merchant, func(ctx context.Context) (int, error) {
		row, err := d.Disclosures.Draft(ctx, d.id)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	return err
}

func (d *life) deliverDisclosure(ctx context.Context) error {
	return d.moveDisclosure(ctx, entdisclosure.StatusDRAFT, d.Disclosures.Deliver)
}

// moveDisclosure does something with the disclosure of the deal that has the status, where there is one.
func (d *life) moveDisclosure(
	ctx context.Context, from entdisclosure.Status,
	move func(context.Context, int, service.DisclosureMoment) (*ent.Disclosure, error),
) error {
	_, err := d.step(ctx, "disclosure of "+d.merchant, func(ctx context.Context) (int, error) {
		pages, err := d.Disclosures.OfDeals(ctx, []int{d.id}, service.ListRequest{})
		if err != nil {
			return 0, err
		}
		for _, row := range pages[d.id].Records {
			if row.Status == from {
				_, err := move(ctx, row.ID, service.DisclosureMoment{})
				return row.ID, err
			}
		}
		return 0, nil
	})
	return err
}

func (d *life) waiveWireFee(ctx context.Context) error {
	var in service.DealUpdate
	in.WireFee = some(money.Zero)
	return d.changeDeal(ctx, "wire fee of "+d.merchant, d.id, in)
}

// minutes is how late it is, after midnight where the company is.
func (b *builder) minutes() int {
	return int(b.now.Sub(b.today().Midnight(b.zone)) / time.Minute)
}
