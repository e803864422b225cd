package service

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
)

// Disbursements are the advances on their way to merchants. The ledger has the money as paid out since the funding; one
// whose transfer fails or is called off takes it back into cash, until it is sent again.
type Disbursements struct{ *core }

// TransferInput says what became of the transfer of a disbursement.
type TransferInput struct {
	Status             Opt[disbursement.Status] `json:"status" need:"create" column:"-" doc:"SENT, SETTLED, FAILED, or CANCELLED before it was sent"`
	ExternalTransferID Opt[string]              `json:"externalTransferId" check:"text" doc:"What the bank or processor calls the transfer"`
	ReferenceID        Opt[string]              `json:"referenceId" check:"text" doc:"The caller's own reference"`
	FailureReason      Opt[string]              `json:"failureReason" check:"text" doc:"Needed by FAILED"`
	Method             Opt[payment.Method]      `json:"method" need:"value" doc:"How the money is sent"`
}

// OfDeals lists the disbursements of each of the deals, oldest first.
func (s Disbursements) OfDeals(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.Disbursement, error) {
	return listOfEach(ctx, through, disbursement.FieldDealID, ids, s.store.Reader().Disbursement.Query())
}

// Move notes what became of a disbursement's transfer. The status that it has already is a quiet no-op.
func (s Disbursements) Move(ctx context.Context, id int, in TransferInput) (*ent.Disbursement, error) {
	problems := Check(in, ForCreate)
	to := in.Status.Or("")
	if to == disbursement.StatusFAILED && in.FailureReason.Or("") == "" {
		problems = mergeProblems(problems, []fault.Detail{{Path: "failureReason", Message: "is required by FAILED"}})
	}
	if to != disbursement.StatusFAILED && in.FailureReason.Given() {
		problems = mergeProblems(problems, []fault.Detail{{Path: "failureReason", Message: "is for FAILED alone"}})
	}
	if in.Method.Or("") == payment.Offset {
		problems = mergeProblems(problems, []fault.Detail{{Path: "method", Message: "must not be OFFSET: an advance is money that moves"}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.Disbursement, error) {
		before, err := t.lockDisbursement(ctx, id)
		if err != nil {
			return nil, err
		}
		changes := columnsOf(in, before, t.zone())
		if to != before.Status {
			if err := deal.Transfers.Check("disbursement", string(before.Status), string(to)); err != nil {
				return nil, err
			}
			changes = append(changes, columnChange{disbursement.FieldStatus, to})
			changes = append(changes, t.transferred(before, to)...)
			if err := t.bookTransfer(ctx, before, to); err != nil {
				return nil, err
			}
		}
		if len(changes) == 0 {
			return before, nil
		}
		update := t.Disbursement.Update().Where(disbursement.ID(id))
		after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
		if err == nil {
			t.record("disbursement.update", "disbursement", id, &before.DealID, before, after)
		}
		return after, err
	})
}

// lockDisbursement finds a disbursement and its deal, and locks both.
func (t *tx) lockDisbursement(ctx context.Context, id int) (*ent.Disbursement, error) {
	dealID, err := t.Disbursement.Query().Where(disbursement.ID(id)).Select(disbursement.FieldDealID).Int(ctx)
	if err != nil {
		return nil, missing(err, "disbursement")
	}
	if _, err := t.lockDeal(ctx, dealID); err != nil {
		return nil, err
	}
	row, err := t.Disbursement.Query().Where(disbursement.ID(id), locked).Only(ctx)
	return row, missing(err, "disbursement")
}

// bookTransfer books what a move of a disbursement means for cash: it comes back when the transfer fails or is called off,
// and goes out once more when it is sent again.
func (t *tx) bookTransfer(ctx context.Context, before *ent.Disbursement, to disbursement.Status) error {
	book := ledger.FailDisbursement
	switch {
	case before.Status == disbursement.StatusFAILED && to == disbursement.StatusSENT:
		book = ledger.ResendDisbursement
	case before.Status == disbursement.StatusFAILED:
		return nil // it came back when it failed
	case to != disbursement.StatusFAILED && to != disbursement.StatusCANCELLED:
		return nil
	}
	entries, err := book(before.Amount)
	if err != nil {
		return err
	}
	return t.post(ctx, posting{deal: &before.DealID, disbursement: &before.ID, entries: entries})
}

// transferred are the columns that a move of a disbursement sets by itself.
func (t *tx) transferred(before *ent.Disbursement, to disbursement.Status) []columnChange {
	switch to {
	case disbursement.StatusSENT:
		changes := []columnChange{{disbursement.FieldSentAt, t.At()}}
		if before.Status == disbursement.StatusFAILED {
			changes = append(changes, columnChange{disbursement.FieldFailedAt, nil}, columnChange{disbursement.FieldFailureReason, nil})
		}
		return changes
	case disbursement.StatusSETTLED:
		return []columnChange{{disbursement.FieldSettledAt, t.At()}}
	case disbursement.StatusFAILED:
		changes := []columnChange{{disbursement.FieldFailedAt, t.At()}}
		if before.SettledAt != nil {
			changes = append(changes, columnChange{disbursement.FieldSettledAt, nil})
		}
		return changes
	default:
		return nil
	}
}

// disburse notes that an amount is to be sent to the merchant of a deal, to the account that was verified last: one of the
// deal's own, or of the merchant's for all deals. Nothing is noted where nothing is to be sent.
func (t *tx) disburse(ctx context.Context, d *ent.Deal, amount money.Amount, drawID *int) error {
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
		Order(bankaccounttoken.ByVerifiedAt(descending()), bankaccounttoken.ByID(descending())).First(ctx)
	switch {
	case err == nil:
		create.SetBankAccountTokenID(account.ID)
	case !ent.IsNotFound(err):
		return err
	}
	made, err := create.Save(ctx)
	if err == nil {
		alsoMade(t, "disbursement", made)
	}
	return err
}
