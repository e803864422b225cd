package adminctl

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

type contextCmd struct {
	Set    contextSetCmd    `cmd:"" help:"Create a context, or change the given settings of one."`
	Use    contextUseCmd    `cmd:"" help:"Make a context the current one."`
	List   contextListCmd   `cmd:"" help:"List the contexts, without their tokens."`
	Remove contextRemoveCmd `cmd:"" help:"Remove a context and its token."`
}

// Help explains where contexts are stored.
func (contextCmd) Help() string {
	return "Contexts are stored in paydown/admin.json in the user's configuration directory (on Linux ~/.config), " +
		"with mode 600. The file is refused if other users can read it."
}

type contextSetCmd struct {
	Name          string  `arg:"" complete:"context" help:"Name of the context."`
	Server        *string `env:"-" placeholder:"URL" help:"URL of the admin listener, such as http://localhost:8081 or https://admin.example.com."`
	TokenStdin    bool    `env:"-" xor:"proof" help:"Read the token from standard input, a single line, and store it in the file."`
	TokenVariable string  `env:"-" xor:"proof" placeholder:"NAME" help:"Read the token from this environment variable each time."`
	TokenFile     string  `env:"-" xor:"proof" placeholder:"FILE" help:"Read the token from this file, of mode 600, each time."`
	ClientCert    string  `env:"-" xor:"proof" placeholder:"FILE" help:"Authenticate with this certificate (PEM) instead of a token."`
	ClientKey     string  `env:"-" placeholder:"FILE" help:"Private key (PEM) of that certificate."`
	CA            *string `env:"-" name:"ca" placeholder:"FILE" help:"Authorities (PEM) that verify the server's certificate; empty means the system's."`
	Tenant        *string `env:"-" placeholder:"HOST" help:"Default tenant of commands; empty means none."`
	PlainHTTP     *bool   `env:"-" name:"plain-http" negatable:"" help:"Allow sending the token over plain HTTP to another machine, for example through a tunnel."`
}

// nameForm matches names of contexts.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Run sets the context.
func (cmd *contextSetCmd) Run(_ context.Context, env *Env) error {
	if !nameForm.MatchString(cmd.Name) {
		return usageError(
			"a context's name must consist of at most 64 letters, digits, dots, dashes and underscores, " +
				"and start with a letter or digit",
		)
	}
	c, err := readConfig()
	if err != nil {
		return err
	}
	at := c.Contexts[cmd.Name]
	if at == nil {
		if cmd.Server == nil {
			return usageError("no context %s: a new one needs --server", cmd.Name)
		}
		at = &place{}
	}
	if err := cmd.setCredentials(env, at); err != nil {
		return err
	}
	if cmd.Server != nil {
		at.Server = strings.TrimRight(*cmd.Server, "/")
	}
	if cmd.CA != nil {
		if at.CA, err = absolute(*cmd.CA); err != nil {
			return err
		}
	}
	if cmd.Tenant != nil {
		at.Tenant = *cmd.Tenant
	}
	if cmd.PlainHTTP != nil {
		at.PlainHTTP = *cmd.PlainHTTP
	}
	if err := at.check(); err != nil {
		return err
	}
	c.Contexts[cmd.Name] = at
	if c.Current == "" {
		c.Current = cmd.Name
	}
	if err := c.write(); err != nil {
		return err
	}
	fmt.Fprintf(env.Err, "Context %s calls %s.\n", cmd.Name, at.Server)
	return nil
}

// setCredentials replaces the credentials of the context.
func (cmd *contextSetCmd) setCredentials(env *Env, at *place) (err error) {
	server := at.Server
	moved := cmd.Server != nil && server != "" && strings.TrimRight(*cmd.Server, "/") != server
	if moved && at.Token != "" && cmd.keepsCredentials() {
		return usageError("the token of context %s is for %s: provide a token for the new server as well", cmd.Name, server)
	}
	if cmd.keepsCredentials() {
		return nil
	}
	at.Token, at.TokenVariable, at.TokenFile, at.ClientCert, at.ClientKey = "", cmd.TokenVariable, "", "", ""
	if cmd.TokenStdin {
		line, err := readLine(env.In)
		if at.Token = strings.TrimSpace(line); err != nil || at.Token == "" {
			return usageError("--token-stdin: no token on standard input")
		}
	}
	if at.TokenFile, err = absolute(cmd.TokenFile); err != nil {
		return err
	}
	if at.ClientCert, err = absolute(cmd.ClientCert); err != nil {
		return err
	}
	at.ClientKey, err = absolute(cmd.ClientKey)
	return err
}

// keepsCredentials reports whether no credentials are given.
func (cmd *contextSetCmd) keepsCredentials() bool {
	return !cmd.TokenStdin && cmd.TokenVariable == "" && cmd.TokenFile == "" && cmd.ClientCert == "" && cmd.ClientKey == ""
}

// absolute makes a path absolute, so that the context works in any directory.
func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}

type contextUseCmd struct {
	Name string `arg:"" complete:"context" help:"The context."`
}

// Run makes the context the current one.
func (cmd *contextUseCmd) Run(_ context.Context, env *Env) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	name, at, err := c.named(cmd.Name)
	if err != nil {
		return err
	}
	c.Current = name
	if err := c.write(); err != nil {
		return err
	}
	fmt.Fprintf(env.Err, "Commands now call %s.\n", at.Server)
	return nil
}

type contextListCmd struct {
	JSON bool `name:"json" help:"Print JSON: {\"contexts\": [{\"name\", \"server\", \"isCurrent\", \"proof\", \"tenant\"}]}."`
}

// contextView is a context without its credentials.
type contextView struct {
	Name      string `json:"name"`
	Server    string `json:"server"`
	IsCurrent bool   `json:"isCurrent"`
	Proof     string `json:"proof"`
	Tenant    string `json:"tenant"`
}

// Run lists the contexts.
func (cmd *contextListCmd) Run(_ context.Context, env *Env) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	views := []contextView{}
	for _, name := range slices.Sorted(maps.Keys(c.Contexts)) {
		at := c.Contexts[name]
		views = append(views, contextView{name, at.Server, name == c.Current, at.proof(), at.Tenant})
	}
	if cmd.JSON {
		encoder := json.NewEncoder(env.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(map[string]any{"contexts": views})
	}
	t := &table{w: tabwriter.NewWriter(env.Out, 0, 0, 2, ' ', 0)}
	t.row("", "NAME", "SERVER", "CREDENTIALS", "TENANT")
	for _, v := range views {
		mark := ""
		if v.IsCurrent {
			mark = "*"
		}
		t.row(mark, v.Name, v.Server, v.Proof, v.Tenant)
	}
	return t.w.Flush()
}

// proof describes the credentials.
func (c *place) proof() string {
	switch {
	case c.TokenVariable != "":
		return "token in " + c.TokenVariable
	case c.TokenFile != "":
		return "token in " + c.TokenFile
	case c.ClientCert != "":
		return "certificate " + c.ClientCert
	case c.Token != "":
		return "token"
	default:
		return "nothing"
	}
}

type contextRemoveCmd struct {
	Name string `arg:"" complete:"context" help:"The context."`
}

// Run removes the context.
func (cmd *contextRemoveCmd) Run(_ context.Context, env *Env) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	name, _, err := c.named(cmd.Name)
	if err != nil {
		return err
	}
	delete(c.Contexts, name)
	if c.Current == name {
		c.Current = ""
	}
	if err := c.write(); err != nil {
		return err
	}
	fmt.Fprintf(env.Err, "Context %s removed. Its token is still valid: paydown admin token revoke ends it.\n", name)
	return nil
}
