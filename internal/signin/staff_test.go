package signin_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// as returns a context in which the member acts with a session, as a surface would.
func (o *office) as(t *testing.T, email string) context.Context {
	t.Helper()
	b := o.at(home)
	b.Login(t, email)
	tenant, err := o.a.Tenants.ByHost(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	actor, err := o.a.Sessions.Authenticate(t.Context(), tenant, b.Cookies[cookie], auth.GraphQL, "req_1")
	if err != nil {
		t.Fatal(err)
	}
	return auth.With(t.Context(), actor)
}

func (o *office) role(t *testing.T, name string) *ent.Role {
	t.Helper()
	found, err := o.a.Roles.Named(o.a.Operator(t, host), name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wantError requires that the error is this fault, on this field unless path is "".
func wantError(t *testing.T, what string, err error, code fault.Code, path string) {
	t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code || path != "" && (len(f.Details) == 0 || f.Details[0].Path != path) {
		t.Errorf("%s: %v", what, err)
	}
}

func TestManagingUsersNeedsThePermission(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		sam := o.a.Member(t, host, "sam@staff.test", "sales")
		key := auth.With(t.Context(), &auth.Actor{Kind: auth.ByKey, TenantID: 1, Scopes: auth.AllScopes()})
		for who, ctx := range map[string]context.Context{"sales": o.as(t, "sam@staff.test"), "a key": key} {
			for what, try := range map[string]func() error{
				"list users":  func() error { _, err := o.a.Users.List(ctx, service.ListRequest{}); return err },
				"another":     func() error { _, err := o.a.Users.Get(ctx, o.admin); return err },
				"find":        func() error { _, err := o.a.Users.Find(ctx, admin); return err },
				"create":      func() error { _, err := o.a.Users.Create(ctx, service.UserInput{}, ""); return err },
				"update":      func() error { _, err := o.a.Users.Update(ctx, sam, service.UserUpdate{}); return err },
				"disable":     func() error { _, err := o.a.Users.Disable(ctx, o.admin); return err },
				"enable":      func() error { _, err := o.a.Users.Enable(ctx, o.admin); return err },
				"reset":       func() error { _, err := o.a.Users.Reset(ctx, sam); return err },
				"password":    func() error { _, err := o.a.Users.SetPassword(ctx, sam, apptest.Password); return err },
				"factor":      func() error { _, err := o.a.Users.DropSecondFactor(ctx, sam); return err },
				"list roles":  func() error { _, err := o.a.Roles.List(ctx); return err },
				"role":        func() error { _, err := o.a.Roles.Get(ctx, 1); return err },
				"delete role": func() error { _, err := o.a.Roles.Delete(ctx, 1); return err },
				"make keys":   func() error { _, err := o.a.Keys.List(ctx); return err },
				"inbound":     func() error { _, err := o.a.Inbound.List(ctx, service.ListRequest{}); return err },
			} {
				wantError(t, who+": "+what, try(), fault.Forbidden, "")
			}
		}
		if own, err := o.a.Users.Get(o.as(t, "sam@staff.test"), sam); err != nil || own.ID != sam {
			t.Errorf("a member's own record: %v, %v", own, err)
		}
	})
}

func TestGrantRequiresPermission(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		operator := o.a.Operator(t, host)
		office, err := o.a.Roles.Create(operator, service.RoleInput{
			Name:        service.Some("Office manager"),
			Permissions: service.Some([]string{"users.manage", "leads:write", "*:read"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		o.a.Member(t, host, "mia@staff.test", "office manager")
		mia := o.as(t, "mia@staff.test")
		to := func(role *ent.Role) service.UserInput {
			return service.UserInput{Email: service.Some("new@staff.test"), RoleID: service.Some(role.ID)}
		}
		_, err = o.a.Users.Create(mia, to(o.role(t, "admin")), "")
		wantError(t, "a stronger role", err, fault.Forbidden, "roleId")
		_, err = o.a.Users.Create(mia, to(office), apptest.Password)
		wantError(t, "a password that somebody else knows", err, fault.Validation, "password")
		made, err := o.a.Users.Create(mia, to(office), "")
		if err != nil || made.Reset == nil {
			t.Fatalf("%v, %v", made, err)
		}
		_, err = o.a.Users.Create(mia, service.UserInput{
			Email: service.Some("NEW@staff.test"), RoleID: service.Some(office.ID),
		}, "")
		wantError(t, "an address that is taken", err, fault.Conflict, "email")
		_, err = o.a.Users.Create(mia, service.UserInput{Email: service.Some("no address")}, "")
		wantError(t, "no address", err, fault.Validation, "email")
		_, err = o.a.Users.Create(mia, service.UserInput{Email: service.Some("x@staff.test"), RoleID: service.Some(9999)}, "")
		wantError(t, "a role that is not there", err, fault.InvalidReference, "roleId")
		for what, try := range map[string]func() error{
			"disable": func() error { _, err := o.a.Users.Disable(mia, o.admin); return err },
			"reset":   func() error { _, err := o.a.Users.Reset(mia, o.admin); return err },
			"factor":  func() error { _, err := o.a.Users.DropSecondFactor(mia, o.admin); return err },
			"role": func() error {
				_, err := o.a.Users.Update(mia, o.admin, service.UserUpdate{RoleID: service.Some(office.ID)})
				return err
			},
			"promote": func() error {
				_, err := o.a.Users.Update(mia, made.User.ID, service.UserUpdate{RoleID: service.Some(o.role(t, "admin").ID)})
				return err
			},
			"widen": func() error {
				_, err := o.a.Roles.Update(mia, office.ID, service.RoleInput{Permissions: service.Some([]string{"*"})})
				return err
			},
			"make": func() error {
				_, err := o.a.Roles.Create(mia, service.RoleInput{
					Name: service.Some("X"), Permissions: service.Some([]string{"deals:write"}),
				})
				return err
			},
			"narrow the administrators' role": func() error {
				_, err := o.a.Roles.Update(mia, o.role(t, "admin").ID,
					service.RoleInput{Permissions: service.Some([]string{"users.manage"})})
				return err
			},
		} {
			wantError(t, what, try(), fault.Forbidden, "")
		}
		_, err = o.a.Roles.Create(mia, service.RoleInput{
			Name: service.Some("X"), Permissions: service.Some([]string{"leads:read", "everything"}),
		})
		wantError(t, "a permission that is none", err, fault.Validation, "permissions.1")
		_, err = o.a.Roles.Create(mia, service.RoleInput{
			Name: service.Some("Sales"), Permissions: service.Some([]string{"leads:read"}),
		})
		wantError(t, "a name that is taken", err, fault.Conflict, "name")
		// An invited member chooses a password with the token.
		b := o.at(home)
		body := apptest.Object{"token": made.Reset.Token, "password": apptest.Password}
		b.Do(t, http.MethodPost, "/auth/reset", body).Want(t, http.StatusOK)
		b.Login(t, "new@staff.test")
	})
}

func TestLastAdministratorIsKept(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		operator, ada := o.a.Operator(t, host), o.as(t, admin)
		sales, adminRole := o.role(t, "sales"), o.role(t, "admin")
		demote := func(ctx context.Context, id int) error {
			_, err := o.a.Users.Update(ctx, id, service.UserUpdate{RoleID: service.Some(sales.ID)})
			return err
		}
		wantError(t, "the last administrator is demoted", demote(ada, o.admin), fault.Conflict, "")
		_, err := o.a.Users.Disable(operator, o.admin)
		wantError(t, "the last administrator is disabled", err, fault.Conflict, "")
		_, err = o.a.Users.Disable(ada, o.admin)
		wantError(t, "one disables oneself", err, fault.Conflict, "")
		for _, left := range [][]string{{}, {"users.manage"}, {"edit-company-settings", "*:read"}} {
			_, err := o.a.Roles.Update(ada, adminRole.ID, service.RoleInput{Permissions: service.Some(left)})
			wantError(t, "the administrators' role keeps "+strings.Join(left, ","), err, fault.Validation, "permissions")
		}
		_, err = o.a.Roles.Delete(ada, sales.ID)
		wantError(t, "a role that every company has goes", err, fault.Conflict, "")
		narrowed, err := o.a.Roles.Update(ada, adminRole.ID, service.RoleInput{
			Name: service.Some("Owner"), Permissions: service.Some([]string{"users.manage", "edit-company-settings", "*:read"}),
		})
		if err != nil || narrowed.Name != "Owner" {
			t.Fatal(err)
		}
		own, err := o.a.Roles.Create(operator,
			service.RoleInput{Name: service.Some("Keeper"), Permissions: service.Some([]string{"*"})})
		if err != nil {
			t.Fatal(err)
		}
		keeper := o.a.Member(t, host, "kai@staff.test", "keeper")
		if err := demote(operator, o.admin); err != nil {
			t.Errorf("one of two administrators is not demoted: %v", err)
		}
		_, err = o.a.Roles.Update(operator, own.ID, service.RoleInput{Permissions: service.Some([]string{"*:read"})})
		wantError(t, "the last administrator's own role is narrowed", err, fault.Conflict, "")
		_, err = o.a.Roles.Delete(operator, own.ID)
		wantError(t, "a role that somebody has goes", err, fault.Conflict, "")
		wantError(t, "the last one is demoted", demote(operator, keeper), fault.Conflict, "")
		// A disabled administrator does not count.
		second := o.a.Member(t, host, "lea@staff.test", "keeper")
		if _, err := o.a.Users.Disable(operator, second); err != nil {
			t.Fatal(err)
		}
		wantError(t, "the last active one is demoted", demote(operator, keeper), fault.Conflict, "")
	})
}

// If two administrators demote each other at the same time, one of them remains.
func TestTwoAdministratorsDoNotDemoteEachOther(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		second := o.a.Member(t, host, "bea@staff.test", "admin")
		sales := service.UserUpdate{RoleID: service.Some(o.role(t, "sales").ID)}
		operator := o.a.Operator(t, host)
		var done sync.WaitGroup
		errs := make([]error, 2)
		for i, id := range []int{o.admin, second} {
			done.Go(func() { _, errs[i] = o.a.Users.Update(operator, id, sales) })
		}
		done.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Errorf("%v and %v", errs[0], errs[1])
		}
	})
}

