package rest

import (
	"encoding/json"

	"paydown/ent"
	"paydown/ent/iso"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// IsoView is an ISO on the wire.
type IsoView struct {
	ID                int             `json:"id"`
	Name              string          `json:"name"`
	Email             *string         `json:"email"`
	Phone             *string         `json:"phone"`
	ContactName       *string         `json:"contactName"`
	Website           *string         `json:"website"`
	Notes             *string         `json:"notes"`
	AddressLine1      *string         `json:"addressLine1"`
	AddressLine2      *string         `json:"addressLine2"`
	City              *string         `json:"city"`
	State             *string         `json:"state"`
	PostalCode        *string         `json:"postalCode"`
	EIN               *string         `json:"ein"`
	EntityType        *string         `json:"entityType"`
	SignerName        *string         `json:"signerName"`
	SignerTitle       *string         `json:"signerTitle"`
	ISOType           *string         `json:"isoType"`
	Type              iso.Type        `json:"type"`
	Requires1099      bool            `json:"requires1099"`
	IsActive          bool            `json:"isActive"`
	Domains           []string        `json:"domains" nullable:"false" doc:"Email domains whose senders are treated as the ISO"`
	EmailAddresses    []string        `json:"emailAddresses" nullable:"false"`
	CommissionRule    json.RawMessage `json:"commissionRule" form:"object,null"`
	AgreementSignedAt *string         `json:"agreementSignedAt" format:"date-time"`
	IDOnFileAt        *string         `json:"idOnFileAt" format:"date-time"`
	VoidedCheckAt     *string         `json:"voidedCheckAt" format:"date-time"`
	W9OnFileAt        *string         `json:"w9OnFileAt" format:"date-time"`
	CreatedAt         string          `json:"createdAt" format:"date-time"`
	UpdatedAt         string          `json:"updatedAt" format:"date-time"`
}

func isoView(i *ent.ISO) IsoView {
	return IsoView{
		ID: i.ID, Name: i.Name, Email: i.Email, Phone: i.Phone, ContactName: i.ContactName, Website: i.Website,
		Notes: i.Notes, AddressLine1: i.AddressLine1, AddressLine2: i.AddressLine2, City: i.City, State: i.State,
		PostalCode: i.PostalCode, EIN: i.Ein, EntityType: i.EntityType, SignerName: i.SignerName,
		SignerTitle: i.SignerTitle, ISOType: i.IsoType, Type: i.Type, Requires1099: i.Requires1099, IsActive: i.IsActive,
		Domains: orEmpty(i.Domains), EmailAddresses: orEmpty(i.EmailAddresses), CommissionRule: i.CommissionRule,
		AgreementSignedAt: optStamp(i.AgreementSignedAt), IDOnFileAt: optStamp(i.IDOnFileAt),
		VoidedCheckAt: optStamp(i.VoidedCheckAt), W9OnFileAt: optStamp(i.W9OnFileAt),
		CreatedAt: stamp(i.CreatedAt), UpdatedAt: stamp(i.UpdatedAt),
	}
}

func (a *API) isos() {
	r := resource[ent.ISO, IsoView]{
		path: "/api/v1/isos", tag: "ISOs", plural: "isos", singular: "iso", noun: "ISO",
		read: auth.Read("isos"), write: auth.Write("isos"), view: isoView,
	}
	s := a.service.ISOs
	list(a, r, service.ISOListing, s.List)
	create(a, r, s.Create)
	get(a, r, s.Get)
	update(a, r, s.Update)
	remove(a, r, s.Delete)
}

// orEmpty makes a nil list render as [] instead of null.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
