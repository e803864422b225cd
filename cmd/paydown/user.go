package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"paydown/ent"
	"paydown/internal/service"
)

type userCmd struct {
	Create  userCreateCmd  `cmd:"" help:"Make a member of staff."`
	List    userListCmd    `cmd:"" help:"List a tenant's members of staff."`
	Reset   userResetCmd   `cmd:"" help:"Let a member choose a new password by a token that is good once, or set one."`
	Disable userDisableCmd `cmd:"" help:"End a member's sessions, and let them sign in no more."`
	Enable  userEnableCmd  `cmd:"" help:"Let a disabled member sign in again."`
	Roles   userRolesCmd   `cmd:"" help:"List a tenant's roles, and what they permit."`
}

// passwordInput is how a password comes in: never by a flag, which others on the machine could see.
type passwordInput struct {
	PasswordStdin bool `help:"Read the password from standard input, a single line. Without it the member chooses one by a token, which is mailed to them, or printed where there is no mail server."`
}

// read returns the password; "" where none is to be read.
func (in passwordInput) read(from io.Reader) (string, error) {
	if !in.PasswordStdin {
		return "", nil
	}
	const longest = 4 << 10
	line, err := bufio.NewReader(io.LimitReader(from, longest)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.New("--password-stdin: there is no password on standard input")
	}
	return line, nil
}

type userCreateCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	Email  string `required:"" help:"Address that the member signs in with."`
	Role   string `required:"" help:"What the member may do: the code or name of a role, such as admin; see paydown user roles."`
	Name   string `help:"Name of the member. Default: the address."`
	passwordInput
	JSON bool `name:"json" help:"Print JSON: {\"user\": {…}, \"reset\": {\"token\", \"expiresAt\", \"mailedTo\"} or null}."`
}

// Run makes the member.
func (cmd *userCreateCmd) Run(ctx context.Context, c *cli) error {
	password, err := cmd.read(os.Stdin)
	if err != nil {
		return err
	}
	return c.withStaff(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		role, err := a.Roles.Named(ctx, cmd.Role)
		if err != nil {
			return err
		}
		in := service.UserInput{Email: service.Some(cmd.Email), RoleID: service.Some(role.ID)}
		if cmd.Name != "" {
			in.Name = service.Some(cmd.Name)
		}
		made, err := a.Users.Create(ctx, in, password)
		if err != nil {
			return err
		}
		made.User.Edges.Role = role
		if cmd.JSON {
			return c.printJSON(map[string]any{"user": userView(made.User), "reset": resetView(made.Reset)})
		}
		fmt.Fprintf(c.out, "User %d, %s, may sign in at %s as %s.\n", made.User.ID, made.User.Email, cmd.Tenant, role.Name)
		c.printReset(made.Reset)
		return nil
	})
}

// withStaff is withTenant for a command that mails to members where there is a mail server. A process that serves sends it.
func (c *cli) withStaff(ctx context.Context, host string, f func(context.Context, *app) error) error {
	mailServer, err := c.Serve.mail()
	if err != nil {
		return err
	}
	return c.within(ctx, host, serving{mail: mailServer}, f)
}

// printReset shows a token, where there is one, or whom it was mailed to.
func (c *cli) printReset(reset *service.Reset) {
	switch {
	case reset == nil:
	case reset.MailedTo != nil:
		fmt.Fprintf(c.out, "The link to choose a password is mailed to %s by the next server that runs. It works once, until %s.\n",
			*reset.MailedTo, when(&reset.ExpiresAt))
	default:
		fmt.Fprintf(c.out, "With this token they choose a password, once, until %s. It is shown this once:\n\n  %s\n\n",
			when(&reset.ExpiresAt), reset.Token)
	}
}

// resetJSON is a token that is shown once, or was mailed and is empty.
type resetJSON struct {
	Token     string    `json:"token"`
	ExpiresAt time.Time `json:"expiresAt"`
	MailedTo  *string   `json:"mailedTo"`
}

func resetView(r *service.Reset) *resetJSON {
	if r == nil {
		return nil
	}
	return &resetJSON{r.Token, r.ExpiresAt, r.MailedTo}
}

// userJSON is a member of staff.
type userJSON struct {
	ID           int        `json:"id"`
	Email        string     `json:"email"`
	Name         string     `json:"name"`
	RoleID       int        `json:"roleId"`
	Role         string     `json:"role"`
	IsActive     bool       `json:"isActive"`
	HasPassword  bool       `json:"hasPassword"`
	SecondFactor bool       `json:"secondFactor"`
	LastLoginAt  *time.Time `json:"lastLoginAt"`
	CreatedAt    time.Time  `json:"createdAt"`
}

