package main

import (
	"context"
	"fmt"

	"paydown/internal/store"
)

type verifyCmd struct {
	JSON bool `name:"json" help:"Print JSON: {\"ok\": …, \"checks\": [{\"name\", \"ok\", \"detail\"}]}."`
}

// Run checks, and fails if a check fails.
func (cmd *verifyCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openToVerify(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	report, err := a.Integrity.Verify(ctx)
	if err != nil {
		return err
	}
	if cmd.JSON {
		err = c.printJSON(report)
	} else {
		for _, check := range report.Checks {
			mark := "ok  "
			if !check.OK {
				mark = "FAIL"
			}
			fmt.Fprintf(c.out, "%s  %s: %s\n", mark, check.Name, check.Detail)
		}
	}
	if err == nil && !report.OK {
		err = errSilent
	}
	return err
}

type backupCmd struct {
	File string `arg:"" complete:"file" help:"File to write; it must not exist yet."`
}

// Run copies the database.
func (cmd *backupCmd) Run(ctx context.Context, c *cli) error {
	if err := c.exists(); err != nil {
		return err
	}
	s, err := c.openStore() // a copy needs no secret key
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	if err := s.Backup(ctx, cmd.File); err != nil {
		return err
	}
	from, _ := store.SQLitePath(c.DB) // Backup refuses any other
	_, err = fmt.Fprintf(c.out, "The database was copied to %s. Keep its secret key as well: by default %s.key.\n",
		cmd.File, from)
	return err
}
