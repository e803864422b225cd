package demo

import (
	"context"
	"fmt"

	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// standsFor is how many days after the anchor the offers that are out still stand.
const standsFor = 21

// makeOffer makes the company offer the terms of a deal that is not funded yet, on the submission to itself,
// and plans how the merchant answers. Approved deals were accepted. Of those in review, some merchants are
// still thinking, some want changes, and some have said no.
func (d *life) makeOffer(ctx context.Context, submission int) error {
	if d.ending != inReview && d.ending != approved {
		return nil
	}
	until, err := civil.ParseMoment(d.anchor.AddDays(standsFor).String())
	if err != nil {
		return err
	}
	terms := service.ApprovalFields{
		FundedAmount: some(dollars(d.amount)), FactorRate: some(money.MustRate(d.factor)), ExpiresAt: some(until),
	}
	id, err := d.step(ctx, "offer to "+d.merchant, func(ctx context.Context) (int, error) {
		row, err := d.Approvals.Create(ctx, service.NewApproval{SubmissionID: some(submission), ApprovalFields: terms})
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	if err != nil {
		return err
	}
	answer := d.accept
	if d.ending == inReview {
		answers := []func(context.Context, int) error{nil, d.counter, d.accept, d.refuse}
		answer = answers[d.offers%len(answers)]
		d.offers++
	}
	if err := d.act(ctx, id, d.Approvals.Send); err != nil || answer == nil {
		return err
	}
	react := func(ctx context.Context) error { return answer(ctx, id) }
	d.on(schedule.NextBankingDay(d.today()), noon+d.side.IntN(60), react)
	return nil
}

// act does something with an offer.
func (d *life) act(ctx context.Context, id int, do func(context.Context, int) (*ent.Approval, error)) error {
	_, err := d.step(ctx, "offer to "+d.merchant, func(ctx context.Context) (int, error) {
		_, err := do(ctx, id)
		return id, err
	})
	return err
}

// accept takes the offer as it stands, and has what was agreed disclosed where that is not what was disclosed before.
func (d *life) accept(ctx context.Context, id int) error {
	if err := d.act(ctx, id, d.Approvals.Accept); err != nil {
		return err
	}
	return d.present(ctx)
}

func (d *life) refuse(ctx context.Context, id int) error { return d.act(ctx, id, d.Approvals.Decline) }

// counter asks for a little more at a little less.
func (d *life) counter(ctx context.Context, id int) error {
	more := part(dollars(d.amount), 110)
	less := money.RoundRate(money.MustRate(d.factor).Decimal().Sub(decimal.New(2, -2)))
	return d.act(ctx, id, func(ctx context.Context, id int) (*ent.Approval, error) {
		return d.Approvals.Counter(ctx, id, service.CounterInput{
			CounterAmount: some(more), CounterFactor: some(less),
			CounterNote: some(fmt.Sprintf(
				"With $%s we could order for the whole season at once. Another funder has offered %s.", more, less)),
		})
	})
}

// waitingOffer is the token of the page of an offer that waits for its merchant; "" where none does any more.
func waitingOffer(ctx context.Context, s *service.Service, host string) (string, error) {
	ctx, err := s.Tenants.AsOperator(ctx, host)
	if err != nil {
		return "", err
	}
	page, err := s.Approvals.List(ctx, service.ListRequest{
		Sort: newestFirst, Limit: new(service.MaxLimit),
	})
	if err != nil {
		return "", err
	}
	for _, row := range page.Records {
		if s.Approvals.State(row) != deal.OfferSent {
			continue
		}
		token, err := s.Approvals.ShareToken(ctx, row)
		if err != nil {
			return "", err
		}
		if token != nil {
			return *token, nil
		}
	}
	return "", nil
}
