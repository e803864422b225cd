package origination

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/internal/intake"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Answers that are secret are sealed in the database (see intake.Reseal) and revealed to whoever may read applications.
// Nothing that is revealed goes into the audit trail.

// reveal is an application as it came in, of one as it is stored.
func reveal(c *unit.Core, row *ent.ApplicationSubmission) (*ent.ApplicationSubmission, error) {
	if row == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	payload, err := intake.Reveal(c.Secrets, row.ID, row.Payload)
	if err != nil {
		return nil, err
	}
	revealed := *row
	revealed.Payload = input.Canonical(payload)
	return &revealed, nil
}

// revealed is reveal, behind what may have failed.
func revealed(c *unit.Core, row *ent.ApplicationSubmission, err error) (*ent.ApplicationSubmission, error) {
	if err != nil {
		return nil, err
	}
	return reveal(c, row)
}

// sealAnswers stores the payload of an application with what is secret in it sealed under the key in use. It serves one that
// has just been stored without its secrets and, given the payload that is stored, one that was sealed under an earlier key or
// not at all. Sealing changes nothing that anybody is shown, so that it leaves no entry in the audit trail.
func sealAnswers(ctx context.Context, t *unit.Tx, row *ent.ApplicationSubmission, fields []intake.Field, payload json.RawMessage) error {
	stored, sealed, err := intake.Reseal(t.Core.Secrets, row.ID, fields, payload)
	if err != nil || sealed == 0 {
		return err
	}
	return t.ReplaceAnswers(ctx, t.Actor.TenantID, row.ID, input.Canonical(stored))
}
