package adminctl

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"paydown/rpc/adminv1"
)

type usersCmd struct {
	List             usersListCmd    `cmd:"" help:"List the members of staff."`
	Get              usersGetCmd     `cmd:"" help:"Show a member."`
	Create           usersCreateCmd  `cmd:"" help:"Create a member. A link to choose a password is mailed to them, or the token is printed once if the server sends no mail."`
	Edit             usersEditCmd    `cmd:"" help:"Change a member's name or role."`
	Reset            usersResetCmd   `cmd:"" help:"Let a member choose a new password. The link is mailed to them, or the token is printed once if the server sends no mail."`
	DropSecondFactor usersDropCmd    `cmd:"" help:"Remove the second factor of a member who has lost it."`
	Disable          usersDisableCmd `cmd:"" help:"End a member's sessions and prevent them from signing in."`
	Enable           usersEnableCmd  `cmd:"" help:"Let a disabled member sign in again."`
	LiftAccess       usersLiftCmd    `cmd:"" help:"Let a member and those who had access to their account approve each other's work before the 30 days have passed."`
	Roles            usersRolesCmd   `cmd:"" help:"List the roles and their permissions."`
}

// member identifies a member.
type member struct {
	Member string `arg:"" name:"id-or-email" help:"Id or address of the member."`
}

// find returns the id of the member.
func (m member) find(ctx context.Context, s *session) (uint32, error) {
	if id, err := strconv.ParseUint(m.Member, 10, 32); err == nil {
		return uint32(id), nil
	}
	answer, err := s.users.GetUser(ctx, &adminv1.GetUserRequest{Tenant: s.tenant, Email: m.Member})
	if err != nil {
		return 0, s.problem(ctx, err)
	}
	return answer.GetUser().GetId(), nil
}

// open returns a session and the id of the member.
func (m member) open(ctx context.Context, env *Env, c *Company) (s *session, id uint32, err error) {
	if s, err = c.open(ctx, env); err != nil {
		return nil, 0, err
	}
	id, err = m.find(ctx, s)
	return s, id, err
}

// password is the flag for reading a password. It is never a flag's value, which others on the machine could
// see.
type password struct {
	PasswordStdin bool `env:"-" help:"Read the password from standard input, a single line; only on the machine that has the database. Otherwise the member chooses one with a link, which is mailed to them, or with a token, which is printed once if there is no mail server."`
}

// read returns the password, or "" without the flag.
func (p password) read(from io.Reader) (string, error) {
	if !p.PasswordStdin {
		return "", nil
	}
	line, err := readLine(from)
	if line = strings.TrimRight(line, "\r"); err != nil || line == "" {
		return "", usageError("--password-stdin: no password on standard input")
	}
	return line, nil
}

func userRows(t *table, users []*adminv1.User) {
	t.row("ID", "EMAIL", "NAME", "ROLE", "ACTIVE", "SECOND FACTOR", "PASSWORD", "LAST SIGN-IN", "CREATED")
	for _, u := range users {
		t.row(u.GetId(), u.GetEmail(), u.GetName(), u.GetRole(), u.GetIsActive(), u.GetHasSecondFactor(), u.GetHasPassword(),
			u.GetLastLoginAt(), u.GetCreatedAt())
	}
}

type usersListCmd struct {
	Company
	paging `embed:"" set:"limit=0"`
}

// Run lists the members.
func (cmd *usersListCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	all, next, err := pages(&cmd.paging, func(limit uint32, cursor string) ([]*adminv1.User, string, error) {
		answer, err := s.users.ListUsers(ctx, &adminv1.ListUsersRequest{Tenant: s.tenant, Limit: limit, Cursor: cursor})
		return answer.GetUsers(), answer.GetNextCursor(), err
	})
	defer s.more(next)
	return s.tell(ctx, &adminv1.ListUsersResponse{Users: all, NextCursor: next}, err, func(t *table) { userRows(t, all) })
}

type usersGetCmd struct {
	Company
	member
}