func TestAuditTrailNamesActor(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		ada := o.as(t, admin)
		sam := o.a.Member(t, host, "sam@staff.test", "sales")
		if _, err := o.a.Users.Update(ada, sam, service.UserUpdate{Name: service.Some("Sam Ortega")}); err != nil {
			t.Fatal(err)
		}
		_, err := o.a.Leads.Create(ada, service.LeadInput{BusinessName: service.Some("Harbor Street Bakery")})
		if err != nil {
			t.Fatal(err)
		}
		for _, action := range []string{"user.update", "lead.create"} {
			rows := o.trail(t, action)
			if len(rows) != 1 || rows[0].ActorKind != "USER" || *rows[0].ActorID != o.admin || rows[0].ActorName != admin ||
				rows[0].Surface != "GRAPHQL" || rows[0].RequestID != "req_1" {
				t.Errorf("%s: %+v", action, rows)
			}
		}
		o.trailHoldsNoSecret(t)
	})
}

func (o *office) trailHoldsNoSecret(t *testing.T) {
	t.Helper()
	rows, err := o.a.Store.Reader().AuditEntry.Query().All(o.a.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, secret := range []string{"argon2", "token_hash", "password_hash", "totp_secret", "recovery_hashes"} {
			if strings.Contains(string(row.Before)+string(row.After), secret) {
				t.Errorf("%s has %s", row.Action, secret)
			}
		}
	}
}
