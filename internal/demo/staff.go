package demo

import (
	"context"
	"crypto/rand"
	"strings"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// Login is what a member of staff can sign in with.
type Login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// colleague is a member of staff of both companies.
type colleague struct{ email, name, role string }

// What wants two people, such as approving a payout that one has made, the two do together.
var (
	administrator = colleague{"admin@demo.example", "Demo administrator", auth.Admin}
	accountant    = colleague{"accounting@demo.example", "Demo accountant", auth.Accounting}
)

// workingLogin makes a member of a company's staff, or gives the one of an earlier run a fresh password.
func workingLogin(ctx context.Context, s *service.Service, host string, who colleague) (*Login, error) {
	ctx, err := s.Tenants.AsOperator(ctx, host)
	if err != nil {
		return nil, err
	}
	login := &Login{Email: who.email, Password: strings.ToLower(rand.Text())}
	member, err := s.Users.Find(ctx, who.email)
	if err == nil {
		_, err = s.Users.SetPassword(ctx, member.ID, login.Password)
		return login, err
	}
	if !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	role, err := s.Roles.Named(ctx, who.role)
	if err != nil {
		return nil, err
	}
	_, err = s.Users.Create(ctx, service.UserInput{
		Email: service.Some(who.email), Name: service.Some(who.name), RoleID: service.Some(role.ID),
	}, login.Password)
	return login, err
}
