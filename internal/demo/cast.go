package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"paydown/ent/lead"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// Minutes after midnight.
const (
	morning   = 9 * 60
	noon      = 12 * 60
	afternoon = 14 * 60
	settling  = 17 * 60 // when the banks have settled the day's debits
	evening   = 19 * 60
)

// stake is a syndicator with what is in the wallet, less what is meant for deals.
type stake struct {
	investor
	id   int
	free money.Amount
}

// openShop makes the parties that a company works with, in its first days.
func (b *builder) openShop() {
	day := schedule.RollForward(b.anchor.AddDays(-b.company.founded))
	b.on(day, noon, b.nameHouse)
	b.on(day, noon+40, b.publishForms)
	b.investors = make([]*stake, len(b.company.investors))
	for i, in := range b.company.investors {
		b.investors[i] = &stake{investor: in}
	}
	for i, br := range b.company.brokers {
		sign := func(ctx context.Context) error { return b.signBroker(ctx, br) }
		b.on(schedule.AddBankingDays(day, 1+i/4), morning+25*i, sign)
	}
	for i, f := range b.company.funders {
		b.on(schedule.AddBankingDays(day, 2), noon+15*i, func(ctx context.Context) error { return b.addFunder(ctx, f) })
	}
	for i, s := range b.investors {
		signed := schedule.AddBankingDays(day, 3)
		b.on(signed, morning+40*i, func(ctx context.Context) error { return b.addInvestor(ctx, s) })
		for n, amount := range s.deposits {
			deposit := func(ctx context.Context) error { return b.deposit(ctx, s, amount) }
			b.on(schedule.RollForward(signed.AddDays(1+91*n)), noon+10*i, deposit)
		}
	}
}

func (b *builder) nameHouse(ctx context.Context) error {
	page, err := b.Funders.List(b.as(ctx, requestPrefix), service.ListRequest{Limit: new(1)})
	if err != nil {
		return err
	}
	b.house = page.Records[0].ID
	_, err = b.step(ctx, "house", func(ctx context.Context) (int, error) {
		_, err := b.Funders.Update(ctx, b.house, service.FunderInput{
			Name:  some(b.company.name),
			Email: some("deals@" + strings.ReplaceAll(strings.ToLower(b.company.name), " ", "") + ".example"),
		})
		return b.house, err
	})
	return err
}

func (p person) name() string { return p.first + " " + p.last }

func (p person) email(domain string) service.Opt[string] {
	return some(strings.ToLower(p.first) + "@" + domain)
}

func site(domain string) service.Opt[string] { return some("https://" + domain) }

