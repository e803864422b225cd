package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The rows of the bare server, scanned straight into what goes onto the wire.

type bareDeal struct {
	ID                  int             `json:"id"`
	DealNumber          string          `json:"dealNumber"`
	ReferenceID         *string         `json:"referenceId"`
	ProductType         string          `json:"productType"`
	State               string          `json:"state"`
	MerchantID          int             `json:"merchantId"`
	ISOID               *int            `json:"isoId"`
	FundedLenderID      *int            `json:"fundedLenderId"`
	InceptionLenderID   *int            `json:"inceptionLenderId"`
	UnderwriterID       *int            `json:"underwriterId"`
	CommissionOfferID   *int            `json:"commissionOfferId"`
	RenewedFromDealID   *int            `json:"renewedFromDealId"`
	FactorRate          *rate           `json:"factorRate"`
	BuyRate             *rate           `json:"buyRate"`
	SpecifiedPercentage *rate           `json:"specifiedPercentage"`
	FundedAmount        *amount         `json:"fundedAmount"`
	PaybackAmount       *amount         `json:"paybackAmount"`
	BankFeeBasis        *string         `json:"bankFeeBasis"`
	BankFeeValue        *rate           `json:"bankFeeValue"`
	ApplicationFee      *amount         `json:"applicationFee"`
	WireFee             *amount         `json:"wireFee"`
	DefaultSurcharge    *amount         `json:"defaultSurcharge"`
	EPOFactorRate       *rate           `json:"epoFactorRate"`
	EPOWindowDays       *int            `json:"epoWindowDays"`
	EPOCommissionBasis  *string         `json:"epoCommissionBasis"`
	EPOCommissionValue  *rate           `json:"epoCommissionValue"`
	PaymentAmount       *amount         `json:"paymentAmount"`
	CommissionBasis     *string         `json:"commissionBasis"`
	CommissionValue     *rate           `json:"commissionValue"`
	RenewalPayoffAmount *amount         `json:"renewalPayoffAmount"`
	TermDays            *int            `json:"termDays"`
	Position            *int            `json:"position"`
	CollectionDay       *int            `json:"collectionDay"`
	NumberOfPayments    *int            `json:"numberOfPayments"`
	UWScore             *int            `json:"uwScore"`
	UWScoreCategory     *string         `json:"uwScoreCategory"`
	CollectionFrequency *string         `json:"collectionFrequency"`
	CollectionSchedule  string          `json:"collectionSchedule"`
	FirstPaymentDate    *day            `json:"firstPaymentDate"`
	PayoffDate          *day            `json:"payoffDate"`
	FundedAt            *stamp          `json:"fundedAt"`
	DefaultedAt         *stamp          `json:"defaultedAt"`
	IsRenewal           bool            `json:"isRenewal"`
	ExternalSource      *string         `json:"externalSource"`
	ExternalRef         *string         `json:"externalRef"`
	CreatedAt           stamp           `json:"createdAt"`
	UpdatedAt           stamp           `json:"updatedAt"`
	Merchant            *bareMerchant   `json:"merchant,omitempty"`
	Payments            *[]*barePayment `json:"payments,omitempty"`
}

const dealColumns = `id, deal_number, reference_id, product_type, state, merchant_id, iso_id, funded_lender_id,
	inception_lender_id, underwriter_id, commission_offer_id, renewed_from_deal_id, factor_rate, buy_rate,
	specified_percentage, funded_amount, payback_amount, bank_fee_basis, bank_fee_value, application_fee, wire_fee,
	default_surcharge, epo_factor_rate, epo_window_days, epo_commission_basis, epo_commission_value, payment_amount,
	commission_basis, commission_value, renewal_payoff_amount, term_days, position, collection_day, number_of_payments,
	uw_score, uw_score_category, collection_frequency, collection_schedule, first_payment_date, payoff_date, funded_at,
	defaulted_at, is_renewal, external_source, external_ref, created_at, updated_at`

func (d *bareDeal) into() []any {
	return []any{
		&d.ID, &d.DealNumber, &d.ReferenceID, &d.ProductType, &d.State, &d.MerchantID, &d.ISOID, &d.FundedLenderID,
		&d.InceptionLenderID, &d.UnderwriterID, &d.CommissionOfferID, &d.RenewedFromDealID, &d.FactorRate, &d.BuyRate,
		&d.SpecifiedPercentage, &d.FundedAmount, &d.PaybackAmount, &d.BankFeeBasis, &d.BankFeeValue, &d.ApplicationFee,
		&d.WireFee, &d.DefaultSurcharge, &d.EPOFactorRate, &d.EPOWindowDays, &d.EPOCommissionBasis, &d.EPOCommissionValue,
		&d.PaymentAmount, &d.CommissionBasis, &d.CommissionValue, &d.RenewalPayoffAmount, &d.TermDays, &d.Position,
		&d.CollectionDay, &d.NumberOfPayments, &d.UWScore, &d.UWScoreCategory, &d.CollectionFrequency,
		&d.CollectionSchedule, &d.FirstPaymentDate, &d.PayoffDate, &d.FundedAt, &d.DefaultedAt, &d.IsRenewal,
		&d.ExternalSource, &d.ExternalRef, &d.CreatedAt, &d.UpdatedAt,
	}
}

