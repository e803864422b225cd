// Package service is what the product does, for all of its surfaces: REST, GraphQL and RPC call the same exported
// methods and so obey the same rules.
//
// An exported method checks the actor's scope and opens the transaction; an unexported one takes it. Whatever can be
// decided without a database lives in the domain packages below.
package service

import (
	"context"
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
	store     *store.Store
	secrets   *secret.Box
	sealed    []sealedColumn
	keyWatch  *keyWatch
	log       *slog.Logger
	now       func() time.Time
	guard     webhook.Guard
	directory *directory
	staff     *staff
	passwords *auth.Passwords
	usage     *usage
	sweeps    *sweeps
	feeds     *feeds
	mailer    *mailer      // nil: nothing is sent by mail
	files     *files.Store // nil: no files are kept
	uploads   *uploads
	// sender and dispatcher make deliveries; nil where this process makes none.
	sender     *webhook.Sender
	dispatcher *webhook.Dispatcher
	history    bool          // see Config
	recoveries chan struct{} // says that one was ordered
	running    sync.Map      // claims of idempotent writes under way in this process
}

// New makes the service. Start its upkeep with Run.
func New(cfg Config) *Service {
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the default of what is injected
	}
	c := &core{store: cfg.Store, secrets: cfg.Secrets, log: cfg.Log, now: cfg.Now, guard: cfg.Webhooks, history: cfg.History}
	c.sealed, c.keyWatch = sealedColumns, newKeyWatch()
	c.files, c.uploads = cfg.Files, newUploads()
	c.recoveries = make(chan struct{}, 1)
	c.directory = newDirectory(c)
	c.staff = newStaff()
	c.passwords = auth.NewPasswords(cfg.Passwords)
	c.usage = newUsage(c)
	c.sweeps = newSweeps()
	c.feeds = newFeeds(c)
	c.mailer = newMailer(cfg.Mail)
	c.sender, c.dispatcher = cfg.Sender, newDispatcher(c, cfg)
	return &Service{
		core:              c,
		Tenants:           Tenants{c},
		Company:           Company{c},
		AdminTokens:       AdminTokens{c},
		Keys:              Keys{c},
		Users:             Users{c},
		Roles:             Roles{c},
		Sessions:          Sessions{c},
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
		Audit:             Audit{c},
		Figures:           Figures{c},
		BounceCodes:       BounceCodes{c},
		CommissionOffers:  CommissionOffers{c},
		Portfolios:        Portfolios{c},
		Referrers:         Referrers{c},
		Disclosures:       Disclosures{c},
		UCCFilings:        UCCFilings{c},
		Payouts:           Payouts{c},
		Applications:      Applications{c},
		ApplicationPages:  ApplicationPages{c},
		Communications:    Communications{c},
		Analyses:          Analyses{c},
		Underwriting:      UnderwritingPolicies{c},
		BankAccounts:      BankAccounts{c},
		Documents:         Documents{c},
		Forms:             Forms{c},
		SignatureRequests: SignatureRequests{c},
		WebhookEndpoints:  WebhookEndpoints{c},
		WebhookDeliveries: WebhookDeliveries{c},
		WebhookRecoveries: WebhookRecoveries{c},
		Inbound:           Inbound{c},
		Notifications:     Notifications{c},
		Feeds:             Feeds{c},
		Retention:         Retention{c},
		Integrity:         Integrity{c},
		SecretKeys:        SecretKeys{c},
		Seeds:             Seeds{c},
	}
}

// Run keeps what the service holds in memory true, and stores what it counts, until the context ends; what was
// counted last is stored before it returns.
func (s *Service) Run(ctx context.Context) {
	var upkeep sync.WaitGroup
	upkeep.Go(func() { s.watch(ctx) })
	upkeep.Go(func() { s.usage.run(ctx) })
	upkeep.Go(func() { s.Retention.run(ctx) })
	upkeep.Go(func() { s.Approvals.run(ctx) })
	upkeep.Go(func() { s.Notifications.run(ctx) })
	upkeep.Go(func() { s.Renewals.run(ctx) })
	upkeep.Go(func() { s.Payouts.run(ctx) })
	upkeep.Go(func() { s.Documents.run(ctx) })
	upkeep.Go(func() { s.dispatch(ctx) })
	upkeep.Go(func() { s.feeds.run(ctx) })
	upkeep.Go(func() { s.SecretKeys.run(ctx) })
	upkeep.Go(func() { s.WebhookRecoveries.run(ctx) })
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
