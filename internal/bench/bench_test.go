package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"paydown/internal/apptest"
)

// The processes that the bench starts are this program too, and it runs at the root of the module, as `make bench` does.
func TestMain(m *testing.M) {
	becomeChild()
	dir, err := os.MkdirTemp("", "paydown-bench-")
	if err == nil {
		buildDir = dir
		err = os.Chdir(filepath.Join("..", ".."))
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var buildDir string

var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "paydown")
	return path, apptest.BuildProgram(".", path)
})

// Every benchmark is run, so that none stops working unnoticed: that both servers answer alike, that nothing fails, that all
// events are delivered and all old deliveries purged. How fast anything was is not looked at.
func TestEveryBenchmarkWorks(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			t.Run("compare", func(t *testing.T) {
				rows := table(t, kind, compare, shortOptions(t, kind))
				var want, got []string
				for _, w := range workloads(shortScale().copies) {
					want = append(want, w.name+", 8 clients", w.name+", 1 clients")
				}
				for _, row := range rows {
					got = append(got, row[1]+", "+row[2]+" clients")
				}
				if !slices.Equal(got, want) {
					t.Errorf("rows %q, want %q", got, want)
				}
			})
			t.Run("compare with another build", func(t *testing.T) {
				o := shortOptions(t, kind)
				o.against = o.binary
				if rows := table(t, kind, compare, o); len(rows) != 2*len(workloads(o.copies)) {
					t.Errorf("rows %q", rows)
				}
			})
			t.Run("deliveries", func(t *testing.T) { deliveriesWork(t, kind) })
			t.Run("idle", func(t *testing.T) {
				if rows := table(t, kind, idle, shortOptions(t, kind)); len(rows) != 1 {
					t.Errorf("rows %q", rows)
				}
			})
			t.Run("pages", func(t *testing.T) {
				if rows := table(t, kind, pages, shortOptions(t, kind)); len(rows) != 3 {
					t.Errorf("rows %q", rows)
				}
			})
		})
	}
}

func deliveriesWork(t *testing.T, kind string) {
	t.Helper()
	o := shortOptions(t, kind)
	o.json = filepath.Join(t.TempDir(), "figures.json")
	rows := table(t, kind, deliveries, o)
	raw, err := os.ReadFile(o.json)
	var figures struct{ Deliveries []measured }
	if err == nil {
		err = json.Unmarshal(raw, &figures)
	}
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, m := range figures.Deliveries {
		got = append(got, m.Course)
		if m.Database != kind || m.Repeated != 0 || m.Purged != m.OldRows {
			t.Errorf("%+v: repeated, or not all is purged", m)
		}
	}
	for _, c := range courses {
		if kind == "postgres" || !c.postgres {
			want = append(want, c.name)
		}
	}
	if !slices.Equal(got, want) || len(rows) != len(want) {
		t.Errorf("measured %q, want %q, in the table %q", got, want, rows)
	}
}

// shortOptions are those of -short.
func shortOptions(t *testing.T, kind string) options {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return options{scale: shortScale(), short: true, binary: binary, databases: kind}
}

// table runs a benchmark and returns the rows of its table that are of the database, as cells.
func table(t *testing.T, kind string, act func(*stage, options), o options) [][]string {
	t.Helper()
	var out bytes.Buffer
	if err := play(&out, func(s *stage) { act(s, o) }); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	var rows [][]string
	for line := range strings.Lines(out.String()) {
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

func TestOptionsThatPickNothingAreRefused(t *testing.T) {
	t.Parallel()
	all := []string{"compare", "deliveries", "idle"}
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

func TestTheAddressIsReadFromWhicheverLineHasIt(t *testing.T) {
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
