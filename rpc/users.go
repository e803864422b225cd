package rpc

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
)

type users struct{ service *service.Service }

func userView(u *ent.User) *adminv1.User {
	view := &adminv1.User{
		Id: number(u.ID), Email: u.Email, Name: u.Name, RoleId: number(u.RoleID), IsActive: u.IsActive,
		HasSecondFactor: len(u.TotpSecret) > 0, CreatedAt: at(u.CreatedAt), UpdatedAt: at(u.UpdatedAt),
		HasPassword: u.PasswordHash != nil, LastLoginAt: optAt(u.LastLoginAt),
	}
	if role := u.Edges.Role; role != nil {
		view.Role = role.Name
	}
	return view
}

func roleView(r *ent.Role) *adminv1.Role {
	return &adminv1.Role{Id: number(r.ID), Code: r.Code, Name: r.Name, Permissions: r.Permissions}
}

func (h users) ListUsers(ctx context.Context, req *adminv1.ListUsersRequest) (*adminv1.ListUsersResponse, error) {
	page, err := h.service.Users.List(ctx, pageOf(req.GetLimit(), req.GetCursor()))
	if err != nil {
		return nil, err
	}
	return &adminv1.ListUsersResponse{Users: viewed(page.Records, userView), NextCursor: page.NextCursor}, nil
}

// current returns a member with the role after a change.
func (h users) current(ctx context.Context, id uint32, err error) (*adminv1.User, error) {
	if err != nil {
		return nil, err
	}
	row, err := h.service.Users.Get(ctx, int(id))
	if err != nil {
		return nil, err
	}
	return userView(row), nil
}

func (h users) GetUser(ctx context.Context, req *adminv1.GetUserRequest) (*adminv1.GetUserResponse, error) {
	if (req.GetId() == 0) == (req.GetEmail() == "") {
		return nil, fault.Field("id", "is required, unless email names the member")
	}
	named := req.GetEmail()
	if named == "" {
		named = fmt.Sprint(req.GetId())
	}
	row, err := h.service.Users.Find(ctx, named)
	if err != nil {
		return nil, err
	}
	return &adminv1.GetUserResponse{User: userView(row)}, nil
}

// passwordHere refuses a password unless it comes from a command that works on the database. Members choose
// their passwords themselves.
func passwordHere(ctx context.Context, password string) error {
	if password != "" && auth.From(ctx).Surface != auth.CLI {
		return fault.Field("password", "must be empty: only a command that works on the database can set it")
	}
	return nil
}

func (h users) CreateUser(ctx context.Context, req *adminv1.CreateUserRequest) (*adminv1.CreateUserResponse, error) {
	in := service.UserInput{Email: service.Some(req.GetEmail()), RoleID: service.Some(int(req.GetRoleId()))}
	if req.GetName() != "" {
		in.Name = service.Some(req.GetName())
	}
	if err := passwordHere(ctx, req.GetPassword()); err != nil {
		return nil, err
	}
	made, err := h.service.Users.Create(ctx, in, req.GetPassword())
	if err != nil {
		return nil, err
	}
	view, err := h.current(ctx, number(made.User.ID), nil)
	answer := &adminv1.CreateUserResponse{User: view}
	if reset := made.Reset; reset != nil {
		answer.Token, answer.ExpiresAt, answer.MailedTo = reset.Token, at(reset.ExpiresAt), reset.Address()
	}
	return answer, err
}

func (h users) UpdateUser(ctx context.Context, req *adminv1.UpdateUserRequest) (*adminv1.UpdateUserResponse, error) {
	var in service.UserUpdate
	if req.Name != nil {
		in.Name = service.Some(req.GetName())
	}
	if req.RoleId != nil {
		in.RoleID = service.Some(int(req.GetRoleId()))
	}
	_, err := h.service.Users.Update(ctx, int(req.GetId()), in)
	view, err := h.current(ctx, req.GetId(), err)
	return &adminv1.UpdateUserResponse{User: view}, err
}

func (h users) ResetPassword(
	ctx context.Context, req *adminv1.ResetPasswordRequest,
) (*adminv1.ResetPasswordResponse, error) {
	if err := passwordHere(ctx, req.GetPassword()); err != nil {
		return nil, err
	}
	if req.GetPassword() != "" {
		_, err := h.service.Users.SetPassword(ctx, int(req.GetId()), req.GetPassword())
		return &adminv1.ResetPasswordResponse{}, err
	}
	reset, err := h.service.Users.Reset(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.ResetPasswordResponse{
		Token: reset.Token, ExpiresAt: at(reset.ExpiresAt), MailedTo: reset.Address(),
	}, nil
}

func (h users) DropSecondFactor(
	ctx context.Context, req *adminv1.DropSecondFactorRequest,
) (*adminv1.DropSecondFactorResponse, error) {
	_, err := h.service.Users.DropSecondFactor(ctx, int(req.GetId()))
	view, err := h.current(ctx, req.GetId(), err)
	return &adminv1.DropSecondFactorResponse{User: view}, err
}

func (h users) DisableUser(ctx context.Context, req *adminv1.DisableUserRequest) (*adminv1.DisableUserResponse, error) {
	_, err := h.service.Users.Disable(ctx, int(req.GetId()))
	view, err := h.current(ctx, req.GetId(), err)
	return &adminv1.DisableUserResponse{User: view}, err
}

func (h users) EnableUser(ctx context.Context, req *adminv1.EnableUserRequest) (*adminv1.EnableUserResponse, error) {
	_, err := h.service.Users.Enable(ctx, int(req.GetId()))
	view, err := h.current(ctx, req.GetId(), err)
	return &adminv1.EnableUserResponse{User: view}, err
}

func accessView(a *ent.AccountAccess) *adminv1.AccountAccess {
	view := &adminv1.AccountAccess{
		Id: number(a.ID), UserId: number(a.UserID), User: a.Edges.User.Name, OpenedById: number(a.OpenedByID),
		OpenedBy: a.Edges.OpenedBy.Name, Kind: string(a.Kind), CreatedAt: at(a.CreatedAt),
	}
	if a.LiftedAt != nil {
		view.LiftedAt = at(*a.LiftedAt)
	}
	if a.LiftedBy != nil {
		view.LiftedBy = *a.LiftedBy
	}
	return view
}

func (h users) LiftAccountAccess(
	ctx context.Context, req *adminv1.LiftAccountAccessRequest,
) (*adminv1.LiftAccountAccessResponse, error) {
	var openedBy *int
	if req.OpenedById != nil {
		id := int(req.GetOpenedById())
		openedBy = &id
	}
	lifted, err := h.service.Users.LiftAccess(ctx, int(req.GetId()), openedBy)
	return &adminv1.LiftAccountAccessResponse{Lifted: viewed(lifted, accessView)}, err
}

func (h users) ListRoles(ctx context.Context, _ *adminv1.ListRolesRequest) (*adminv1.ListRolesResponse, error) {
	rows, err := h.service.Roles.List(ctx)
	return &adminv1.ListRolesResponse{Roles: viewed(rows, roleView)}, err
}
