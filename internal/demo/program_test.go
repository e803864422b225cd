package demo_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/demo"
)

var buildDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "paydown-demo-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built compiles the program once per test run; without the race detector, under which SQLite takes ten times as long.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "paydown")
	return path, apptest.BuildProgram(filepath.Join("..", ".."), path)
})

// command has the program itself make the portfolio on the application's database, as who tries it would.
func command(t *testing.T, a *apptest.App, flags ...string) demo.Result {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"demo", "--json"}, flags...)...)
	cmd.Env = []string{"PAYDOWN_DB=" + a.DB, "PAYDOWN_SECRET_KEY=" + a.Secret, "PATH=" + os.Getenv("PATH")}
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("paydown demo: %v\n%s", err, problems.Bytes())
	}
	var result demo.Result
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	return result
}
