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

// administrator is the address of the demo's one member of staff, in both companies.
const administrator = "admin@demo.example"

// workingLogin makes a company's administrator, or gives the one of an earlier run a fresh password.
func workingLogin(ctx context.Context, s *service.Service, host string) (*Login, error) {
	ctx, err := s.Tenants.AsOperator(ctx, host)
	if err != nil {
		return nil, err
	}
	login := &Login{Email: administrator, Password: strings.ToLower(rand.Text())}
	member, err := s.Users.Find(ctx, administrator)
	if err == nil {
		_, err = s.Users.SetPassword(ctx, member.ID, login.Password)
		return login, err
	}
	if !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	role, err := s.Roles.Named(ctx, auth.Admin)
	if err != nil {
		return nil, err
	}
	_, err = s.Users.Create(ctx, service.UserInput{
		Email: service.Some(administrator), Name: service.Some("Demo administrator"), RoleID: service.Some(role.ID),
	}, login.Password)
	return login, err
}
