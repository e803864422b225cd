package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

const postgresEnv = "PAYDOWN_TEST_POSTGRES_URL"

// withPostgres calls f with the URL of a temporary empty database: on the server of postgresEnv, or else on a
// private one. It cannot use the tests' server (internal/apptest), which depends on the whole application: a
// migration is written when the schema has changed and the application does not compile yet.
func withPostgres(ctx context.Context, f func(dbURL string) error) error {
	if given := os.Getenv(postgresEnv); given != "" {
		u, err := url.Parse(given)
		if err != nil {
			return errors.New(postgresEnv + " must be a postgres:// URL")
		}
		return withDatabase(ctx, *u, f)
	}
	dir, err := os.MkdirTemp("/tmp", "paydown-migrate-") // the path of a socket is limited to a hundred bytes
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s := server{dir: dir}
	if err := s.dropRoot(); err != nil {
		return err
	}
	if err := s.control(ctx, "initdb", "-o", "-U postgres -A trust -E UTF8 --locale=C --no-sync"); err != nil {
		return err
	}
	options := "-c listen_addresses= -c fsync=off -c unix_socket_directories=" + dir
	if err := s.control(ctx, "start", "-w", "-l", filepath.Join(dir, "log"), "-o", options); err != nil {
		return err
	}
	query := url.Values{"host": {dir}, "sslmode": {"disable"}}
	err = withDatabase(
		ctx, url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: query.Encode()}, f,
	)
	return errors.Join(err, s.control(context.WithoutCancel(ctx), "stop", "-m", "immediate"))
}

// withDatabase creates the database on the server of u.
func withDatabase(ctx context.Context, u url.URL, f func(dbURL string) error) (err error) {
	db, err := sql.Open("postgres", u.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	name := "paydown_migrate_" + strconv.Itoa(os.Getpid())
	if _, err := db.ExecContext(ctx, `CREATE DATABASE `+name+` TEMPLATE template0`); err != nil {
		return err
	}
	defer func() {
		_, dropErr := db.ExecContext(context.WithoutCancel(ctx), `DROP DATABASE `+name)
		err = errors.Join(err, dropErr)
	}()
	u.Path = "/" + name
	return f(u.String())
}

// server is a private PostgreSQL, with data and socket in its own directory.
type server struct {
	dir     string
	account *syscall.Credential // nil means the caller's own
}

// dropRoot gives the server to another account if the caller is root, for whom PostgreSQL refuses to start.
func (s *server) dropRoot() error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32) // numbers, on every system that has root
	gid, _ := strconv.ParseUint(u.Gid, 10, 32)
	s.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(s.dir, int(uid), int(gid))
}

// control runs the newest installed pg_ctl.
func (s *server) control(ctx context.Context, args ...string) error {
	program := "pg_ctl"
	if installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl"); len(installed) > 0 {
		program = installed[len(installed)-1]
	}
	args = append(args, "-D", filepath.Join(s.dir, "data"))
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // a program of PostgreSQL
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account}
	// No pipes: the server would inherit them, and the output would never end.
	output, err := os.Create(filepath.Join(s.dir, "output"))
	if err != nil {
		return err
	}
	defer output.Close()
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(output.Name())
		return fmt.Errorf("%s %s: %w (set %s to use your own server)\n%s", program, args[0], err, postgresEnv, said)
	}
	return nil
}
