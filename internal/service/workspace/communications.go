package workspace

import (
	"context"

	"paydown/ent"
	"paydown/ent/communication"
	"paydown/ent/dispositionreason"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Communications are calls and text messages with merchants.
type Communications struct{ core *unit.Core }

// NewCommunication is a call or a text message to record.
type NewCommunication struct {
	Channel             input.Opt[communication.Channel]   `json:"channel" need:"create"`
	Direction           input.Opt[communication.Direction] `json:"direction" need:"create"`
	MerchantID          input.Opt[int]                     `json:"merchantId" check:"gte=1" doc:"Merchant; default: the deal's"`
	DealID              input.Opt[int]                     `json:"dealId" check:"gte=1" doc:"Deal that it was about"`
	FromAddr            input.Opt[string]                  `json:"fromAddr" check:"text" doc:"Caller's number"`
	ToAddr              input.Opt[string]                  `json:"toAddr" check:"text" doc:"Called number"`
	Body                input.Opt[string]                  `json:"body" check:"notes" doc:"Text of the message, or notes on the call"`
	RecordingURL        input.Opt[string]                  `json:"recordingUrl" check:"web" doc:"URL of the recording"`
	DurationSec         input.Opt[int]                     `json:"durationSec" check:"gte=0,lte=86400" doc:"Duration of the call in seconds"`
	DispositionReasonID input.Opt[int]                     `json:"dispositionReasonId" check:"gte=1" doc:"How a call ended"`
	OccurredAt          input.Opt[civil.Moment]            `json:"occurredAt" doc:"Date and time; default: now"`
}

// problems reports conflicts between fields.
func (in NewCommunication) problems() []fault.Detail {
	var problems []fault.Detail
	if in.Channel.Or("") != communication.ChannelSMS {
		return problems
	}
	if in.Body.Or("") == "" {
		problems = append(problems, fault.Detail{Path: "body", Message: "is required for a text message"})
	}
	for _, f := range []struct {
		name string
		opt  input.Optional
	}{
		{"recordingUrl", in.RecordingURL}, {"durationSec", in.DurationSec}, {"dispositionReasonId", in.DispositionReasonID},
	} {
		if f.opt.Given() {
			problems = append(problems, fault.Detail{Path: f.name, Message: "can only be set for a call"})
		}
	}
	return problems
}

// CommunicationUpdate is what can be added to a call later.
type CommunicationUpdate struct {
	DispositionReasonID input.Opt[int] `json:"dispositionReasonId" check:"gte=1" doc:"How the call ended"`
}

// CommunicationListing describes the list.
var CommunicationListing = &list.Listing[ent.Communication]{
	Resource: "communications", Scope: auth.Read("communications"), NoUpdatedAt: true,
	Sorts: []list.Sort{
		{Name: "occurredAt", Column: communication.FieldOccurredAt, Kind: list.IsTime},
	},
	Filters: []list.Filter{
		{
			Name: "merchantId", Column: communication.FieldMerchantID, Kind: list.IsID,
			Doc: "Only communications with this merchant",
		},
		{Name: "dealId", Column: communication.FieldDealID, Kind: list.IsID, Doc: "Only communications about this deal"},
		{
			Name: "channel", Column: communication.FieldChannel, Kind: list.IsEnum, Values: communication.Channel("").Values(),
			Doc: "Only communications on this channel",
		},
	},
}

// List returns a page of communications.
func (s Communications) List(ctx context.Context, req list.Request) (*list.Page[ent.Communication], error) {
	return list.Read(ctx, s.core, CommunicationListing, req, s.core.Store.Reader().Communication.Query())
}

// Log records a call or a text message. If the actor is a member of staff, they become its user.
func (s Communications) Log(ctx context.Context, in NewCommunication) (*ent.Communication, error) {
	if problems := input.MergeProblems(input.Check(in, input.ForCreate), in.problems()); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("communications"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Communication, error) {
		return logCommunication(ctx, t, in)
	})
}

