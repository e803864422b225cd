package service

import (
	"context"

	"paydown/ent/locdraw"
	"paydown/internal/money"
)

// OpenLine makes the credit facility of an LOC deal that is priced. Its id is the facility's.
func (s Seeds) OpenLine(ctx context.Context, dealID int, limit money.Amount, requestedBy string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		line, err := t.openLine(ctx, d, limit, nil, &requestedBy)
		if err != nil {
			return 0, err
		}
		t.record("creditFacility.create", "creditFacility", line.ID, &dealID, nil, line)
		return line.ID, nil
	})
}

// RequestDraw asks for a further draw on a line, which counts against its room at once. Where the room does not suffice
// the draw is DECLINED. Its id is the draw's.
func (s Seeds) RequestDraw(ctx context.Context, dealID int, amount money.Amount, requestedBy string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, line, err := t.lockLine(ctx, dealID)
		if err != nil {
			return 0, err
		}
		status := locdraw.StatusREQUESTED
		if line.AvailableRoom.Less(amount) {
			status = locdraw.StatusDECLINED
		}
		draw, err := t.askDraw(ctx, d, line, DrawInput{Amount: Some(amount), RequestedBy: Some(requestedBy)}, status)
		if err != nil {
			return 0, err
		}
		return draw.ID, nil
	})
}
