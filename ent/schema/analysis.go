package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// StatementAnalysis is an analysis of the merchant's bank statements. A deal's analyses are numbered; a newer
// one is added and never replaces an older one.
type StatementAnalysis struct{ ent.Schema }

func (StatementAnalysis) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (StatementAnalysis) Annotations() []schemaAnnotation { return table("statement_analyses") }

func (StatementAnalysis) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Int("merchant_id").Immutable(),
			field.String("source").Immutable(),
			field.Int("version").Positive().Immutable(),
			field.Bool("altered").Default(false).Immutable().Comment("the statements look tampered with"),
			field.Time("received_at").Immutable(),
		},
		each([]string{"period_start", "period_end"}, func(n string) ent.Field {
			return field.Other(n, civil.Date{}).SchemaType(dateColumn).Optional().Nillable().Immutable()
		}),
		each([]string{
			"gross_deposits", "mca_deposits", "internal_transfers", "true_revenue_3m", "avg_monthly_true_revenue",
			"estimated_mca_monthly", "avg_daily_balance",
		}, func(n string) ent.Field {
			return field.Other(n, money.Amount{}).SchemaType(amountColumn).Optional().Nillable().Immutable()
		}),
		each([]string{"months_covered", "position_count", "nsf_count", "negative_days"}, func(n string) ent.Field {
			return field.Int(n).Optional().Nillable().Immutable()
		}),
		each([]string{"deposit_types", "positions", "altered_flags", "summary"}, func(n string) ent.Field {
			return field.JSON(n, json.RawMessage{}).Optional().Immutable()
		}),
		settledReference("key_id", "actor_id"),
	)
}

func (StatementAnalysis) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		parent("merchant", Merchant.Type),
		settled("key", APIKey.Type), // that delivered it
		settled("actor", User.Type), // or the user who delivered it
	}
}

func (StatementAnalysis) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "version").Unique(),
		index.Fields("tenant_id", "merchant_id"),
	}
}
