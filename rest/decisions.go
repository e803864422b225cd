package rest

import (
	"encoding/json"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service"
	"paydown/internal/underwriting"
)

// DecisionResultView is the result of underwriting a deal, on the wire.
type DecisionResultView struct {
	ID             int                         `json:"id"`
	DealID         int                         `json:"dealId"`
	PolicyID       *int                        `json:"policyId"`
	Recommendation underwriting.Recommendation `json:"recommendation"`
	Score          int                         `json:"score"`
	Category       underwriting.Category       `json:"category"`
	Flags          json.RawMessage             `json:"flags" form:"object"`
	MaxOffer       json.RawMessage             `json:"maxOffer" form:"object,null"`
	Metrics        json.RawMessage             `json:"metrics" form:"object"`
	CreatedAt      string                      `json:"createdAt" format:"date-time"`
}

func decisionResultView(r *ent.DecisionResult) DecisionResultView {
	return DecisionResultView{
		ID:             r.ID,
		DealID:         r.DealID,
		PolicyID:       r.PolicyID,
		Recommendation: r.Recommendation,
		Score:          r.Score,
		Category:       r.Category,
		Flags:          r.Flags,
		MaxOffer:       r.MaxOffer,
		Metrics:        r.Metrics,
		CreatedAt:      stamp(r.CreatedAt),
	}
}

func (a *API) decisions() {
	r := resource[ent.DecisionResult, DecisionResultView]{
		path: "/api/v1/decisions", tag: "Compliance", plural: "decisions", noun: "decision",
		read: auth.Read("compliance"), view: decisionResultView,
	}
	list(a, r, service.DecisionListing, a.service.Decisions.List)
}
