package service

import (
	"context"
	"encoding/json"

	"paydown/ent/applicationsubmission"
	"paydown/ent/communication"
	"paydown/ent/dispositionreason"
	"paydown/internal/fault"
)

// SeedForm is an application form of the tenant's web site; Fields are what it asks, in order.
type SeedForm struct {
	Name, Slug string
	Fields     json.RawMessage
}

// Form publishes an application form.
func (s Seeds) Form(ctx context.Context, in SeedForm) (int, error) {
	form := FormInput{Name: Some(in.Name), Slug: Some(in.Slug), Fields: Some(in.Fields)}
	if err := checkedForm(form, ForCreate); err != nil {
		return 0, err
	}
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		made, err := t.makeForm(ctx, form)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// Apply keeps a form as it was filled in, and the address that it came from.
func (s Seeds) Apply(ctx context.Context, formID int, payload json.RawMessage, ip string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		f, err := t.Form.Get(ctx, formID)
		if err != nil {
			return 0, missing(err, "form")
		}
		made, err := t.apply(ctx, f, payload, filledIn{from: &ip})
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// JudgeApplication says what became of an application; leadID is the lead that it was CONVERTED into, 0 where it was not.
func (s Seeds) JudgeApplication(
	ctx context.Context, id int, status applicationsubmission.Status, leadID int,
) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.lockApplication(ctx, id)
		if err != nil {
			return 0, err
		}
		if (status == applicationsubmission.StatusCONVERTED) != (leadID != 0) {
			return 0, fault.Conflictf("An application is converted into a lead, or has none.")
		}
		var link []columnChange
		if leadID != 0 {
			if err := t.require(ctx, reference{"leadId", "Lead", &leadID}); err != nil {
				return 0, err
			}
			link = []columnChange{{applicationsubmission.FieldLeadID, leadID}}
		}
		_, err = t.moveApplication(ctx, before, status, link...)
		return id, err
	})
}

// SeedCommunication is a call or a text message with a merchant; it occurs at the time of the write.
type SeedCommunication struct {
	Channel    communication.Channel
	Direction  communication.Direction
	MerchantID int
	DealID     int // 0 where it was about no deal
	From, To   string
	Body       string // of a text message
	Seconds    int    // that a call took
	// Disposition is the code of how a call ended; "" for a text message.
	Disposition string
}

// Communicate keeps a call or a text message.
func (s Seeds) Communicate(ctx context.Context, in SeedCommunication) (int, error) {
	entry := NewCommunication{
		Channel: Some(in.Channel), Direction: Some(in.Direction), MerchantID: Some(in.MerchantID),
		FromAddr: Some(in.From), ToAddr: Some(in.To),
	}
	if in.DealID != 0 {
		entry.DealID = Some(in.DealID)
	}
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		if in.Channel == communication.ChannelSMS {
			entry.Body = Some(in.Body)
		} else {
			reason, err := t.DispositionReason.Query().Where(dispositionreason.Code(in.Disposition)).Only(ctx)
			if err != nil {
				return 0, missing(err, "disposition reason")
			}
			entry.DurationSec, entry.DispositionReasonID = Some(in.Seconds), Some(reason.ID)
		}
		made, err := t.logCommunication(ctx, entry)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}
