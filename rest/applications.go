package rest

import (
	"encoding/json"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// ApplicationSubmissionView is a filled-in application form on the wire.
type ApplicationSubmissionView struct {
	ID        int                          `json:"id"`
	FormID    int                          `json:"formId"`
	Payload   json.RawMessage              `json:"payload" form:"object"`
	LeadID    *int                         `json:"leadId"`
	Status    applicationsubmission.Status `json:"status"`
	IP        *string                      `json:"ip"`
	CreatedAt string                       `json:"createdAt" format:"date-time"`
	Form      *FormView                    `json:"form,omitempty" doc:"Always included"`
}

func applicationSubmissionView(r *ent.ApplicationSubmission) ApplicationSubmissionView {
	v := ApplicationSubmissionView{
		ID:        r.ID,
		FormID:    r.FormID,
		Payload:   r.Payload,
		LeadID:    r.LeadID,
		Status:    r.Status,
		IP:        r.IP,
		CreatedAt: stamp(r.CreatedAt),
	}
	if r.Edges.Form != nil {
		one := formView(r.Edges.Form)
		v.Form = &one
	}
	return v
}

// FormView is the form of an application.
type FormView struct {
	ID        int             `json:"id"`
	Name      string          `json:"name"`
	Slug      string          `json:"slug" doc:"The form's name in its page's URL"`
	Fields    json.RawMessage `json:"fields" doc:"The questions, in order"`
	IsActive  bool            `json:"isActive"`
	CreatedAt string          `json:"createdAt" format:"date-time"`
	UpdatedAt string          `json:"updatedAt" format:"date-time"`
}

func formView(f *ent.Form) FormView {
	return FormView{
		ID: f.ID, Name: f.Name, Slug: f.Slug, Fields: f.Fields, IsActive: f.IsActive,
		CreatedAt: stamp(f.CreatedAt), UpdatedAt: stamp(f.UpdatedAt),
	}
}

func (a *API) applications() {
	r := resource[ent.ApplicationSubmission, ApplicationSubmissionView]{
		path: "/api/v1/applications", tag: "Applications", plural: "applications", noun: "application",
		read: auth.Read("applications"), view: applicationSubmissionView,
	}
	list(a, r, service.ApplicationListing, a.service.Applications.List)
}
