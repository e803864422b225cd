package service

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/internal/auth"
)

// Kinds of what members of staff are told about their own accounts.
const (
	noticeInvited      = "user.invited"
	noticeReset        = "user.reset"
	noticePassword     = "user.password_set"
	noticeRole         = "user.role_changed"
	noticeSecondFactor = "user.second_factor_dropped"
	noticeEnabled      = "user.enabled"
)

// tellMember tells a member of something that was done to their account. Nobody is told what they did themselves.
func (t *tx) tellMember(ctx context.Context, member *ent.User, n notice) error {
	if t.actor.IsUser() && t.actor.ID == member.ID {
		return nil
	}
	_, err := t.tell(ctx, []*ent.User{member}, n)
	return err
}

// doer is the actor, in words that a member of staff knows.
func (t *tx) doer() string {
	if t.actor.Kind == auth.ByOperator {
		return "An operator of the installation"
	}
	return t.actor.Name
}

const notYou = "If this surprises you, tell the people who look after users at your company."

func (t *tx) invitedNotice(ctx context.Context) (notice, error) {
	company, err := t.Tenant.Get(ctx, t.actor.TenantID)
	if err != nil {
		return notice{}, err
	}
	return notice{
		kind: noticeInvited, title: "You have an account at " + firstCharacters(company.Name, maxName/2),
		body: fmt.Sprintf("%s created an account for you on %s.", t.doer(), t.spoken(t.At())),
	}, nil
}

func (t *tx) resetNotice() notice {
	return notice{
		kind: noticeReset, title: "A password reset was started for your account",
		body: fmt.Sprintf("%s started a reset of your password on %s. Your password works until a new one is chosen. %s",
			t.doer(), t.spoken(t.At()), notYou),
	}
}

func (t *tx) passwordNotice() notice {
	return notice{
		kind: noticePassword, title: "Your password was changed",
		body: fmt.Sprintf("%s set a new password for you on %s, which signed you out everywhere. %s",
			t.doer(), t.spoken(t.At()), notYou),
	}
}

func (t *tx) roleNotice(role string) notice {
	return notice{
		kind: noticeRole, title: "Your role was changed",
		body: fmt.Sprintf("%s changed your role to %s on %s. %s", t.doer(), role, t.spoken(t.At()), notYou),
	}
}

func (t *tx) secondFactorNotice() notice {
	return notice{
		kind: noticeSecondFactor, title: "Your second factor was removed",
		body: fmt.Sprintf("%s removed the second factor from your account on %s, which signed you out everywhere. "+
			"Set up another under your account. %s", t.doer(), t.spoken(t.At()), notYou),
	}
}

func (t *tx) enabledNotice() notice {
	return notice{
		kind: noticeEnabled, title: "Your account was enabled again",
		body: fmt.Sprintf("%s enabled your account on %s. You can sign in again.", t.doer(), t.spoken(t.At())),
	}
}
