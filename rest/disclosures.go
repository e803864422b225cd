package rest

import (
	"encoding/json"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// DisclosureView is a commercial-financing disclosure on the wire.
type DisclosureView struct {
	ID                 int                  `json:"id"`
	DealID             int                  `json:"dealId"`
	State              string               `json:"state" doc:"State whose law applies" example:"CA"`
	Computed           json.RawMessage      `json:"computed" form:"object"`
	Status             entdisclosure.Status `json:"status"`
	SignatureRequestID *int                 `json:"signatureRequestId"`
	DeliveredAt        *string              `json:"deliveredAt" format:"date-time"`
	SignedAt           *string              `json:"signedAt" format:"date-time"`
	CreatedAt          string               `json:"createdAt" format:"date-time"`
	UpdatedAt          string               `json:"updatedAt" format:"date-time"`
}

func disclosureView(r *ent.Disclosure) DisclosureView {
	return DisclosureView{
		ID:                 r.ID,
		DealID:             r.DealID,
		State:              r.State,
		Computed:           r.Computed,
		Status:             r.Status,
		SignatureRequestID: r.SignatureRequestID,
		DeliveredAt:        optStamp(r.DeliveredAt),
		SignedAt:           optStamp(r.SignedAt),
		CreatedAt:          stamp(r.CreatedAt),
		UpdatedAt:          stamp(r.UpdatedAt),
	}
}

func (a *API) disclosures() {
	r := resource[ent.Disclosure, DisclosureView]{
		path: "/api/v1/disclosures", tag: "Compliance", plural: "disclosures", noun: "disclosure",
		read: auth.Read("compliance"), view: disclosureView,
	}
	list(a, r, service.DisclosureListing, a.service.Disclosures.List)
}