// Run shows the member.
func (cmd *usersGetCmd) Run(ctx context.Context, env *Env) error {
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	answer, err := s.users.GetUser(ctx, &adminv1.GetUserRequest{Tenant: s.tenant, Id: id})
	return s.tell(ctx, answer, err, func(t *table) { userRows(t, []*adminv1.User{answer.GetUser()}) })
}

// roleID returns the id of a role given by id, code or name.
func (s *session) roleID(ctx context.Context, given string) (uint32, error) {
	if id, err := strconv.ParseUint(given, 10, 32); err == nil {
		return uint32(id), nil
	}
	answer, err := s.users.ListRoles(ctx, &adminv1.ListRolesRequest{Tenant: s.tenant})
	if err != nil {
		return 0, s.problem(ctx, err)
	}
	var there []string
	for _, r := range answer.GetRoles() {
		if strings.EqualFold(r.GetCode(), given) || strings.EqualFold(r.GetName(), given) {
			return r.GetId(), nil
		}
		there = append(there, cmp.Or(r.GetCode(), r.GetName()))
	}
	return 0, usageError("%s has no role %q; it has %s", s.tenant, given, plain(strings.Join(there, ", ")))
}

type usersCreateCmd struct {
	Company
	Email string `required:"" help:"Address that the member signs in with."`
	Role  string `required:"" help:"Id, code or name of the member's role, such as admin."`
	Name  string `help:"Name of the member. Default: the address."`
	password
}

// Run creates the member.
func (cmd *usersCreateCmd) Run(ctx context.Context, env *Env) error {
	password, err := cmd.read(env.In)
	if err != nil {
		return err
	}
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	role, err := s.roleID(ctx, cmd.Role)
	if err != nil {
		return err
	}
	answer, err := s.users.CreateUser(ctx, &adminv1.CreateUserRequest{
		Tenant: s.tenant, Email: cmd.Email, Name: cmd.Name, RoleId: role, Password: password,
	})
	user := answer.GetUser()
	member := fmt.Sprintf("User %d, %s, can sign in at %s as %s. ",
		user.GetId(), plain(user.GetEmail()), s.tenant, plain(user.GetRole()))
	return s.opened(ctx, answer, err, member)
}

// opened prints a token for choosing a password. If the token was mailed, standard output stays empty, and
// standard error names the recipient.
func (s *session) opened(ctx context.Context, answer interface {
	proto.Message
	GetToken() string
	GetMailedTo() string
	GetExpiresAt() *timestamppb.Timestamp
}, err error, words string,
) error {
	if err == nil && !s.json && answer.GetExpiresAt() == nil { // they already have a password
		_, err := fmt.Fprintln(s.Err, strings.TrimSpace(words))
		return err
	}
	if err == nil && !s.json && answer.GetMailedTo() != "" {
		_, err := fmt.Fprintf(s.Err, "%sThe link to choose a password was mailed to %s. It works once, until %s.\n",
			words, plain(answer.GetMailedTo()), when(answer.GetExpiresAt()))
		return err
	}
	return s.issued(ctx, answer, err, answer.GetToken(), words+
		"With this token, which is shown only once, they can choose a password until "+when(answer.GetExpiresAt())+":")
}

type usersEditCmd struct {
	Company
	member
	Name *string `help:"Name of the member."`
	Role *string `help:"Id, code or name of the member's role."`
}

// Run edits the member.
func (cmd *usersEditCmd) Run(ctx context.Context, env *Env) error {
	if cmd.Name == nil && cmd.Role == nil {
		return noFlagsGiven()
	}
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	req := &adminv1.UpdateUserRequest{Tenant: s.tenant, Id: id, Name: cmd.Name}
	if cmd.Role != nil {
		role, err := s.roleID(ctx, *cmd.Role)
		if err != nil {
			return err
		}
		req.RoleId = &role
	}
	answer, err := s.users.UpdateUser(ctx, req)
	return s.tell(ctx, answer, err, func(t *table) { userRows(t, []*adminv1.User{answer.GetUser()}) })
}

type usersResetCmd struct {
	Company
	member
	password
	SecondFactor bool `help:"Also remove the second factor, for a member who has lost it."`
	sure
}

