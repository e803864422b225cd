package rest

import (
	"paydown/ent"
	"paydown/ent/syndicator"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// SyndicatorView is a syndicator on the wire.
type SyndicatorView struct {
	ID                    int                            `json:"id"`
	Name                  string                         `json:"name"`
	ReferenceID           *string                        `json:"referenceId"`
	Email                 *string                        `json:"email"`
	Phone                 *string                        `json:"phone"`
	ContactName           *string                        `json:"contactName"`
	Website               *string                        `json:"website"`
	Notes                 *string                        `json:"notes"`
	Requires1099          bool                           `json:"requires1099"`
	IsActive              bool                           `json:"isActive"`
	IsHouse               bool                           `json:"isHouse"`
	LossProtected         bool                           `json:"lossProtected"`
	FrontsCommission      bool                           `json:"frontsCommission"`
	ParticipatesInBankFee *bool                          `json:"participatesInBankFee"`
	ExternalSource        *string                        `json:"externalSource"`
	ExternalRef           *string                        `json:"externalRef"`
	PortfolioID           *int                           `json:"portfolioId"`
	MaxPerDeal            *string                        `json:"maxPerDeal" doc:"Dollars, two decimals" example:"25000.00"`
	ManagementFeePercent  *string                        `json:"managementFeePercent" doc:"Percent of the basis" example:"3.00"`
	ProfitSplitPercent    *string                        `json:"profitSplitPercent" doc:"The syndicator's part of the profit, in percent" example:"80.00"`
	ManagementFeeBasis    *syndicator.ManagementFeeBasis `json:"managementFeeBasis"`
	CAFRecognition        syndicator.CafRecognition      `json:"cafRecognition"`
	ProfitAccrual         syndicator.ProfitAccrual       `json:"profitAccrual"`
	DistributionFrequency *string                        `json:"distributionFrequency"`
	CreatedAt             string                         `json:"createdAt" format:"date-time"`
	UpdatedAt             string                         `json:"updatedAt" format:"date-time"`
}

func syndicatorView(s *ent.Syndicator) SyndicatorView {
	return SyndicatorView{
		ID: s.ID, Name: s.Name, ReferenceID: s.ReferenceID, Email: s.Email, Phone: s.Phone, ContactName: s.ContactName,
		Website: s.Website, Notes: s.Notes, Requires1099: s.Requires1099, IsActive: s.IsActive, IsHouse: s.IsHouse,
		LossProtected: s.LossProtected, FrontsCommission: s.FrontsCommission,
		ParticipatesInBankFee: s.ParticipatesInBankFee, ExternalSource: s.ExternalSource, ExternalRef: s.ExternalRef,
		PortfolioID: s.PortfolioID, MaxPerDeal: optAmount(s.MaxPerDeal),
		ManagementFeePercent: optRate(s.ManagementFeePercent), ProfitSplitPercent: optRate(s.ProfitSplitPercent),
		ManagementFeeBasis: s.ManagementFeeBasis, CAFRecognition: s.CafRecognition, ProfitAccrual: s.ProfitAccrual,
		DistributionFrequency: s.DistributionFrequency, CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt),
	}
}

func (a *API) syndicators() {
	r := resource[ent.Syndicator, SyndicatorView]{
		path: "/api/v1/syndicators", tag: "Syndicators", plural: "syndicators", singular: "syndicator", noun: "syndicator",
		read: auth.Read("syndicators"), write: auth.Write("syndicators"), view: syndicatorView,
		rows: rowsOf[ent.Syndicator, SyndicatorView](a, service.SyndicatorListing),
	}
	s := a.service.Syndicators
	list(a, r, service.SyndicatorListing, s.List)
	create(a, r, s.Create)
	get(a, r, s.Get)
	update(a, r, s.Update)
	remove(a, r, s.Delete)
}
