// Package demo makes the portfolio of two funding companies that do not exist, by calling the services as people and
// banks would have done over some fourteen months: so its ledger, audit trail and events are as true as those of a
// company that does. It depends on nothing but its tables and the day that the history leads up to.
package demo

import (
	"context"
	"fmt"
	"maps"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// Config says what to make.
type Config struct {
	Service *service.Service // takes its time from Clock, and so does its store
	Clock   *Clock
	// Anchor is the day on whose eve the history ends; that of the clock where it is no day.
	Anchor civil.Date
	// Small makes a few deals of each kind only.
	Small bool
	// Progress, if not nil, is called before each write.
	Progress func(host string, writes int)
}

// Result is what there is afterwards.
type Result struct {
	Anchor  civil.Date `json:"-"`
	Made    bool       `json:"-"` // by this run, some of it at least
	Tenants []Tenant   `json:"tenants"`
}

// Tenant is a company of the demo with working keys and an administrator.
type Tenant struct {
	Host   string `json:"host"`
	Name   string `json:"name"`
	Policy string `json:"-"`
	Keys   []Key  `json:"keys"`
	Login  *Login `json:"login"` // of its administrator
	// Accountant signs in for what wants two people.
	Accountant *Login `json:"accountant"`
	// Offer is the token of the page of an offer that waits for its merchant's answer; "" where none does any more.
	Offer string `json:"offer,omitempty"`
}

// Key is a working key.
type Key struct {
	Name  string `json:"name"`
	Token string `json:"token"`
}

// The settings of a tenant by which a demo is known. They are made with it and never change: what says that the demo is
// complete is that it has had working keys.
const (
	settingDemo   = "demo"
	settingAnchor = "demoAnchor"
	settingSize   = "demoSize"
	settingTables = "demoTables" // the fingerprint

	begun    = "begun"
	fullSize = "full"
	smallest = "small"
)

// zoneName is where both companies are.
const zoneName = "America/New_York"

// Run makes the portfolio, goes on with one whose making was interrupted, or leaves one that is complete alone; in the
// end it makes fresh working keys, revokes those that it made before, and gives their staff fresh passwords. Tenants of
// conflict, and are not touched.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	defer cfg.Clock.release()
	if cfg.Progress == nil {
		cfg.Progress = func(string, int) {}
	}
	found, err := survey(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	result := &Result{Anchor: cfg.Anchor}
	for _, c := range companies(cfg.Small) {
		if at := found[c.host]; !at.complete {
			result.Made = true
			if err := build(ctx, cfg, c, at.tenant); err != nil {
				return nil, err
			}
		}
	}
	cfg.Clock.release()
	for _, c := range companies(cfg.Small) {
		keys, err := workingKeys(ctx, cfg.Service, c.host)
		if err != nil {
			return nil, fmt.Errorf("make keys for %s: %w", c.host, err)
		}
		login, err := workingLogin(ctx, cfg.Service, c.host, administrator)
		if err != nil {
			return nil, fmt.Errorf("make an administrator for %s: %w", c.host, err)
		}
		second, err := workingLogin(ctx, cfg.Service, c.host, accountant)
		if err != nil {
			return nil, fmt.Errorf("make an accountant for %s: %w", c.host, err)
		}
		offer, err := waitingOffer(ctx, cfg.Service, c.host)
		if err != nil {
			return nil, fmt.Errorf("find an offer of %s: %w", c.host, err)
		}
		result.Tenants = append(result.Tenants, Tenant{
			Host: c.host, Name: c.name, Policy: c.policy, Keys: keys, Login: login, Accountant: second, Offer: offer,
		})
	}
	return result, nil
}

// standing is how far the demo of a company has come; tenant is nil where it was not begun.
type standing struct {
	tenant   *ent.Tenant
	complete bool
}

// survey finds how far the companies of the demo have come, by host, and settles the anchor and the size: those of what
// was begun already, where something was.
func survey(ctx context.Context, cfg *Config) (map[string]standing, error) {
	zone, err := time.LoadLocation(zoneName)
	if err != nil {
		return nil, err
	}
	today := civil.On(cfg.Clock.Now(), zone)
	if cfg.Anchor.IsZero() {
		cfg.Anchor = today
	}
	if cfg.Anchor.After(today) {
		return nil, fault.New(fault.BadRequest, "The demo's history cannot end in the future: today is %s.", today)
	}
	all, err := cfg.Service.Tenants.List(ctx)
	if err != nil {
		return nil, err
	}
	tenants := map[string]*ent.Tenant{}
	for _, t := range all {
		tenants[t.Host] = t
	}
	found := map[string]standing{}
	for _, c := range companies(cfg.Small) {
		t := tenants[c.host]
		if t == nil {
			continue
		}
		if t.Settings[settingDemo] == "" {
			return nil, fault.Conflictf("There is a tenant %s with the host %s that is no demo; nothing was changed. "+
				"Give the demo a database of its own: paydown demo --db sqlite:./data/demo.db", t.Name, t.Host)
		}
		cfg.Small = t.Settings[settingSize] == smallest
		if cfg.Anchor, err = civil.Parse(t.Settings[settingAnchor]); err != nil {
			return nil, fmt.Errorf("the demo's anchor: %w", err)
		}
		complete, err := hasKeys(ctx, cfg.Service, c.host)
		if err != nil {
			return nil, fmt.Errorf("look for keys of %s: %w", c.host, err)
		}
		found[c.host] = standing{t, complete}
	}
	for _, c := range companies(cfg.Small) {
		at := found[c.host]
		if at.tenant != nil && !at.complete && at.tenant.Settings[settingTables] != fingerprint(c) {
			return nil, fault.Conflictf("The demo of %s is incomplete, and was begun by another version of paydown, "+
				"so that this one cannot go on with it. Delete the database and run paydown demo again.", c.host)
		}
	}
	return found, nil
}

// build makes a company, or what is missing of it.
func build(ctx context.Context, cfg Config, c company, found *ent.Tenant) error {
	b := &builder{Service: cfg.Service, clock: cfg.Clock, company: c, anchor: cfg.Anchor, progress: cfg.Progress}
	zone, err := time.LoadLocation(zoneName)
	if err != nil {
		return err
	}
	b.zone = zone
	b.now = schedule.RollForward(cfg.Anchor.AddDays(-c.founded)).Midnight(zone).Add(8 * time.Hour)
	settings := map[string]string{
		settingDemo: begun, settingAnchor: cfg.Anchor.String(), settingTables: fingerprint(c), settingSize: fullSize,
	}
	if cfg.Small {
		settings[settingSize] = smallest
	}
	if found == nil {
		cfg.Clock.put(b.now)
		begin := auth.With(ctx, &auth.Actor{RequestID: requestPrefix + "begin"})
		found, err = cfg.Service.Tenants.Create(begin, service.NewTenant{
			Name: c.name, Host: c.host, Policy: c.policy, Settings: maps.Clone(settings),
		})
		if err != nil {
			return fmt.Errorf("make tenant %s: %w", c.host, err)
		}
	}
	b.tenantID = found.ID
	if err := b.run(ctx); err != nil {
		return fault.New(fault.Internal, "The portfolio of %s is incomplete: %s", c.host, err).Because(err)
	}
	return nil
}
