package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"paydown/ent/inboundevent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/rpc"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"paydown": main})
}

// The scripts in testdata/script run the program: each against a server of its own company, and with a database
// of its own for the commands that work on one. Together they run every command and call every method of the
// admin services.
func TestScripts(t *testing.T) {
	a := apptest.OnSQLite(t)
	postgres := ""
	if !testing.Short() {
		postgres = apptest.MigratedPostgres(t)
	}
	// Some 300 processes would start slowly under the race detector, which covers what they call anyway.
	program := t.TempDir()
	if err := apptest.BuildProgram(filepath.Join("..", ".."), filepath.Join(program, "paydown")); err != nil {
		t.Fatal(err)
	}
	token, err := a.AdminTokens.Create(t.Context(), service.NewAdminToken{Name: "scripts"})
	if err != nil {
		t.Fatal(err)
	}
	expired, err := a.AdminTokens.Create(t.Context(), service.NewAdminToken{Name: "old"})
	if err == nil {
		_, err = a.AdminTokens.Revoke(t.Context(), expired.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	var begun atomic.Int32
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir: "testdata/script", RequireExplicitExec: false, RequireUniqueNames: true,
			Setup: func(env *testscript.Env) error {
				host := strings.ReplaceAll(strings.TrimPrefix(filepath.Base(env.WorkDir), "script-"), "_", "-") + ".test"
				stock := stocked(t, a, host)
				begun.Add(1)
				maps.Copy(stock, map[string]string{
					"HOST": host, "SERVER": a.Admin.URL, "TOKEN": token.Token, "BAD_TOKEN": expired.Token,
					"XDG_CONFIG_HOME": filepath.Join(env.WorkDir, "config"), "HOME": env.WorkDir,
					"PAYDOWN_DB": apptest.SQLiteURL(t), "POSTGRES": postgres, "SECRET_KEY": secret.NewKey(),
					"PATH": program + string(filepath.ListSeparator) + env.Getenv("PATH"), "STOCK_DB": a.DB, "STOCK_KEY": a.Secret,
				})
				for name, value := range stock {
					env.Setenv(name, value)
				}
				return os.WriteFile(filepath.Join(env.WorkDir, "token"), []byte(token.Token+"\n"), 0o600)
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "capture": capture, "until": until},
		})
	})
	if files, err := filepath.Glob("testdata/script/*.txtar"); err != nil || int(begun.Load()) < len(files) {
		return // somebody looks at one of them
	}
	for _, m := range rpc.Methods() {
		if !strings.Contains(a.Log.String(), `"`+rpc.ProcedureOf(m)+`"`) {
			t.Errorf("no script calls %s", rpc.ProcedureOf(m))
		}
	}
}

// stocked creates a company with records for commands, and sets variables to their ids.
func stocked(t *testing.T, a *apptest.App, host string) map[string]string {
	t.Helper()
	merchant := a.Client(t, host).
		Post(t, "/merchants", apptest.Object{"legalName": "Docket Bakery LLC", "federalId": "12-3456789"})
	ids := map[string]string{"MERCHANT": strconv.Itoa(merchant.In("merchant").ID())}
	e, err := a.WebhookEndpoints.Create(a.Operator(t, host), service.WebhookEndpointInput{
		URL: service.Some("https://hooks.example"), Events: service.Some([]string{"*"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	err = a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		ids["ENDPOINT"] = strconv.Itoa(e.ID)
		for i := range 4 {
			d := tx.WebhookDelivery.Create().SetEndpointID(e.ID).SetMessageID(fmt.Sprintf("%s-%d", host, i)).
				SetEvent("lead.created").SetStatus(webhookdelivery.StatusFAILED).SetAttempts(6).
				SetPayload([]byte(`{"event":"lead.created","version":1,"occurredAt":"2026-01-05T14:00:00Z","data":{"leadId":1}}`)).
				SaveX(ctx)
			ids["DELIVERY"] = strconv.Itoa(d.ID)
		}
		in := tx.InboundEvent.Create().
			SetSource("legal-updates").
			SetExternalID("docket-1").
			SetState(inboundevent.StateFAILED).
			SetError("ein: names no merchant").
			SetReceivedAt(tx.At()).
			SetPayload([]byte(`{"eventId":"docket-1","ein":"12-3456789","text":"a judgment"}`)).
			SaveX(ctx)
		ids["EVENT"] = strconv.Itoa(in.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// exits runs the program, which must exit with the code: exits 2 paydown …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND …")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = ended.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// capture sets a variable to the first group of an expression's match in the last output: capture KEY '"id":
// (\d+)'
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture VARIABLE EXPRESSION")
	}
	found := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) < 2 {
		ts.Fatalf("no %s in the output", args[1])
	}
	ts.Setenv(args[0], found[1])
}

// waitLimit is how long a test waits at most, on a busy machine.
const waitLimit = 2 * time.Minute

// until waits until a file contains a text: until server.log serving
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: until FILE TEXT")
	}
	deadline := time.Now().Add(waitLimit)
	for {
		if raw, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && strings.Contains(string(raw), args[1]) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s never says %q", args[0], args[1])
		}
		time.Sleep(10 * time.Millisecond) // the file is another process's, which tells nobody that it has written
	}
}

