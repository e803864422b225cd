package upkeep_test

import (
	"maps"
	"slices"
	"testing"

	"entgo.io/ent/schema/field"

	"paydown/ent/migrate"
	"paydown/internal/service/upkeep"
)

// neverOpened are the binary columns that are not sealed: hashes, fingerprints and names.
var neverOpened = []string{
	"admin_tokens.token_hash", "api_keys.token_hash", "application_submissions.ticket", "approvals.share_token_hash",
	"approvals.terms_hash", "decision_results.inputs_hash", "disclosures.inputs_hash", "documents.sha256",
	"documents.terms_hash",
	"funding_overrides.terms_hash", "idempotency_records.body_hash", "idempotency_records.claim",
	"inbound_events.dedupe_key",
	"password_resets.token_hash", "secret_keys.fingerprint", "sessions.token_hash", "signature_requests.terms_hash",
}

// Every binary column must be listed as sealed or not: values in an unlisted column would be lost with the
// next change of key.
func TestEveryBinaryColumnIsListed(t *testing.T) {
	sealed := upkeep.SealedColumns()
	bytesIn := map[string]bool{}
	for _, table := range migrate.Tables {
		for _, column := range table.Columns {
			if column.Type == field.TypeBytes {
				bytesIn[table.Name+"."+column.Name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bytesIn)) {
		_, is := sealed[name]
		if is == slices.Contains(neverOpened, name) {
			t.Errorf("%s: add it to the registry of sealed columns or to neverOpened", name)
		}
	}
	for name := range sealed {
		if !bytesIn[name] {
			t.Errorf("%s is in the registry but is not a binary column", name)
		}
	}
}
