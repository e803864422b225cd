// Package service implements the product for all surfaces: REST, GraphQL and RPC call the same exported
// methods and follow the same rules. It is a facade over the packages below it and adds nothing to them. No
// other package may import those packages.
package service

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"sync"
	"time"

	"paydown/internal/auth"
	"paydown/internal/files"
	"paydown/internal/mail"
	"paydown/internal/secret"
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/compliance"
	"paydown/internal/service/delivery"
	"paydown/internal/service/identity"
	"paydown/internal/service/inbound"
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
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// Config holds the dependencies of a Service.
type Config struct {
	Store   *store.Store
	Secrets *secret.Box
	Log     *slog.Logger
	Now     func() time.Time // nil: the system clock
	// Webhooks checks the addresses that events may be delivered to.
	Webhooks webhook.Guard
	// Mail sends notifications to staff; nil disables mail.
	Mail *mail.Server
	// Files stores the files of documents; nil disables files.
	Files *files.Store
	// Sender makes webhook deliveries; nil if this process delivers none.
	Sender *webhook.Sender
	// History marks writes as past: their events are stored but not delivered.
	History bool
	// Observer gets the outcome of each delivery; it may be nil.
	Observer webhook.Observer
	// Passwords is the cost of hashing a password; zero means auth.UsualCost.
	Passwords auth.PasswordCost
}

// Service holds all aggregates.
type Service struct {
	core       *unit.Core
	background []func(context.Context)

	Tenants           Tenants
	Company           Company
	AdminTokens       AdminTokens
	Keys              Keys
	Users             Users
	Roles             Roles
	Sessions          Sessions
	Leads             Leads
	Merchants         Merchants
	Deals             Deals
	Payments          Payments
	Funders           Funders
	ISOs              ISOs
	Syndicators       Syndicators
	Submissions       Submissions
	Approvals         Approvals
	Offers            Offers
	Stipulations      Stipulations
	Notes             Notes
	Decisions         Decisions
	Renewals          Renewals
	CreditFacilities  CreditFacilities
	CollectionHolds   CollectionHolds
	Disbursements     Disbursements
	Participations    Participations
	Ledger            Ledger
	Audit             Audit
	Figures           Figures
	BounceCodes       BounceCodes
	CommissionOffers  CommissionOffers
	Portfolios        Portfolios
	Referrers         Referrers
	Disclosures       Disclosures
	UCCFilings        UCCFilings
	Payouts           Payouts
	Applications      Applications
	ApplicationPages  ApplicationPages
	Communications    Communications
	Analyses          Analyses
	Underwriting      UnderwritingPolicies
	BankAccounts      BankAccounts
	Documents         Documents
	Forms             Forms
	SignatureRequests SignatureRequests
	WebhookEndpoints  WebhookEndpoints
	WebhookDeliveries WebhookDeliveries
	WebhookRecoveries WebhookRecoveries
	Inbound           Inbound
	Notifications     Notifications
	Feeds             Feeds
	Retention         Retention
	Integrity         Integrity
	SecretKeys        SecretKeys
}

