package demo

import (
	"context"
	"fmt"
	"time"

	"paydown/ent"
	"paydown/ent/renewalopportunity"
	"paydown/internal/deal"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// planRenewals has a company that funds deals look every Monday for those that may be renewed.
func (b *builder) planRenewals() {
	funds := false
	for _, s := range b.company.scripts {
		funds = funds || s.ending.funded()
	}
	day := b.anchor.AddDays(-b.company.founded)
	for day.Weekday() != time.Monday {
		day = day.AddDays(1)
	}
	for ; funds && day.Before(b.anchor); day = day.AddDays(7) {
		b.on(schedule.RollForward(day), morning-100, b.scanRenewals)
	}
}

func (b *builder) scanRenewals(ctx context.Context) error {
	_, err := b.step(ctx, "renewals", func(ctx context.Context) (int, error) {
		_, err := b.Renewals.Scan(ctx)
		return 0, err
	})
	return err
}

// renewalOf is the script of the deal that renews one, which is the merchant's next.
func (b *builder) renewalOf(i int) script {
	for _, next := range b.company.scripts[i+1:] {
		if next.merchant == b.company.scripts[i].merchant {
			return next
		}
	}
	// The scripts are constants; a test runs them all.
	panic("no script renews the deal of " + b.company.scripts[i].merchant)
}

// renew begins this deal as the renewal of the one before, and returns its id.
func (d *life) renew(ctx context.Context, in service.DealFields) (int, error) {
	if err := d.scanRenewals(ctx); err != nil {
		return 0, err
	}
	d.prior.offered = true
	d.logRenewalCall(renewalopportunity.StatusCONTACTED)
	return d.step(ctx, "renewal of "+d.merchant, func(ctx context.Context) (int, error) {
		open, err := d.opportunity(ctx, d.prior.id)
		if err != nil {
			return 0, err
		}
		if open == nil {
			return 0, fmt.Errorf("deal %d cannot be renewed yet", d.prior.id)
		}
		row, err := d.Renewals.Start(ctx, open.ID, in)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
}

// opportunity is the open one of a deal; nil where there is none.
func (b *builder) opportunity(ctx context.Context, dealID int) (*ent.RenewalOpportunity, error) {
	pages, err := b.Renewals.OfDeals(ctx, []int{dealID}, service.ListRequest{})
	if err != nil {
		return nil, err
	}
	for _, row := range pages[dealID].Records {
		if row.ClosedAt == nil {
			return row, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

// steadyBefore is for how many days before a renewal nothing comes back, so that the deal may be renewed.
const steadyBefore = 70

// contactRenewal handles the renewal of a deal that is paid down far enough and had no recent returns.
// They leave some for later and speak to the merchants of others, of whom some want no more.
func (d *life) contactRenewal(ctx context.Context) error {
	most := map[deal.Product]int{deal.MCA: 50, deal.TermLoan: 50, deal.Equipment: 60}[d.product]
	if d.over || d.paused || d.offered || most == 0 || d.collected.Less(part(d.payback, most)) ||
		d.returnedLately(30) > 0 || d.returnedLately(60) > 1 {
		return nil
	}
	status := []renewalopportunity.Status{
		renewalopportunity.StatusELIGIBLE, renewalopportunity.StatusCONTACTED, renewalopportunity.StatusDISMISSED,
	}[d.seen%3]
	d.seen++
	if status == renewalopportunity.StatusELIGIBLE {
		return nil
	}
	d.logRenewalCall(status)
	_, err := d.step(ctx, "renewal of "+d.merchant, func(ctx context.Context) (int, error) {
		open, err := d.opportunity(ctx, d.id)
		if err != nil || open == nil {
			return 0, err
		}
		if status == renewalopportunity.StatusDISMISSED {
			_, err = d.Renewals.Dismiss(ctx, open.ID, "Needs nothing at present.")
		} else {
			_, err = d.Renewals.Contact(ctx, open.ID)
		}
		return open.ID, err
	})
	return err
}
