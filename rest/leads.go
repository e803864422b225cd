package rest

import (
	"paydown/ent"
	"paydown/ent/lead"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// LeadView is a lead on the wire.
type LeadView struct {
	ID              int         `json:"id"`
	BusinessName    string      `json:"businessName"`
	DBAName         *string     `json:"dbaName"`
	ContactName     *string     `json:"contactName"`
	Email           *string     `json:"email"`
	Phone           *string     `json:"phone"`
	Status          lead.Status `json:"status"`
	Source          *string     `json:"source"`
	RequestedAmount *string     `json:"requestedAmount" doc:"Dollars, two decimals" example:"50000.00"`
	Notes           *string     `json:"notes"`
	OwnerID         *int        `json:"ownerId" doc:"User who works the lead"`
	NextActionAt    *string     `json:"nextActionAt" format:"date-time"`
	CreatedAt       string      `json:"createdAt" format:"date-time"`
	UpdatedAt       string      `json:"updatedAt" format:"date-time"`
}

func leadView(l *ent.Lead) LeadView {
	return LeadView{
		ID: l.ID, BusinessName: l.BusinessName, DBAName: l.DbaName, ContactName: l.ContactName, Email: l.Email,
		Phone: l.Phone, Status: l.Status, Source: l.Source, RequestedAmount: optAmount(l.RequestedAmount),
		Notes: l.Notes, OwnerID: l.OwnerID, NextActionAt: optStamp(l.NextActionAt),
		CreatedAt: stamp(l.CreatedAt), UpdatedAt: stamp(l.UpdatedAt),
	}
}

func (a *API) leads() {
	r := resource[ent.Lead, LeadView]{
		path: "/api/v1/leads", tag: "Leads", plural: "leads", singular: "lead", noun: "lead",
		read: auth.Read("leads"), write: auth.Write("leads"), view: leadView,
		rows: rowsOf[ent.Lead, LeadView](a, service.LeadListing),
	}
	s := a.service.Leads
	list(a, r, service.LeadListing, s.List)
	create(a, r, s.Create)
	get(a, r, s.Get)
	update(a, r, s.Update)
	remove(a, r, s.Delete)
}
