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

// WorkQueueTask is the kind of work that a deal needs.
type WorkQueueTask string

// The tasks in list order.
const (
	TaskBounce       WorkQueueTask = "BOUNCE"
	TaskDisbursement WorkQueueTask = "DISBURSEMENT"
	TaskOffer        WorkQueueTask = "OFFER"
	TaskStipulation  WorkQueueTask = "STIPULATION"
	TaskDraw         WorkQueueTask = "DRAW"
	TaskRenewal      WorkQueueTask = "RENEWAL"
)

// WorkQueueItem is a deal that needs work. At is the time since when; for an offer, when it expires.
type WorkQueueItem struct {
	Task   WorkQueueTask
	DealID int
	Title  *string
	Amount *money.Amount
	At     *time.Time
}

// WorkQueueItems is the default number of items per task, maxWorkQueueItems the maximum.
const (
	WorkQueueItems    = 5
	maxWorkQueueItems = 50
)

// WorkQueue lists open work: the first items of each task that the caller may read, the oldest first. It includes
// the same items that Dashboard counts. It runs one statement per task, and one more for draws.
func (s Figures) WorkQueue(ctx context.Context, limit int) ([]*WorkQueueItem, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	if limit < 1 || limit > maxWorkQueueItems {
		return nil, fault.Field("limit", "must be an integer from 1 to %d", maxWorkQueueItems)
	}
	items := []*WorkQueueItem{}
	for _, task := range []struct {
		resource string
		list     func(context.Context, int) ([]*WorkQueueItem, error)
	}{
		{"payments", s.bouncesToDo},
		{"payments", s.disbursementsToDo},
		{"submissions", s.offersToDo},
		{"deals", s.stipulationsToDo},
		{"credit-facilities", s.drawsToDo},
		{"renewals", s.renewalsToDo},
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

func (s Figures) bouncesToDo(ctx context.Context, first int) ([]*WorkQueueItem, error) {
	rows, err := s.core.Store.Reader().Payment.Query().Where(withoutMakeUp()).
		Order(entpayment.ByReturnedAt(), entpayment.ByID()).Limit(first).All(ctx)
	return workQueueItems(rows, err, func(p *ent.Payment) *WorkQueueItem {
		return &WorkQueueItem{Task: TaskBounce, DealID: p.DealID, Amount: &p.Amount, At: p.ReturnedAt}
	})
}

func (s Figures) disbursementsToDo(ctx context.Context, first int) ([]*WorkQueueItem, error) {
	rows, err := s.core.Store.Reader().Disbursement.Query().
		Where(disbursement.StatusIn(disbursement.StatusPENDING, disbursement.StatusFAILED)).
		Order(disbursement.ByID()).Limit(first).All(ctx)
	return workQueueItems(rows, err, func(d *ent.Disbursement) *WorkQueueItem {
		return &WorkQueueItem{
			Task: TaskDisbursement, DealID: d.DealID, Title: d.FailureReason, Amount: &d.Amount, At: &d.CreatedAt,
		}
	})
}

func (s Figures) offersToDo(ctx context.Context, first int) ([]*WorkQueueItem, error) {
	now := s.core.Store.Now()
	rows, err := s.core.Store.Reader().Approval.Query().Where(approval.StateIn(deal.OfferSent, deal.OfferCountered),
		approval.ExpiresAtGTE(now), approval.ExpiresAtLT(now.Add(offersSoon))).
		Order(approval.ByExpiresAt(), approval.ByID()).Limit(first).All(ctx)
	return workQueueItems(rows, err, func(a *ent.Approval) *WorkQueueItem {
		return &WorkQueueItem{Task: TaskOffer, DealID: a.DealID, Amount: a.FundedAmount, At: a.ExpiresAt}
	})
}

func (s Figures) stipulationsToDo(ctx context.Context, first int) ([]*WorkQueueItem, error) {
	rows, err := s.core.Store.Reader().Stipulation.Query().Where(stipulation.StatusEQ(deal.StipReceived)).
		Order(stipulation.ByReceivedAt(), stipulation.ByID()).Limit(first).All(ctx)
	return workQueueItems(rows, err, func(p *ent.Stipulation) *WorkQueueItem {
		return &WorkQueueItem{Task: TaskStipulation, DealID: p.DealID, Title: &p.Title, At: p.ReceivedAt}
	})
}

func (s Figures) drawsToDo(ctx context.Context, first int) ([]*WorkQueueItem, error) {
	rows, err := s.core.Store.Reader().LocDraw.Query().Where(locdraw.StatusEQ(locdraw.StatusREQUESTED)).WithFacility().
		Order(locdraw.ByID()).Limit(first).All(ctx)
	return workQueueItems(rows, err, func(d *ent.LocDraw) *WorkQueueItem {
		return &WorkQueueItem{Task: TaskDraw, DealID: d.Edges.Facility.DealID, Amount: &d.Amount, At: &d.CreatedAt}
	})
}

func (s Figures) renewalsToDo(ctx context.Context, first int) ([]*WorkQueueItem, error) {
	rows, err := s.core.Store.Reader().RenewalOpportunity.Query().
		Where(renewalopportunity.StatusEQ(renewalopportunity.StatusELIGIBLE), renewalopportunity.ClosedAtIsNil()).
		Order(renewalopportunity.ByID()).Limit(first).All(ctx)
	return workQueueItems(rows, err, func(o *ent.RenewalOpportunity) *WorkQueueItem {
		return &WorkQueueItem{Task: TaskRenewal, DealID: o.PriorDealID, Amount: &o.Outstanding, At: &o.CreatedAt}
	})
}

func workQueueItems[E any](rows []*E, err error, item func(*E) *WorkQueueItem) ([]*WorkQueueItem, error) {
	items := make([]*WorkQueueItem, len(rows))
	for i, row := range rows {
		items[i] = item(row)
	}
	return items, err
}
