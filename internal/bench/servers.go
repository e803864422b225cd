package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	host             = "bench.test"
	mallocsMetric    = "go_memstats_mallocs_total"
	statementsMetric = "bare_statements_total"
)

// target is a running server.
type target struct {
	name  string
	addr  string
	admin string
	token string
	pid   int

	mu       sync.Mutex
	requests map[string][]byte
}

// cached is a GET request, made once.
func (t *target) cached(path string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.requests == nil {
		t.requests = map[string][]byte{}
	}
	r, ok := t.requests[path]
	if !ok {
		r = t.request(http.MethodGet, path, "")
		t.requests[path] = r
	}
	return r
}

// mallocs is how many allocations the server's process has made.
func (t *target) mallocs() (int, error) { return t.metric(mallocsMetric) }

func (t *target) metric(name string) (int, error) {
	resp, err := http.Get("http://" + t.admin + "/metrics") //nolint:noctx // loopback
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			n, err := strconv.ParseFloat(value, 64)
			return int(n), err
		}
	}
	return 0, errors.Join(fmt.Errorf("%s has no %s", t.name, name), lines.Err())
}

// product is an installation of the real binary.
type product struct {
	binary string
	db     string
	secret string
}

func (p product) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), p.binary, args...) //nolint:gosec // the build to measure
	cmd.Env = append(os.Environ(), "PAYDOWN_DB="+p.db, "PAYDOWN_SECRET_KEY="+p.secret, "PAYDOWN_LOG_FORMAT=json")
	return cmd
}

// run runs a command of the product and reads the JSON that it prints into out, where that is not nil.
func (p product) run(out any, args ...string) error { return p.runWith(nil, out, args...) }

// runWith is run with standard input.
func (p product) runWith(in io.Reader, out any, args ...string) error {
	cmd := p.command(args...)
	cmd.Stdin = in
	var problems bytes.Buffer
	cmd.Stderr = &problems
	raw, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("paydown %s: %w\n%s", args[0], err, problems.Bytes())
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// caller is the tenant and key that the requests come with.
type caller struct {
	tenant, keyID  int
	keyName, token string
	timeZone       string
}

// install makes the schema, a tenant, and a key without a rate limit.
func (p product) install() (caller, error) {
	if err := p.run(nil, "migrate"); err != nil {
		return caller{}, err
	}
	var made struct {
		Tenant struct {
			ID       int
			TimeZone string
		}
		Key   struct{ ID int }
		Token string
	}
	if err := p.run(&made, "tenant", "create", "--name", "Bench", "--host", host, "--json"); err != nil {
		return caller{}, err
	}
	const name = "bench"
	err := p.run(&made, "key", "create", "--tenant", host, "--name", name, "--rate-limit", "0", "--json",
		"--scopes", "merchants:write,deals:write,payments:write,isos:read,funders:read")
	return caller{made.Tenant.ID, made.Key.ID, name, made.Token, made.Tenant.TimeZone}, err
}

// serve starts the product as production does: its log, one JSON line a request, goes into a pipe that is read.
func (p product) serve(token string, flags ...string) (*target, func(), error) {
	cmd := p.command(append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, flags...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	stop := func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	started, err := awaitServing(log)
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("start the product: %w", err)
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	made := &target{name: "paydown", addr: started.Addr, admin: started.AdminAddr, token: token, pid: cmd.Process.Pid}
	return made, stop, nil
}

// serving is the line of the product's log that tells its addresses.
type serving struct{ Msg, Addr, AdminAddr string }

// awaitServing reads the product's log up to that line. What the product has to say before it is not the same on every
// installation.
func awaitServing(log io.Reader) (serving, error) {
	lines := bufio.NewReader(log)
	var before bytes.Buffer
	for {
		line, err := lines.ReadBytes('\n')
		before.Write(line)
		if err != nil {
			return serving{}, fmt.Errorf("it ended before it served: %w: %s", err, before.Bytes())
		}
		var said serving
		if json.Unmarshal(line, &said) == nil && said.Msg == "serving" {
			return said, nil
		}
	}
}

// startBare starts the bare server in a process of its own.
func startBare(cfg bareConfig) (*target, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	raw, err := json.Marshal(cfg)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(context.Background(), self, "bare", string(raw)) //nolint:gosec // this program
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("start the bare server: %w", err)
	}
	addr = strings.TrimSpace(addr)
	return &target{name: "bare", addr: addr, admin: addr, pid: cmd.Process.Pid}, stop, nil
}

// untilReady asks until the server says that it is ready.
func (t *target) untilReady() error {
	for range 1000 {
		resp, err := http.Get("http://" + t.addr + "/readyz") //nolint:noctx // loopback
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(time.Millisecond) // another process starts; only asking tells when
	}
	return errors.New("the server does not become ready")
}

// residentMiB is the resident memory of a process, peakMiB the most that it had.
func residentMiB(pid int) (float64, error) { return statusMiB(pid, "VmRSS:") }
func peakMiB(pid int) (float64, error)     { return statusMiB(pid, "VmHWM:") }

func statusMiB(pid int, name string) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
			kib, err := strconv.Atoi(fields[1])
			return float64(kib) / 1024, err
		}
	}
	return 0, errors.New("no " + name)
}

// cpuOf is the processor time that a process has used, in steps of 10 ms.
func cpuOf(pid int) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name of the program, in brackets, may hold anything; 11 fields lie between it and the times.
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond, err
}
