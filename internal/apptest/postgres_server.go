package apptest

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// ErrNoPostgres explains how to get the server that the tests need.
var ErrNoPostgres = errors.New("the tests need a PostgreSQL server and found none: install it " +
	"(Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql), or set " + PostgresEnv +
	" to the URL of a server on which databases may be created")

// server is a private PostgreSQL: its data, its log and its only address, a Unix socket, are in its own
// directory.
type server struct {
	bin, dir string
	account  *syscall.Credential // nil means the caller's own
	settings []string            // override those of start

	line  *os.File      // to the keeper; nil while nothing runs
	gone  chan struct{} // closed when the keeper has ended
	ended error         // the keeper's result; read it after gone is closed
}

// keeperScript runs a program while the other end of its standard input is open. A word on standard input is a
// signal for the program. Its end, which comes however the test process ends, stops the program and removes the
// directory.
const keeperScript = `
dir=$1
shift
exec 3<&0
"$@" >>"$dir/log" 2>&1 3<&- &
program=$!
(
	if read -r signal <&3; then kill "-$signal" $program; else : >"$dir/over"; kill -QUIT $program; fi
) &
reader=$!
wait $program
status=$?
kill $reader 2>/dev/null
if [ -e "$dir/over" ]; then
	for _ in 1 2 3 4 5; do # a child of the program may still be writing
		rm -rf "$dir" 2>/dev/null && break
		sleep 1
	done
fi
exit $status
`

// patience limits waiting, such as for the start of the server on a busy machine.
const patience = 2 * time.Minute

// newServer creates and starts one.
func newServer(settings ...string) (*server, error) {
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return nil, err
	}
	onPath, _ := exec.LookPath("postgres")
	bin := newestBin(installed, onPath)
	if bin == "" {
		return nil, ErrNoPostgres
	}
	account, err := unprivileged()
	if err != nil {
		return nil, err
	}
	// Not in TMPDIR: the path of a socket is limited to a hundred bytes, and the other account needs access.
	dir, err := os.MkdirTemp("/tmp", "paydown-postgres-")
	if err != nil {
		return nil, err
	}
	s := &server{bin: bin, dir: dir, account: account, settings: settings}
	if account != nil {
		err = os.Chown(dir, int(account.Uid), int(account.Gid))
	}
	if err == nil {
		err = s.initialize()
	}
	if err == nil {
		err = s.start()
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

// newestBin returns the directory of the newest /usr/lib/postgresql/VERSION/bin/postgres, or else that of
// onPath.
func newestBin(installed []string, onPath string) string {
	version := func(path string) float64 {
		v, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(filepath.Dir(path))), 64)
		return v
	}
	if len(installed) > 0 {
		return filepath.Dir(slices.MaxFunc(installed, func(a, b string) int { return cmp.Compare(version(a), version(b)) }))
	}
	if onPath != "" {
		return filepath.Dir(onPath)
	}
	return ""
}

// unprivileged returns the account to run the server as if the caller is root, for whom PostgreSQL refuses to
// start.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("find an account other than root for PostgreSQL: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// initialize creates the data directory. It uses a linguistic collation, as most servers in production do. That
// orders text differently than SQLite and Go, so code that silently relies on byte order fails. It needs
// PostgreSQL 15 built with ICU.
func (s *server) initialize() error {
	var err error
	for _, locale := range [][]string{{"--locale-provider=icu", "--icu-locale=en-US", "--locale=C"}, {"--locale=C"}} {
		args := []string{
			"-D",
			s.dir + "/data",
			"-U",
			"postgres",
			"-A",
			"trust",
			"-E",
			"UTF8",
			"--no-sync",
			"--no-instructions",
		}
		if err = s.keep("initdb", append(args, locale...)...); err != nil {
			break
		}
		if err = s.release(); err != nil {
			break
		}
		if err = s.ended; err == nil {
			return nil
		}
	}
	return fmt.Errorf("initdb: %w\n%s", err, s.logTail())
}

// start returns when the server responds. Committed data outlives the server's end but not the machine's.
func (s *server) start() error {
	args := []string{
		"-D", s.dir + "/data", "-c", "listen_addresses=", "-c", "unix_socket_directories=" + s.dir,
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=32MB", "-c", "max_connections=500",
	}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	err := s.keep("postgres", args...)
	if err == nil {
		err = s.await()
	}
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w\n%s", err, s.logTail())
	}
	return nil
}

// keep starts a program of PostgreSQL under a keeper, as the server's account, without the tests' environment
// and terminal: an interrupt there ends the test process, and with it the program.
func (s *server) keep(program string, args ...string) error {
	if s.line != nil {
		return errors.New("it is already running")
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirs.Close()
	keeper := exec.CommandContext(context.Background(), "/bin/sh",
		append([]string{"-c", keeperScript, "paydown", s.dir, filepath.Join(s.bin, program)}, args...)...)
	keeper.Stdin = theirs
	keeper.Dir = s.dir
	keeper.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: s.account}
	if err := keeper.Start(); err != nil {
		_ = ours.Close()
		return err
	}
	gone := make(chan struct{})
	s.line, s.gone = ours, gone
	go func() {
		s.ended = keeper.Wait()
		close(gone)
	}()
	return nil
}

// await returns when the server responds, or with an error if it ended or does not respond in time.
func (s *server) await() error {
	db, err := sql.Open("postgres", s.url())
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.gone:
			return errors.New("it ended immediately")
		case <-ctx.Done():
			return fmt.Errorf("no answer in %s: %w", patience, err)
		case <-again.C:
		}
	}
}

// halt ends the server with a signal and returns when it is gone; its data remains.
func (s *server) halt(signal string) error {
	if s.line == nil {
		return errors.New("it is already stopped")
	}
	if _, err := s.line.WriteString(signal + "\n"); err != nil {
		return err
	}
	return s.release()
}

// remove ends the server, if it runs, and removes its directory.
func (s *server) remove() {
	if s.line != nil {
		_ = s.line.Close()
		_ = s.release()
	}
	_ = os.RemoveAll(s.dir)
}

// release waits for the program to end.
func (s *server) release() error {
	select {
	case <-s.gone:
	case <-time.After(patience):
		return fmt.Errorf("it is still running after %s", patience)
	}
	_ = s.line.Close()
	s.line = nil
	return nil
}

func (s *server) logTail() []byte {
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return log[max(0, len(log)-4000):]
}

func (s *server) url() string {
	q := url.Values{"host": {s.dir}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Host: "", Path: "/postgres", RawQuery: q.Encode()}
	return u.String()
}
