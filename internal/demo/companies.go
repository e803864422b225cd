package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// edition changes with what the lives of deals are made by, so that a portfolio which was begun by another version of
// the program is not gone on with by this one.
const edition = 4

// company is a tenant with all that it has to be.
type company struct {
	host, name, policy string
	founded            int // days before the anchor
	merchants          []merchant
	firstNumber        int // of its merchants, which are numbered through over both companies
	brokers            []broker
	funders            []funder
	investors          []investor
	scripts            []script
	leads              []enquiry
	applications       []filledIn
	phone              string
	hooks              []hook
}

// companies are the tenants of the demo.
func companies(small bool) []company {
	all := []company{
		{
			"localhost", "Cobblestone Advance", "integrator", 430, localMerchants, 1, localBrokers, localFunders,
			localInvestors, localScripts, localLeads, localApplications, "(646) 555-0199", localHooks,
		},
		{
			"beacon.localhost", "Beacon Harbor Funding", "full", 120, beaconMerchants, 1 + len(localMerchants), beaconBrokers,
			beaconFunders, beaconInvestors, beaconScripts, beaconLeads, beaconApplications, "(617) 555-0198", nil,
		},
	}
	if small {
		for i := range all {
			all[i].shrink()
		}
	}
	return all
}

// shrink leaves a few deals, that collect once a week, and their merchants.
func (c *company) shrink() {
	wanted := map[string]bool{}
	var scripts []script
	for _, s := range c.scripts {
		if s.small {
			s.pays = s.pays.sparse()
			scripts, wanted[s.merchant] = append(scripts, s), true
		}
	}
	var merchants []merchant
	for _, m := range c.merchants {
		if wanted[m.slug] {
			merchants = append(merchants, m)
		}
	}
	var leads []enquiry
	for _, l := range c.leads {
		if l.small {
			leads = append(leads, l)
		}
	}
	var applications []filledIn
	for _, a := range c.applications {
		if a.small {
			applications = append(applications, a)
		}
	}
	c.scripts, c.merchants, c.leads, c.applications = scripts, merchants, leads, applications
}

// fingerprint tells one portfolio from another that would be made of other tables.
func fingerprint(c company) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %+v", edition, c))
	return hex.EncodeToString(sum[:6])
}
