package main

import (
	"context"
	"fmt"
)

type verifyCmd struct {
	JSON bool `name:"json" help:"Print JSON: {\"ok\": …, \"checks\": [{\"name\", \"ok\", \"detail\"}]}."`
}

// Run checks, and fails where something does not hold.
func (cmd *verifyCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openExisting(ctx)
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
	File string `arg:"" help:"File to write; it must not exist yet."`
}

// Run copies the database.
func (cmd *backupCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openExisting(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	if err := a.store.Backup(ctx, cmd.File); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "The database is copied to %s. Keep its secret key, %s.key, as well.\n", cmd.File, c.DB)
	return err
}
