package service

import (
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/compliance"
	"paydown/internal/service/delivery"
	"paydown/internal/service/identity"
	"paydown/internal/service/inbound"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/offers"
	"paydown/internal/service/origination"
	"paydown/internal/service/parties"
	"paydown/internal/service/payouts"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/reports"
	"paydown/internal/service/servicing"
	"paydown/internal/service/underwriting"
	"paydown/internal/service/unit"
	"paydown/internal/service/upkeep"
	"paydown/internal/service/workspace"
)

// The names that the surfaces use from the packages below. They are aliases: the facade adds nothing to them.

// Types of package input.
type (
	Enum       = input.Enum
	InputField = input.InputField
	Mode       = input.Mode
	Optional   = input.Optional
	Opt[T any] = input.Opt[T]
)

// Types of package unit.
type (
	Answer      = unit.Answer
	Idempotency = unit.Idempotency
)

// Types of package list.
type (
	Expand         = list.Expand
	Filter         = list.Filter
	FilterValue    = list.Value
	ListProblems   = list.Problems
	ListRequest    = list.Request
	Listing[E any] = list.Listing[E]
	Page[E any]    = list.Page[E]
	SortBy         = list.SortBy
)

// Types of package workspace.
type (
	Communications       = workspace.Communications
	Documents            = workspace.Documents
	NewCommunication     = workspace.NewCommunication
	NewDispositionReason = workspace.NewDispositionReason
	IncomingDocument     = workspace.IncomingDocument
	NewDocument          = workspace.NewDocument
	Notes                = workspace.Notes
	Notifications        = workspace.Notifications
)

// Types of package identity.
type (
	AdminTokens      = identity.AdminTokens
	Caller           = identity.Caller
	Company          = identity.Company
	CompanyInput     = identity.CompanyInput
	Credentials      = identity.Credentials
	FundingBlock     = identity.FundingBlock
	InboundSecret    = identity.InboundSecret
	IssuedAdminToken = identity.IssuedAdminToken
	IssuedKey        = identity.IssuedKey
	Key              = identity.Key
	KeyEdit          = identity.KeyEdit
	Keys             = identity.Keys
	NewAdminToken    = identity.NewAdminToken
	NewKey           = identity.NewKey
	NewMember        = identity.NewMember
	NewTenant        = identity.NewTenant
	Origin           = identity.Origin
	Reset            = identity.Reset
	RoleInput        = identity.RoleInput
	Roles            = identity.Roles
	Sessions         = identity.Sessions
	SignedIn         = identity.SignedIn
	TenantEntry      = identity.TenantEntry
	Tenants          = identity.Tenants
	UserInput        = identity.UserInput
	UserUpdate       = identity.UserUpdate
	Users            = identity.Users
	Viewer           = identity.Viewer
)

// Types of package delivery.
type (
	IssuedEndpoint       = delivery.IssuedEndpoint
	RecoveryOrder        = delivery.RecoveryOrder
	WebhookDeliveries    = delivery.WebhookDeliveries
	WebhookEndpointInput = delivery.WebhookEndpointInput
	WebhookEndpoints     = delivery.WebhookEndpoints
	WebhookRecoveries    = delivery.WebhookRecoveries
)

// Types of package books.
type (
	AccountBalance    = books.AccountBalance
	DealPosition      = books.DealPosition
	Ledger            = books.Ledger
	PartyBalances     = books.PartyBalances
	Statement         = books.Statement
	StatementLine     = books.StatementLine
	SyndicatorFigures = books.SyndicatorFigures
	Tally             = books.Tally
)

// Types of package parties.
type (
	BounceCodes          = parties.BounceCodes
	CommissionOffers     = parties.CommissionOffers
	FunderInput          = parties.FunderInput
	Funders              = parties.Funders
	ISOInput             = parties.ISOInput
	ISOs                 = parties.ISOs
	MerchantContactInput = parties.MerchantContactInput
	MerchantInput        = parties.MerchantInput
	Merchants            = parties.Merchants
	NewMerchantContact   = parties.NewMerchantContact
	Portfolios           = parties.Portfolios
	Referrers            = parties.Referrers
	SyndicatorInput      = parties.SyndicatorInput
	Syndicators          = parties.Syndicators
	WalletInput          = parties.WalletInput
)

// Types of package collections.
type (
	BankAccounts    = collections.BankAccounts
	CollectionHolds = collections.CollectionHolds
)

// Types of package underwriting.
type (
	Analyses                = underwriting.Analyses
	AnalysisInput           = underwriting.AnalysisInput
	Decisions               = underwriting.Decisions
	Stipulations            = underwriting.Stipulations
	TargetedAnalysis        = underwriting.TargetedAnalysis
	UnderwritingPolicies    = underwriting.UnderwritingPolicies
	UnderwritingPolicyInput = underwriting.UnderwritingPolicyInput
)

