package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/bankaccounttoken"
	"paydown/ent/disbursement"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Disbursements is the aggregate of disbursements: advances sent to merchants. The ledger shows the money as
// paid out from the funding on. A failed or canceled transfer puts it back into cash until it is sent again.
type Disbursements struct{ core *unit.Core }

// TransferInput is the input for recording what happened to a disbursement's transfer.
type TransferInput struct {
	Status             input.Opt[disbursement.Status] `json:"status" need:"create" column:"-" doc:"SENT, SETTLED, FAILED, or CANCELLED before it was sent"`
	ExternalTransferID input.Opt[string]              `json:"externalTransferId" check:"text" doc:"Transfer id at the bank or processor"`
	ReferenceID        input.Opt[string]              `json:"referenceId" check:"text" doc:"The caller's own reference"`
	FailureReason      input.Opt[string]              `json:"failureReason" check:"text" doc:"Required when status is FAILED"`
	Method             input.Opt[payment.Method]      `json:"method" need:"value" doc:"How the money is sent"`
}

// OfDeals lists the disbursements of each deal, oldest first.
func (s Disbursements) OfDeals(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.Disbursement, error) {
	return list.ReadOfEach(ctx, through, disbursement.FieldDealID, ids, s.core.Store.Reader().Disbursement.Query())
}

// Move records a disbursement's new status. Setting the current status again does nothing.
func (s Disbursements) Move(ctx context.Context, id int, in TransferInput) (*ent.Disbursement, error) {
	problems := input.Check(in, input.ForCreate)
	to := in.Status.Or("")
	if to == disbursement.StatusFAILED && in.FailureReason.Or("") == "" {
		problems = input.MergeProblems(problems, []fault.Detail{
			{Path: "failureReason", Message: "is required when status is FAILED"},
		})
	}
	if to != disbursement.StatusFAILED && in.FailureReason.Given() {
		problems = input.MergeProblems(problems, []fault.Detail{
			{Path: "failureReason", Message: "must only be set when status is FAILED"},
		})
	}
	if in.Method.Or("") == payment.Offset {
		problems = input.MergeProblems(problems, []fault.Detail{
			{Path: "method", Message: "must not be OFFSET: a disbursement moves money"},
		})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Disbursement, error) {
		before, err := lockDisbursement(ctx, t, id)
		if err != nil {
			return nil, err
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if to != before.Status {
			if err := deal.Transfers.Check("disbursement", string(before.Status), string(to)); err != nil {
				return nil, err
			}
			changes = append(changes, input.Set(disbursement.FieldStatus, to))
			changes = append(changes, transferColumns(t, before, to)...)
			if err := postTransfer(ctx, t, before, to); err != nil {
				return nil, err
			}
		}
		if len(changes) == 0 {
			return before, nil
		}
		update := t.Disbursement.Update().Where(disbursement.ID(id))
		after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
		if err == nil {
			t.Record("disbursement.update", "disbursement", id, &before.DealID, before, after)
		}
		return after, err
	})
}

// lockDisbursement finds and locks a disbursement and its deal.
func lockDisbursement(ctx context.Context, t *unit.Tx, id int) (*ent.Disbursement, error) {
	dealID, err := t.Disbursement.Query().Where(disbursement.ID(id)).Select(disbursement.FieldDealID).Int(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "disbursement")
	}
	if _, err := books.LockDeal(ctx, t, dealID); err != nil {
		return nil, err
	}
	row, err := t.Disbursement.Query().Where(disbursement.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "disbursement")
}

// postTransfer posts what a status change means for cash: a failed or canceled transfer puts the money back,
// and sending it again takes it out.
func postTransfer(ctx context.Context, t *unit.Tx, before *ent.Disbursement, to disbursement.Status) error {
	book := ledger.FailDisbursement
	switch {
	case before.Status == disbursement.StatusFAILED && to == disbursement.StatusSENT:
		book = ledger.ResendDisbursement
	case before.Status == disbursement.StatusFAILED:
		return nil // it was put back when the transfer failed
	case to != disbursement.StatusFAILED && to != disbursement.StatusCANCELLED:
		return nil
	}
	entries, err := book(before.Amount)
	if err != nil {
		return err
	}
	return books.Post(ctx, t, books.Posting{Deal: &before.DealID, Disbursement: &before.ID, Entries: entries})
}

// transferColumns returns the columns that a status change sets automatically.
func transferColumns(t *unit.Tx, before *ent.Disbursement, to disbursement.Status) []input.Change {
	switch to {
	case disbursement.StatusSENT:
		changes := []input.Change{input.Set(disbursement.FieldSentAt, t.At())}
		if before.Status == disbursement.StatusFAILED {
			changes = append(changes,
				input.Set(disbursement.FieldFailedAt, nil), input.Set(disbursement.FieldFailureReason, nil))
		}
		return changes
	case disbursement.StatusSETTLED:
		return []input.Change{input.Set(disbursement.FieldSettledAt, t.At())}
	case disbursement.StatusFAILED:
		changes := []input.Change{input.Set(disbursement.FieldFailedAt, t.At())}
		if before.SettledAt != nil {
			changes = append(changes, input.Set(disbursement.FieldSettledAt, nil))
		}
		return changes
	default:
		return nil
	}
}

// disburse creates a disbursement to the deal's merchant, to the account that was verified last: one of the
// deal's own, or one that the merchant uses for all deals. It does nothing if the amount is not positive.
func disburse(ctx context.Context, t *unit.Tx, d *ent.Deal, amount money.Amount, drawID *int) error {
	if amount.Sign() <= 0 {
		return nil
	}
	method := payment.ACH
	if d.WireFee != nil && d.WireFee.Sign() > 0 {
		method = payment.Wire
	}
	create := t.Disbursement.Create().SetDealID(d.ID).SetMethod(method).SetAmount(amount).SetNillableLocDrawID(drawID)
	account, err := t.BankAccountToken.Query().Where(bankaccounttoken.MerchantID(d.MerchantID),
		bankaccounttoken.StatusEQ(bankaccounttoken.StatusVERIFIED),
		bankaccounttoken.Or(bankaccounttoken.DealID(d.ID), bankaccounttoken.DealIDIsNil())).
		Order(bankaccounttoken.ByVerifiedAt(unit.Descending()), bankaccounttoken.ByID(unit.Descending())).First(ctx)
	switch {
	case err == nil:
		create.SetBankAccountTokenID(account.ID)
	case !ent.IsNotFound(err):
		return err
	}
	created, err := create.Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "disbursement", created)
	}
	return err
}
