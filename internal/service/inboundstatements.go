package service

import (
	"context"
	"encoding/json"

	"paydown/internal/fault"
)

// applyStatements keeps an analysis of bank statements, as POST /api/v1/statement-analysis does: the payload has the
// same fields and names its target the same way. A payload that does not say who made the analysis has the name of the
// receiver there.
func (t *tx) applyStatements(ctx context.Context, p inboundPayload) (inboundOutcome, error) {
	if raw, given := p["source"]; !given || string(raw) == "null" {
		named := inboundPayload{"source": json.RawMessage(`"bank-statements"`)}
		for name, value := range p {
			if name != "source" {
				named[name] = value
			}
		}
		p = named
	}
	in, err := inputOf(p, func(in TargetedAnalysis) []fault.Detail {
		return mergeProblems(in.targetProblems(), in.contradictions())
	})
	if err != nil {
		return inboundOutcome{}, err
	}
	d, err := t.dealOfTarget(ctx, in)
	if err != nil {
		return inboundOutcome{}, err
	}
	_, err = t.keepAnalysis(ctx, d, in.AnalysisInput)
	return inboundOutcome{dealID: &d.ID, merchantID: &d.MerchantID}, err
}
