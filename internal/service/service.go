// Package service is what the product does, for all of its surfaces: REST, GraphQL and RPC call the same exported
// methods and so obey the same rules.
//
// An exported method checks the actor's scope and opens the transaction; an unexported one takes it. Whatever can be
// decided without a database lives in the domain packages below.
package service

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"paydown/internal/auth"
	"paydown/internal/files"
	"paydown/internal/mail"
	"paydown/internal/secret"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// Config is what a Service is made of.
type Config struct {
	Store   *store.Store
	Secrets *secret.Box
	Log     *slog.Logger
	Now     func() time.Time // nil: the system's clock
	// Webhooks judges the addresses that events may be delivered to.
	Webhooks webhook.Guard
	// Mail sends notifications to staff; nil where none is sent by mail.
	Mail *mail.Server
	// Files keeps the files of documents; nil where none are kept.
	Files *files.Store
	// Sender makes deliveries; nil where this process makes none.
	Sender *webhook.Sender
	// History says that what is written has happened long since: its events are kept and delivered to nobody.
	History bool
	// Observer is told how deliveries go; it may be nil.
	Observer webhook.Observer
	// Passwords is what a hash of a password costs; zero: auth.UsualCost.
	Passwords auth.PasswordCost
}

// Service holds the aggregates.
type Service struct {
	*core
	background        []func(context.Context)
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
	Seeds             Seeds
}

// core is what the aggregates share.
type core struct {
	store   *store.Store
	secrets *secret.Box
	log     *slog.Logger
	now     func() time.Time
	signals signals
	holder  string   // names this process where only one may do a job
	history bool     // see Config
	running sync.Map // claims of idempotent writes under way in this process
}

// New makes the service. Start its upkeep with Run.
func New(cfg Config) *Service {
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the default of what is injected
	}
	c := &core{
		store: cfg.Store, secrets: cfg.Secrets, log: cfg.Log, now: cfg.Now, history: cfg.History, holder: rand.Text(),
		signals: signals{moved: map[string]func(){}},
	}
	access, feeds, outbound, mailer := newAccess(c, cfg.Passwords), newFeeds(c), newOutbound(c, cfg.Webhooks, cfg.Sender, cfg.Observer), newMailer(cfg.Mail)
	c.signals.recorded, c.signals.happened, c.signals.due = feeds.stir, outbound.happened, outbound.due
	if mailer != nil {
		c.signals.mail = mailer.due
	}
	documents, secretKeys := Documents{c, cfg.Files, newUploads()}, SecretKeys{c, newKeyWatch()}
	s := &Service{
		core:              c,
		Tenants:           Tenants{c, access},
		Company:           Company{c},
		AdminTokens:       AdminTokens{c},
		Keys:              Keys{c, access},
		Users:             Users{c, access},
		Roles:             Roles{c},
		Sessions:          Sessions{c, access},
		Leads:             Leads{c},
		Merchants:         Merchants{c},
		Deals:             Deals{c},
		Payments:          Payments{c},
		Funders:           Funders{c},
		ISOs:              ISOs{c},
		Syndicators:       Syndicators{c},
		Submissions:       Submissions{c},
		Approvals:         Approvals{c},
		Offers:            Offers{c},
		Stipulations:      Stipulations{c},
		Notes:             Notes{c},
		Decisions:         Decisions{c},
		Renewals:          Renewals{c},
		CreditFacilities:  CreditFacilities{c},
		CollectionHolds:   CollectionHolds{c},
		Disbursements:     Disbursements{c},
		Participations:    Participations{c},
		Ledger:            Ledger{c},
		Audit:             Audit{c, feeds},
		Figures:           Figures{c},
		BounceCodes:       BounceCodes{c},
		CommissionOffers:  CommissionOffers{c},
		Portfolios:        Portfolios{c},
		Referrers:         Referrers{c},
		Disclosures:       Disclosures{c},
		UCCFilings:        UCCFilings{c},
		Payouts:           Payouts{c, payoutTransfers{}},
		Applications:      Applications{c},
		ApplicationPages:  ApplicationPages{c},
		Communications:    Communications{c},
		Analyses:          Analyses{c},
		Underwriting:      UnderwritingPolicies{c},
		BankAccounts:      BankAccounts{c},
		Documents:         documents,
		Forms:             Forms{c},
		SignatureRequests: SignatureRequests{c},
		WebhookEndpoints:  WebhookEndpoints{c, outbound},
		WebhookDeliveries: WebhookDeliveries{c, outbound},
		WebhookRecoveries: WebhookRecoveries{c, outbound},
		Inbound:           Inbound{c},
		Notifications:     Notifications{c, mailer, access.passwordLink},
		Feeds:             Feeds{c, feeds},
		Retention:         Retention{c, newSweeps()},
		Integrity:         Integrity{c, documents, secretKeys},
		SecretKeys:        secretKeys,
		Seeds:             Seeds{c},
	}
	s.background = []func(context.Context){
		access.watch, access.usage.run, s.Retention.run, s.Approvals.run, s.Notifications.run, s.Renewals.run, s.Payouts.run,
		s.Documents.run, outbound.run, feeds.run, s.SecretKeys.run, s.WebhookRecoveries.run,
	}
	return s
}

// Run keeps what the service holds in memory true, and stores what it counts, until the context ends; what was
// counted last is stored before it returns.
func (s *Service) Run(ctx context.Context) {
	var upkeep sync.WaitGroup
	for _, run := range s.background {
		upkeep.Go(func() { run(ctx) })
	}
	upkeep.Wait()
}

// Ready reports whether the service can answer: the database does, and the process has the secret keys that the data is
// sealed under (else the error is a *KeyError).
func (s *Service) Ready(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	return s.SecretKeys.Ready()
}
