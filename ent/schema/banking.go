package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/payment"
)

// BounceCode is a Nacha return code and what the tenant does about a payment returned with it.
type BounceCode struct{ ent.Schema }

func (BounceCode) Mixin() []ent.Mixin { return record() }

func (BounceCode) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Immutable().Comment("R01 to R85"),
		field.String("title").MaxRuneLen(200),
		field.Enum("action").GoType(payment.ReturnAction("")).Default(string(payment.Review)),
		field.Enum("return_class").GoType(payment.ReturnClass("")).Default(string(payment.OtherReturn)),
		field.Bool("retryable").Default(false),
		optAmount("fee"),
		field.Bool("is_active").Default(true),
	}
}

func (BounceCode) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "code").Unique()}
}

// BankAccountToken is a bank account of a merchant, for all of the merchant's deals or for one.
type BankAccountToken struct{ ent.Schema }

func (BankAccountToken) Mixin() []ent.Mixin { return record() }

func (BankAccountToken) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("merchant_id").Immutable(),
			field.String("last4").MaxRuneLen(4).Immutable(),
			field.Enum("account_type").Values("CHECKING", "SAVINGS").Default("CHECKING"),
			field.Bytes("token").Sensitive().
				Comment("sealed under the secret key: the processor's token, or the account number"),
			field.Enum("status").Values("UNVERIFIED", "VERIFIED", "REVOKED").Default("UNVERIFIED"),
		},
		text("bank_name", "holder_name", "routing_number"),
		optTime("verified_at", "revoked_at"),
		settledReference("deal_id"),
	)
}

func (BankAccountToken) Edges() []ent.Edge {
	return []ent.Edge{
		parent("merchant", Merchant.Type),
		settled("deal", Deal.Type),
	}
}

func (BankAccountToken) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "merchant_id", "status"),
		index.Fields("tenant_id", "deal_id", "status"),
	}
}

// Disbursement is the transfer of the net advance to the merchant.
type Disbursement struct{ ent.Schema }

func (Disbursement) Mixin() []ent.Mixin { return record() }

func (Disbursement) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Enum("method").GoType(payment.Method("")),
			amount("amount"),
			field.Enum("status").Values("PENDING", "SENT", "SETTLED", "FAILED", "CANCELLED").Default("PENDING"),
		},
		text("external_transfer_id", "reference_id", "failure_reason"),
		optTime("sent_at", "settled_at", "failed_at"),
		reference("bank_account_token_id"),
		settledReference("loc_draw_id"),
	)
}

func (Disbursement) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		toOne("bank_account_token", BankAccountToken.Type),
		settled("loc_draw", LocDraw.Type), // for the payout of a draw
	}
}

func (Disbursement) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "status", "id"),
		index.Fields("tenant_id", "external_transfer_id"),
	}
}
