package reports

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/disbursement"
	"paydown/ent/locdraw"
	"paydown/ent/payment"
	"paydown/ent/renewalopportunity"
	"paydown/ent/stipulation"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/unit"
)

// DeskTask is the kind of work that a deal needs.
type DeskTask string

// The tasks in list order.
const (
	DeskBounce       DeskTask = "BOUNCE"
	DeskDisbursement DeskTask = "DISBURSEMENT"
	DeskOffer        DeskTask = "OFFER"
	DeskStipulation  DeskTask = "STIPULATION"
	DeskDraw         DeskTask = "DRAW"
	DeskRenewal      DeskTask = "RENEWAL"
)

// DeskItem is a deal that needs work. At is the time since when; for an offer, when it expires.
type DeskItem struct {
	Task   DeskTask
	DealID int
	Title  *string
	Amount *money.Amount
	At     *time.Time
}

// DeskItems is the default number of items per task, maxDeskItems the maximum.
const (
	DeskItems    = 5
	maxDeskItems = 50
)

// Desk lists open work: the first items of each task that the caller may read, the oldest first. It includes
// the same items that Dashboard counts. It runs one statement per task, and one more for draws.
func (s Figures) Desk(ctx context.Context, limit int) ([]*DeskItem, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	if limit < 1 || limit > maxDeskItems {
		return nil, fault.Field("limit", "must be an integer from 1 to %d", maxDeskItems)
	}
	items := []*DeskItem{}
	for _, task := range []struct {
		resource string
		list     func(context.Context, int) ([]*DeskItem, error)
	}{
		{"payments", s.bouncesOnDesk},
		{"payments", s.disbursementsOnDesk},
		{"submissions", s.offersOnDesk},
		{"deals", s.stipulationsOnDesk},
		{"credit-facilities", s.drawsOnDesk},
		{"renewals", s.renewalsOnDesk},
	} {
		if !actor.May(auth.Read(task.resource)) {
			continue
		}
		found, err := task.list(ctx, limit)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	return items, nil
}

func (s Figures) bouncesOnDesk(ctx context.Context, first int) ([]*DeskItem, error) {
	rows, err := s.core.Store.Reader().Payment.Query().Where(withoutMakeUp()).
		Order(entpayment.ByReturnedAt(), entpayment.ByID()).Limit(first).All(ctx)
	return onWorkQueue(rows, err, func(p *ent.Payment) *DeskItem {
		return &DeskItem{Task: DeskBounce, DealID: p.DealID, Amount: &p.Amount, At: p.ReturnedAt}
	})
}

func (s Figures) disbursementsOnDesk(ctx context.Context, first int) ([]*DeskItem, error) {
	rows, err := s.core.Store.Reader().Disbursement.Query().
		Where(disbursement.StatusIn(disbursement.StatusPENDING, disbursement.StatusFAILED)).
		Order(disbursement.ByID()).Limit(first).All(ctx)
	return onWorkQueue(rows, err, func(d *ent.Disbursement) *DeskItem {
		return &DeskItem{
			Task: DeskDisbursement, DealID: d.DealID, Title: d.FailureReason, Amount: &d.Amount, At: &d.CreatedAt,
		}
	})
}

func (s Figures) offersOnDesk(ctx context.Context, first int) ([]*DeskItem, error) {
	now := s.core.Store.Now()
	rows, err := s.core.Store.Reader().Approval.Query().Where(approval.StateIn(deal.OfferSent, deal.OfferCountered),
		approval.ExpiresAtGTE(now), approval.ExpiresAtLT(now.Add(offersSoon))).
		Order(approval.ByExpiresAt(), approval.ByID()).Limit(first).All(ctx)
	return onWorkQueue(rows, err, func(a *ent.Approval) *DeskItem {
		return &DeskItem{Task: DeskOffer, DealID: a.DealID, Amount: a.FundedAmount, At: a.ExpiresAt}
	})
}

func (s Figures) stipulationsOnDesk(ctx context.Context, first int) ([]*DeskItem, error) {
	rows, err := s.core.Store.Reader().Stipulation.Query().Where(stipulation.StatusEQ(deal.StipReceived)).
		Order(stipulation.ByReceivedAt(), stipulation.ByID()).Limit(first).All(ctx)
	return onWorkQueue(rows, err, func(p *ent.Stipulation) *DeskItem {
		return &DeskItem{Task: DeskStipulation, DealID: p.DealID, Title: &p.Title, At: p.ReceivedAt}
	})
}

func (s Figures) drawsOnDesk(ctx context.Context, first int) ([]*DeskItem, error) {
	rows, err := s.core.Store.Reader().LocDraw.Query().Where(locdraw.StatusEQ(locdraw.StatusREQUESTED)).WithFacility().
		Order(locdraw.ByID()).Limit(first).All(ctx)
	return onWorkQueue(rows, err, func(d *ent.LocDraw) *DeskItem {
		return &DeskItem{Task: DeskDraw, DealID: d.Edges.Facility.DealID, Amount: &d.Amount, At: &d.CreatedAt}
	})
}

func (s Figures) renewalsOnDesk(ctx context.Context, first int) ([]*DeskItem, error) {
	rows, err := s.core.Store.Reader().RenewalOpportunity.Query().
		Where(renewalopportunity.StatusEQ(renewalopportunity.StatusELIGIBLE), renewalopportunity.ClosedAtIsNil()).
		Order(renewalopportunity.ByID()).Limit(first).All(ctx)
	return onWorkQueue(rows, err, func(o *ent.RenewalOpportunity) *DeskItem {
		return &DeskItem{Task: DeskRenewal, DealID: o.PriorDealID, Amount: &o.Outstanding, At: &o.CreatedAt}
	})
}

func onWorkQueue[E any](rows []*E, err error, item func(*E) *DeskItem) ([]*DeskItem, error) {
	items := make([]*DeskItem, len(rows))
	for i, row := range rows {
		items[i] = item(row)
	}
	return items, err
}