func logCommunication(ctx context.Context, t *unit.Tx, in NewCommunication) (*ent.Communication, error) {
	if err := t.Require(ctx,
		unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()},
		unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
		unit.Reference{Path: "dispositionReasonId", Record: "DispositionReason", ID: in.DispositionReasonID.Ptr()},
	); err != nil {
		return nil, err
	}
	if !in.MerchantID.Given() && !in.DealID.Given() {
		return nil, fault.Field("merchantId", "is required unless dealId is given")
	}
	if id, given := in.DealID.Get(); given {
		d, err := t.Deal.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		if with, named := in.MerchantID.Get(); named && with != d.MerchantID {
			return nil, fault.Field("dealId", "must be a deal of the merchant")
		}
		in.MerchantID = input.Some(d.MerchantID)
	}
	create := t.Communication.Create().SetOccurredAt(t.At())
	if moment, given := in.OccurredAt.Get(); given {
		if err := t.RefuseFuture(moment.At(t.Zone())); err != nil {
			return nil, err
		}
	}
	if t.Actor.IsUser() {
		create.SetUserID(t.Actor.ID)
	}
	row, err := unit.Create(ctx, t, "communication", in, create.Mutation(), create.Save)
	if err == nil {
		t.Record("communication.create", "communication", row.ID, row.DealID, nil, row)
	}
	return row, err
}

// Update records how a call ended.
func (s Communications) Update(ctx context.Context, id int, in CommunicationUpdate) (*ent.Communication, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("communications"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Communication, error) {
		before, err := t.Communication.Query().Where(communication.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "communication")
		}
		reason := unit.Reference{Path: "dispositionReasonId", Record: "DispositionReason", ID: in.DispositionReasonID.Ptr()}
		if err := t.Require(ctx, reason); err != nil {
			return nil, err
		}
		if before.Channel != communication.ChannelCALL && in.DispositionReasonID.Given() {
			return nil, fault.Conflictf("A text message has no disposition.").
				With("dispositionReasonId", "can only be set for a call")
		}
		update := t.Communication.Update().Where(communication.ID(id))
		after, err := unit.Update(ctx, t, "communication", id, before, in, update.Mutation(), update.Save)
		if err == nil && after != before {
			t.Record("communication.update", "communication", id, before.DealID, before, after)
		}
		return after, err
	})
}

// DispositionReasonInput holds what a caller sets on a disposition reason.
type DispositionReasonInput struct {
	Name     input.Opt[string] `json:"name" check:"name" need:"create" example:"Left a voicemail"`
	Position input.Opt[int]    `json:"position" check:"gte=0,lte=10000" need:"value" doc:"Its position in the list; default: 0"`
	IsActive input.Opt[bool]   `json:"isActive" need:"value" doc:"Whether it is active; default: true"`
}

// NewDispositionReason describes a disposition reason to create.
type NewDispositionReason struct {
	Code input.Opt[string] `json:"code" check:"code" need:"create" doc:"Permanent code" example:"VOICEMAIL"`
	DispositionReasonInput
}

// DispositionReasons lists the company's reasons why calls end, in its order, including inactive ones.
func (s Communications) DispositionReasons(ctx context.Context) ([]*ent.DispositionReason, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("communications")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().DispositionReason.Query().
		Order(dispositionreason.ByPosition(), dispositionreason.ByID()).All(ctx)
}

// DispositionsByIDs returns the existing disposition reasons among ids, by id.
func (s Communications) DispositionsByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.DispositionReason, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().DispositionReason.Query())
}

// AddDispositionReason creates a disposition reason.
func (s Communications) AddDispositionReason(
	ctx context.Context, in NewDispositionReason,
) (*ent.DispositionReason, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.DispositionReason, error) {
		create := t.DispositionReason.Create()
		row, err := unit.Create(ctx, t, "dispositionReason", in, create.Mutation(), create.Save)
		return row, unit.Taken(err, "code", "disposition reason")
	})
}

// UpdateDispositionReason renames a disposition reason, moves it in the list, or turns it on or off.
func (s Communications) UpdateDispositionReason(
	ctx context.Context, id int, in DispositionReasonInput,
) (*ent.DispositionReason, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.DispositionReason, error) {
		before, err := t.DispositionReason.Query().Where(dispositionreason.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "disposition reason")
		}
		update := t.DispositionReason.Update().Where(dispositionreason.ID(id))
		return unit.Update(ctx, t, "dispositionReason", id, before, in, update.Mutation(), update.Save)
	})
}
