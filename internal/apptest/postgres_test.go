package apptest

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func openDB(t *testing.T, dbURL string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", dbURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exec1(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func count(t *testing.T, db *sql.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func nameOf(t *testing.T, dbURL string) string {
	t.Helper()
	u, err := url.Parse(dbURL)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

func TestPostgresURL(t *testing.T) {
	t.Parallel()
	admin := SharedPostgres(t).admin
	var used []string
	for range 2 {
		t.Run("gives an empty database", func(t *testing.T) {
			dbURL := PostgresURL(t)
			used = append(used, nameOf(t, dbURL))
			db := openDB(t, dbURL)
			exec1(t, db, `CREATE TABLE lead (id int)`)
			if n := count(t, db, `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`); n != 1 {
				t.Errorf("%d tables, want the one just made", n)
			}
		})
	}
	if len(used) != 2 || used[0] == used[1] {
		t.Errorf("two tests got %v, want two databases", used)
	}
	for _, name := range used {
		if n := count(t, admin, `SELECT count(*) FROM pg_database WHERE datname = $1`, name); n != 0 {
			t.Errorf("%s is still there after its test", name)
		}
	}
}

func TestClone(t *testing.T) {
	t.Parallel()
	own := StartPostgres(t)
	// The same server as seen by other processes when PostgresEnv names it.
	other, err := openPostgres(own.url.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.admin.Close() })

	var filled atomic.Int32
	fill := func(ctx context.Context, dbURL string) error {
		if filled.Add(1) == 1 {
			return errors.New("the first attempt fails")
		}
		db, err := sql.Open("postgres", dbURL)
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.ExecContext(ctx, `CREATE TABLE lead (id int)`)
		return err
	}
	if err := own.prepare(t.Context(), "filled", fill); err == nil || !strings.Contains(err.Error(), "first attempt") {
		t.Fatalf("err = %v, want that of fill", err)
	}
	t.Run("in parallel", func(t *testing.T) {
		for i := range 8 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				from := []*Postgres{own.Postgres, other}[i%2]
				db := openDB(t, from.Clone(t, "filled", fill))
				exec1(t, db, `INSERT INTO lead VALUES (1)`)
				if n := count(t, db, `SELECT count(*) FROM lead`); n != 1 {
					t.Errorf("%d rows, want the own one only", n)
				}
			})
		}
	})
	if n := filled.Load(); n != 2 {
		t.Errorf("the template was filled %d times, want once more after the failure", n)
	}
}

func TestOwnPostgresRestartsWithData(t *testing.T) {
	t.Parallel()
	own := StartPostgres(t)
	db := openDB(t, own.NewDatabase(t))
	exec1(t, db, `CREATE TABLE lead (id int)`)
	for i, end := range []func(testing.TB){own.Stop, own.Crash} {
		exec1(t, db, `INSERT INTO lead VALUES (1)`)
		end(t)
		if err := db.PingContext(t.Context()); err == nil {
			t.Fatal("the stopped server answers")
		}
		own.Start(t)
		if n := count(t, db, `SELECT count(*) FROM lead`); n != i+1 {
			t.Errorf("%d rows after restart %d, want %d", n, i+1, i+1)
		}
	}
}

func TestServerDoesNotRunAsRoot(t *testing.T) {
	t.Parallel()
	own := StartPostgres(t)
	info, err := os.Stat(filepath.Join(own.server.dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid == 0 {
		t.Error("the server runs as root")
	}
}

// holdEnv makes a child of this test hold a server until it is killed.
const holdEnv = "PAYDOWN_TEST_HOLD_POSTGRES"

func TestServerEndsWithAKilledProcess(t *testing.T) {
	t.Parallel()
	if os.Getenv(holdEnv) != "" {
		fmt.Println("holding", StartPostgres(t).server.dir)
		select {}
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), holdEnv+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	for lines := bufio.NewScanner(out); dir == "" && lines.Scan(); {
		dir, _ = strings.CutPrefix(lines.Text(), "holding ")
	}
	pidFile, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(pidFile), &pid); err != nil {
		t.Fatal(err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()

	for deadline := time.Now().Add(patience); ; {
		_, folder := os.Stat(dir)
		if errors.Is(folder, os.ErrNotExist) && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server %d or its folder %s outlived the process", pid, dir)
		}
		time.Sleep(10 * time.Millisecond) // another process ends; nothing announces it
	}
}

func TestFailedServerStartReportsReason(t *testing.T) {
	t.Parallel()
	own := StartPostgres(t)
	own.Stop(t)
	settings := filepath.Join(own.server.dir, "data", "postgresql.auto.conf")
	if err := os.WriteFile(settings, []byte("no_such_setting = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := own.server.start(); err == nil || !strings.Contains(err.Error(), "no_such_setting") {
		t.Errorf("err = %v, want the end of the server's log", err)
	}
}

func TestNewestBin(t *testing.T) {
	t.Parallel()
	at := func(v string) string { return "/usr/lib/postgresql/" + v + "/bin/postgres" }
	for want, in := range map[string][]string{
		"/usr/lib/postgresql/17/bin":  {at("9.6"), at("17"), at("15")},
		"/usr/lib/postgresql/9.6/bin": {at("9.6"), at("9.5")},
		"/opt/bin":                    nil,
	} {
		if got := newestBin(slices.Clone(in), "/opt/bin/postgres"); got != want {
			t.Errorf("newestBin(%v) = %s, want %s", in, got, want)
		}
	}
	if got := newestBin(nil, ""); got != "" {
		t.Errorf("newestBin of nothing = %s", got)
	}
}
