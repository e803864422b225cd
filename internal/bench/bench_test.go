package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"paydown/internal/apptest"
)

// programs are the bench and the product, as `make bench` builds them: without the race detector, which would take ten
// times as long and measure nothing else.
type programs struct{ bench, product string }

var (
	buildDir string
	built    = sync.OnceValues(func() (programs, error) {
		p := programs{filepath.Join(buildDir, "bench"), filepath.Join(buildDir, "paydown")}
		if err := apptest.Build(".", ".", p.bench); err != nil {
			return p, err
		}
		return p, apptest.BuildProgram(root, p.product)
	})
)

var root = filepath.Join("..", "..")

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "paydown-bench-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// Every benchmark is run, so that none stops working unnoticed. Both servers must answer alike, nothing may fail, all
// events must be delivered and all old deliveries purged. How fast anything was does not matter.
func TestEveryBenchmarkWorks(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			t.Run("compare", func(t *testing.T) {
				var want, got []string
				for _, w := range workloads(shortScale().copies) {
					want = append(want, w.name+", 8 clients", w.name+", 1 clients")
				}
				for _, row := range table(t, kind, "compare") {
					got = append(got, row[1]+", "+row[2]+" clients")
				}
				if !slices.Equal(got, want) {
					t.Errorf("rows %q, want %q", got, want)
				}
			})
			t.Run("compare with another build", func(t *testing.T) {
				p, err := built()
				if err != nil {
					t.Fatal(err)
				}
				if rows := table(t, kind, "-against", p.product, "-only", "PATCH", "compare"); len(rows) != 2 {
					t.Errorf("rows %q", rows)
				}
			})
			t.Run("deliveries", func(t *testing.T) { deliveriesWork(t, kind) })
			t.Run("idle", func(t *testing.T) {
				if rows := table(t, kind, "idle"); len(rows) != 1 {
					t.Errorf("rows %q", rows)
				}
			})
			t.Run("floods", func(t *testing.T) {
				if rows := table(t, kind, "floods"); len(rows) != 2 {
					t.Errorf("rows %q", rows)
				}
			})
			t.Run("pages", func(t *testing.T) {
				if rows := table(t, kind, "pages"); len(rows) != 3 {
					t.Errorf("rows %q", rows)
				}
			})
		})
	}
}

func deliveriesWork(t *testing.T, kind string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figures.json")
	rows := table(t, kind, "-json", file, "deliveries")
	raw, err := os.ReadFile(file)
	var figures struct{ Deliveries []measured }
	if err == nil {
		err = json.Unmarshal(raw, &figures)
	}
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, m := range figures.Deliveries {
		got = append(got, m.Scenario)
		if m.Database != kind || m.Repeated != 0 || m.Purged != m.OldRows {
			t.Errorf("%+v: repeated, or not all is purged", m)
		}
	}
	for _, c := range scenarios {
		if kind == "postgres" || !c.postgres {
			want = append(want, c.name)
		}
	}
	if !slices.Equal(got, want) || len(rows) != len(want) {
		t.Errorf("measured %q, want %q, in the table %q", got, want, rows)
	}
}

// table runs a short benchmark and returns the rows of its table that are of the database, as cells.
func table(t *testing.T, kind string, args ...string) [][]string {
	t.Helper()
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"-short", "-binary", p.product, "-databases", kind}, args...)
	cmd := exec.CommandContext(t.Context(), p.bench, args...)
	cmd.Dir = root // as for `make bench`
	cmd.Env = append(os.Environ(), apptest.PostgresEnv+"="+databaseServer(t))
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s%s", args, err, problems.Bytes(), out)
	}
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") || strings.Contains(line, "%!") {
			t.Errorf("not a figure in %s", line)
		}
		if !strings.HasPrefix(line, "| "+kind+" |") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| \n"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// databaseServer is the address of the tests' PostgreSQL, for a program that makes databases there.
func databaseServer(t *testing.T) string {
	t.Helper()
	if named := os.Getenv(apptest.PostgresEnv); named != "" {
		return named
	}
	return apptest.PostgresURL(t)
}

func TestOptionsThatSelectNothingAreRejected(t *testing.T) {
	t.Parallel()
	all := []string{"compare", "deliveries", "idle", "floods"}
	for name, c := range map[string]struct {
		only string
		rows int
		acts []string
		want string // in the problem; "": there is none
	}{
		"everything":          {acts: all},
		"a request":           {only: "payment", acts: all},
		"deliveries":          {only: "Deliveries", acts: all},
		"the binary":          {only: "idle", acts: all},
		"floods":              {only: "flood", acts: all},
		"a name there is not": {only: "loans", acts: all, want: "PATCH a payment to PAID"},
		"an act there is not": {acts: []string{"compar"}, want: "there is no compar"},
		"pages":               {acts: []string{"pages"}},
		"a list too short":    {rows: 1000, acts: []string{"pages"}, want: "no page 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options{scale: fullScale(), only: c.only}
			if c.rows > 0 {
				o.rows = c.rows
			}
			if got := o.problem(c.acts); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("problem %q, want %q", got, c.want)
			}
		})
	}
}

func TestAddressIsReadFromLog(t *testing.T) {
	t.Parallel()
	started, err := awaitServing(strings.NewReader(`{"msg":"no files are kept"}
not JSON
{"msg":"serving","addr":"127.0.0.1:1","adminAddr":"127.0.0.1:2"}
{"msg":"request"}
`))
	if err != nil || started.Addr != "127.0.0.1:1" || started.AdminAddr != "127.0.0.1:2" {
		t.Errorf("%+v, %v", started, err)
	}
	if _, err := awaitServing(strings.NewReader("paydown: no database\n")); err == nil ||
		!strings.Contains(err.Error(), "no database") {
		t.Errorf("of a program that ends: %v", err)
	}
}
