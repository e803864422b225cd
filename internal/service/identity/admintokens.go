package identity

import (
	"context"
	"fmt"
	"time"

	"paydown/ent"
	"paydown/ent/admintoken"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// AdminTokens let operators call the admin services for every tenant. Only commands that run on the database
// create and revoke them: no surface reaches these methods. A token belongs to no tenant, so no tenant's
// audit trail records its creation; actions taken with a token are recorded under its name.
type AdminTokens struct{ core *unit.Core }

// NewAdminToken describes a token to create.
type NewAdminToken struct {
	Name        string
	ExpiresDays int // 1 to MaxAdminTokenDays; 0: never expires
}

// MaxAdminTokenDays is the longest lifetime of a token that expires.
const MaxAdminTokenDays = 3650

// IssuedAdminToken is a new token with its record. The token is shown only once.
type IssuedAdminToken struct {
	*ent.AdminToken
	Token string
}

// Create creates a token.
func (s AdminTokens) Create(ctx context.Context, in NewAdminToken) (*IssuedAdminToken, error) {
	var problems []fault.Detail
	if message := input.Violation(in.Name, "name"); message != "" {
		problems = append(problems, fault.Detail{Path: "name", Message: message})
	}
	if in.ExpiresDays < 0 || in.ExpiresDays > MaxAdminTokenDays {
		problems = append(problems, fault.Detail{
			Path: "expiresDays", Message: "must be 1 to 3650, or 0 for a token that never expires",
		})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	issued := &IssuedAdminToken{Token: auth.NewAdminToken()}
	err := s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		create := tx.AdminToken.Create().SetName(in.Name).SetTokenHash(auth.HashToken(issued.Token)).
			SetTokenLast4(issued.Token[len(issued.Token)-4:])
		if in.ExpiresDays > 0 {
			create.SetExpiresAt(tx.At().AddDate(0, 0, in.ExpiresDays))
		}
		var err error
		issued.AdminToken, err = create.Save(ctx)
		return err
	})
	return issued, err
}

// List returns all tokens, newest first.
func (s AdminTokens) List(ctx context.Context) ([]*ent.AdminToken, error) {
	return s.core.Store.Reader().AdminToken.Query().Order(admintoken.ByID(unit.Descending())).All(ctx)
}

// Revoke ends a token in every process from the next request on. It does nothing if the token is already
// revoked.
func (s AdminTokens) Revoke(ctx context.Context, id int) (*ent.AdminToken, error) {
	var row *ent.AdminToken
	err := s.core.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var err error
		row, err = tx.AdminToken.Query().Where(admintoken.ID(id), unit.Locked).Only(ctx)
		if err != nil || row.RevokedAt != nil {
			return unit.NotFound(err, "admin token")
		}
		row, err = tx.AdminToken.UpdateOne(row).SetRevokedAt(tx.At()).Save(ctx)
		return err
	})
	return row, err
}

// ValidAt reports whether a loaded token is valid at the given time.
func (AdminTokens) ValidAt(row *ent.AdminToken, now time.Time) bool {
	return row.RevokedAt == nil && !unit.Past(row.ExpiresAt, now)
}

var errAdminToken = fault.New(fault.Unauthorized, "The admin token is missing, invalid or expired.")

// Authenticate returns an operator that acts in no tenant yet. A missing, malformed, unknown, expired or
// revoked token gets the same error. Tokens are not cached, so a revocation takes effect at once.
func (s AdminTokens) Authenticate(
	ctx context.Context, token string, via auth.Surface, requestID string,
) (*auth.Actor, error) {
	if !auth.IsAdminToken(token) {
		return nil, errAdminToken
	}
	row, err := s.core.Store.Reader().AdminToken.Query().Where(admintoken.TokenHash(auth.HashToken(token))).Only(ctx)
	if ent.IsNotFound(err) || err == nil && !s.ValidAt(row, s.core.Store.Now()) {
		return nil, errAdminToken
	}
	if err != nil {
		return nil, err
	}
	return auth.NewOperator(row.Name, fmt.Sprint("token ", row.ID), via, requestID), nil
}
