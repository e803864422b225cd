// Command paydown is the whole product: the server, and the commands that set it up and look after it.
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
	exitFailed = 1 // the command could not do what it was asked, or a check does not hold
	exitUsage  = 2 // the command line is wrong
)

// cli is the command line. Every flag can be set by a variable: --admin-addr by PAYDOWN_ADMIN_ADDR.
type cli struct {
	DB        string `default:"${db}" placeholder:"URL" help:"Database: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME. Default: ${default}."`
	SecretKey string `placeholder:"BASE64" help:"Secret key: base64 of 32 bytes. It signs cursors and encrypts what is stored secret. On SQLite it is made once and kept beside the database; on PostgreSQL it must be given, best by its variable. After a change, earlier keys follow the new one, separated by commas."`
	Files     string `placeholder:"PLACE" help:"Where the files of documents are kept: a directory, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION in any S3-compatible store, which is opened by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. On SQLite the default is files, beside the database; on PostgreSQL none are kept without it."`
	FileLimit int    `default:"25" placeholder:"MB" help:"How large a file may be. Default: ${default}."`
	LogFormat string `default:"auto" enum:"auto,json,text" help:"Form of the log: json, text, or auto for text on a terminal and json elsewhere."`
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"Least level that is logged: debug, info, warn or error."`

	Serve   serveCmd   `cmd:"" help:"Serve the product."`
	Migrate migrateCmd `cmd:"" help:"Bring the database to this version's schema."`
	adminctl.Commands
	Webhooks webhooksCmd `cmd:"" help:"Manage webhook endpoints and deliveries; receive, verify and send webhooks to try them out."`
	Admin    adminCmd    `cmd:"" help:"The same commands for the server of the current context; contexts and admin tokens."`
	Secrets  secretsCmd  `cmd:"" help:"Look after the secret keys: which are needed, and sealing everything under a new one."`
	Demo     demoCmd     `cmd:"" help:"Fill an empty database with two demo tenants, and print keys to use them with."`
	Verify   verifyCmd   `cmd:"" help:"Prove that the records agree, can be read and can be opened: ledger, balances, schedules, audit, outbox, references, rows, sealed values."`
	Backup   backupCmd   `cmd:"" help:"Copy the SQLite database to a file while it is in use."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	Completion completionCmd `cmd:"" help:"Print the script that has bash, zsh or fish complete these commands."`

	in     io.Reader           `kong:"-"`
	out    io.Writer           `kong:"-"`
	err    io.Writer           `kong:"-"`
	getenv func(string) string `kong:"-"`
	atEnd  []func()            // what is to be done once the command has run
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main, but for what ends the process.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	ignoreEmptyVariables()
	c := &cli{in: in, out: out, err: errOut, getenv: os.Getenv}
	defer func() {
		for _, end := range c.atEnd {
			end()
		}
	}()
	parser, err := c.parser(ctx)
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

// parser is the command line, ready to be read.
func (c *cli) parser(ctx context.Context) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("paydown"),
		kong.Description("The back office for merchant cash advances and commercial financing.\n\n"+
			"Every flag can be set by a variable as well: --admin-addr by PAYDOWN_ADMIN_ADDR."),
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

// exit is how kong's own flags, such as --help, end the program.
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

// report prints an error for people: a fault with each of its details on a line.
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

// errSilent fails a command that has said everything already.
var errSilent = errors.New("")

// ignoreEmptyVariables makes a variable that is set to nothing the same as one that is not set.
func ignoreEmptyVariables() {
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); value == "" && strings.HasPrefix(name, "PAYDOWN_") {
			_ = os.Unsetenv(name)
		}
	}
}

// logger writes to standard error.
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
	// What libraries print comes in the same form, and for debugging only: it may be anybody's text. Package net/http prints
	// what a webhook's receiver sends unasked.
	slog.SetLogLoggerLevel(slog.LevelDebug)
	slog.SetDefault(logger)
	return logger
}

// printJSON prints what a command answers with --json.
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
