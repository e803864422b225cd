package collections

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/collectionhold"
	"paydown/ent/deal"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// CollectionHolds is the aggregate of collection holds, which stop ACH debits of a deal until the cause is
// resolved. Returns open holds automatically (returns.go); staff place others. While a hold is active no debit
// is created, retried or submitted. Money may come by any other method, and the outcome of submitted debits is
// recorded as usual. The end of a hold schedules nothing.
type CollectionHolds struct{ core *unit.Core }

// NewCollectionHold is the input for placing a hold.
type NewCollectionHold struct {
	DealID input.Opt[int]          `json:"dealId" check:"gte=1" need:"create" doc:"Deal to put on hold; it must be FUNDED or DEFAULTED"`
	Note   input.Opt[string]       `json:"note" check:"notes" need:"create" doc:"Reason for the hold"`
	Until  input.Opt[civil.Moment] `json:"until" doc:"When the hold expires; without it, the hold lasts until it is released"`
}

// Place puts a deal on hold for a member of staff. A deal has one such hold at a time.
func (s CollectionHolds) Place(ctx context.Context, in NewCollectionHold) (*ent.CollectionHold, error) {
	actor, err := unit.RequireWriteScope(ctx, auth.Write("payments"))
	if err != nil {
		return nil, err
	}
	if !actor.IsUser() {
		return nil, fault.New(fault.Forbidden, "Only a member of staff can place a hold.")
	}
	problems := input.Check(in, input.ForCreate)
	if note, given := in.Note.Get(); given && note == "" {
		problems = input.MergeProblems(problems, []fault.Detail{{Path: "note", Message: "must not be empty"}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.CollectionHold, error) {
		if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}); err != nil {
			return nil, err
		}
		d, err := books.LockDeal(ctx, t, in.DealID.Or(0))
		if err != nil {
			return nil, err
		}
		if d.State != deal.Funded && d.State != deal.Defaulted {
			return nil, fault.Conflictf("The deal is %s: nothing is collected on it.", d.State).
				With("dealId", "must be FUNDED or DEFAULTED")
		}
		var until *time.Time
		if moment, given := in.Until.Get(); given {
			at := moment.At(t.Zone())
			if until = &at; !at.After(t.At()) {
				return nil, fault.Field("until", "must be in the future")
			}
		}
		there, err := holdFor(ctx, t, d.ID, payment.HoldStaff)
		if err != nil {
			return nil, err
		}
		if there != nil {
			return nil, fault.Conflictf("Staff have already put the deal on hold.").
				With("dealId", "is on hold: release collection hold %d first", there.ID)
		}
		created, err := t.CollectionHold.Create().SetDealID(d.ID).SetReason(payment.HoldStaff).SetNote(in.Note.Or("")).
			SetSince(t.At()).SetNillableUntil(until).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("collectionHold.create", "collectionHold", created.ID, &d.ID, nil, created)
		return created, nil
	})
}

// Release ends a hold. The note says how its cause was resolved: a new authorization, the merchant's consent.
// It needs the permission collections.release and the scope payments:write. Releasing a hold that has ended
// changes nothing.
func (s CollectionHolds) Release(ctx context.Context, id int, note string) (*ent.CollectionHold, error) {
	if _, err := unit.RequirePermission(ctx, auth.ReleaseCollections); err != nil {
		return nil, err
	}
	if message := input.Violation(note, "notes"); message != "" || note == "" {
		return nil, fault.Field("note",
			"must be 1 to 10000 characters, without control characters other than newline and tab")
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.CollectionHold, error) {
		dealID, err := t.CollectionHold.Query().Where(collectionhold.ID(id)).Select(collectionhold.FieldDealID).Int(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "collection hold")
		}
		if _, err := books.LockDeal(ctx, t, dealID); err != nil {
			return nil, err
		}
		before, err := t.CollectionHold.Query().Where(collectionhold.ID(id), unit.Locked).Only(ctx)
		if err != nil || !ActiveAt(before, t.At()) {
			return before, unit.NotFound(err, "collection hold")
		}
		after, err := endHold(ctx, t, before, t.At(), note)
		if err != nil {
			return nil, err
		}
		t.Record("collectionHold.update", "collectionHold", id, &dealID, before, after)
		return after, nil
	})
}