// Run creates the token, or sets the password.
func (cmd *usersResetCmd) Run(ctx context.Context, env *Env) error {
	password, err := cmd.read(env.In)
	if err != nil {
		return err
	}
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	if cmd.SecondFactor {
		if _, err := s.dropSecondFactor(ctx, cmd.sure, id); err != nil {
			return s.problem(ctx, err)
		}
	}
	answer, err := s.users.ResetPassword(ctx, &adminv1.ResetPasswordRequest{Tenant: s.tenant, Id: id, Password: password})
	words := fmt.Sprintf("User %d can choose a new password. ", id)
	if password != "" {
		words = fmt.Sprintf("User %d has a new password; all sessions have ended.", id)
	}
	return s.opened(ctx, answer, err, words)
}

type usersDropCmd struct {
	Company
	member
	sure
}

// Run removes the second factor.
func (cmd *usersDropCmd) Run(ctx context.Context, env *Env) error {
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	answer, err := s.dropSecondFactor(ctx, cmd.sure, id)
	return s.tell(ctx, answer, err, func(t *table) { userRows(t, []*adminv1.User{answer.GetUser()}) })
}

// dropSecondFactor removes a member's second factor after confirmation.
func (s *session) dropSecondFactor(
	ctx context.Context, given sure, id uint32,
) (*adminv1.DropSecondFactorResponse, error) {
	err := s.confirm(given, "Remove the second factor of user %d of %s? They can then sign in with their password alone.",
		id, s.tenant)
	if err != nil {
		return nil, err
	}
	return s.users.DropSecondFactor(ctx, &adminv1.DropSecondFactorRequest{Tenant: s.tenant, Id: id})
}

type usersDisableCmd struct {
	Company
	member
	sure
}

// Run disables the member.
func (cmd *usersDisableCmd) Run(ctx context.Context, env *Env) error {
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	if err := s.confirm(cmd.sure, "Disable user %d of %s? Their sessions end immediately.", id, s.tenant); err != nil {
		return err
	}
	answer, err := s.users.DisableUser(ctx, &adminv1.DisableUserRequest{Tenant: s.tenant, Id: id})
	return s.tell(ctx, answer, err, func(t *table) { userRows(t, []*adminv1.User{answer.GetUser()}) })
}

type usersEnableCmd struct {
	Company
	member
}

// Run enables the member.
func (cmd *usersEnableCmd) Run(ctx context.Context, env *Env) error {
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	answer, err := s.users.EnableUser(ctx, &adminv1.EnableUserRequest{Tenant: s.tenant, Id: id})
	return s.tell(ctx, answer, err, func(t *table) { userRows(t, []*adminv1.User{answer.GetUser()}) })
}

type usersLiftCmd struct {
	Company
	member
	OpenedBy *uint32 `placeholder:"ID" help:"Only the access of this member. Default: all access."`
	sure
}

// Run lifts the access.
func (cmd *usersLiftCmd) Run(ctx context.Context, env *Env) error {
	s, id, err := cmd.member.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	const question = "Let user %d of %s and those who had access to the account approve each other's work?"
	if err := s.confirm(cmd.sure, question, id, s.tenant); err != nil {
		return err
	}
	answer, err := s.users.LiftAccountAccess(ctx, &adminv1.LiftAccountAccessRequest{
		Tenant: s.tenant, Id: id, OpenedById: cmd.OpenedBy,
	})
	return s.tell(ctx, answer, err, func(t *table) {
		t.row("ACCOUNT", "ACCESS BY", "KIND", "DATE")
		for _, a := range answer.GetLifted() {
			t.row(a.GetUser(), a.GetOpenedBy(), a.GetKind(), a.GetCreatedAt())
		}
	})
}

type usersRolesCmd struct{ Company }

// Run lists the roles.
func (cmd *usersRolesCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.users.ListRoles(ctx, &adminv1.ListRolesRequest{Tenant: s.tenant})
	return s.tell(ctx, answer, err, func(t *table) {
		t.row("ID", "CODE", "NAME", "PERMISSIONS")
		for _, r := range answer.GetRoles() {
			t.row(r.GetId(), r.GetCode(), r.GetName(), r.GetPermissions())
		}
	})
}
