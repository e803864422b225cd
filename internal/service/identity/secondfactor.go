package identity

import (
	"context"
	"fmt"
	"slices"

	"paydown/ent"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Enrolment holds the setup data for an authenticator app. It is shown only once.
type Enrolment struct {
	Secret string // in base32, for manual entry
	URI    string // otpauth://…, for a QR code
}

// Confirmed is the result of activating a second factor: the session continues under a new token, and the
// recovery codes are shown only once.
type Confirmed struct {
	*SignedIn
	RecoveryCodes []string
}

// EnrolSecondFactor starts the setup of a second factor for the acting member. It takes effect when
// ConfirmSecondFactor proves that the authenticator works. Another enrolment before that replaces this one.
func (s Sessions) EnrolSecondFactor(
	ctx context.Context, host *TenantEntry, password string, from Origin,
) (*Enrolment, error) {
	actor, err := s.ownAccount(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.provePassword(ctx, host, actor, "password", password, from); err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*Enrolment, error) {
		before, err := lockMember(ctx, t, actor.ID)
		if err != nil {
			return nil, err
		}
		if before.TotpConfirmedAt != nil {
			return nil, fault.Conflictf("You already have a second factor. Turn it off before you set up another.")
		}
		secret := auth.NewCodeSecret()
		sealed := t.Core.Secrets.Seal([]byte(secret), CodeSecretOf(before.ID))
		_, err = changeMember(ctx, t, "user.enrol_second_factor", before,
			[]input.Change{input.Set(user.FieldTotpSecret, sealed)})
		return &Enrolment{Secret: secret, URI: auth.CodeURI(secret, host.Name, before.Email)}, err
	})
}

// CodeSecretOf returns the context that the sealed secret is bound to.
func CodeSecretOf(userID int) string { return fmt.Sprintf("user %d totp", userID) }

// ConfirmSecondFactor activates the enrolled second factor with a code from the authenticator. It ends all
// other sessions of the member, because they began without the second factor.
func (s Sessions) ConfirmSecondFactor(ctx context.Context, code string, from Origin) (*Confirmed, error) {
	actor, err := s.ownAccount(ctx)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*Confirmed, error) {
		before, err := lockMember(ctx, t, actor.ID)
		if err != nil {
			return nil, err
		}
		if before.TotpConfirmedAt != nil || len(before.TotpSecret) == 0 {
			return nil, fault.Conflictf("There is no second factor to confirm. Enrol one first.")
		}
		step, good, err := matchCode(t, before, code)
		if err != nil {
			return nil, err
		}
		if !good {
			return nil, fault.Field("code", "must be the code that the authenticator shows now; check its clock")
		}
		codes, hashes := newRecovery()
		after, err := changeMember(ctx, t, "user.confirm_second_factor", before, []input.Change{
			input.Set(user.FieldTotpConfirmedAt, t.At()), input.Set(user.FieldTotpLastStep, step),
			input.Set(user.FieldRecoveryHashes, hashes),
		})
		if err != nil {
			return nil, err
		}
		at := t.At()
		in, err := renew(ctx, t, after, &at, from)
		return &Confirmed{SignedIn: in, RecoveryCodes: codes}, err
	})
}

// RenewRecoveryCodes replaces the acting member's recovery codes. The new codes are shown only once.
func (s Sessions) RenewRecoveryCodes(
	ctx context.Context, host *TenantEntry, password string, from Origin,
) ([]string, error) {
	actor, err := s.ownAccount(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.provePassword(ctx, host, actor, "password", password, from); err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) ([]string, error) {
		before, err := lockMember(ctx, t, actor.ID)
		if err != nil {
			return nil, err
		}
		if before.TotpConfirmedAt == nil {
			return nil, fault.Conflictf("You have no second factor.")
		}
		codes, hashes := newRecovery()
		_, err = changeMember(ctx, t, "user.renew_recovery_codes", before,
			[]input.Change{input.Set(user.FieldRecoveryHashes, hashes)})
		return codes, err
	})
}

// DisableSecondFactor removes the acting member's second factor.
func (s Sessions) DisableSecondFactor(ctx context.Context, host *TenantEntry, password string, from Origin) error {
	actor, err := s.ownAccount(ctx)
	if err != nil {
		return err
	}
	if err := s.provePassword(ctx, host, actor, "password", password, from); err != nil {
		return err
	}
	_, err = unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.User, error) {
		before, err := lockMember(ctx, t, actor.ID)
		if err != nil || len(before.TotpSecret) == 0 {
			return before, err
		}
		return dropSecondFactor(ctx, t, before)
	})
	return err
}

// dropSecondFactor removes the second factor of a locked member.
func dropSecondFactor(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
	return changeMember(ctx, t, "user.drop_second_factor", before, []input.Change{
		input.Set(user.FieldTotpSecret, nil),
		input.Set(user.FieldTotpConfirmedAt, nil),
		input.Set(user.FieldTotpLastStep, nil),
		input.Set(user.FieldRecoveryHashes, nil),
	})
}

func newRecovery() (codes, hashes []string) {
	codes = auth.NewRecoveryCodes()
	hashes = make([]string, len(codes))
	for i, code := range codes {
		hashes[i] = auth.HashRecoveryCode(code)
	}
	return codes, hashes
}

// matchCode checks an authenticator code of a locked member.
func matchCode(t *unit.Tx, member *ent.User, code string) (step int64, good bool, err error) {
	secret, err := t.Core.Secrets.Unseal(member.TotpSecret, CodeSecretOf(member.ID))
	if err != nil {
		return 0, false, fmt.Errorf("unseal the second factor of user %d: %w", member.ID, err)
	}
	last := int64(0)
	if member.TotpLastStep != nil {
		last = *member.TotpLastStep
	}
	return auth.MatchCode(string(secret), code, t.At(), last)
}

// useCode reports whether an authenticator code or a recovery code is valid, and invalidates it. The member
// must be locked, so that of two concurrent uses only one succeeds.
func useCode(ctx context.Context, t *unit.Tx, member *ent.User, code string) (bool, error) {
	if member.TotpConfirmedAt == nil {
		return false, nil
	}
	step, good, err := matchCode(t, member, code)
	if err != nil {
		return false, err
	}
	if good {
		return true, t.User.Update().Where(user.ID(member.ID)).SetTotpLastStep(step).Exec(ctx)
	}
	i := slices.Index(member.RecoveryHashes, auth.HashRecoveryCode(code))
	if i < 0 {
		return false, nil
	}
	left := slices.Delete(slices.Clone(member.RecoveryHashes), i, i+1)
	return true, t.User.Update().Where(user.ID(member.ID)).SetRecoveryHashes(left).Exec(ctx)
}
