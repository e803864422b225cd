package store

import (
	"context"
	"encoding/json"
)

// ReplaceAnswers replaces the payload of a tenant's application by another form of it, with secret answers
// sealed, or sealed under another key. Nothing else ever updates a payload, because answers never change.
func (tx *Tx) ReplaceAnswers(ctx context.Context, tenantID, applicationID int, payload json.RawMessage) error {
	return tx.exec(ctx, `UPDATE application_submissions SET payload = $1 WHERE tenant_id = $2 AND id = $3`,
		string(payload), tenantID, applicationID)
}