// OfDeals lists the holds of each deal, by its id: active ones first, then the latest.
func (s CollectionHolds) OfDeals(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.CollectionHold, error) {
	found, err := list.ReadOfEach(ctx, through, collectionhold.FieldDealID, ids,
		s.core.Store.Reader().CollectionHold.Query())
	now := s.core.Store.Now()
	for _, holds := range found {
		slices.SortFunc(holds, func(a, b *ent.CollectionHold) int {
			if active := ActiveAt(a, now); active != ActiveAt(b, now) {
				if active {
					return -1
				}
				return 1
			}
			return cmp.Compare(b.ID, a.ID)
		})
	}
	return found, err
}

// IsActive reports whether a hold is active now.
func (s CollectionHolds) IsActive(h *ent.CollectionHold) bool { return ActiveAt(h, s.core.Store.Now()) }

// ActiveAt reports whether a hold is active at an instant.
func ActiveAt(h *ent.CollectionHold, at time.Time) bool {
	return h.ReleasedAt == nil && (h.Until == nil || h.Until.After(at))
}

// endHold stores that the actor ended a hold.
func endHold(
	ctx context.Context, t *unit.Tx, h *ent.CollectionHold, at time.Time, note string, also ...input.Change,
) (*ent.CollectionHold, error) {
	changes := append([]input.Change{
		input.Set(collectionhold.FieldReleasedAt, at), input.Set(collectionhold.FieldReleaseNote, note),
		input.Set(collectionhold.FieldReleasedBy, t.Actor.Name),
	}, also...)
	if t.Actor.IsUser() {
		changes = append(changes, input.Set(collectionhold.FieldReleasedByUserID, t.Actor.ID))
	}
	update := t.CollectionHold.Update().Where(collectionhold.ID(h.ID))
	return unit.Store(ctx, t, h, changes, update.Mutation(), update.Save)
}

// holdFor returns the deal's active hold for a reason; nil if there is none. It ends a hold that has expired
// first, so that a new one can be opened. The deal is locked.
func holdFor(ctx context.Context, t *unit.Tx, dealID int, reason payment.HoldReason) (*ent.CollectionHold, error) {
	h, err := t.CollectionHold.Query().Where(collectionhold.DealID(dealID), collectionhold.ReasonEQ(reason),
		collectionhold.ReleasedAtIsNil(), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil || ActiveAt(h, t.At()) {
		return h, err
	}
	after, err := endHold(ctx, t, h, *h.Until, "The hold expired.")
	if err == nil {
		unit.AlsoUpdated(t, "collectionHold", h, after)
	}
	return nil, err
}

// OpenHold puts a deal on hold because of a returned payment, unless it is already on hold for that reason. It
// opens no hold that waits for another bank account if a newer account was verified since the debit.
func OpenHold(
	ctx context.Context, t *unit.Tx, d *ent.Deal, reason payment.HoldReason, code string, returned *ent.Payment,
) error {
	if there, err := holdFor(ctx, t, d.ID, reason); err != nil || there != nil {
		return err
	}
	create := t.CollectionHold.Create().SetDealID(d.ID).SetReason(reason).SetCode(code).
		SetSince(t.At()).SetPaymentID(returned.ID)
	if reason == payment.HoldAccount {
		account, err := debitedAccount(ctx, t, d, returned)
		if err != nil {
			return err
		}
		if over, err := replaced(ctx, t, d, account); err != nil || over {
			return err
		}
		if account != nil {
			create.SetBankAccountTokenID(account.ID)
		}
	}
	created, err := create.Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "collectionHold", created)
	}
	return err
}

// activeHolds matches holds that are active now.
func activeHolds(t *unit.Tx) []predicate.CollectionHold {
	return []predicate.CollectionHold{
		collectionhold.ReleasedAtIsNil(), collectionhold.Or(collectionhold.UntilIsNil(), collectionhold.UntilGT(t.At())),
	}
}

// OnHold reports whether a deal is on hold.
func OnHold(ctx context.Context, t *unit.Tx, dealID int) (bool, error) {
	return t.CollectionHold.Query().Where(collectionhold.DealID(dealID)).Where(activeHolds(t)...).Exist(ctx)
}

