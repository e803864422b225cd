package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/underwriting"
)

// DecisionResult is the result of applying a policy to a deal at one moment: a recommendation with reasons. It
// never changes; the next decision is a new record.
type DecisionResult struct{ ent.Schema }

func (DecisionResult) Mixin() []ent.Mixin { return []ent.Mixin{owned{}, created{}, listedOnce{}} }

func (DecisionResult) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Enum("recommendation").GoType(underwriting.Recommendation("")).Immutable(),
			field.Int("score").Immutable(),
			field.Enum("category").GoType(underwriting.Category("")).Immutable(),
			field.JSON("flags", json.RawMessage{}).Immutable().Comment("by code: {severity, value, threshold, message}"),
			field.JSON("max_offer", json.RawMessage{}).Optional().Immutable(),
			field.JSON("metrics", json.RawMessage{}).Optional().Immutable(),
			field.JSON("contributions", json.RawMessage{}).Optional().Immutable().
				Comment("what each rule of the policy added to the score, in the policy's order"),
			field.Bytes("inputs_hash").Immutable().Comment("SHA-256 of all that the decision was made from"),
		},
		settledReference("policy_id", "statement_analysis_id"),
	)
}

func (DecisionResult) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		settled("policy", UnderwritingPolicy.Type),
		settled("statement_analysis", StatementAnalysis.Type),
	}
}

func (DecisionResult) Indexes() []ent.Index {
	return append(sorted("score"), index.Fields("tenant_id", "deal_id", "id"))
}

// UnderwritingPolicy is the tenant's underwriting rules: products, weights, bands, knock-outs and caps.
// Policies are versioned: an edit creates a new row, the highest version is current, and a decision names the
// one it used.
type UnderwritingPolicy struct{ ent.Schema }

func (UnderwritingPolicy) Mixin() []ent.Mixin { return fact() }

func (UnderwritingPolicy) Annotations() []schemaAnnotation { return table("underwriting_policies") }

func (UnderwritingPolicy) Fields() []ent.Field {
	return []ent.Field{
		field.Int("version").Positive().Immutable(),
		field.String("name").MaxRuneLen(200).Immutable(),
		field.JSON("rules", json.RawMessage{}).Immutable(),
	}
}

func (UnderwritingPolicy) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "version").Unique()}
}
