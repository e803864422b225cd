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

// NewCommunication is a call or a text message as somebody notes it.
type NewCommunication struct {
	Channel             input.Opt[communication.Channel]   `json:"channel" need:"create"`
	Direction           input.Opt[communication.Direction] `json:"direction" need:"create"`
	MerchantID          input.Opt[int]                     `json:"merchantId" check:"gte=1" doc:"Whom it was with; the deal's merchant unless given"`
	DealID              input.Opt[int]                     `json:"dealId" check:"gte=1" doc:"Deal that it was about"`
	FromAddr            input.Opt[string]                  `json:"fromAddr" check:"text" doc:"Number that it came from"`
	ToAddr              input.Opt[string]                  `json:"toAddr" check:"text" doc:"Number that it went to"`
	Body                input.Opt[string]                  `json:"body" check:"notes" doc:"What a text message says, or what was said in a call"`
	RecordingURL        input.Opt[string]                  `json:"recordingUrl" check:"web" doc:"Where a call can be heard again"`
	DurationSec         input.Opt[int]                     `json:"durationSec" check:"gte=0,lte=86400" doc:"How long a call took, in seconds"`
	DispositionReasonID input.Opt[int]                     `json:"dispositionReasonId" check:"gte=1" doc:"How a call ended"`
	OccurredAt          input.Opt[civil.Moment]            `json:"occurredAt" doc:"When it was; now unless given"`
}

// problems are what the fields demand of each other.
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
			problems = append(problems, fault.Detail{Path: f.name, Message: "is for calls alone"})
		}
	}
	return problems
}

// CommunicationUpdate is what is noted of a call afterwards.
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
		{Name: "merchantId", Column: communication.FieldMerchantID, Kind: list.IsID, Doc: "Only those with this merchant"},
		{Name: "dealId", Column: communication.FieldDealID, Kind: list.IsID, Doc: "Only those about this deal"},
		{
			Name: "channel", Column: communication.FieldChannel, Kind: list.IsEnum, Values: communication.Channel("").Values(),
			Doc: "Only those of this channel",
		},
	},
}

// List returns a page of them.
func (s Communications) List(ctx context.Context, req list.Request) (*list.Page[ent.Communication], error) {
	return list.Read(ctx, s.core, CommunicationListing, req, s.core.Store.Reader().Communication.Query())
}

// Log notes a call or a text message. Who notes it is the user of it where that is a member of staff.
func (s Communications) Log(ctx context.Context, in NewCommunication) (*ent.Communication, error) {
	if problems := input.MergeProblems(input.Check(in, input.ForCreate), in.problems()); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("communications"), func(ctx context.Context, t *unit.Tx) (*ent.Communication, error) {
		return logCommunication(ctx, t, in)
	})
}

func logCommunication(ctx context.Context, t *unit.Tx, in NewCommunication) (*ent.Communication, error) {
	if err := t.Require(ctx,
		unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
		unit.Reference{Path: "dispositionReasonId", Record: "DispositionReason", ID: in.DispositionReasonID.Ptr()}); err != nil {
		return nil, err
	}
	if !in.MerchantID.Given() && !in.DealID.Given() {
		return nil, fault.Field("merchantId", "name whom it was with: merchantId or dealId is required")
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

// Update notes how a call ended.
func (s Communications) Update(ctx context.Context, id int, in CommunicationUpdate) (*ent.Communication, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("communications"), func(ctx context.Context, t *unit.Tx) (*ent.Communication, error) {
		before, err := t.Communication.Query().Where(communication.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "communication")
		}
		if err := t.Require(ctx, unit.Reference{Path: "dispositionReasonId", Record: "DispositionReason", ID: in.DispositionReasonID.Ptr()}); err != nil {
			return nil, err
		}
		if before.Channel != communication.ChannelCALL && in.DispositionReasonID.Given() {
			return nil, fault.Conflictf("A text message does not end in any way.").With("dispositionReasonId", "is for calls alone")
		}
		update := t.Communication.Update().Where(communication.ID(id))
		after, err := unit.Update(ctx, t, "communication", id, before, in, update.Mutation(), update.Save)
		if err == nil && after != before {
			t.Record("communication.update", "communication", id, before.DealID, before, after)
		}
		return after, err
	})
}

// DispositionReasonInput is what somebody sets of a way for calls to end.
type DispositionReasonInput struct {
	Name     input.Opt[string] `json:"name" check:"name" need:"create" example:"Left a voicemail"`
	Position input.Opt[int]    `json:"position" check:"gte=0,lte=10000" need:"value" doc:"Its place in the list; 0 unless given"`
	IsActive input.Opt[bool]   `json:"isActive" need:"value" doc:"Whether it is offered; true unless given"`
}

// NewDispositionReason is a way for calls to end that is added to the company's list.
type NewDispositionReason struct {
	Code input.Opt[string] `json:"code" check:"code" need:"create" doc:"Names it for ever" example:"VOICEMAIL"`
	DispositionReasonInput
}

// DispositionReasons lists the ways for calls to end, in the company's order, those that are no longer offered among them.
func (s Communications) DispositionReasons(ctx context.Context) ([]*ent.DispositionReason, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("communications")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().DispositionReason.Query().
		Order(dispositionreason.ByPosition(), dispositionreason.ByID()).All(ctx)
}

// DispositionsByIDs returns those of the ways for calls to end that there are, by id.
func (s Communications) DispositionsByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.DispositionReason, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().DispositionReason.Query())
}

// AddDispositionReason adds a way for calls to end.
func (s Communications) AddDispositionReason(ctx context.Context, in NewDispositionReason) (*ent.DispositionReason, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.DispositionReason, error) {
		create := t.DispositionReason.Create()
		row, err := unit.Create(ctx, t, "dispositionReason", in, create.Mutation(), create.Save)
		return row, unit.Taken(err, "code", "disposition reason")
	})
}

// UpdateDispositionReason renames a way for calls to end, moves it in the list, or no longer offers it.
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
