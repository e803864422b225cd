package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"paydown/ent/applicationsubmission"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// question is a field of an application form.
type question struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Type     string   `json:"type"`
	Required bool     `json:"required"`
	Options  []string `json:"options,omitempty"`
	MapsTo   []string `json:"mapsTo,omitempty"`
}

// The forms of a company's web site, each with its name in the address of its page.
var forms = []struct {
	slug, name string
	asks       []question
}{
	{"apply", "Application for funding", []question{
		{
			"businessName", "Legal name of the business", "text", true, nil,
			[]string{"lead.businessName", "merchant.legalName"},
		},
		{"contactName", "Your name", "text", true, nil, []string{"lead.contactName"}},
		{"email", "Email", "email", true, nil, []string{"lead.email", "merchant.email"}},
		{"phone", "Telephone", "tel", true, nil, []string{"lead.phone", "merchant.phone"}},
		{"requestedAmount", "How much do you need, in dollars?", "money", true, nil, []string{"lead.requestedAmount"}},
		{"monthlyRevenue", "Monthly revenue, in dollars", "money", false, nil, nil},
		{"useOfFunds", "What is it for?", "choice", false, uses, []string{"lead.notes"}},
		{"consent", "I agree to be called or texted about this application", "checkbox", true, nil, nil},
	}},
	{"call-me", "Call me back", []question{
		{"businessName", "Name of the business", "text", true, nil, []string{"lead.businessName", "merchant.legalName"}},
		{"contactName", "Your name", "text", true, nil, []string{"lead.contactName"}},
		{"phone", "Telephone", "tel", true, nil, []string{"lead.phone", "merchant.phone"}},
		{"consent", "I agree to be called", "checkbox", true, nil, nil},
	}},
}

var uses = []string{"Working capital", "Equipment", "Inventory", "Renovation", "Another location"}

// filledIn is a form as a business has filled it in that has not become a lead.
type filledIn struct {
	form     int // in forms
	business string
	contact  string
	email    string
	phone    string
	amount   int // in dollars; 0 where the form does not ask
	ago      int // days before the anchor
	status   applicationsubmission.Status
	small    bool
}

var localApplications = []filledIn{
	{
		0, "Nutmeg & Rye Sandwich Shop LLC", "Corinne Talmadge", "corinne@nutmegrye.example", "(860) 555-0174",
		20_000, 1, applicationsubmission.StatusRECEIVED, small,
	},
	{
		1, "Sparrowhawk Fencing", "Ignacio Barrientos", "", "(505) 555-0161",
		0, 1, applicationsubmission.StatusRECEIVED, !small,
	},
	{
		0, "Windlass Sail Repair Inc", "Margit Thorsen", "margit@windlasssail.example", "(207) 555-0173",
		35_000, 2, applicationsubmission.StatusRECEIVED, !small,
	},
	{
		0, "Gilded Fern Interiors LLC", "Anselm Pruitt", "anselm@gildedfern.example", "(615) 555-0109",
		45_000, 5, applicationsubmission.StatusREVIEWED, small,
	},
	{
		1, "Cattail Pond Kennels", "Rosalind Ekberg", "", "(763) 555-0120",
		0, 8, applicationsubmission.StatusREVIEWED, !small,
	},
	{
		0, "Three Bells Bike Shop LLC", "Ambrose Littlejohn", "ambrose@threebells.example", "(608) 555-0184",
		8_000, 33, applicationsubmission.StatusREVIEWED, !small,
	},
	{
		0, "BEST RATES CLICK HERE", "Best Rates", "promo@best-rates.example", "(000) 555-0100",
		999_999, 6, applicationsubmission.StatusSPAM, small,
	},
	{
		0, "qwerty", "asdf asdf", "asdf@asdf.example", "(111) 555-0111",
		1, 29, applicationsubmission.StatusSPAM, !small,
	},
	{
		1, "We rank your website first", "Rank Team", "", "(222) 555-0122",
		0, 71, applicationsubmission.StatusSPAM, !small,
	},
}

var beaconApplications = []filledIn{
	{
		0, "Larchmont Piano Movers LLC", "Cyrus Haddadin", "cyrus@larchmontpiano.example", "(914) 555-0159",
		28_000, 1, applicationsubmission.StatusRECEIVED, small,
	},
	{
		1, "Pepperbush Tea House", "Wilhelmina Strand", "", "(302) 555-0118",
		0, 3, applicationsubmission.StatusREVIEWED, !small,
	},
	{
		0, "Free gift for your company", "Gift Desk", "win@free-gift.example", "(333) 555-0133",
		500_000, 9, applicationsubmission.StatusSPAM, small,
	},
}

