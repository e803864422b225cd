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
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		made, err := t.Form.Create().SetName(in.Name).SetSlug(in.Slug).SetFields(in.Fields).Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("form.create", "form", made.ID, nil, nil, made)
		return made.ID, nil
	})
}

// Apply keeps a form as it was filled in, and the address that it came from.
func (s Seeds) Apply(ctx context.Context, formID int, payload json.RawMessage, ip string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		made, err := t.ApplicationSubmission.Create().SetFormID(formID).SetPayload(payload).SetIP(ip).Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("application.create", "applicationSubmission", made.ID, nil, nil, made)
		return made.ID, nil
	})
}

// JudgeApplication says what became of an application; leadID is the lead that it was CONVERTED into, 0 where it was not.
func (s Seeds) JudgeApplication(
	ctx context.Context, id int, status applicationsubmission.Status, leadID int,
) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.ApplicationSubmission.Query().Where(applicationsubmission.ID(id), locked).Only(ctx)
		if err != nil {
			return 0, missing(err, "application")
		}
		if (status == applicationsubmission.StatusCONVERTED) != (leadID != 0) {
			return 0, fault.Conflictf("An application is converted into a lead, or has none.")
		}
		changes := []columnChange{{applicationsubmission.FieldStatus, status}}
		if leadID != 0 {
			if err := t.require(ctx, reference{"leadId", "Lead", &leadID}); err != nil {
				return 0, err
			}
			changes = append(changes, columnChange{applicationsubmission.FieldLeadID, leadID})
		}
		update := t.ApplicationSubmission.Update().Where(applicationsubmission.ID(id))
		after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
		if err != nil {
			return 0, err
		}
		t.record("application.update", "applicationSubmission", id, nil, before, after)
		return id, nil
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
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		create := t.Communication.Create().SetChannel(in.Channel).SetDirection(in.Direction).SetMerchantID(in.MerchantID).
			SetFromAddr(in.From).SetToAddr(in.To).SetOccurredAt(t.At())
		var dealID *int
		if in.DealID != 0 {
			dealID = &in.DealID
			create.SetDealID(in.DealID)
		}
		if in.Channel == communication.ChannelSMS {
			create.SetBody(in.Body)
		} else {
			reason, err := t.DispositionReason.Query().Where(dispositionreason.Code(in.Disposition)).Only(ctx)
			if err != nil {
				return 0, missing(err, "disposition reason")
			}
			create.SetDurationSec(in.Seconds).SetDispositionReasonID(reason.ID)
		}
		made, err := create.Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("communication.create", "communication", made.ID, dealID, nil, made)
		return made.ID, nil
	})
}
