package rest

import (
	"paydown/ent"
	"paydown/ent/communication"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// CommunicationView is a call or a text message on the wire.
type CommunicationView struct {
	ID                  int                     `json:"id"`
	Channel             communication.Channel   `json:"channel"`
	Direction           communication.Direction `json:"direction"`
	MerchantID          *int                    `json:"merchantId"`
	DealID              *int                    `json:"dealId"`
	FromAddr            *string                 `json:"fromAddr"`
	ToAddr              *string                 `json:"toAddr"`
	Body                *string                 `json:"body"`
	RecordingURL        *string                 `json:"recordingUrl"`
	DurationSec         *int                    `json:"durationSec"`
	DispositionReasonID *int                    `json:"dispositionReasonId"`
	UserID              *int                    `json:"userId"`
	OccurredAt          string                  `json:"occurredAt" format:"date-time"`
}

func communicationView(r *ent.Communication) CommunicationView {
	return CommunicationView{
		ID:                  r.ID,
		Channel:             r.Channel,
		Direction:           r.Direction,
		MerchantID:          r.MerchantID,
		DealID:              r.DealID,
		FromAddr:            r.FromAddr,
		ToAddr:              r.ToAddr,
		Body:                r.Body,
		RecordingURL:        r.RecordingURL,
		DurationSec:         r.DurationSec,
		DispositionReasonID: r.DispositionReasonID,
		UserID:              r.UserID,
		OccurredAt:          stamp(r.OccurredAt),
	}
}

func (a *API) communications() {
	r := resource[ent.Communication, CommunicationView]{
		path: "/api/v1/communications", tag: "Communications", plural: "communications", noun: "communication",
		read: auth.Read("communications"), view: communicationView,
	}
	list(a, r, service.CommunicationListing, a.service.Communications.List)
}
