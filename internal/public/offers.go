package public

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/gate"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// offerPage is what the page of an offer shows.
type offerPage struct {
	frame
	*service.PublicOffer
	Path string
	// Expires is when it does, in the company's time zone and in words.
	Expires, Accepted string
	// Collected says how often payments are taken.
	Collected string
	// What was sent and refused: which of the forms, its values, and what is wrong with them.
	Act      string
	Values   map[string]string
	Wrong    map[string]string
	Problems []problem
}

// The states as the template asks for them.

// Open reports whether it can be accepted.
func (p offerPage) Open() bool { return p.State == deal.OfferSent }

// Countered reports whether it waits for an answer to what its merchant asked for.
func (p offerPage) Countered() bool { return p.State == deal.OfferCountered }

// IsAccepted reports whether it is.
func (p offerPage) IsAccepted() bool { return p.State == deal.OfferAccepted }

func (h *Handler) getOffer(w http.ResponseWriter, r *http.Request, token string) error {
	offer, err := h.service.Offers.ByToken(asHolder(r), token)
	if fault.Is(err, fault.NotFound) {
		return h.ended(w, r, token, err)
	}
	if err != nil {
		return err
	}
	h.write(w, http.StatusOK, offerTemplate, h.offer(r, token, offer))
	return nil
}

// ended says what became of an offer that is not open any more, to who had its token; otherwise err stands.
func (h *Handler) ended(w http.ResponseWriter, r *http.Request, token string, err error) error {
	outcome, unknown := h.service.Offers.Outcome(asHolder(r), token)
	if fault.Is(unknown, fault.NotFound) {
		return err
	}
	if unknown != nil {
		return unknown
	}
	page := messagePage{frame: frameOf(r, "This offer is not open any more")}
	ask := "If you would like another offer, ask " + page.Company + " for one."
	switch outcome.State {
	case deal.OfferDeclined:
		page.Title = "The offer is declined"
		page.Paragraphs = []string{page.Company + " has been told.", "If you change your mind, get in touch with " + page.Company + "."}
	case deal.OfferAccepted:
		page.Title = "The offer is accepted"
		page.Paragraphs = []string{"This page has closed. What comes next, " + page.Company + " tells you."}
	case deal.OfferLapsed:
		page.Title = "The offer has expired"
		page.Paragraphs = []string{"It stood until " + h.instant(r, outcome.ExpiresAt) + ".", ask}
	default:
		page.Paragraphs = []string{"It was withdrawn, or another offer took its place.", ask}
	}
	h.write(w, http.StatusGone, messageTemplate, page)
	return nil
}

// acts are what a merchant may do, by the name that the form sends.
var acts = map[string]func(*Handler, *http.Request, string) error{
	"accept": (*Handler).accept, "counter": (*Handler).counter, "decline": (*Handler).decline,
}

// postOffer does what the merchant asks for. Where it is refused the page comes back with what was sent.
func (h *Handler) postOffer(w http.ResponseWriter, r *http.Request, token string) error {
	name := r.PostForm.Get("act")
	act, known := acts[name]
	if !known {
		return fault.New(fault.BadRequest, "This page takes what its own form sends.")
	}
	err := act(h, r, token)
	if err == nil {
		http.Redirect(w, r, offersPrefix+token, http.StatusSeeOther) //nolint:gosec // it stays on this host
		return nil
	}
	if fault.Is(err, fault.NotFound) {
		return h.ended(w, r, token, err)
	}
	if !fault.Is(err, fault.Validation) {
		return err
	}
	offer, gone := h.service.Offers.ByToken(asHolder(r), token)
	if fault.Is(gone, fault.NotFound) {
		return h.ended(w, r, token, gone)
	}
	if gone != nil {
		return gone
	}
	page := h.offer(r, token, offer)
	h.write(w, http.StatusUnprocessableEntity, offerTemplate, page.keeping(name, r.PostForm, fault.As(err).Details))
	return nil
}

func (h *Handler) accept(r *http.Request, token string) error {
	in := service.OfferAcceptance{From: gate.Of(r.Context()).Address.String()}
	if name := strings.TrimSpace(r.PostForm.Get("name")); name != "" {
		in.Name = service.Some(name)
	}
	if !r.PostForm.Has("agree") {
		problems := []fault.Detail{{Path: "agree", Message: "Tick this to accept the offer."}}
		if !in.Name.Given() {
			problems = append(problems, fault.Detail{Path: "name", Message: "is required"})
		}
		return fault.Invalid(problems...)
	}
	_, err := h.service.Offers.AcceptByToken(asHolder(r), token, in)
	return err
}

