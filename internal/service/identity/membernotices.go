package identity

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// Kinds of notifications about a member's own account.
const (
	noticeInvited      = "user.invited"
	noticeReset        = "user.reset"
	noticePassword     = "user.password_set"
	noticeRole         = "user.role_changed"
	noticeSecondFactor = "user.second_factor_dropped"
	noticeEnabled      = "user.enabled"
)

// notifyMember notifies a member of a change to their account, unless they made the change themselves.
func notifyMember(ctx context.Context, t *unit.Tx, member *ent.User, n workspace.Notice) error {
	if t.Actor.IsUser() && t.Actor.ID == member.ID {
		return nil
	}
	_, err := workspace.NotifyMembers(ctx, t, []*ent.User{member}, n)
	return err
}

// actorName returns the name of the actor for messages to members of staff.
func actorName(t *unit.Tx) string {
	if t.Actor.Kind == auth.ByOperator {
		return "An operator of the installation"
	}
	return t.Actor.Name
}

const unexpectedHint = "If you did not expect this, contact your company's user administrators."

func invitedNotice(ctx context.Context, t *unit.Tx) (workspace.Notice, error) {
	company, err := t.Tenant.Get(ctx, t.Actor.TenantID)
	if err != nil {
		return workspace.Notice{}, err
	}
	return workspace.Notice{
		Kind: noticeInvited, Title: "You have an account at " + input.Truncate(company.Name, input.MaxName/2),
		Body: fmt.Sprintf("%s created an account for you on %s.", actorName(t), t.FormatTime(t.At())),
	}, nil
}

func resetNotice(t *unit.Tx) workspace.Notice {
	return workspace.Notice{
		Kind: noticeReset, Title: "A password reset was started for your account",
		Body: fmt.Sprintf("%s started a reset of your password on %s. Your password works until you choose a new one. %s",
			actorName(t), t.FormatTime(t.At()), unexpectedHint),
	}
}

func passwordNotice(t *unit.Tx) workspace.Notice {
	return workspace.Notice{
		Kind: noticePassword, Title: "Your password was changed",
		Body: fmt.Sprintf("%s set a new password for you on %s, which signed you out everywhere. %s",
			actorName(t), t.FormatTime(t.At()), unexpectedHint),
	}
}

func roleNotice(t *unit.Tx, role string) workspace.Notice {
	return workspace.Notice{
		Kind: noticeRole, Title: "Your role was changed",
		Body: fmt.Sprintf("%s changed your role to %s on %s. %s", actorName(t), role, t.FormatTime(t.At()), unexpectedHint),
	}
}

func secondFactorNotice(t *unit.Tx) workspace.Notice {
	return workspace.Notice{
		Kind: noticeSecondFactor, Title: "Your second factor was removed",
		Body: fmt.Sprintf("%s removed the second factor from your account on %s, which signed you out everywhere. "+
			"Set up a new one under your account. %s", actorName(t), t.FormatTime(t.At()), unexpectedHint),
	}
}

func enabledNotice(t *unit.Tx) workspace.Notice {
	return workspace.Notice{
		Kind: noticeEnabled, Title: "Your account was enabled again",
		Body: fmt.Sprintf("%s enabled your account on %s. You can sign in again.", actorName(t), t.FormatTime(t.At())),
	}
}
