package identity

import (
	"context"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/accountaccess"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// recordAccess records that the acting member of staff had access to another member's account. It skips
// operators: they are outside the company and approve nothing there, and the audit trail records what they
// do.
func recordAccess(ctx context.Context, t *unit.Tx, userID int, kind accountaccess.Kind) error {
	if !t.Actor.IsUser() || t.Actor.ID == userID {
		return nil
	}
	row, err := t.AccountAccess.Create().SetUserID(userID).SetOpenedByID(t.Actor.ID).SetKind(kind).Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "accountAccess", row)
	}
	return err
}

// LiftAccess makes the members who had access to a member's account within auth.AccessWindow count as
// independent of that member again: all of them, or only openedBy. It returns the accesses that it lifted,
// with the people. Only an operator may call it: otherwise staff could lift their own restriction.
func (s Users) LiftAccess(ctx context.Context, id int, openedBy *int) ([]*ent.AccountAccess, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	if actor.Kind != auth.ByOperator {
		return nil, fault.New(fault.Forbidden, "Only an operator of the installation can lift this.")
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) ([]*ent.AccountAccess, error) {
		if _, err := lockMember(ctx, t, id); err != nil {
			return nil, err
		}
		which := t.AccountAccess.Query().Where(accountaccess.UserID(id), accountaccess.LiftedAtIsNil(),
			accountaccess.CreatedAtGT(t.At().Add(-auth.AccessWindow)), unit.Locked).Order(accountaccess.ByID())
		if openedBy != nil {
			which.Where(accountaccess.OpenedByID(*openedBy))
		}
		rows, err := which.All(ctx)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		t.Record("user.lift_access", "user", id, nil, nil, nil)
		var lifted []int
		err = unit.StoreAll(ctx, t, "accountAccess", rows, []input.Change{
			input.Set(accountaccess.FieldLiftedAt, t.At()), input.Set(accountaccess.FieldLiftedBy, actor.Name),
		}, func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			lifted = append(lifted, ids...)
			update := t.AccountAccess.Update().Where(accountaccess.IDIn(ids...))
			return update.Mutation(), update.Save
		})
		if err != nil {
			return nil, err
		}
		return t.AccountAccess.Query().Where(accountaccess.IDIn(lifted...)).WithUser().WithOpenedBy().
			Order(accountaccess.ByID()).All(ctx)
	})
}
