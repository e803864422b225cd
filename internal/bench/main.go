// Command bench measures the product: `make bench`.
//
//	bench compare   requests a second beside a bare net/http + database/sql server that does the same SQL work (or beside
//	                another build of the product: -against)
//	bench pages     page 10,000 of a list of a million records beside page 1
//	bench idle      memory and time to ready of the binary
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
		var cfg bareConfig
		err := json.Unmarshal([]byte(os.Args[2]), &cfg)
		if err == nil {
			err = serveBare(cfg)
		}
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
	o := options{}
	flag.StringVar(&o.binary, "binary", "bin/paydown", "the product")
	flag.StringVar(&o.databases, "databases", "postgres,sqlite", "which databases")
	flag.StringVar(&o.only, "only", "", "only workloads whose name contains this")
	flag.StringVar(&o.against, "against", "", "another build of the product to compare with, instead of the bare server")
	flag.DurationVar(&o.slice, "slice", time.Second, "how long each server runs at a time")
	flag.IntVar(&o.rounds, "rounds", 7, "pairs of slices")
	flag.IntVar(&o.rows, "rows", 1_000_000, "records of the long list")
	flag.BoolVar(&o.fsync, "fsync", true, "PostgreSQL waits for the disk at a commit, as in production")
	flag.Parse()
	acts := map[string]func(*stage, options){"compare": compare, "pages": pages, "idle": idle}
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
	binary, databases, only, against string
	slice                            time.Duration
	rounds, rows                     int
	fsync                            bool
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
