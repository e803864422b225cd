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
	Set    contextSetCmd    `cmd:"" help:"Make a context, or change what is given of one."`
	Use    contextUseCmd    `cmd:"" help:"Make a context the current one."`
	List   contextListCmd   `cmd:"" help:"List the contexts, without their tokens."`
	Remove contextRemoveCmd `cmd:"" help:"Remove a context, with the token in it."`
}

// Help tells where contexts are kept.
func (contextCmd) Help() string {
	return "Contexts are kept in paydown/admin.json below the user's folder of settings (on Linux ~/.config), of mode 600: one that others may read is refused."
}

type contextSetCmd struct {
	Name          string  `arg:"" complete:"context" help:"What the context is called."`
	Server        *string `env:"-" placeholder:"URL" help:"The listener for operators, such as http://localhost:8081 or https://admin.example.com."`
	TokenStdin    bool    `env:"-" xor:"proof" help:"Read the token from standard input, a single line, and keep it in the file."`
	TokenVariable string  `env:"-" xor:"proof" placeholder:"NAME" help:"Take the token from this variable of the environment, whenever it is needed."`
	TokenFile     string  `env:"-" xor:"proof" placeholder:"FILE" help:"Take the token from this file, of mode 600, whenever it is needed."`
	ClientCert    string  `env:"-" xor:"proof" placeholder:"FILE" help:"Prove who calls by this certificate (PEM) rather than a token."`
	ClientKey     string  `env:"-" placeholder:"FILE" help:"Private key (PEM) of that certificate."`
	CA            *string `env:"-" name:"ca" placeholder:"FILE" help:"Authorities (PEM) that the server's certificate is judged by; empty: the system's."`
	Tenant        *string `env:"-" placeholder:"HOST" help:"Company that commands are about unless they name one; empty: none."`
	PlainHTTP     *bool   `env:"-" name:"plain-http" negatable:"" help:"Send the token over plain HTTP to another machine too, as through a tunnel."`
}

// nameForm is what contexts can be called.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Run sets the context.
func (cmd *contextSetCmd) Run(_ context.Context, env *Env) error {
	if !nameForm.MatchString(cmd.Name) {
		return wrongUse("a context's name has letters, digits, dots, dashes and underscores, 64 at most")
	}
	c, err := readConfig()
	if err != nil {
		return err
	}
	at := c.Contexts[cmd.Name]
	if at == nil {
		if cmd.Server == nil {
			return wrongUse("there is no context %s yet: a new one needs --server", cmd.Name)
		}
		at = &place{}
	}
	if err := cmd.prove(env, at); err != nil {
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
	if err := at.judge(); err != nil {
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

// prove sets what proves who calls, in the place of what did.
func (cmd *contextSetCmd) prove(env *Env, at *place) (err error) {
	server := at.Server
	if cmd.Server != nil && server != "" && strings.TrimRight(*cmd.Server, "/") != server && at.Token != "" && cmd.keepsProof() {
		return wrongUse("the token of context %s is for %s: give the one for the other server as well", cmd.Name, server)
	}
	if cmd.keepsProof() {
		return nil
	}
	at.Token, at.TokenVariable, at.TokenFile, at.ClientCert, at.ClientKey = "", cmd.TokenVariable, "", "", ""
	if cmd.TokenStdin {
		line, err := readLine(env.In)
		if at.Token = strings.TrimSpace(line); err != nil || at.Token == "" {
			return wrongUse("--token-stdin: there is no token on standard input")
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

// keepsProof reports whether nothing is given that proves who calls.
func (cmd *contextSetCmd) keepsProof() bool {
	return !cmd.TokenStdin && cmd.TokenVariable == "" && cmd.TokenFile == "" && cmd.ClientCert == "" && cmd.ClientKey == ""
}

// absolute is a file's path from wherever the context is used.
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
	fmt.Fprintf(env.Err, "Commands call %s from now on.\n", at.Server)
	return nil
}

type contextListCmd struct {
	JSON bool `name:"json" help:"Print JSON: {\"contexts\": [{\"name\", \"server\", \"isCurrent\", \"proof\", \"tenant\"}]}."`
}

// contextView is a context without what proves who calls.
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
	t.row("", "NAME", "SERVER", "BY", "TENANT")
	for _, v := range views {
		mark := ""
		if v.IsCurrent {
			mark = "*"
		}
		t.row(mark, v.Name, v.Server, v.Proof, v.Tenant)
	}
	return t.w.Flush()
}

// proof words what proves who calls.
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
	fmt.Fprintf(env.Err, "Context %s is removed. Its token is as good as before: paydown admin token revoke ends one.\n", name)
	return nil
}
