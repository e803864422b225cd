package inbound

import (
	"context"
	"encoding/json"

	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/underwriting"
	"paydown/internal/service/unit"
)

// applyStatements stores an analysis of bank statements, like POST /api/v1/statement-analysis: the payload has
// the same fields and names its target the same way. If it has no source, the event's source is used.
func applyStatements(ctx context.Context, t *unit.Tx, p input.Payload) (inboundOutcome, error) {
	if raw, given := p["source"]; !given || string(raw) == "null" {
		named := input.Payload{"source": json.RawMessage(`"bank-statements"`)}
		for name, value := range p {
			if name != "source" {
				named[name] = value
			}
		}
		p = named
	}
	in, err := input.FromPayload(p, func(in underwriting.TargetedAnalysis) []fault.Detail {
		return input.MergeProblems(in.TargetProblems(), in.Contradictions())
	})
	if err != nil {
		return inboundOutcome{}, err
	}
	d, err := underwriting.DealOfTarget(ctx, t, in)
	if err != nil {
		return inboundOutcome{}, err
	}
	_, err = underwriting.StoreAnalysis(ctx, t, d, in.AnalysisInput)
	return inboundOutcome{dealID: &d.ID, merchantID: &d.MerchantID}, err
}
