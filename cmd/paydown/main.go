// Command paydown is the whole product: the server, and the commands that set it up and manage it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"paydown/internal/adminctl"
	"paydown/internal/auth"
	"paydown/internal/fault"
)

// version is set by the build.
var version = "development"

// Exit codes.
const (
	exitFailed = 1 // the command failed, or a check failed
	exitUsage  = 2 // the command line is invalid
)

// cli is the command line. Every flag can also be set by a variable: --admin-addr by PAYDOWN_ADMIN_ADDR.
type cli struct {
	DB        string `default:"${db}" placeholder:"URL" help:"Database: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME. Default: ${default}."`
	SecretKey string `placeholder:"BASE64" help:"Secret key: base64 of 32 bytes. It signs cursors and encrypts secret values. On SQLite it is created once and stored beside the database; on PostgreSQL it is required, preferably by its variable. After a change, list the new key first, then the earlier ones, separated by commas."`
	Files     string `placeholder:"PLACE" help:"Where the files of documents are stored: a directory, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION in any S3-compatible store, with credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. On SQLite the default is the directory files beside the database; on PostgreSQL there is no default."`
	FileLimit int    `default:"25" placeholder:"MB" help:"Maximum size of a file. Default: ${default}."`
	LogFormat string `default:"auto" enum:"auto,json,text" help:"Log format: json, text, or auto for text on a terminal and json elsewhere."`
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"Minimum log level: debug, info, warn or error."`

	Serve   serveCmd   `cmd:"" help:"Run the server."`
	Migrate migrateCmd `cmd:"" help:"Migrate the database to this version's schema."`
	adminctl.Commands
	Webhooks webhooksCmd `cmd:"" help:"Manage webhook endpoints and deliveries; receive, verify and send webhooks for testing."`
	Admin    adminCmd    `cmd:"" help:"The same commands for the server of the current context; contexts and admin tokens."`
	Secrets  secretsCmd  `cmd:"" help:"Manage the secret keys: show which are needed, and re-encrypt everything under a new one."`
	Demo     demoCmd     `cmd:"" help:"Fill an empty database with two demo tenants, and print keys to use them with."`
	Verify   verifyCmd   `cmd:"" help:"Verify that the records agree and can be read and decrypted: ledger, balances, schedules, audit, outbox, references, rows, sealed values."`
	Backup   backupCmd   `cmd:"" help:"Copy the SQLite database to a file while it is in use."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	Completion completionCmd `cmd:"" help:"Print the completion script for bash, zsh or fish."`

	in     io.Reader           `kong:"-"`
	out    io.Writer           `kong:"-"`
	err    io.Writer           `kong:"-"`
	getenv func(string) string `kong:"-"`
	atEnd  []func()            // cleanup after the command
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process immediately
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main without the process's exit.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	ignoreEmptyVariables()
	c := &cli{in: in, out: out, err: errOut, getenv: os.Getenv}
	defer func() {
		for _, end := range c.atEnd {
			end()
		}
	}()
	parser, err := c.parser(ctx, onlyServe(args))
	if err != nil {
		fmt.Fprintln(errOut, "paydown:", err)
		return exitUsage
	}
	if len(args) > 0 && args[0] == completeCommand {
		printCandidates(out, parser.Model, args[1:])
		return 0
	}
	return execute(parser, args, errOut)
}

// parser returns the parser of the command line.
func (c *cli) parser(ctx context.Context, commands kong.Option) (*kong.Kong, error) {
	return kong.New(c,
		commands,
		kong.Name("paydown"),
		kong.Description("The back office for merchant cash advances and commercial financing.\n\n"+
			"Every flag can also be set by a variable: --admin-addr by PAYDOWN_ADMIN_ADDR."),
		kong.Vars{
			"db": defaultDB, "resources": strings.Join(auth.Resources, ", "), "flags": strings.Join(auth.LegacyFlags, ", "),
			"limit": "50",
		},
		kong.DefaultEnvars("PAYDOWN"),
		kong.Writers(c.out, c.err),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(c, c.adminEnv()),
		kong.Exit(func(code int) { panic(exit(code)) }),
	)
}

// exit is the panic value with which kong's own flags, such as --help, end the program.
type exit int

func execute(parser *kong.Kong, args []string, errOut io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(exit)
			if !ok {
				panic(p)
			}
			code = int(e)
		}
	}()
	parsed, err := parser.Parse(args)
	if err != nil {
		if usage, ok := errors.AsType[*kong.ParseError](err); ok {
			fmt.Fprintf(errOut, "paydown: %s\nSee: paydown %s--help\n", err, commandOf(usage.Context))
		} else {
			fmt.Fprintln(errOut, "paydown:", err)
		}
		return exitUsage
	}
	if err := parsed.Run(); err != nil {
		report(errOut, err)
		if problem, ok := errors.AsType[*adminctl.ExitError](err); ok {
			return problem.ExitCode()
		}
		return exitFailed
	}
	return 0
}

func commandOf(parsed *kong.Context) string {
	if parsed == nil || parsed.Command() == "" {
		return ""
	}
	words := strings.Fields(parsed.Command())
	kept := words[:0]
	for _, w := range words {
		if !strings.HasPrefix(w, "<") {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ") + " "
}

// report prints an error for people: a fault with one line per detail.
func report(w io.Writer, err error) {
	if errors.Is(err, errSilent) {
		return
	}
	f := fault.As(err)
	if f == nil {
		fmt.Fprintln(w, "paydown:", err)
		return
	}
	fmt.Fprintln(w, "paydown:", f.Message)
	if len(f.Details) > 1 || (len(f.Details) == 1 && !strings.Contains(f.Message, f.Details[0].Message)) {
		for _, d := range f.Details {
			fmt.Fprintf(w, "  %s: %s\n", d.Path, d.Message)
		}
	}
}

// errSilent fails a command that has already printed everything.
var errSilent = errors.New("")

// ignoreEmptyVariables treats variables that are set to "" as unset.
func ignoreEmptyVariables() {
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); value == "" && strings.HasPrefix(name, "PAYDOWN_") {
			_ = os.Unsetenv(name)
		}
	}
}

// logger returns a logger for standard error.
func (c *cli) logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // kong has checked it
	options := &slog.HandlerOptions{Level: level}
	text := c.LogFormat == "text"
	if f, ok := c.err.(*os.File); ok && c.LogFormat == "auto" {
		info, err := f.Stat()
		text = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	logger := slog.New(slog.NewJSONHandler(c.err, options))
	if text {
		logger = slog.New(slog.NewTextHandler(c.err, options))
	}
	// Messages of libraries are logged in the same format, at debug level only, because they may contain foreign
	// text. Package net/http prints unsolicited data from webhook receivers.
	slog.SetLogLoggerLevel(slog.LevelDebug)
	slog.SetDefault(logger)
	return logger
}

// printJSON prints the output of a command with --json.
func (c *cli) printJSON(v any) error {
	encoder := json.NewEncoder(c.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(c *cli) error {
	_, err := fmt.Fprintln(c.out, version)
	return err
}
