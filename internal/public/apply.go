package public

import (
	"errors"
	"net/http"

	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

const (
	// thanksSuffix ends the path of the page after an application.
	thanksSuffix = "/thanks"
	// The names of a form's hidden inputs. No field has such a name.
	ticketInput = "_ticket"
	trapInput   = "_extra"
)

// formPage is the data of a form's page.
type formPage struct {
	frame
	Path      string
	Ticket    string
	Trap      string
	Questions []question
	// Notice is a message about the form as a whole, or "".
	Notice   string
	Problems []problem
}

func (h *Handler) getForm(w http.ResponseWriter, r *http.Request, slug string) error {
	form, err := h.service.ApplicationPages.Open(asApplicant(r), slug)
	if err != nil {
		return err
	}
	h.write(w, http.StatusOK, formTemplate, formPage{
		frame: frameOf(r, form.Name), Path: applyPrefix + slug, Ticket: form.Ticket, Questions: blank(form.Fields),
	})
	return nil
}

// postForm submits an application. If it is refused, the form is shown again with its answers.
func (h *Handler) postForm(w http.ResponseWriter, r *http.Request, slug string) error {
	ctx := asApplicant(r)
	form, err := h.service.ApplicationPages.Open(ctx, slug)
	if err != nil {
		return err
	}
	sent := r.PostForm
	err = h.service.ApplicationPages.Apply(ctx, slug, service.SubmittedForm{
		Ticket: sent.Get(ticketInput), Payload: payloadOf(form.Fields, sent),
		From:    middleware.FromContext(ctx).Address.String(),
		Trapped: sent.Get(trapInput) != "",
	})
	if err == nil {
		http.Redirect(w, r, applyPrefix+slug+thanksSuffix, http.StatusSeeOther) //nolint:gosec // it stays on this host
		return nil
	}
	page := formPage{
		frame: frameOf(r, form.Name), Path: applyPrefix + slug, Ticket: sent.Get(ticketInput), Trap: sent.Get(trapInput),
		Questions: blank(form.Fields),
	}
	status := http.StatusConflict
	switch refused := fault.As(err); {
	case errors.Is(err, service.ErrTicketExpired):
		page.Ticket, page.Notice = form.Ticket, service.ErrTicketExpired.Message
	case errors.Is(err, service.ErrTicketTooEarly):
		page.Notice = service.ErrTicketTooEarly.Message
	case refused != nil && refused.Code == fault.Validation:
		status = http.StatusUnprocessableEntity
	default:
		return err
	}
	page.keep(sent, fault.As(err).Details)
	h.write(w, status, formTemplate, page)
	return nil
}

func (h *Handler) thanks(w http.ResponseWriter, r *http.Request, slug string) error {
	form, err := h.service.ApplicationPages.Open(asApplicant(r), slug)
	if err != nil {
		return err
	}
	frame := frameOf(r, "Thank you")
	h.write(w, http.StatusOK, messageTemplate, messagePage{frame: frame, Paragraphs: []string{
		form.Name + ": your application was sent to " + frame.Company + ".",
		"We will review it and contact you. You can close this page.",
	}})
	return nil
}