// userView shows a member that was loaded with the role.
func userView(u *ent.User) userJSON {
	return userJSON{
		ID: u.ID, Email: u.Email, Name: u.Name, RoleID: u.RoleID, Role: u.Edges.Role.Name, IsActive: u.IsActive,
		HasPassword: u.PasswordHash != nil, SecondFactor: u.TotpConfirmedAt != nil, LastLoginAt: u.LastLoginAt,
		CreatedAt: u.CreatedAt,
	}
}

func (u userJSON) status() string {
	switch {
	case !u.IsActive:
		return "disabled"
	case !u.HasPassword:
		return "no password yet"
	case u.SecondFactor:
		return "active, second factor"
	default:
		return "active"
	}
}

type userListCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run lists the members.
func (cmd *userListCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		views := []userJSON{}
		params := map[string]string{"limit": "200"}
		for {
			page, err := a.Users.List(ctx, params)
			if err != nil {
				return err
			}
			for _, u := range page.Records {
				views = append(views, userView(u))
			}
			if !page.HasMore {
				break
			}
			params["cursor"] = page.NextCursor
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"users": views})
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tE-MAIL\tNAME\tROLE\tSTATUS\tLAST SIGNED IN")
		for _, u := range views {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", u.ID, u.Email, u.Name, u.Role, u.status(), when(u.LastLoginAt))
		}
		return w.Flush()
	})
}

// oneUser is a command about a single member.
type oneUser struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	User   string `arg:"" name:"id-or-email" help:"Id or address of the member."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// with runs f as an operator, on the member.
func (cmd *oneUser) with(ctx context.Context, c *cli, f func(context.Context, *app, *ent.User) error) error {
	return c.withStaff(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		found, err := a.Users.Find(ctx, cmd.User)
		if err != nil {
			return err
		}
		return f(ctx, a, found)
	})
}

// say prints the member, or a sentence about them.
func (cmd *oneUser) say(c *cli, u *ent.User, what string) error {
	if cmd.JSON {
		return c.printJSON(map[string]any{"user": userView(u)})
	}
	_, err := fmt.Fprintf(c.out, "User %d, %s, %s.\n", u.ID, u.Email, what)
	return err
}

type userResetCmd struct {
	oneUser
	passwordInput
	SecondFactor bool `help:"Take the second factor away too, from a member who has lost it."`
}

// Run resets the password.
func (cmd *userResetCmd) Run(ctx context.Context, c *cli) error {
	password, err := cmd.read(os.Stdin)
	if err != nil {
		return err
	}
	return cmd.with(ctx, c, func(ctx context.Context, a *app, found *ent.User) error {
		if cmd.SecondFactor {
			if _, err := a.Users.DropSecondFactor(ctx, found.ID); err != nil {
				return err
			}
		}
		if password != "" {
			after, err := a.Users.SetPassword(ctx, found.ID, password)
			if err != nil {
				return err
			}
			return cmd.say(c, after, "has another password; every session has ended")
		}
		reset, err := a.Users.Reset(ctx, found.ID)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"reset": resetView(reset)})
		}
		c.printReset(reset)
		return nil
	})
}

type userDisableCmd struct{ oneUser }

// Run disables the member.
func (cmd *userDisableCmd) Run(ctx context.Context, c *cli) error {
	return cmd.with(ctx, c, func(ctx context.Context, a *app, found *ent.User) error {
		after, err := a.Users.Disable(ctx, found.ID)
		if err != nil {
			return err
		}
		return cmd.say(c, after, "is disabled; every session has ended")
	})
}

type userEnableCmd struct{ oneUser }

// Run enables the member.
func (cmd *userEnableCmd) Run(ctx context.Context, c *cli) error {
	return cmd.with(ctx, c, func(ctx context.Context, a *app, found *ent.User) error {
		after, err := a.Users.Enable(ctx, found.ID)
		if err != nil {
			return err
		}
		return cmd.say(c, after, "may sign in")
	})
}

type userRolesCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run lists the roles.
func (cmd *userRolesCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		roles, err := a.Roles.List(ctx)
		if err != nil {
			return err
		}
		if cmd.JSON {
			rows := make([]map[string]any, len(roles))
			for i, r := range roles {
				rows[i] = map[string]any{"id": r.ID, "code": r.Code, "name": r.Name, "permissions": r.Permissions}
			}
			return c.printJSON(map[string]any{"roles": rows})
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tCODE\tNAME\tPERMITS")
		for _, r := range roles {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", r.ID, text(r.Code), r.Name, strings.Join(r.Permissions, " "))
		}
		return w.Flush()
	})
}