// RefuseNewOnHold is RefuseOnHold for a payment that is about to be created last. On PostgreSQL the holds are
// counted by the statement that stores the payment. The deal is locked.
func RefuseNewOnHold(ctx context.Context, t *unit.Tx, dealID int, path string) error {
	deferred, ok := t.DeferredZero(ctx, func(ctx context.Context) error { return RefuseOnHold(ctx, t, dealID, path) })
	if !ok {
		return RefuseOnHold(ctx, t, dealID, path)
	}
	_, err := t.CollectionHold.Query().Where(collectionhold.DealID(dealID)).Where(activeHolds(t)...).Count(deferred)
	return err
}

// RefuseOnHold rejects a debit on a deal on hold; path is the request field to name in the error.
func RefuseOnHold(ctx context.Context, t *unit.Tx, dealID int, path string) error {
	holds, err := t.CollectionHold.Query().Where(collectionhold.DealID(dealID)).Where(activeHolds(t)...).
		Order(collectionhold.ByID()).All(ctx)
	if err != nil || len(holds) == 0 {
		return err
	}
	names := make([]string, len(holds))
	for i, h := range holds {
		names[i] = holdName(h)
	}
	refused := fault.Conflictf("ACH debits of this deal are on hold: %s. Use another payment method.",
		strings.Join(names, ", "))
	for i, h := range holds {
		refused = refused.With(path, "asks for an ACH debit, but the deal has been on hold since %s, %s: %s",
			civil.On(h.Since, t.Zone()), names[i], h.Reason.Cure())
	}
	return refused
}

// holdName names a hold by its reason and its return code.
func holdName(h *ent.CollectionHold) string {
	if h.Code == nil {
		return string(h.Reason)
	}
	return fmt.Sprintf("%s (%s)", h.Reason, *h.Code)
}

// accountHolds matches the active holds that verifying an account resolves: those on its merchant's deals that
// may use it, if a different account was debited.
func accountHolds(t *unit.Tx, account *ent.BankAccountToken) []predicate.CollectionHold {
	of := []predicate.Deal{entdeal.TenantID(t.Actor.TenantID), entdeal.MerchantID(account.MerchantID)}
	if account.DealID != nil {
		of = append(of, entdeal.ID(*account.DealID))
	}
	return append(activeHolds(t), collectionhold.ReasonEQ(payment.HoldAccount), collectionhold.HasDealWith(of...),
		collectionhold.Or(collectionhold.BankAccountTokenIDIsNil(), collectionhold.BankAccountTokenIDNEQ(account.ID)))
}

// lockDealsToCure locks the deals whose holds verifying an account would end, before the account is locked.
func lockDealsToCure(ctx context.Context, t *unit.Tx, accountID int) error {
	account, err := t.BankAccountToken.Get(ctx, accountID)
	if err != nil {
		return unit.NotFound(err, "bank account")
	}
	ids, err := t.CollectionHold.Query().Where(accountHolds(t, account)...).Select(collectionhold.FieldDealID).Ints(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = t.Deal.Query().Where(entdeal.IDIn(ids...), unit.Locked).Order(entdeal.ByID()).All(ctx)
	return err
}

// isDebited reports whether account is the debited account that a hold is about, added again.
func isDebited(ctx context.Context, t *unit.Tx, h *ent.CollectionHold, account *ent.BankAccountToken) (bool, error) {
	if h.BankAccountTokenID == nil {
		return false, nil
	}
	debited, err := t.BankAccountToken.Get(ctx, *h.BankAccountTokenID)
	if err != nil {
		return false, err
	}
	return sameNumber(t, debited, account)
}

// cureByAccount ends the holds that wait for another bank account, after one was verified.
func cureByAccount(ctx context.Context, t *unit.Tx, account *ent.BankAccountToken) error {
	holds, err := t.CollectionHold.Query().Where(accountHolds(t, account)...).Where(unit.Locked).
		Order(collectionhold.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, h := range holds {
		same, err := isDebited(ctx, t, h, account)
		if err != nil {
			return err
		}
		if same {
			continue
		}
		after, err := endHold(ctx, t, h, t.At(), "Another bank account, ending in "+account.Last4+", was verified.",
			input.Set(collectionhold.FieldBankAccountTokenID, account.ID))
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "collectionHold", h, after)
	}
	return nil
}
