package seeds

import (
	"context"

	"paydown/ent/locdraw"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// OpenLine makes the credit facility of an LOC deal that is priced. Its id is the facility's.
func (s Seeds) OpenLine(ctx context.Context, dealID int, limit money.Amount, requestedBy string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		line, err := servicing.OpenFacility(ctx, t, d, limit, nil, &requestedBy)
		if err != nil {
			return 0, err
		}
		t.Record("creditFacility.create", "creditFacility", line.ID, &dealID, nil, line)
		return line.ID, nil
	})
}

// RequestDraw asks for a further draw on a line, which counts against its room at once. Where the room does not suffice
// the draw is DECLINED. Its id is the draw's.
func (s Seeds) RequestDraw(ctx context.Context, dealID int, amount money.Amount, requestedBy string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		d, line, err := servicing.LockDealFacility(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		status := locdraw.StatusREQUESTED
		if line.AvailableRoom.Less(amount) {
			status = locdraw.StatusDECLINED
		}
		draw, err := servicing.RequestDraw(ctx, t, d, line, servicing.DrawInput{Amount: input.Some(amount), RequestedBy: input.Some(requestedBy)}, status)
		if err != nil {
			return 0, err
		}
		return draw.ID, nil
	})
}
