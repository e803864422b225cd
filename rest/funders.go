package rest

import (
	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// FunderView is a funder on the wire.
type FunderView struct {
	ID             int     `json:"id"`
	Name           string  `json:"name"`
	Email          *string `json:"email"`
	Phone          *string `json:"phone"`
	ContactName    *string `json:"contactName"`
	Website        *string `json:"website"`
	Notes          *string `json:"notes"`
	IsActive       bool    `json:"isActive"`
	IsHouse        bool    `json:"isHouse" doc:"True for the company itself"`
	ExternalSource *string `json:"externalSource"`
	ExternalRef    *string `json:"externalRef"`
	CreatedAt      string  `json:"createdAt" format:"date-time"`
	UpdatedAt      string  `json:"updatedAt" format:"date-time"`
}

func funderView(f *ent.Funder) FunderView {
	return FunderView{
		ID: f.ID, Name: f.Name, Email: f.Email, Phone: f.Phone, ContactName: f.ContactName, Website: f.Website,
		Notes: f.Notes, IsActive: f.IsActive, IsHouse: f.IsHouse, ExternalSource: f.ExternalSource,
		ExternalRef: f.ExternalRef, CreatedAt: stamp(f.CreatedAt), UpdatedAt: stamp(f.UpdatedAt),
	}
}

func (a *API) funders() {
	r := resource[ent.Funder, FunderView]{
		path: "/api/v1/funders", tag: "Funders", plural: "funders", singular: "funder", noun: "funder",
		read: auth.Read("funders"), write: auth.Write("funders"), view: funderView,
		rows: rowsOf[ent.Funder, FunderView](a, service.FunderListing),
	}
	s := a.service.Funders
	list(a, r, service.FunderListing, s.List)
	create(a, r, s.Create)
	get(a, r, s.Get)
	update(a, r, s.Update)
	remove(a, r, s.Delete)
}