func (h *Handler) decline(r *http.Request, token string) error {
	var in service.OfferRefusal
	if reason := plainWords(r.PostForm.Get("reason")); reason != "" {
		in.Reason = service.Some(reason)
	}
	_, err := h.service.Offers.DeclineByToken(asHolder(r), token, in)
	return err
}

// counter reads the terms that the merchant asks for; what is left empty stays as offered.
func (h *Handler) counter(r *http.Request, token string) error {
	var in service.CounterInput
	var problems []fault.Detail
	for _, field := range []struct {
		name string
		into any
	}{
		{"counterAmount", &in.CounterAmount},
		{"counterFactor", &in.CounterFactor},
		{"counterTermDays", &in.CounterTermDays},
		{"counterBankFeePercent", &in.CounterBankFeePercent},
	} {
		given := strings.TrimSuffix(plainAmount(r.PostForm.Get(field.name)), "%")
		if given == "" {
			continue
		}
		var value any = given
		if field.name == "counterTermDays" {
			value = wholeNumber(given)
		}
		raw, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(raw, field.into)
		}
		if err != nil {
			problems = append(problems, fault.Detail{Path: field.name, Message: counterForms[field.name]})
		}
	}
	if note := plainWords(r.PostForm.Get("counterNote")); note != "" {
		in.CounterNote = service.Some(note)
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	_, err := h.service.Offers.CounterByToken(asHolder(r), token, in)
	return err
}

// counterForms say what the fields of a counter must be.
var counterForms = map[string]string{
	"counterAmount": "must be an amount in dollars, such as 25,000", "counterFactor": "must be a number such as 1.25",
	"counterTermDays": "must be a whole number of days", "counterBankFeePercent": "must be a number of per cent, such as 2.5",
}

// offerFields are what the forms ask, by name.
var offerFields = map[string]string{
	"agree": "I accept this offer", "name": "Your full name", "reason": "Why do you decline it?",
	"counterAmount": "Amount", "counterFactor": "Factor rate", "counterTermDays": "Term in days",
	"counterBankFeePercent": "Bank fee in per cent", "counterNote": "What would suit you?",
}

// keeping puts back what was sent, with what is wrong with it.
func (p offerPage) keeping(act string, sent url.Values, problems []fault.Detail) offerPage {
	p.Act, p.Values, p.Wrong = act, map[string]string{}, map[string]string{}
	for name := range offerFields {
		p.Values[name] = sent.Get(name)
	}
	for _, d := range problems {
		label, known := offerFields[d.Path]
		if !known {
			label = "The offer"
		}
		message := sentence(strings.TrimSuffix(d.Message, "."))
		if d.Message == "is required" {
			message = "Fill this in."
		}
		p.Wrong[d.Path] = message
		p.Problems = append(p.Problems, problem{"o-" + d.Path, label, message})
	}
	p.Title = "Please check: " + p.Title
	return p
}

// offer is the page of an offer.
func (h *Handler) offer(r *http.Request, token string, o *service.PublicOffer) offerPage {
	page := offerPage{
		frame: frameOf(r, "Your offer of "+dollars(o.FundedAmount)), PublicOffer: o, Path: offersPrefix + token,
		Expires: h.instant(r, o.ExpiresAt) + ", " + until(o.Left),
	}
	if o.AcceptedAt != nil {
		page.Accepted = h.instant(r, *o.AcceptedAt)
	}
	if o.Plan != nil {
		page.Collected = collected(o.Plan.Frequency, o.Plan.Schedule)
	}
	return page
}

// CostPerDollar is what a dollar that is advanced costs.
func (p offerPage) CostPerDollar() money.Amount {
	return money.Round(p.FactorRate.Decimal().Sub(money.MustRate("1").Decimal()))
}

// instant is a time as people of the company say it.
func (h *Handler) instant(r *http.Request, at time.Time) string {
	return at.In(gate.Of(r.Context()).Tenant.Zone).Format("Monday, January 2, 2006 at 3:04 PM MST")
}

// often says how often payments are taken.
var often = map[schedule.Frequency]string{schedule.Weekly: "every week", schedule.Monthly: "every month"}

var everyDay = map[schedule.Rule]string{
	schedule.BankingDays: "every banking day", schedule.Weekdays: "every weekday", schedule.EveryDay: "every day",
	schedule.CustomDays: "on fixed days of the week",
}

func collected(f schedule.Frequency, on schedule.Rule) string {
	if words, ok := often[f]; ok {
		return words
	}
	return everyDay[on]
}

// plainWords is what was written into a large field, with line ends as everywhere else.
func plainWords(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
