package seeds

import (
	"context"
	"encoding/json"

	"paydown/ent/applicationsubmission"
	"paydown/ent/communication"
	"paydown/ent/dispositionreason"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/origination"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// SeedForm is an application form of the tenant's web site; Fields are what it asks, in order.
type SeedForm struct {
	Name, Slug string
	Fields     json.RawMessage
}

// Form publishes an application form.
func (s Seeds) Form(ctx context.Context, in SeedForm) (int, error) {
	form := origination.FormInput{Name: input.Some(in.Name), Slug: input.Some(in.Slug), Fields: input.Some(in.Fields)}
	if err := origination.CheckedForm(form, input.ForCreate); err != nil {
		return 0, err
	}
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		made, err := origination.CreateForm(ctx, t, form)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// Apply keeps a form as it was filled in, and the address that it came from.
func (s Seeds) Apply(ctx context.Context, formID int, payload json.RawMessage, ip string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		f, err := t.Form.Get(ctx, formID)
		if err != nil {
			return 0, unit.NotFound(err, "form")
		}
		made, err := origination.Apply(ctx, t, f, payload, origination.Arrival{From: &ip})
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
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := origination.LockApplication(ctx, t, id)
		if err != nil {
			return 0, err
		}
		if (status == applicationsubmission.StatusCONVERTED) != (leadID != 0) {
			return 0, fault.Conflictf("An application is converted into a lead, or has none.")
		}
		var link []input.Change
		if leadID != 0 {
			if err := t.Require(ctx, unit.Reference{Path: "leadId", Record: "Lead", ID: &leadID}); err != nil {
				return 0, err
			}
			link = []input.Change{input.Set(applicationsubmission.FieldLeadID, leadID)}
		}
		_, err = origination.MoveApplication(ctx, t, before, status, link...)
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
	entry := workspace.NewCommunication{
		Channel: input.Some(in.Channel), Direction: input.Some(in.Direction), MerchantID: input.Some(in.MerchantID),
		FromAddr: input.Some(in.From), ToAddr: input.Some(in.To),
	}
	if in.DealID != 0 {
		entry.DealID = input.Some(in.DealID)
	}
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		if in.Channel == communication.ChannelSMS {
			entry.Body = input.Some(in.Body)
		} else {
			reason, err := t.DispositionReason.Query().Where(dispositionreason.Code(in.Disposition)).Only(ctx)
			if err != nil {
				return 0, unit.NotFound(err, "disposition reason")
			}
			entry.DurationSec, entry.DispositionReasonID = input.Some(in.Seconds), input.Some(reason.ID)
		}
		made, err := workspace.LogCommunication(ctx, t, entry)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}
