package seeds

import (
	"context"
	"errors"

	"paydown/ent"
	"paydown/ent/disclosure"
	rules "paydown/internal/disclosure"
	"paydown/internal/service/compliance"
	"paydown/internal/service/unit"
)

// Disclose drafts the disclosure of a deal, as Disclosures.Draft does. Where no law demands one it does nothing and returns 0.
func (s Seeds) Disclose(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		made, err := compliance.Disclose(ctx, t, dealID)
		if errors.Is(err, compliance.ErrNotRequired) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// DeliverDisclosure notes that the merchant has a deal's disclosure; where there is none it returns 0.
func (s Seeds) DeliverDisclosure(ctx context.Context, dealID int) (int, error) {
	return s.moveDisclosure(ctx, dealID, disclosure.StatusDRAFT, disclosure.StatusDELIVERED)
}

// SignDisclosure notes that the merchant has signed a deal's disclosure; where there is none, or the state asks for no
// signature, it returns 0.
func (s Seeds) SignDisclosure(ctx context.Context, dealID int) (int, error) {
	return s.moveDisclosure(ctx, dealID, disclosure.StatusDELIVERED, disclosure.StatusSIGNED)
}

func (s Seeds) moveDisclosure(ctx context.Context, dealID int, from, to disclosure.Status) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		id, err := t.Disclosure.Query().Where(disclosure.DealID(dealID), disclosure.StatusEQ(from)).OnlyID(ctx)
		if ent.IsNotFound(err) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		d, before, err := compliance.LockDisclosure(ctx, t, id)
		if err != nil || to == disclosure.StatusSIGNED && !signed(before.State) {
			return 0, err
		}
		_, err = compliance.MoveDisclosure(ctx, t, d, before, to, t.At())
		return id, err
	})
}

// signed reports whether a state's law has the merchant sign.
func signed(state string) bool {
	for _, law := range rules.Rules {
		if law.State == state {
			return law.Signed
		}
	}
	return false
}
