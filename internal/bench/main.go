// Command bench measures the product: `make bench`.
//
//	bench compare     requests a second beside a bare net/http + database/sql server that does the same SQL work
//	                  (or beside another build of the product: -against)
//	bench pages       page 10,000 of a list of a million records beside page 1
//	bench deliveries  webhooks a second, and how long they take from the commit to their receiver
//	bench idle        memory and time to ready of the binary
//	bench floods      the most memory of the binary while strangers flood it
//
// With -short all of it is done once, on little data: whether it works, not how fast.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

func main() {
	becomeChild()
	o := options{scale: fullScale()}
	flag.StringVar(&o.binary, "binary", "bin/paydown", "the product")
	flag.StringVar(&o.databases, "databases", "postgres,sqlite", "which databases")
	flag.StringVar(&o.only, "only", "", "only what has this in its name")
	flag.StringVar(&o.against, "against", "", "another build of the product to compare with, instead of the bare server")
	flag.DurationVar(&o.slice, "slice", o.slice, "how long each server runs at a time")
	flag.IntVar(&o.rounds, "rounds", o.rounds, "pairs of slices")
	flag.IntVar(&o.rows, "rows", o.rows, "records of the long list")
	flag.IntVar(&o.page, "page", o.page, "the page of the long list that is compared with the first")
	flag.IntVar(&o.old, "old", o.old, "old deliveries that are purged while others are made")
	short := flag.Bool("short", false, "do everything once, on little data: whether it works, not how fast")
	flag.StringVar(&o.json, "json", "", "a file to write the figures of deliveries to as well")
	flag.BoolVar(&o.fsync, "fsync", true, "PostgreSQL waits for the disk at a commit, as in production")
	flag.Parse()
	if *short {
		o.scale, o.short, o.fsync = shortScale(), true, false
	}
	if problem := o.problem(flag.Args()); problem != "" {
		fmt.Fprintln(os.Stderr, "bench:", problem)
		os.Exit(2)
	}
	for _, name := range flag.Args() {
		if err := play(os.Stdout, func(s *stage) { acts[name](s, o) }); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

// acts are the benchmarks.
var acts = map[string]func(*stage, options){
	"compare": compare, "pages": pages, "deliveries": deliveries, "idle": idle, "floods": floods,
}

type options struct {
	scale

	binary, databases, only, against, json string
	fsync, short                           bool
}

// problem is what is wrong with what was asked for, or "".
func (o options) problem(asked []string) string {
	var names []string
	for _, act := range asked {
		switch act {
		case "compare":
			for _, w := range workloads(o.copies) {
				names = append(names, w.name)
			}
		case "deliveries":
			for _, c := range scenarios {
				names = append(names, c.name)
			}
		case "idle":
			names = append(names, act)
		case "floods":
			for _, f := range allFloods(o) {
				names = append(names, f.name)
			}
		case "pages": // all or nothing
			if o.page*pageSize >= o.rows {
				return fmt.Sprintf("a list of %d has no page %d with one after it", o.rows, o.page)
			}
		default:
			return "there is no " + act
		}
	}
	if len(names) > 0 && !slices.ContainsFunc(names, o.wants) {
		return fmt.Sprintf("nothing has %q in its name; there are:\n  %s", o.only, strings.Join(names, "\n  "))
	}
	return ""
}

// wants reports whether what has that name was asked for.
func (o options) wants(name string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(o.only))
}

// becomeChild does the work of a process that the bench has started, and ends it. It returns in any other process.
func becomeChild() {
	if len(os.Args) != 3 {
		return
	}
	switch os.Args[1] {
	case "bare":
		become(os.Args[2], serveBare)
	case "engine":
		become(os.Args[2], runEngine)
	}
}

// become is all that a process does which the bench has started.
func become[T any](config string, act func(T) error) {
	var cfg T
	err := json.Unmarshal([]byte(config), &cfg)
	if err == nil {
		err = act(cfg)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
	os.Exit(0)
}

// machine describes where the figures are from.
func machine() string {
	model := runtime.GOARCH
	if raw, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(raw)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				model = strings.Trim(name, "\t :\n")
				break
			}
		}
	}
	kernel, _ := exec.Command("uname", "-sr").Output() //nolint:noctx // at once
	release := strings.TrimSpace(string(kernel))
	return fmt.Sprintf("%d cores (%s), %s, %s", runtime.NumCPU(), model, release, runtime.Version())
}
