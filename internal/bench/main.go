// Command bench measures the product: `make bench`.
//
//	bench compare     requests a second beside a bare net/http + database/sql server that does the same SQL work (or beside
//	                  another build of the product: -against)
//	bench pages       page 10,000 of a list of a million records beside page 1
//	bench deliveries  webhooks a second, and how long they take from the commit to their receiver
//	bench idle        memory and time to ready of the binary
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "bare" {
		become(os.Args[2], serveBare)
	}
	if len(os.Args) == 3 && os.Args[1] == "engine" {
		become(os.Args[2], runEngine)
	}
	o := options{}
	flag.StringVar(&o.binary, "binary", "bin/paydown", "the product")
	flag.StringVar(&o.databases, "databases", "postgres,sqlite", "which databases")
	flag.StringVar(&o.only, "only", "", "only what has this in its name")
	flag.StringVar(&o.against, "against", "", "another build of the product to compare with, instead of the bare server")
	flag.DurationVar(&o.slice, "slice", time.Second, "how long each server runs at a time")
	flag.IntVar(&o.rounds, "rounds", 7, "pairs of slices")
	flag.IntVar(&o.rows, "rows", 1_000_000, "records of the long list")
	flag.IntVar(&o.old, "old", 1_000_000, "old deliveries that are purged while others are made")
	flag.StringVar(&o.json, "json", "", "a file to write the figures of deliveries to as well")
	flag.BoolVar(&o.fsync, "fsync", true, "PostgreSQL waits for the disk at a commit, as in production")
	flag.Parse()
	acts := map[string]func(*stage, options){"compare": compare, "pages": pages, "deliveries": deliveries, "idle": idle}
	for _, name := range flag.Args() {
		act, ok := acts[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "bench: there is no", name)
			os.Exit(2)
		}
		if err := play(func(s *stage) { act(s, o) }); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

type options struct {
	binary, databases, only, against, json string
	slice                                  time.Duration
	rounds, rows, old                      int
	fsync                                  bool
}

// wants reports whether what has that name was asked for.
func (o options) wants(name string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(o.only))
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
	return fmt.Sprintf("%d cores (%s), %s, %s", runtime.NumCPU(), model, strings.TrimSpace(string(kernel)), runtime.Version())
}