// publishForms puts the forms on the web.
func (b *builder) publishForms(ctx context.Context) error {
	for _, f := range forms {
		asks, err := json.Marshal(f.asks)
		if err != nil {
			return err
		}
		_, err = b.step(ctx, "form "+f.slug, func(ctx context.Context) (int, error) {
			row, err := b.Forms.Create(ctx, service.FormInput{
				Name: some(f.name), Slug: some(f.slug), Fields: some(json.RawMessage(asks)),
			})
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// bringApplication submits a form, and processes the application if staff have done so by now.
func (b *builder) bringApplication(a filledIn) {
	r := chances(a.business)
	day, id := b.anchor.AddDays(-a.ago), 0
	b.on(day, morning+r.IntN(540), func(ctx context.Context) error {
		var err error
		id, err = b.apply(ctx, a, r)
		return err
	})
	if a.status == applicationsubmission.StatusRECEIVED {
		return
	}
	b.on(schedule.NextBankingDay(day), morning+15+r.IntN(200), func(ctx context.Context) error {
		_, err := b.step(ctx, "application of "+a.business, func(ctx context.Context) (int, error) {
			_, err := b.Applications.Mark(ctx, id, a.status)
			return id, err
		})
		return err
	})
}

// writing is how long filling in a form takes.
const writing = 4 * time.Minute

// apply fills a form in on its page, and returns the id of the application.
func (b *builder) apply(ctx context.Context, a filledIn, r *rand.Rand) (int, error) {
	payload := map[string]any{"businessName": a.business, "contactName": a.contact, "phone": a.phone, "consent": true}
	if a.email != "" {
		payload["email"] = a.email
	}
	if a.amount > 0 {
		payload["requestedAmount"] = dollars(a.amount)
		payload["monthlyRevenue"] = dollars(a.amount / 1_000 * (900 + 100*r.IntN(12)))
		payload["useOfFunds"] = uses[r.IntN(len(uses))]
	}
	raw, err := json.Marshal(payload)
	if err != nil {
		return 0, err
	}
	ip := fmt.Sprintf("%s.%d", documentationNets[r.IntN(len(documentationNets))], 1+r.IntN(254))
	return b.step(ctx, "application of "+a.business, func(ctx context.Context) (int, error) {
		applicant := auth.AsApplicant(ctx, b.tenantID, b.zone, auth.From(ctx).RequestID)
		sent := b.clock.Now()
		b.clock.put(sent.Add(-writing))
		page, err := b.ApplicationPages.Open(applicant, forms[a.form].slug)
		if err != nil {
			return 0, err
		}
		b.clock.put(sent)
		filled := service.SubmittedForm{Ticket: page.Ticket, Payload: raw, From: ip}
		if err := b.ApplicationPages.Apply(applicant, forms[a.form].slug, filled); err != nil {
			return 0, err
		}
		latest, err := b.Applications.List(ctx, service.ListRequest{Sort: newestFirst, Limit: new(1)})
		if err != nil {
			return 0, err
		}
		return latest.Records[0].ID, nil
	})
}

// documentationNets are networks reserved for documentation.
var documentationNets = []string{"192.0.2", "198.51.100", "203.0.113"}

// createLeadFrom converts an application to a lead, completes it, and returns its id.
func (b *builder) createLeadFrom(ctx context.Context, application int, l enquiry) (int, error) {
	if _, err := b.step(ctx, "application of "+l.business, func(ctx context.Context) (int, error) {
		_, err := b.Applications.Convert(ctx, application, service.ApplicationConversion{})
		return application, err
	}); err != nil {
		return 0, err
	}
	id, err := b.leadOf(ctx, application)
	if err != nil {
		return 0, err
	}
	return b.step(ctx, "lead "+l.business, func(ctx context.Context) (int, error) {
		_, err := b.Leads.Update(ctx, id, service.LeadInput{
			DBAName: some(tradeName(l.business)), Source: some(l.source), Notes: text(l.notes),
		})
		return id, err
	})
}

// leadOf is the id of the lead that an application has become.
func (b *builder) leadOf(ctx context.Context, application int) (int, error) {
	page, err := b.Applications.List(b.as(ctx, requestPrefix), service.ListRequest{IDs: []int{application}})
	if err != nil {
		return 0, err
	}
	if len(page.Records) == 0 || page.Records[0].LeadID == nil {
		return 0, fmt.Errorf("application %d has no lead", application)
	}
	return *page.Records[0].LeadID, nil
}

// applied is the form by which a lead came in over the web site.
func (l enquiry) applied() (a filledIn, ok bool) {
	return filledIn{
		business: l.business, contact: l.contact.name(), email: strings.ToLower(l.contact.first) + "@" + l.domain,
		phone: l.phone, amount: l.amount,
	}, l.source == "website"
}

// bringWebLead submits the application of a lead shortly before the lead; taken gets its id.
func (b *builder) bringWebLead(day civil.Date, minutes int, a filledIn, taken func(id int)) {
	r := chances("application of " + a.business)
	b.on(day, minutes-8-r.IntN(40), func(ctx context.Context) error {
		id, err := b.apply(ctx, a, r)
		taken(id)
		return err
	})
}