type bareMerchant struct {
	ID                   int     `json:"id"`
	LegalName            string  `json:"legalName"`
	DBAName              *string `json:"dbaName"`
	ReferenceID          *string `json:"referenceId"`
	FederalID            *string `json:"federalId"`
	Industry             *string `json:"industry"`
	Email                *string `json:"email"`
	Phone                *string `json:"phone"`
	AddressLine1         *string `json:"addressLine1"`
	AddressLine2         *string `json:"addressLine2"`
	City                 *string `json:"city"`
	State                *string `json:"state"`
	PostalCode           *string `json:"postalCode"`
	BusinessType         *string `json:"businessType"`
	StartedOn            *day    `json:"startedOn"`
	Website              *string `json:"website"`
	StateOfIncorporation *string `json:"stateOfIncorporation"`
	NAICSCode            *string `json:"naicsCode"`
	SICCode              *string `json:"sicCode"`
	HomeBased            bool    `json:"homeBased"`
	ECommerce            bool    `json:"eCommerce"`
	AnnualRevenue        *amount `json:"annualRevenue"`
	MerchantStatusID     *int    `json:"merchantStatusId"`
	ExternalSource       *string `json:"externalSource"`
	ExternalRef          *string `json:"externalRef"`
	CreatedAt            stamp   `json:"createdAt"`
	UpdatedAt            stamp   `json:"updatedAt"`
}

const merchantColumns = `id, legal_name, dba_name, reference_id, federal_id, industry, email, phone, address_line1,
	address_line2, city, state, postal_code, business_type, started_on, website, state_of_incorporation, naics_code,
	sic_code, home_based, e_commerce, annual_revenue, merchant_status_id, external_source, external_ref, created_at,
	updated_at`

func (m *bareMerchant) into() []any {
	return []any{
		&m.ID, &m.LegalName, &m.DBAName, &m.ReferenceID, &m.FederalID, &m.Industry, &m.Email, &m.Phone, &m.AddressLine1,
		&m.AddressLine2, &m.City, &m.State, &m.PostalCode, &m.BusinessType, &m.StartedOn, &m.Website,
		&m.StateOfIncorporation, &m.NAICSCode, &m.SICCode, &m.HomeBased, &m.ECommerce, &m.AnnualRevenue,
		&m.MerchantStatusID, &m.ExternalSource, &m.ExternalRef, &m.CreatedAt, &m.UpdatedAt,
	}
}

type barePayment struct {
	ID                 int     `json:"id"`
	DealID             int     `json:"dealId"`
	Type               string  `json:"type"`
	Status             string  `json:"status"`
	Amount             amount  `json:"amount"`
	ScheduledDate      *day    `json:"scheduledDate"`
	ClearedDate        *day    `json:"clearedDate"`
	AccountID          *int    `json:"accountId"`
	SyndicatorID       *int    `json:"syndicatorId"`
	BounceCodeID       *int    `json:"bounceCodeId"`
	Direction          *string `json:"direction"`
	ExternalTransferID *string `json:"externalTransferId"`
	ReferenceID        *string `json:"referenceId"`
	Note               *string `json:"note"`
	Source             *string `json:"source"`
	Method             *string `json:"method"`
	BankAccountTokenID *int    `json:"bankAccountTokenId"`
	InitiatedAt        *stamp  `json:"initiatedAt"`
	ReturnedAt         *stamp  `json:"returnedAt"`
	LocDrawID          *int    `json:"locDrawId"`
	MadeUpByID         *int    `json:"madeUpById"`
	CreatedAt          stamp   `json:"createdAt"`
	UpdatedAt          stamp   `json:"updatedAt"`
}

const paymentColumns = `id, deal_id, type, status, amount, scheduled_date, cleared_date, account_id, syndicator_id,
	bounce_code_id, direction, external_transfer_id, reference_id, note, source, method, bank_account_token_id,
	initiated_at, returned_at, loc_draw_id, made_up_by_id, created_at, updated_at`

func (p *barePayment) into() []any {
	return []any{
		&p.ID, &p.DealID, &p.Type, &p.Status, &p.Amount, &p.ScheduledDate, &p.ClearedDate, &p.AccountID, &p.SyndicatorID,
		&p.BounceCodeID, &p.Direction, &p.ExternalTransferID, &p.ReferenceID, &p.Note, &p.Source, &p.Method,
		&p.BankAccountTokenID, &p.InitiatedAt, &p.ReturnedAt, &p.LocDrawID, &p.MadeUpByID, &p.CreatedAt, &p.UpdatedAt,
	}
}

// The four kinds of columns that both databases return in forms other than the wire's.
type (
	amount string // "50000.00"
	rate   string // "1.30", "1.2345"
	day    string // "2026-01-05"
	stamp  string // "2026-01-05T14:30:00.000Z"
)

func (a *amount) Scan(src any) error {
	s, err := fixed(src, 2)
	*a = amount(s)
	return err
}

func (r *rate) Scan(src any) error {
	s, err := fixed(src, 6)
	for full := len(s); strings.HasSuffix(s, "0") && full-len(s) < 4; {
		s = s[:len(s)-1]
	}
	*r = rate(s)
	return err
}

// fixed writes a numeric column with so many decimals.
func fixed(src any, decimals int) (string, error) {
	switch v := src.(type) {
	case []byte:
		return string(v), nil
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', decimals, 64), nil
	case int64:
		return strconv.FormatInt(v, 10) + "." + strings.Repeat("0", decimals), nil
	default:
		return "", fmt.Errorf("a number is a %T", src)
	}
}

func (d *day) Scan(src any) error {
	switch v := src.(type) {
	case time.Time:
		*d = day(v.Format(time.DateOnly))
		return nil
	case string:
		*d = day(v[:len(time.DateOnly)])
		return nil
	default:
		return fmt.Errorf("a date is a %T", src)
	}
}

const wireTime = "2006-01-02T15:04:05.000Z"

func (s *stamp) Scan(src any) error {
	t, ok := src.(time.Time)
	if !ok {
		return fmt.Errorf("a time is a %T", src)
	}
	*s = stamp(t.UTC().Format(wireTime))
	return nil
}
