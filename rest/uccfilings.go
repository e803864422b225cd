package rest

import (
	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// UccFilingView is a financing statement or its amendment, on the wire.
type UccFilingView struct {
	ID           int              `json:"id"`
	DealID       int              `json:"dealId"`
	Provider     string           `json:"provider"`
	ExternalID   *string          `json:"externalId"`
	FileNumber   *string          `json:"fileNumber"`
	Jurisdiction string           `json:"jurisdiction" doc:"State where it is filed" example:"DE"`
	Type         uccfiling.Type   `json:"type"`
	Status       uccfiling.Status `json:"status"`
	Collateral   *string          `json:"collateral"`
	FiledAt      *string          `json:"filedAt" format:"date-time"`
	LapsesAt     *string          `json:"lapsesAt" format:"date"`
	CreatedAt    string           `json:"createdAt" format:"date-time"`
	UpdatedAt    string           `json:"updatedAt" format:"date-time"`
}

func uccFilingView(r *ent.UCCFiling) UccFilingView {
	return UccFilingView{
		ID:           r.ID,
		DealID:       r.DealID,
		Provider:     r.Provider,
		ExternalID:   r.ExternalID,
		FileNumber:   r.FileNumber,
		Jurisdiction: r.Jurisdiction,
		Type:         r.Type,
		Status:       r.Status,
		Collateral:   r.Collateral,
		FiledAt:      optStamp(r.FiledAt),
		LapsesAt:     optDate(r.LapsesAt),
		CreatedAt:    stamp(r.CreatedAt),
		UpdatedAt:    stamp(r.UpdatedAt),
	}
}

func (a *API) uccFilings() {
	r := resource[ent.UCCFiling, UccFilingView]{
		path: "/api/v1/ucc-filings", tag: "Compliance", plural: "uccFilings", noun: "UCC filing",
		read: auth.Read("compliance"), view: uccFilingView,
	}
	list(a, r, service.UCCFilingListing, a.service.UCCFilings.List)
}
