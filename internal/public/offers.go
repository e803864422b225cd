package public

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// offerPage is the data of an offer's page.
type offerPage struct {
	frame
	*service.PublicOffer
	Path string
	// Expires and Accepted are times in words, in the company's time zone.
	Expires, Accepted string
	// Collected is the payment frequency in words.
	Collected string
	// A form that was refused: its name, its values, and the problems by field.
	Act      string
	Values   map[string]string
	Wrong    map[string]string
	Problems []problem
}

// The states as the template asks for them.

// Open reports whether it can be accepted.
func (p offerPage) Open() bool { return p.State == deal.OfferSent }

// Countered reports whether the merchant's counter waits for an answer.
func (p offerPage) Countered() bool { return p.State == deal.OfferCountered }

// IsAccepted reports whether it was accepted.
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

// ended shows what became of an offer that is no longer open to the holder of its token; otherwise it returns
// err.
func (h *Handler) ended(w http.ResponseWriter, r *http.Request, token string, err error) error {
	outcome, unknown := h.service.Offers.Outcome(asHolder(r), token)
	if fault.Is(unknown, fault.NotFound) {
		return err
	}
	if unknown != nil {
		return unknown
	}
	page := messagePage{frame: frameOf(r, "This offer is no longer open")}
	ask := "To get another offer, contact " + page.Company + "."
	switch outcome.State {
	case deal.OfferDeclined:
		page.Title = "Offer declined"
		page.Paragraphs = []string{
			page.Company + " has been notified.", "If you change your mind, contact " + page.Company + ".",
		}
	case deal.OfferAccepted:
		page.Title = "Offer accepted"
		page.Paragraphs = []string{"This page is closed. " + page.Company + " will contact you about the next steps."}
	case deal.OfferLapsed:
		page.Title = "Offer expired"
		page.Paragraphs = []string{"It expired on " + h.instant(r, outcome.ExpiresAt) + ".", ask}
	default:
		page.Paragraphs = []string{"It was withdrawn or replaced by another offer.", ask}
	}
	h.write(w, http.StatusGone, messageTemplate, page)
	return nil
}

// acts are the actions of a merchant, by the name that the form sends.
var acts = map[string]func(*Handler, *http.Request, string) error{
	"accept": (*Handler).accept, "counter": (*Handler).counter, "decline": (*Handler).decline,
}

// postOffer runs the merchant's action. If it is refused, the page is shown again with the input.
func (h *Handler) postOffer(w http.ResponseWriter, r *http.Request, token string) error {
	name := r.PostForm.Get("act")
	act, known := acts[name]
	if !known {
		return fault.New(fault.BadRequest, "This page only accepts its own form.")
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
	in := service.OfferAcceptance{From: middleware.FromContext(r.Context()).Address.String()}
	if name := strings.TrimSpace(r.PostForm.Get("name")); name != "" {
		in.Name = service.Some(name)
	}
	if !r.PostForm.Has("agree") {
		problems := []fault.Detail{{Path: "agree", Message: "Check this box to accept the offer."}}
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

// counter reads the terms that the merchant asks for. Empty terms stay as offered.
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

// counterForms are the messages for malformed fields of a counter.
var counterForms = map[string]string{
	"counterAmount": "must be an amount in dollars, such as 25,000", "counterFactor": "must be a number such as 1.25",
	"counterTermDays":       "must be a whole number of days",
	"counterBankFeePercent": "must be a percentage, such as 2.5",
}

// offerFields are the labels of the forms' fields, by name.
var offerFields = map[string]string{
	"agree": "I accept this offer", "name": "Your full name", "reason": "Reason (optional)",
	"counterAmount": "Amount", "counterFactor": "Factor rate", "counterTermDays": "Term in days",
	"counterBankFeePercent": "Bank fee (%)", "counterNote": "Comments",
}

// keeping adds the input of a refused form and its problems.
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
			message = "Fill in this field."
		}
		p.Wrong[d.Path] = message
		p.Problems = append(p.Problems, problem{"o-" + d.Path, label, message})
	}
	p.Title = "Please check: " + p.Title
	return p
}

// offer returns the page of an offer.
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

// CostPerDollar is the cost of a funded dollar.
func (p offerPage) CostPerDollar() money.Amount {
	return money.Round(p.FactorRate.Decimal().Sub(money.MustRate("1").Decimal()))
}

// instant formats a time in the company's time zone.
func (h *Handler) instant(r *http.Request, at time.Time) string {
	return at.In(middleware.FromContext(r.Context()).Tenant.Zone).Format("Monday, January 2, 2006 at 3:04 PM MST")
}

// often names payment frequencies.
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

// plainWords trims a text and normalizes its line ends.
func plainWords(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
