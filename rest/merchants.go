package rest

import (
	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// MerchantView is a merchant on the wire.
type MerchantView struct {
	ID                   int                    `json:"id"`
	LegalName            string                 `json:"legalName"`
	DBAName              *string                `json:"dbaName"`
	ReferenceID          *string                `json:"referenceId"`
	FederalID            *string                `json:"federalId" doc:"EIN, as entered"`
	Industry             *string                `json:"industry"`
	Email                *string                `json:"email"`
	Phone                *string                `json:"phone"`
	AddressLine1         *string                `json:"addressLine1"`
	AddressLine2         *string                `json:"addressLine2"`
	City                 *string                `json:"city"`
	State                *string                `json:"state"`
	PostalCode           *string                `json:"postalCode"`
	BusinessType         *string                `json:"businessType"`
	StartedOn            *string                `json:"startedOn" format:"date"`
	Website              *string                `json:"website"`
	StateOfIncorporation *string                `json:"stateOfIncorporation"`
	NAICSCode            *string                `json:"naicsCode"`
	SICCode              *string                `json:"sicCode"`
	HomeBased            bool                   `json:"homeBased"`
	ECommerce            bool                   `json:"eCommerce"`
	AnnualRevenue        *string                `json:"annualRevenue" doc:"Dollars, two decimals" example:"640000.00"`
	MerchantStatusID     *int                   `json:"merchantStatusId"`
	ExternalSource       *string                `json:"externalSource"`
	ExternalRef          *string                `json:"externalRef"`
	CreatedAt            string                 `json:"createdAt" format:"date-time"`
	UpdatedAt            string                 `json:"updatedAt" format:"date-time"`
	Contacts             *[]MerchantContactView `json:"contacts,omitempty" nullable:"false" doc:"Only when a single merchant is fetched"`
}

// MerchantContactView is a contact on the wire. Only the last four digits of a social security number are ever
// returned.
type MerchantContactView struct {
	ID           int     `json:"id"`
	MerchantID   int     `json:"merchantId"`
	FirstName    string  `json:"firstName"`
	LastName     string  `json:"lastName"`
	Email        *string `json:"email"`
	Phone        *string `json:"phone"`
	SSNLast4     *string `json:"ssnLast4"`
	Title        *string `json:"title"`
	OwnershipPct *string `json:"ownershipPct" doc:"Percent" example:"51.00"`
	IsGuarantor  bool    `json:"isGuarantor"`
	IsPrimary    bool    `json:"isPrimary"`
	CreatedAt    string  `json:"createdAt" format:"date-time"`
	UpdatedAt    string  `json:"updatedAt" format:"date-time"`
}

func merchantView(m *ent.Merchant) MerchantView {
	v := MerchantView{
		ID: m.ID, LegalName: m.LegalName, DBAName: m.DbaName, ReferenceID: m.ReferenceID, FederalID: m.FederalID,
		Industry: m.Industry, Email: m.Email, Phone: m.Phone,
		AddressLine1: m.AddressLine1, AddressLine2: m.AddressLine2, City: m.City, State: m.State, PostalCode: m.PostalCode,
		BusinessType: m.BusinessType, StartedOn: optDate(m.StartedOn), Website: m.Website,
		StateOfIncorporation: m.StateOfIncorporation, NAICSCode: m.NaicsCode, SICCode: m.SicCode,
		HomeBased: m.HomeBased, ECommerce: m.ECommerce, AnnualRevenue: optAmount(m.AnnualRevenue),
		MerchantStatusID: m.MerchantStatusID, ExternalSource: m.ExternalSource, ExternalRef: m.ExternalRef,
		CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt),
	}
	if contacts, err := m.Edges.ContactsOrErr(); err == nil {
		v.Contacts = viewAll(contacts, merchantContactView)
	}
	return v
}

func merchantContactView(c *ent.MerchantContact) MerchantContactView {
	return MerchantContactView{
		ID: c.ID, MerchantID: c.MerchantID, FirstName: c.FirstName, LastName: c.LastName, Email: c.Email, Phone: c.Phone,
		SSNLast4: c.SsnLast4, Title: c.Title, OwnershipPct: optRate(c.OwnershipPct),
		IsGuarantor: c.IsGuarantor, IsPrimary: c.IsPrimary, CreatedAt: stamp(c.CreatedAt), UpdatedAt: stamp(c.UpdatedAt),
	}
}

func (a *API) merchants() {
	r := resource[ent.Merchant, MerchantView]{
		path: "/api/v1/merchants", tag: "Merchants", plural: "merchants", singular: "merchant", noun: "merchant",
		read: auth.Read("merchants"), write: auth.Write("merchants"), view: merchantView,
	}
	s := a.service.Merchants
	listed := r // without the contacts, which only a single merchant has
	listed.rows = rowsOf[ent.Merchant, MerchantView](a, service.MerchantListing)
	list(a, listed, service.MerchantListing, s.List)
	create(a, r, s.Create)
	get(a, r, s.Get)
	update(a, r, s.Update)
	remove(a, r, s.Delete)
}
