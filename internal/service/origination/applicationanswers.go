package origination

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/internal/intake"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Secret answers are sealed in the database (see intake.Reseal) and revealed to actors who may read
// applications. Revealed answers never go into the audit trail.

// reveal returns a stored application with its secret answers unsealed.
func reveal(c *unit.Core, row *ent.ApplicationSubmission) (*ent.ApplicationSubmission, error) {
	if row == nil {
		return nil, nil //nolint:nilnil // no application
	}
	payload, err := intake.Reveal(c.Secrets, row.ID, row.Payload)
	if err != nil {
		return nil, err
	}
	unsealed := *row
	unsealed.Payload = input.Canonical(payload)
	return &unsealed, nil
}

// revealResult is reveal after a call that may have failed.
func revealResult(c *unit.Core, row *ent.ApplicationSubmission, err error) (*ent.ApplicationSubmission, error) {
	if err != nil {
		return nil, err
	}
	return reveal(c, row)
}

// sealAnswers stores the payload of an application with its secret answers sealed under the active key. It is
// for an application that was just stored without its secrets and, given the stored payload, for one sealed
// under an earlier key or not sealed. Sealing changes nothing that anyone sees, so it leaves no audit entry.
func sealAnswers(
	ctx context.Context, t *unit.Tx, row *ent.ApplicationSubmission, fields []intake.Field, payload json.RawMessage,
) error {
	stored, sealed, err := intake.Reseal(t.Core.Secrets, row.ID, fields, payload)
	if err != nil || sealed == 0 {
		return err
	}
	return t.ReplaceAnswers(ctx, t.Actor.TenantID, row.ID, input.Canonical(stored))
}