// leaves are the runnable commands, by their words.
func leaves(t *testing.T) map[string]*kong.Node {
	t.Helper()
	parser, err := (&cli{getenv: os.Getenv}).parser(t.Context(), onlyServe(nil))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*kong.Node{}
	for _, node := range parser.Model.Leaves(false) {
		var words []string
		for n := node; n != nil && n.Type == kong.CommandNode; n = n.Parent {
			words = append([]string{n.Name}, words...)
		}
		all[strings.Join(words, " ")] = node
	}
	return all
}

// plurals are the former names of commands, which still work.
var plurals = strings.NewReplacer(
	"admin keys ", "admin key ", "admin users ", "admin user ", "admin tenants ", "admin tenant ",
)

// ran runs the program in this process.
func ran(args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func TestCommandsShowHelpAndRejectUnknownFlags(t *testing.T) {
	aliases := regexp.MustCompile(` \(\w+\)`)
	for name, node := range leaves(t) {
		words := strings.Fields(name)
		code, out, errOut := ran(append(words, "--help")...)
		if code != 0 || errOut != "" || !strings.HasPrefix(aliases.ReplaceAllString(out, ""), "Usage: paydown "+name) ||
			!strings.Contains(out, strings.Fields(node.Help)[0]) {
			t.Errorf("%s --help: %d %s%s", name, code, out, errOut)
		}
		code, out, errOut = ran(append(words, "--no-such-flag")...)
		if code != exitUsage || out != "" || !strings.Contains(errOut, "--no-such-flag") ||
			!strings.Contains(errOut, "--help") {
			t.Errorf("%s --no-such-flag: %d %s%s", name, code, out, errOut)
		}
		for _, group := range node.AllFlags(false) {
			for _, f := range group {
				if !strings.HasSuffix(strings.TrimSpace(f.Help), ".") {
					t.Errorf("%s --%s: %q", name, f.Name, f.Help)
				}
			}
		}
	}
}

// Each command is run by a script, and succeeds in one.
func TestScriptsRunEveryCommand(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	commands := leaves(t)
	byLength := slices.SortedFunc(maps.Keys(commands), func(a, b string) int { return len(b) - len(a) })
	succeeds := map[string]bool{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			rest, ok := strings.CutPrefix(strings.TrimPrefix(line, "exec sh -c 'exec "), "paydown ")
			rest = plurals.Replace(rest)
			for _, name := range byLength {
				if ok && strings.HasPrefix(rest+" ", name+" ") || ok && strings.TrimSpace(rest) == name {
					succeeds[name] = true
					break
				}
			}
		}
	}
	for name := range commands {
		if !succeeds[name] {
			t.Errorf("no script runs: paydown %s", name)
		}
	}
}

// interrupted runs the program against a server until it prints something on either output, and then interrupts
// it. It returns the exit code and standard error.
func interrupted(t *testing.T, a *apptest.App, until, next string, args ...string) (code int, said string) {
	t.Helper()
	token, err := a.AdminTokens.Create(t.Context(), service.NewAdminToken{Name: "ops"})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PAYDOWN_ADMIN_TOKEN", token.Token)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, errOut apptest.Log
	args = append(args, "--server", a.Admin.URL, "--tenant", "watch.test")
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, args, strings.NewReader(""), &out, &errOut)
	}()
	out.Await(t, until)
	if next != "" {
		a.Key(t, "watch.test")
		out.Await(t, next) // as it is written
	}
	interrupt()
	select {
	case code = <-ended:
	case <-time.After(waitLimit):
		t.Fatal("it goes on")
	}
	return code, errOut.String()
}

// Interrupting the watching of a recovery, or of the audit trail, ends only the watching.
func TestInterruptStopsWatchNotRecovery(t *testing.T) {
	a := apptest.OnSQLite(t)
	stocked(t, a, "watch.test")
	code, said := interrupted(t, a, "tenant.create", "key.create", "admin", "operations", "audit", "--follow")
	if code != 130 || !strings.Contains(said, "interrupted") {
		t.Errorf("the audit trail: %d %s", code, said)
	}
	lease, err := a.Store.TakeLease(t.Context(), "webhook-recoveries", "a process that stands still", time.Hour)
	if err != nil || lease == nil {
		t.Fatal(lease, err)
	}
	code, said = interrupted(t, a, `"state":"RUNNING"`, "", "admin", "webhooks", "recover", "--json")
	if code != 130 || !strings.Contains(said, "continues on the servers") ||
		!strings.Contains(said, "paydown admin webhooks watch 1 --tenant watch.test") {
		t.Errorf("the recovery: %d %s", code, said)
	}
	if err := a.Store.ReleaseLease(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PAYDOWN_ADMIN_SERVER", a.Admin.URL)
	if code, out, errOut := ran("admin", "webhooks", "watch", "1", "--tenant", "watch.test"); code != 0 ||
		!strings.Contains(out, "DONE") {
		t.Errorf("watched again: %d %s%s", code, out, errOut)
	}
}