// Types of package pipeline.
type (
	NewSubmission         = pipeline.NewSubmission
	SubmissionStatusTotal = pipeline.SubmissionStatusTotal
	SubmissionMove        = pipeline.SubmissionMove
	Submissions           = pipeline.Submissions
)

// Types of package payouts.
type (
	NewParticipation  = payouts.NewParticipation
	NewPayout         = payouts.NewPayout
	Participations    = payouts.Participations
	PayoutStatusTotal = payouts.PayoutStatusTotal
	Payouts           = payouts.Payouts
)

// Types of package servicing.
type (
	CreditFacilities   = servicing.CreditFacilities
	DealFields         = servicing.DealFields
	DealQuote          = servicing.DealQuote
	DealUpdate         = servicing.DealUpdate
	Deals              = servicing.Deals
	Disbursements      = servicing.Disbursements
	DrawInput          = servicing.DrawInput
	NewCreditFacility  = servicing.NewCreditFacility
	NewDeal            = servicing.NewDeal
	NewFundingOverride = servicing.NewFundingOverride
	NewPayment         = servicing.NewPayment
	PaymentUpdate      = servicing.PaymentUpdate
	Payments           = servicing.Payments
	PayoffQuote        = servicing.PayoffQuote
	RenewalScan        = servicing.RenewalScan
	Renewals           = servicing.Renewals
	RetryInput         = servicing.RetryInput
	TransferInput      = servicing.TransferInput
)

// Types of package compliance.
type (
	DisclosureMoment = compliance.DisclosureMoment
	Disclosures      = compliance.Disclosures
	NewUCCFiling     = compliance.NewUCCFiling
	UCCAcceptance    = compliance.UCCAcceptance
	UCCFilings       = compliance.UCCFilings
	UCCRejection     = compliance.UCCRejection
)

// Types of package offers.
type (
	ApprovalFields  = offers.ApprovalFields
	Approvals       = offers.Approvals
	CounterInput    = offers.CounterInput
	NewApproval     = offers.NewApproval
	OfferAcceptance = offers.OfferAcceptance
	OfferRefusal    = offers.OfferRefusal
	Offers          = offers.Offers
	PublicOffer     = offers.PublicOffer
)

// Types of package origination.
type (
	ApplicationConversion = origination.ApplicationConversion
	ApplicationPages      = origination.ApplicationPages
	Applications          = origination.Applications
	Conversion            = origination.Conversion
	ConversionInput       = origination.ConversionInput
	SubmittedForm         = origination.SubmittedForm
	FormInput             = origination.FormInput
	Forms                 = origination.Forms
	LeadConversion        = origination.LeadConversion
	LeadInput             = origination.LeadInput
	Leads                 = origination.Leads
	SignatureRequests     = origination.SignatureRequests
)

// Types of package inbound.
type (
	ESignEvent     = inbound.ESignEvent
	Inbound        = inbound.Inbound
	InboundFile    = inbound.InboundFile
	ProcessorEvent = inbound.ProcessorEvent
)

// Types of package upkeep.
type (
	Integrity       = upkeep.Integrity
	IntegrityCheck  = upkeep.IntegrityCheck
	IntegrityReport = upkeep.IntegrityReport
	KeyError        = upkeep.KeyError
	KeyUsage        = upkeep.KeyUsage
	Resealed        = upkeep.Resealed
	Retention       = upkeep.Retention
	SealedCount     = upkeep.SealedCount
	SecretKeys      = upkeep.SecretKeys
)

// Types of package reports.
type (
	Audit         = reports.Audit
	AuditQuery    = reports.AuditQuery
	Bounce        = reports.Bounce
	CollectionDay = reports.CollectionDay
	Dashboard     = reports.Dashboard
	WorkQueueItem = reports.WorkQueueItem
	WorkQueueTask = reports.WorkQueueTask
	Feeds         = reports.Feeds
	Figures       = reports.Figures
	MonthFigures  = reports.MonthFigures
	PastDeal      = reports.PastDeal
	ReturnRate    = reports.ReturnRate
	ReturnRates   = reports.ReturnRates
	StageFigures  = reports.StageFigures
)

// Constants of package input.
const (
	ForCreate = input.ForCreate
	ForUpdate = input.ForUpdate
)

// Constants of package unit.
const (
	IdempotencyKeyRule = unit.IdempotencyKeyRule
	IdempotencyWindow  = unit.IdempotencyWindow
)

// Constants of package list.
const (
	DefaultLimit = list.DefaultLimit
	IsBool       = list.IsBool
	IsDate       = list.IsDate
	IsEmpty      = list.IsEmpty
	IsEnum       = list.IsEnum
	IsID         = list.IsID
	IsInteger    = list.IsInteger
	MaxIDs       = list.MaxIDs
	MaxLimit     = list.MaxLimit
)

