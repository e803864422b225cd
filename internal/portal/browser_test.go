package portal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/web"
)

// playwrightArgs are arguments for Playwright besides those of the suite: a file, -g and part of a title, --headed.
const playwrightArgs = "PAYDOWN_TEST_PLAYWRIGHT"

// storiesOnPostgres are the tests of web/e2e that a short run repeats on PostgreSQL: what the browser sees
// there can differ only where the database pushes changes or pages and sorts rows. A long run repeats all.
var storiesOnPostgres = []string{"live.spec", "deal.spec", "csv.spec", "payouts.spec"}

// TestPortalInABrowser runs the Playwright tests of web/e2e against the product, on each database. Each of them
// orders a company of its own, so that they depend neither on each other nor on their order.
func TestPortalInABrowser(t *testing.T) {
	if _, err := fs.Stat(web.Files(), "index.html"); err != nil {
		t.Fatal("the portal is not built: run make portal")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is not installed: run make deps, or apt-get install chromium")
	}
	playwright, err := filepath.Abs("../../web/node_modules/.bin/playwright")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(playwright); err != nil {
		t.Fatal("Playwright is not installed: run make portal, or npm ci in web")
	}
	t.Setenv("CHROMIUM", chromium)
	t.Setenv("TZ", "UTC")
	for _, database := range []struct {
		name  string
		start func(testing.TB, ...apptest.Option) *apptest.App
	}{{"SQLite", apptest.OnSQLite}, {"PostgreSQL", apptest.OnPostgres}} {
		t.Run(database.name, func(t *testing.T) {
			a := database.start(t, apptest.Delivering(), apptest.KeepingFiles(t, t.TempDir(), 1<<20))
			args := []string{"--output", "e2e/results/" + database.name}
			if a.Store.IsPostgres() && !apptest.Soaking() && os.Getenv(playwrightArgs) == "" {
				args = append(args, storiesOnPostgres...)
			}
			runPlaywright(t, newCompanies(t, a), playwright, args...)
		})
	}
}

// order asks the test's goroutine for a company: only that one may end the test.
type order struct {
	Kind    string   `json:"kind"`
	Members []string `json:"members"`
	made    chan apptest.Object
}

// runPlaywright runs the tests and creates the companies that they order by HTTP.
func runPlaywright(t *testing.T, companies *companies, playwright string, args ...string) {
	t.Helper()
	orders := make(chan order)
	counter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := order{made: make(chan apptest.Object, 1)}
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case orders <- o:
			_ = json.NewEncoder(w).Encode(<-o.made)
		case <-t.Context().Done():
		}
	}))
	defer counter.Close()
	address, err := url.Parse(companies.app.HTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"test"}, append(args, strings.Fields(os.Getenv(playwrightArgs))...)...)
	command := exec.CommandContext(t.Context(), playwright, args...)
	command.Dir = "../../web"
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // it ends its browsers
	command.Env = append(
		os.Environ(), "PORTAL_PORT="+address.Port(), "PORTAL_COMPANIES="+counter.URL,
		// The look of a page does not depend on the database.
		"PORTAL_EXAMINE="+map[bool]string{false: "yes"}[companies.app.Store.IsPostgres()],
	)
	var said bytes.Buffer
	command.Stdout = &said
	if testing.Verbose() {
		command.Stdout = io.MultiWriter(&said, os.Stderr)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancelCause(context.Background())
	go func() { cancel(command.Wait()) }()
	for {
		select {
		case o := <-orders:
			o.made <- companies.make(t, o.Kind, o.Members)
		case <-ended.Done():
			if command.ProcessState.ExitCode() != 0 {
				t.Errorf("%v\n%s", context.Cause(ended), said.String())
			}
			return
		}
	}
}
