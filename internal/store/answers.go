package store

import (
	"context"
	"encoding/json"
)

// ReplaceAnswers stores the payload of a tenant's application in another form: what is secret in it sealed, or sealed under
// another key. What was answered never changes, so that nothing else writes a payload once it is there.
func (tx *Tx) ReplaceAnswers(ctx context.Context, tenantID, applicationID int, payload json.RawMessage) error {
	return tx.exec(ctx, `UPDATE application_submissions SET payload = $1 WHERE tenant_id = $2 AND id = $3`,
		string(payload), tenantID, applicationID)
}
