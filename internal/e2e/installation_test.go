package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
)

// object is the JSON object of most requests.
type object = apptest.Object

var buildDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "paydown-e2e-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	code := apptest.RunOverlapping(m)
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built compiles the program once per test run, with the race detector if the tests have it.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "paydown")
	return path, apptest.BuildProgram(filepath.Join("..", ".."), path, raceFlags()...)
})

// raceFlags are the flags with which the tests were built, if these include -race. With the same flags, the
// program's build reuses the packages of the tests.
func raceFlags() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var flags []string
	race := false
	for _, s := range info.Settings {
		switch s.Key {
		case "-race":
			race = s.Value == "true"
			flags = append(flags, "-race")
		case "-gcflags":
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	if !race {
		return nil
	}
	return flags
}

// installation is a database with a tenant and a key, served by the real program.
type installation struct {
	program, db, secret string
	host, token         string
	env                 []string // what the program's environment has besides
}

// installations runs a test on an installation of each database.
func installations(t *testing.T, test func(t *testing.T, i *installation)) {
	t.Helper()
	for name, db := range map[string]func(testing.TB) string{
		"SQLite":     apptest.SQLiteURL,
		"PostgreSQL": apptest.MigratedPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, err := built()
			if err != nil {
				t.Fatal(err)
			}
			test(t, newInstallation(t, program, db(t)))
		})
	}
}

func newInstallation(t *testing.T, program, db string) *installation {
	t.Helper()
	i := &installation{program: program, db: db, secret: secret.NewKey(), host: "crash.test"}
	i.run(t, "tenant", "create", "--name", "Crash Test Funding", "--host", i.host)
	var issued struct{ Token string }
	out := i.run(t, "key", "create", "--tenant", i.host, "--name", "load", "--rate-limit", "0", "--json",
		"--scopes", strings.Join(auth.AllScopes().Strings(), ","))
	if err := json.Unmarshal(out, &issued); err != nil {
		t.Fatal(err)
	}
	i.token = issued.Token
	return i
}

func (i *installation) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), i.program, args...)
	cmd.Env = append(
		[]string{"PAYDOWN_DB=" + i.db, "PAYDOWN_SECRET_KEY=" + i.secret, "PATH=" + os.Getenv("PATH")},
		i.env...)
	return cmd
}

// run runs a command, which must succeed, and returns its output.
func (i *installation) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := i.command(args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("paydown %s: %v\n%s%s", strings.Join(args, " "), err, out, errOut.Bytes())
	}
	return out
}

// verified requires the program's own verification to pass.
func (i *installation) verified(t *testing.T) {
	t.Helper()
	var report service.IntegrityReport
	if err := json.Unmarshal(i.run(t, "verify", "--json"), &report); err != nil || !report.OK || len(report.Checks) == 0 {
		t.Errorf("verify: %v, %+v", err, report)
	}
}

// look reads the tenant's records while the program serves.
func (i *installation) look(t *testing.T, read func(context.Context, *ent.Client)) {
	t.Helper()
	s, err := store.Open(i.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	box, err := secret.Open(i.secret)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := service.New(service.Config{Store: s, Secrets: box}).Tenants.AsOperator(context.Background(), i.host)
	if err != nil {
		t.Fatal(err)
	}
	read(ctx, s.Reader())
}

// running is the serving program.
type running struct {
	*apptest.Client
	cmd  *exec.Cmd
	log  *apptest.Log
	gone chan struct{} // closed when it has ended
	code int           // read it when gone is closed

	stopping chan struct{} // closed when the log says that it shuts down
}

// patience is how long a test waits at most, on a busy machine.
const patience = 2 * time.Minute

// serve starts the program, with flags besides the usual ones, and returns once it listens.
func (i *installation) serve(t *testing.T, flags ...string) *running {
	t.Helper()
	usual := []string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--log-format", "json"}
	r := &running{
		cmd: i.command(append(usual, flags...)...),
		log: &apptest.Log{}, gone: make(chan struct{}), stopping: make(chan struct{}),
	}
	stderr, err := r.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	go func() {
		r.follow(bufio.NewScanner(stderr), address)
		_ = r.cmd.Wait() // the code says it
		r.code = r.cmd.ProcessState.ExitCode()
		close(r.gone)
	}()
	t.Cleanup(func() {
		r.kill()
		if strings.Contains(r.log.String(), "DATA RACE") {
			t.Error("the program has a data race")
		}
		if t.Failed() {
			t.Logf("end of the program's log:\n%s", lastLines(r.log.String(), 60))
		}
	})
	select {
	case at := <-address:
		r.Client = &apptest.Client{Base: "http://" + at, Host: i.host, Token: i.token, HTTP: &http.Client{
			Transport: &http.Transport{MaxIdleConnsPerHost: 64, DialContext: (&net.Dialer{}).DialContext},
		}}
	case <-r.gone:
		t.Fatalf("the program ended at once:\n%s", r.log)
	case <-time.After(patience):
		t.Fatalf("the program does not serve:\n%s", r.log)
	}
	return r
}

// follow reads the log to its end, and reports the lines that matter.
func (r *running) follow(lines *bufio.Scanner, address chan<- string) {
	for lines.Scan() {
		_, _ = r.log.Write(append(lines.Bytes(), '\n'))
		var line struct{ Msg, Addr string }
		_ = json.Unmarshal(lines.Bytes(), &line) // what is no JSON is for people
		switch {
		case line.Msg == "serving":
			address <- line.Addr
		case strings.HasPrefix(line.Msg, "shutting down"):
			close(r.stopping)
		}
	}
}

// kill ends the program at once and interrupts its work.
func (r *running) kill() {
	_ = r.cmd.Process.Kill()
	<-r.gone
}

// stop asks the program to end.
func (r *running) stop(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// ended waits for the end and returns the exit code.
func (r *running) ended(t *testing.T) int {
	t.Helper()
	select {
	case <-r.gone:
		return r.code
	case <-time.After(patience):
		t.Fatalf("the program does not stop:\n%s", lastLines(r.log.String(), 30))
		return -1
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