// New returns a service. Call Run to start its background work.
func New(cfg Config) *Service {
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the default clock
	}
	core := &unit.Core{
		Store: cfg.Store, Secrets: cfg.Secrets, Log: cfg.Log, Now: cfg.Now, History: cfg.History, Holder: rand.Text(),
		Signals: unit.Signals{Moved: map[string]func(){}},
	}
	var (
		members  = identity.New(core, cfg.Passwords)
		office   = workspace.New(core, cfg.Mail, cfg.Files, members.PasswordLink)
		webhooks = delivery.New(core, cfg.Webhooks, cfg.Sender, cfg.Observer)
		ledger   = books.New(core)
		people   = parties.New(core)
		debits   = collections.New(core)
		risk     = underwriting.New(core)
		stages   = pipeline.New(core)
		shares   = payouts.New(core, servicing.PayoutTransfers{})
		deals    = servicing.New(core)
		papers   = compliance.New(core)
		terms    = offers.New(core)
		intake   = origination.New(core)
		events   = inbound.New(core)
		care     = upkeep.New(core, office.Documents)
		figures  = reports.New(core)
	)
	return &Service{
		core: core,
		background: slices.Concat(members.Background(), office.Background(), webhooks.Background(), shares.Background(),
			deals.Background(), terms.Background(), care.Background(), figures.Background()),

		Tenants:           members.Tenants,
		Company:           members.Company,
		AdminTokens:       members.AdminTokens,
		Keys:              members.Keys,
		Users:             members.Users,
		Roles:             members.Roles,
		Sessions:          members.Sessions,
		Leads:             intake.Leads,
		Merchants:         people.Merchants,
		Deals:             deals.Deals,
		Payments:          deals.Payments,
		Funders:           people.Funders,
		ISOs:              people.ISOs,
		Syndicators:       people.Syndicators,
		Submissions:       stages.Submissions,
		Approvals:         terms.Approvals,
		Offers:            terms.Offers,
		Stipulations:      risk.Stipulations,
		Notes:             office.Notes,
		Decisions:         risk.Decisions,
		Renewals:          deals.Renewals,
		CreditFacilities:  deals.CreditFacilities,
		CollectionHolds:   debits.CollectionHolds,
		Disbursements:     deals.Disbursements,
		Participations:    shares.Participations,
		Ledger:            ledger.Ledger,
		Audit:             figures.Audit,
		Figures:           figures.Figures,
		BounceCodes:       people.BounceCodes,
		CommissionOffers:  people.CommissionOffers,
		Portfolios:        people.Portfolios,
		Referrers:         people.Referrers,
		Disclosures:       papers.Disclosures,
		UCCFilings:        papers.UCCFilings,
		Payouts:           shares.Payouts,
		Applications:      intake.Applications,
		ApplicationPages:  intake.ApplicationPages,
		Communications:    office.Communications,
		Analyses:          risk.Analyses,
		Underwriting:      risk.Policies,
		BankAccounts:      debits.BankAccounts,
		Documents:         office.Documents,
		Forms:             intake.Forms,
		SignatureRequests: intake.SignatureRequests,
		WebhookEndpoints:  webhooks.WebhookEndpoints,
		WebhookDeliveries: webhooks.WebhookDeliveries,
		WebhookRecoveries: webhooks.WebhookRecoveries,
		Inbound:           events.Inbound,
		Notifications:     office.Notifications,
		Feeds:             figures.Feeds,
		Retention:         care.Retention,
		Integrity:         care.Integrity,
		SecretKeys:        care.SecretKeys,
	}
}

// Run refreshes the in-memory caches and stores usage counts until the context ends. It stores the last
// counts before it returns.
func (s *Service) Run(ctx context.Context) {
	var upkeep sync.WaitGroup
	for _, run := range s.background {
		upkeep.Go(func() { run(ctx) })
	}
	upkeep.Wait()
}

// Ready returns nil if the service can answer requests: the database responds, and the process has every
// secret key that data is sealed with. A missing key is a *KeyError.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.core.Store.Ping(ctx); err != nil {
		return err
	}
	return s.SecretKeys.Ready()
}

// Once runs a write at most once per Idempotency-Key: see unit.Core.Once.
func (s *Service) Once(
	ctx context.Context, i Idempotency, render func(result any) (status int, body []byte, err error),
	work func(context.Context) (any, error),
) (Answer, error) {
	return s.core.Once(ctx, i, render, work)
}

// OnceAnswered is Once for an answer that contains more than the result of the write: see unit.Core.OnceAnswered.
func (s *Service) OnceAnswered(
	ctx context.Context, i Idempotency, answer func(context.Context) (a Answer, lasting bool),
) (Answer, error) {
	return s.core.OnceAnswered(ctx, i, answer)
}