func (b *builder) signBroker(ctx context.Context, br broker) error {
	signed, err := civil.ParseMoment(b.today().String())
	if err != nil {
		return err
	}
	id, err := b.step(ctx, "ISO "+br.name, func(ctx context.Context) (int, error) {
		row, err := b.ISOs.Create(ctx, service.ISOInput{
			Name: some(br.name), Type: some(br.kind), ContactName: some(br.contact.name()), Email: br.contact.email(br.domain),
			Phone: some(br.phone), Website: site(br.domain), Domains: some([]string{br.domain}),
			EmailAddresses: some([]string{"deals@" + br.domain}), CommissionRule: some(json.RawMessage(br.rule)),
			Requires1099: some(true), AgreementSignedAt: some(signed), W9OnFileAt: some(signed),
			VoidedCheckAt: some(signed), IDOnFileAt: some(signed),
		})
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	if err != nil {
		return err
	}
	if br.gone {
		b.on(b.anchor.AddDays(-b.company.founded/3), noon, func(ctx context.Context) error {
			_, err := b.step(ctx, "ISO "+br.name, func(ctx context.Context) (int, error) {
				_, err := b.ISOs.Update(ctx, id, service.ISOInput{
					IsActive: some(false), Notes: some("Agreement ended by us: two deals with altered statements."),
				})
				return id, err
			})
			return err
		})
		return nil
	}
	b.brokers = append(b.brokers, id)
	return nil
}

func (b *builder) addFunder(ctx context.Context, f funder) error {
	id, err := b.step(ctx, "funder "+f.name, func(ctx context.Context) (int, error) {
		row, err := b.Funders.Create(ctx, service.FunderInput{
			Name: some(f.name), ContactName: some(f.contact.name()), Email: f.contact.email(f.domain), Phone: some(f.phone),
			Website: site(f.domain), IsActive: some(!f.gone),
		})
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	if !f.gone {
		b.funders = append(b.funders, id)
	}
	return err
}

func (b *builder) addInvestor(ctx context.Context, s *stake) error {
	var err error
	s.id, err = b.step(ctx, "syndicator "+s.name, func(ctx context.Context) (int, error) {
		in := service.SyndicatorInput{
			Name: some(s.name), ContactName: some(s.contact.name()), Email: s.contact.email(s.domain), Phone: some(s.phone),
			Website: site(s.domain), ManagementFeeBasis: some(s.basis), ManagementFeePercent: some(money.MustRate(s.fee)),
			ProfitAccrual: some(s.accrual), CAFRecognition: some(s.recognition), FrontsCommission: some(s.fronts),
			LossProtected: some(s.protected), MaxPerDeal: some(dollars(s.maxPerDeal)),
			DistributionFrequency: some(s.distributions), Requires1099: some(true),
		}
		if s.split != "" {
			in.ProfitSplitPercent = some(money.MustRate(s.split))
		}
		row, err := b.Syndicators.Create(ctx, in)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	return err
}

func (b *builder) deposit(ctx context.Context, s *stake, amount int) error {
	_, err := b.step(ctx, "deposit of "+s.name, func(ctx context.Context) (int, error) {
		_, err := b.Syndicators.Deposit(ctx, s.id, service.WalletInput{Amount: some(dollars(amount))})
		return s.id, err
	})
	s.free = s.free.Add(dollars(amount))
	return err
}

// merchant is the id of a merchant, who is taken in with contacts on first sight.
func (b *builder) merchantOf(ctx context.Context, slug string) (int, error) {
	if id, ok := b.merchants[slug]; ok {
		return id, nil
	}
	for i, m := range b.company.merchants {
		if m.slug == slug {
			id, err := b.onboardMerchant(ctx, m, b.company.firstNumber+i)
			b.merchants[slug] = id
			return id, err
		}
	}
	return 0, fmt.Errorf("the tables have no merchant %s", slug)
}

func (b *builder) onboardMerchant(ctx context.Context, m merchant, number int) (int, error) {
	r := dice(uint64(number)) //nolint:gosec // not negative
	domain := m.slug + ".example"
	in := service.MerchantInput{
		LegalName: some(m.name), DBAName: some(tradeName(m.name)), Email: some("office@" + domain), Website: site(domain),
		Phone: some(m.phone(number)), FederalID: some(fmt.Sprintf("00-%07d", 2_100_400+37*number)),
		Industry: some(m.trade), NAICSCode: some(m.naics), BusinessType: some(legalForm(m.name)),
		StartedOn:            some(civil.Of(m.since, 1, 1).AddDays(r.IntN(365))),
		StateOfIncorporation: some(m.state), AnnualRevenue: some(dollars(12 * m.monthly)),
		AddressLine1: some(fmt.Sprintf("%d %s", 100+r.IntN(1800), streets[r.IntN(len(streets))])), City: some(m.city),
		State: some(m.state), PostalCode: some(m.zip), ECommerce: some(r.IntN(4) == 0),
		ReferenceID:      some(fmt.Sprintf("crm-%04d", 1000+number)),
		MerchantStatusID: some(b.lists.labels["Applicant"]),
	}
	if r.IntN(5) == 0 {
		in.StateOfIncorporation = some("DE")
	}
	if r.IntN(4) == 0 {
		in.AddressLine2 = some(fmt.Sprintf("Suite %d", 100+10*r.IntN(30)))
	}
	id, err := b.step(ctx, "merchant "+m.name, func(ctx context.Context) (int, error) {
		row, err := b.Merchants.Create(ctx, in)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	if err != nil {
		return 0, err
	}
	for _, who := range m.people(number) {
		if _, err := b.step(ctx, "contact of "+m.name, func(ctx context.Context) (int, error) {
			row, err := b.Merchants.AddContact(ctx, service.NewMerchantContact{
				MerchantID: some(id), MerchantContactInput: who,
			})
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		}); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// people are the owner and, at every third merchant, a partner.
func (m merchant) people(number int) []service.MerchantContactInput {
	r := dice(uint64(number) << 8) //nolint:gosec // not negative
	contact := func(p person, title string, share int) service.MerchantContactInput {
		return service.MerchantContactInput{
			FirstName: some(p.first), LastName: some(p.last), Title: some(title), Email: p.email(m.slug + ".example"),
			Phone: some(m.phone(99 - number)), SSN: some(fmt.Sprintf("90000%04d", r.IntN(10_000))),
			OwnershipPct: some(money.MustRate(fmt.Sprint(share))), IsGuarantor: some(share >= 20),
		}
	}
	share := 100
	if number%3 == 0 {
		share = 51 + r.IntN(40)
	}
	people := []service.MerchantContactInput{contact(m.owner, "Owner", share)}
	people[0].IsPrimary = some(true)
	if share < 100 {
		people = append(people, contact(partners[number/3%len(partners)], "Partner", 100-share))
	}
	return people
}

// phone is one of the numbers that are kept for fiction.
func (m merchant) phone(n int) string { return fmt.Sprintf("(%s) 555-01%02d", m.areaCode, n%100) }

// tradeName is the legal name without its form.
func tradeName(name string) string {
	cut := strings.LastIndexByte(name, ' ')
	return name[:cut]
}

func legalForm(name string) string {
	switch name[strings.LastIndexByte(name, ' ')+1:] {
	case "Inc":
		return "Corporation"
	case "PC":
		return "Professional corporation"
	case "PLLC":
		return "Professional limited liability company"
	default:
		return "Limited liability company"
	}
}

// bringLead has a lead come in, and taken on to where it stands today.
func (b *builder) bringLead(l enquiry) {
	r := chances(l.business)
	day := b.anchor.AddDays(-l.ago)
	id, application, minutes := 0, 0, morning+r.IntN(480)
	if a, ok := l.applied(); ok {
		b.bringWebLead(day, minutes, a, func(id int) { application = id })
	}
	b.on(day, minutes, func(ctx context.Context) error {
		var err error
		if application != 0 {
			id, err = b.createLeadFrom(ctx, application, l)
			return err
		}
		in := service.LeadInput{
			BusinessName: some(l.business), DBAName: some(tradeName(l.business)), ContactName: some(l.contact.name()),
			Email: l.contact.email(l.domain), Phone: some(l.phone), Source: some(l.source), Notes: text(l.notes),
		}
		if l.amount > 0 {
			in.RequestedAmount = some(dollars(l.amount))
		}
		id, err = b.step(ctx, "lead "+l.business, func(ctx context.Context) (int, error) {
			row, err := b.Leads.Create(ctx, in)
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
		return err
	})
	for i, status := range way(l.status) {
		b.on(schedule.AddBankingDays(day, 1+i), morning+30+r.IntN(420), func(ctx context.Context) error {
			if status == lead.StatusCONVERTED {
				return b.createMerchantFrom(ctx, id, l)
			}
			_, err := b.step(ctx, "lead "+l.business, func(ctx context.Context) (int, error) {
				_, err := b.Leads.Update(ctx, id, service.LeadInput{Status: some(status)})
				return id, err
			})
			return err
		})
	}
}

// createMerchantFrom makes a lead the merchant of its business, which it creates if it does not exist yet.
func (b *builder) createMerchantFrom(ctx context.Context, leadID int, l enquiry) error {
	merchant, err := b.merchantOf(ctx, strings.TrimSuffix(l.domain, ".example"))
	if err != nil {
		return err
	}
	_, err = b.step(ctx, "conversion of "+l.business, func(ctx context.Context) (int, error) {
		_, err := b.Leads.Convert(ctx, leadID, service.LeadConversion{
			ConversionInput: service.ConversionInput{MerchantID: some(merchant)},
		})
		return leadID, err
	})
	return err
}

// way is what a lead goes through after NEW.
func way(to lead.Status) []lead.Status {
	all := []lead.Status{lead.StatusCONTACTED, lead.StatusQUALIFIED, lead.StatusCONVERTED}
	switch to {
	case lead.StatusCONTACTED:
		return all[:1]
	case lead.StatusQUALIFIED:
		return all[:2]
	case lead.StatusCONVERTED:
		return all
	case lead.StatusDEAD:
		return []lead.Status{lead.StatusCONTACTED, lead.StatusDEAD}
	default:
		return nil
	}
}
