package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/deal"
)

// Submission is a deal submitted to one funder. The submission to the tenant's house funder is created with the
// deal.
type Submission struct{ ent.Schema }

func (Submission) Mixin() []ent.Mixin { return resource() }

func (Submission) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Int("funder_id").Immutable(),
			field.Int("status_id"),
			field.Time("status_changed_at"),
		},
		optTime("submitted_at", "declined_at"),
		reference("underwriter_id", "assigned_to_id", "delegated_to_id", "decline_reason_id"),
	)
}

func (Submission) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		parent("funder", Funder.Type),
		current("status", SubmissionStatus.Type),
		toOne("underwriter", User.Type),
		toOne("assigned_to", User.Type),
		toOne("delegated_to", User.Type),
		toOne("decline_reason", DeclineReason.Type),
		edge.From("approvals", Approval.Type).Ref("submission"),
	}
}

func (Submission) Indexes() []ent.Index {
	return append(sorted("submitted_at", "status_changed_at"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "funder_id", "id"),
		index.Fields("tenant_id", "status_id"))
}

// SubmissionStatus is a status of the tenant's pipeline. The tenant defines names, order and number; the
// product's behavior depends on the category only.
type SubmissionStatus struct{ ent.Schema }

func (SubmissionStatus) Mixin() []ent.Mixin { return record() }

func (SubmissionStatus) Annotations() []schemaAnnotation { return table("submission_statuses") }

func (SubmissionStatus) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Immutable().Comment("what events and rules call it: UNDER_REVIEW"),
		field.String("name").MaxRuneLen(200),
		field.Enum("category").GoType(deal.SubmissionCategory("")).Immutable(),
		field.Int("position").Default(0).Comment("a submission begins at the lowest OPEN one"),
		field.Bool("is_active").Default(true),
	}
}

func (SubmissionStatus) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "code").Unique()}
}

// DeclineReason is why a funder declined a deal.
type DeclineReason struct{ ent.Schema }

func (DeclineReason) Mixin() []ent.Mixin { return record() }

func (DeclineReason) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Immutable(),
		field.String("name").MaxRuneLen(200),
		field.Int("position").Default(0),
		field.Bool("is_active").Default(true),
	}
}

func (DeclineReason) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "code").Unique()}
}
