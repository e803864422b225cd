package rest

import (
	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/service"
)

// SubmissionView is a deal submitted to a funder, on the wire.
type SubmissionView struct {
	ID              int                   `json:"id"`
	DealID          int                   `json:"dealId"`
	FunderID        int                   `json:"funderId"`
	StatusID        int                   `json:"statusId" doc:"Status in the company's pipeline"`
	UnderwriterID   *int                  `json:"underwriterId"`
	AssignedToID    *int                  `json:"assignedToId"`
	DelegatedToID   *int                  `json:"delegatedToId"`
	SubmittedAt     *string               `json:"submittedAt" format:"date-time"`
	StatusChangedAt string                `json:"statusChangedAt" format:"date-time"`
	DeclineReasonID *int                  `json:"declineReasonId"`
	DeclinedAt      *string               `json:"declinedAt" format:"date-time"`
	CreatedAt       string                `json:"createdAt" format:"date-time"`
	UpdatedAt       string                `json:"updatedAt" format:"date-time"`
	Funder          *FunderView           `json:"funder,omitempty" doc:"Always included"`
	Status          *SubmissionStatusView `json:"status,omitempty" doc:"Always included"`
	Deal            *DealView             `json:"deal,omitempty" doc:"Always included"`
}

func submissionView(r *ent.Submission) SubmissionView {
	v := SubmissionView{
		ID:              r.ID,
		DealID:          r.DealID,
		FunderID:        r.FunderID,
		StatusID:        r.StatusID,
		UnderwriterID:   r.UnderwriterID,
		AssignedToID:    r.AssignedToID,
		DelegatedToID:   r.DelegatedToID,
		SubmittedAt:     optStamp(r.SubmittedAt),
		StatusChangedAt: stamp(r.StatusChangedAt),
		DeclineReasonID: r.DeclineReasonID,
		DeclinedAt:      optStamp(r.DeclinedAt),
		CreatedAt:       stamp(r.CreatedAt),
		UpdatedAt:       stamp(r.UpdatedAt),
	}
	if r.Edges.Funder != nil {
		one := funderView(r.Edges.Funder)
		v.Funder = &one
	}
	if r.Edges.Status != nil {
		one := submissionStatusView(r.Edges.Status)
		v.Status = &one
	}
	if r.Edges.Deal != nil {
		one := dealView(r.Edges.Deal)
		v.Deal = &one
	}
	return v
}

// SubmissionStatusView is a status of the tenant's pipeline.
type SubmissionStatusView struct {
	ID       int                     `json:"id"`
	Code     string                  `json:"code" example:"UNDER_REVIEW"`
	Name     string                  `json:"name" doc:"The company's name for it"`
	Category deal.SubmissionCategory `json:"category" doc:"What the status means"`
	Position int                     `json:"position" doc:"Its position in the pipeline"`
}

func submissionStatusView(s *ent.SubmissionStatus) SubmissionStatusView {
	return SubmissionStatusView{ID: s.ID, Code: s.Code, Name: s.Name, Category: s.Category, Position: s.Position}
}

func (a *API) submissions() {
	r := resource[ent.Submission, SubmissionView]{
		path: "/api/v1/submissions", tag: "Submissions", plural: "submissions", noun: "submission",
		read: auth.Read("submissions"), view: submissionView,
	}
	list(a, r, service.SubmissionListing, a.service.Submissions.List)
}
