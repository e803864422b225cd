package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"paydown/ent"
	"paydown/internal/service"
)

// adminTokenCmd works directly on the database, because creating the first token cannot require a token.
type adminTokenCmd struct {
	Create adminTokenCreateCmd `cmd:"" help:"Create an admin token in this machine's database, and print it, once."`
	List   adminTokenListCmd   `cmd:"" help:"List the admin tokens in this machine's database."`
	Revoke adminTokenRevokeCmd `cmd:"" help:"Revoke an admin token in this machine's database, effective immediately."`
}

type adminTokenCreateCmd struct {
	Name        string `required:"" help:"Name of the token's holder, as shown in the audit trail."`
	ExpiresDays int    `help:"Days until it expires: 1 to 3650. Default: it does not expire."`
	JSON        bool   `name:"json" help:"Print JSON: {\"token\": \"…\", \"id\": …, \"name\": \"…\", …}."`
}

// Run creates the token.
func (cmd *adminTokenCreateCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	issued, err := a.AdminTokens.Create(ctx, service.NewAdminToken{Name: cmd.Name, ExpiresDays: cmd.ExpiresDays})
	if err != nil {
		return err
	}
	if cmd.JSON {
		return c.printJSON(struct {
			Token string `json:"token"`
			adminTokenJSON
		}{issued.Token, adminTokenView(issued.AdminToken)})
	}
	_, err = fmt.Fprintf(c.out, "Admin token %d, %s. It is shown only once:\n\n  %s\n\n",
		issued.ID, issued.Name, issued.Token)
	return err
}

// adminTokenJSON is the record of a token, without the token itself.
type adminTokenJSON struct {
	ID        int        `json:"id"`
	Name      string     `json:"name"`
	Last4     string     `json:"last4"`
	ExpiresAt *time.Time `json:"expiresAt"`
	RevokedAt *time.Time `json:"revokedAt"`
	CreatedAt time.Time  `json:"createdAt"`
}

func adminTokenView(t *ent.AdminToken) adminTokenJSON {
	return adminTokenJSON{
		ID: t.ID, Name: t.Name, Last4: t.TokenLast4, ExpiresAt: t.ExpiresAt, RevokedAt: t.RevokedAt, CreatedAt: t.CreatedAt,
	}
}

func (t adminTokenJSON) status() string {
	switch {
	case t.RevokedAt != nil:
		return "revoked"
	case t.ExpiresAt != nil && time.Now().After(*t.ExpiresAt):
		return "expired"
	case t.ExpiresAt != nil:
		return "expires " + t.ExpiresAt.Format(time.DateOnly)
	default:
		return "valid"
	}
}

type adminTokenListCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists the tokens.
func (cmd *adminTokenListCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openExisting(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	rows, err := a.AdminTokens.List(ctx)
	if err != nil {
		return err
	}
	views := make([]adminTokenJSON, len(rows))
	for i, row := range rows {
		views[i] = adminTokenView(row)
	}
	if cmd.JSON {
		return c.printJSON(map[string]any{"tokens": views})
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tLAST 4\tSTATUS\tCREATED")
	for _, t := range views {
		fmt.Fprintf(w, "%d\t%s\t…%s\t%s\t%s\n",
			t.ID, t.Name, t.Last4, t.status(), t.CreatedAt.UTC().Format("2006-01-02 15:04:05Z"))
	}
	return w.Flush()
}

type adminTokenRevokeCmd struct {
	ID   int  `arg:"" help:"Id of the token."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run revokes the token.
func (cmd *adminTokenRevokeCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openExisting(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	row, err := a.AdminTokens.Revoke(ctx, cmd.ID)
	if err != nil {
		return err
	}
	if cmd.JSON {
		return c.printJSON(adminTokenView(row))
	}
	_, err = fmt.Fprintf(c.out, "Admin token %d revoked.\n", cmd.ID)
	return err
}
