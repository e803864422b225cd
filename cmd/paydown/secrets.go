package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"paydown/internal/service"
)

type secretsCmd struct {
	Status secretsStatusCmd `cmd:"" help:"Show the secret keys, and how many values are encrypted under each."`
	Reseal secretsResealCmd `cmd:"" help:"Re-encrypt everything under the first secret key, and retire the others."`
	GiveUp secretsGiveUpCmd `cmd:"" name:"give-up" help:"Declare a secret key lost, so that the server starts without it."`
}

type secretsStatusCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run shows the keys.
func (cmd *secretsStatusCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openWithAnyKeys(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	return showKeys(ctx, c, a, cmd.JSON)
}

func showKeys(ctx context.Context, c *cli, a *app, asJSON bool) error {
	keys, err := a.SecretKeys.Usage(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return c.printJSON(map[string]any{"keys": keys})
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tSTATE\tVALUES\tWHAT")
	for _, k := range keys {
		id := k.ID
		if id == "" {
			id = "(none)"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", id, keyState(k), k.Total, listed(k.Values))
	}
	return w.Flush()
}

// keyState describes a key's state.
func keyState(k service.KeyUsage) string {
	switch {
	case k.ID == "":
		return "unencrypted values"
	case k.Seals:
		return "in use"
	case k.RetiredAt != nil && k.Total > 0 && !k.Configured:
		return "given up"
	case k.RetiredAt != nil || k.Configured && k.RecordedAt == nil && k.Total == 0:
		return "not needed"
	case k.Configured:
		return "needed"
	default:
		return "missing"
	}
}

func listed(values []service.SealedCount) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strconv.Itoa(v.Count) + " " + v.Holds
	}
	return strings.Join(texts, ", ")
}

type secretsResealCmd struct {
	DryRun bool `help:"Change nothing; show how many values are encrypted under each key."`
	JSON   bool `name:"json" help:"Print JSON."`
}

// Help describes a change of key.
func (*secretsResealCmd) Help() string {
	return "The server may keep running. First restart every process with the new key in front of the old ones: " +
		"an old key " +
		"cannot be retired while a process still encrypts under it. If interrupted, run the command again to continue. " +
		"Exit code 1 if values are left under another key."
}

// Run re-encrypts everything.
func (cmd *secretsResealCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openWithAnyKeys(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	if cmd.DryRun {
		return showKeys(ctx, c, a, cmd.JSON)
	}
	done := map[string]int{}
	result, err := a.SecretKeys.Reseal(ctx, func(holds string, n int) {
		done[holds] += n
		if !cmd.JSON {
			fmt.Fprintf(c.err, "re-encrypted: %d %s\n", done[holds], holds)
		}
	})
	if err != nil {
		return err
	}
	if cmd.JSON {
		err = c.printJSON(result)
	} else {
		cmd.print(c, result)
	}
	if err == nil && len(result.Left) > 0 {
		err = errSilent
	}
	return err
}

func (cmd *secretsResealCmd) print(c *cli, r *service.Resealed) {
	fmt.Fprintf(c.out, "%d values re-encrypted under the first key.\n", r.Values)
	for _, id := range r.Retired {
		fmt.Fprintf(c.out, "Key %s is retired: nothing is encrypted under it any more, and it can be removed.\n", id)
	}
	for _, example := range r.Examples {
		fmt.Fprintf(c.out, "Not changed: %s.\n", example)
	}
	if n := r.Failed - len(r.Examples); n > 0 {
		fmt.Fprintf(c.out, "Not changed: %d more.\n", n)
	}
	for _, v := range r.Left {
		fmt.Fprintf(c.out, "Still under key %s: %d %s.\n", v.KeyID, v.Count, v.Holds)
	}
}

type secretsGiveUpCmd struct {
	Key string `arg:"" help:"Id of the key, as shown by paydown secrets status."`
}

// Help describes the consequences.
func (*secretsGiveUpCmd) Help() string {
	return "Values encrypted under the key stay in the database and cannot be read: rotate the webhook secrets, " +
		"enter the " +
		"inbound secrets, bank accounts and social security numbers again, and remove the second factors. Nothing is " +
		"deleted: if the key is found, add it behind the first one. On SQLite without its key file, first set " +
		"PAYDOWN_SECRET_KEY to a new key."
}

// Run declares the key lost.
func (cmd *secretsGiveUpCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.openWithAnyKeys(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	lost, err := a.SecretKeys.GiveUp(ctx, cmd.Key)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Key %s is no longer needed to start.\n", cmd.Key)
	if err == nil && len(lost) > 0 {
		_, err = fmt.Fprintf(c.out, "Not readable without it: %s.\n", listed(lost))
	}
	return err
}