// Constants of package workspace.
const (
	MailGivenUp = workspace.MailGivenUp
	MailSent    = workspace.MailSent
)

// Constants of package identity.
const (
	DefaultRateLimit = identity.DefaultRateLimit
	ResetWindow      = identity.ResetWindow
	RotationOverlap  = identity.RotationOverlap
	SecondStep       = identity.SecondStep
	SessionIdle      = identity.SessionIdle
	SessionLife      = identity.SessionLife
	SettingPolicy    = identity.SettingPolicy
	SettingSecret    = identity.SettingSecret
	SettingTimeZone  = identity.SettingTimeZone
	StaffRateLimit   = identity.StaffRateLimit
)

// Constants of package delivery.
const (
	MaxWebhookEndpoints = delivery.MaxWebhookEndpoints
)

// Constants of package servicing.
const (
	ExpandedPayments = servicing.ExpandedPayments
)

// Constants of package origination.
const (
	TicketLife = origination.TicketLife
)

// Constants of package inbound.
const (
	PaymentReturned = inbound.PaymentReturned
)

// Constants of package upkeep.
const (
	DeliveryLogWindow        = upkeep.DeliveryLogWindow
	ReadNotificationWindow   = upkeep.ReadNotificationWindow
	UnreadNotificationWindow = upkeep.UnreadNotificationWindow
)

// Constants of package reports.
const (
	WorkQueueItems = reports.WorkQueueItems
)

// Variables of package input.
var (
	Rules = input.Rules
)

// Variables of package workspace.
var (
	CommunicationListing = workspace.CommunicationListing
	DocumentListing      = workspace.DocumentListing
	MailOutcomes         = workspace.MailOutcomes
	NoteListing          = workspace.NoteListing
	NotificationListing  = workspace.NotificationListing
)

// Variables of package identity.
var (
	ExpiryDays  = identity.ExpiryDays
	UserListing = identity.UserListing
)

// Variables of package delivery.
var (
	WebhookDeliveryListing = delivery.WebhookDeliveryListing
	WebhookEndpointListing = delivery.WebhookEndpointListing
)

// Variables of package books.
var (
	JournalListing = books.JournalListing
)

// Variables of package parties.
var (
	FunderListing     = parties.FunderListing
	ISOListing        = parties.ISOListing
	MerchantListing   = parties.MerchantListing
	SyndicatorListing = parties.SyndicatorListing
)

// Variables of package underwriting.
var (
	AnalysisListing = underwriting.AnalysisListing
	DecisionListing = underwriting.DecisionListing
)

// Variables of package pipeline.
var (
	SubmissionListing = pipeline.SubmissionListing
)

// Variables of package payouts.
var (
	PayoutItemListing = payouts.PayoutItemListing
	PayoutListing     = payouts.PayoutListing
)

// Variables of package servicing.
var (
	CreditFacilityListing = servicing.CreditFacilityListing
	DealExpands           = servicing.DealExpands
	DealListing           = servicing.DealListing
	PaymentExpands        = servicing.PaymentExpands
	PaymentListing        = servicing.PaymentListing
	RenewalListing        = servicing.RenewalListing
)

// Variables of package compliance.
var (
	DisclosureListing = compliance.DisclosureListing
	UCCFilingListing  = compliance.UCCFilingListing
)

// Variables of package offers.
var (
	ApprovalListing = offers.ApprovalListing
)

// Variables of package origination.
var (
	ApplicationListing      = origination.ApplicationListing
	ErrTicketExpired        = origination.ErrTicketExpired
	ErrTicketTooEarly       = origination.ErrTicketTooEarly
	LeadListing             = origination.LeadListing
	SignatureRequestListing = origination.SignatureRequestListing
)

// Variables of package inbound.
var (
	InboundListing = inbound.InboundListing
)

// Variables of package reports.
var (
	AuditListing = reports.AuditListing
)

// Functions of package input.
var (
	Check         = input.Check
	InputFields   = input.InputFields
	DecodeMessage = input.DecodeMessage
	PublicFields  = input.PublicFields
)

// Functions of package unit.
var (
	Unreachable         = unit.Unreachable
	ValidIdempotencyKey = unit.ValidIdempotencyKey
)

// Functions of package list.
var (
	BoolFilter   = list.Bool
	IDFilter     = list.ID
	InvalidID    = list.InvalidID
	MomentFilter = list.Moment
	ParseID      = list.ParseID
	TextFilter   = list.Text
)

// Functions of package identity.
var (
	FundingBlocks = identity.FundingBlocks
	NewOrigin     = identity.NewOrigin
)

// Functions of package upkeep.
var (
	KeysOf = upkeep.KeysOf
)

// Functions of package reports.
var (
	HistoryScope = reports.HistoryScope
	WireNames    = reports.WireNames
)
