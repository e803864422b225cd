package goclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const host = "goclient.test"

// installation is the program serving a company on a database of its own.
type installation struct{ base, token string }

// patience is how long the program may take to start.
const patience = 2 * time.Minute

var program string

func TestMain(m *testing.M) {
	code, err := prepared(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// prepared builds the program and runs the tests.
func prepared(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "paydown-goclient-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "paydown")
	build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-o", program, "./cmd/paydown")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build paydown: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// serve starts the program on a new database with one company, and returns once it listens.
func serve(t *testing.T) *installation {
	t.Helper()
	env := []string{"PAYDOWN_DB=sqlite:" + filepath.Join(t.TempDir(), "paydown.db"), "PATH=" + os.Getenv("PATH")}
	run := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = env
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("paydown %v: %v", args, err)
		}
		return out
	}
	run("tenant", "create", "--name", "Go Client Funding", "--host", host)
	var issued struct{ Token string }
	if err := json.Unmarshal(run("key", "create", "--tenant", host, "--name", "goclient", "--json",
		"--scopes", "leads:write,merchants:write,deals:write,payments:write"), &issued); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), program,
		"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--log-format", "json")
	cmd.Env = env
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	var reading sync.WaitGroup
	reading.Go(func() {
		for lines := bufio.NewScanner(log); lines.Scan(); {
			var line struct{ Msg, Addr string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
				address <- line.Addr
			}
		}
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		reading.Wait()
		_ = cmd.Wait()
	})
	select {
	case at := <-address:
		return &installation{base: "http://" + at, token: issued.Token}
	case <-time.After(patience):
		t.Fatal("the program does not serve")
		return nil
	}
}
