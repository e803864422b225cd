package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// patience bounds what is waited for, on a machine that is busy.
const patience = 5 * time.Minute

// numbers is how many events each process may number in a run.
const numbers = 1_000_000

// scenarioRun is one run of a scenario.
type scenarioRun struct {
	scale
	began     time.Time
	stretches int
	purging   bool
	committed map[int]time.Time // by number of the event
	receipts  map[int]time.Time
	received  int
	repeated  int
	purged    int
	cpu       time.Duration // of the delivering processes
}

// process is one that delivers.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startEngine(cfg engineConfig) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(cfg) //nolint:gosec // the secret is the benchmark's own, for its own process
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(context.Background(), self, "engine", string(raw))} //nolint:gosec // this program
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
		p.kill()
		return nil, fmt.Errorf("start a process that delivers: %q %w", line, err)
	}
	return p, nil
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// run runs a scenario; rate 0 saturates it.
func (y *yard) run(s *stage, c scenario, number int, rate float64) *scenarioRun {
	r := &scenarioRun{scale: y.scale, stretches: stretches, purging: c.purging, committed: map[int]time.Time{}}
	if c.purging {
		r.stretches *= 2
	}
	tenants := y.tenants[number]
	delivered, _, err := y.database.stored(s.Context(), tenants[0], tenants[len(tenants)-1])
	s.must(err)
	y.receiver.begin()
	var all []*process
	for n := range c.processes {
		p, err := startEngine(engineConfig{
			DB: y.db, Secret: y.secret, Authority: y.receiver.authority, Tenants: tenants, First: (n + 1) * numbers,
			Rate: rate / float64(c.processes), Stretches: r.stretches, Purging: c.purging,
			WarmUp: y.warmUp, Stretch: y.stretch, Events: y.events,
		})
		s.must(err)
		defer p.kill() //nolint:gocritic // all of them go on until the run is over
		all = append(all, p)
	}
	r.began = time.Now()
	over := make(chan struct{})
	var telling sync.WaitGroup
	for n, p := range all {
		_, err := io.WriteString(p.in, "\n")
		s.must(err)
		telling.Go(func() { y.tell(p, n+1, over) })
	}
	for _, p := range all {
		var l loaded
		s.must(json.NewDecoder(p.out).Decode(&l))
		r.purged += l.Purged
		for n, at := range l.Committed {
			r.committed[n] = time.Unix(0, at)
		}
		used, err := cpuOf(p.cmd.Process.Pid)
		s.must(err)
		r.cpu += used
	}
	y.await(s, r)
	close(over)
	telling.Wait()
	for _, p := range all {
		s.must(p.in.Close())
		s.must(p.cmd.Wait())
	}
	now, others, err := y.database.stored(s.Context(), tenants[0], tenants[len(tenants)-1])
	s.must(err)
	if now-delivered != len(r.committed) || others > 0 {
		s.Fatalf("%s: of %d events %d are stored as delivered and %d otherwise",
			c.name, len(r.committed), now-delivered, others)
	}
	return r
}

// tell tells a process how many of its events were received, so that it does not commit more than can be delivered, by
// whichever process.
func (y *yard) tell(p *process, number int, over <-chan struct{}) {
	for tick := time.NewTicker(time.Millisecond); ; {
		select {
		case <-over:
			return
		case <-tick.C:
			if _, err := fmt.Fprintln(p.in, y.receiver.receivedFrom(number)); err != nil {
				return // it has ended, which is found out elsewhere
			}
		}
	}
}

// await waits until every event is received.
func (y *yard) await(s *stage, r *scenarioRun) {
	r.receipts = map[int]time.Time{}
	const pause = 5 * time.Millisecond
	for deadline := time.Now().Add(patience); ; time.Sleep(pause) { // rare enough not to disturb the measurement
		receipts, repeated := y.receiver.take()
		r.repeated += repeated
		for n, at := range receipts {
			if _, known := r.receipts[n]; known {
				r.repeated++
				continue
			}
			r.receipts[n] = at
		}
		if r.received = len(r.receipts); r.received >= len(r.committed) {
			return
		}
		if time.Now().After(deadline) {
			s.Fatalf("%d events are committed, %d received", len(r.committed), r.received)
		}
	}
}

// during reports whether an instant is in a stretch with a purge, or in one without.
func (r *scenarioRun) during(at time.Time, purge bool) bool {
	after := at.Sub(r.began) - r.warmUp
	if after < 0 || after >= time.Duration(r.stretches)*r.stretch {
		return false
	}
	return !r.purging || (after/r.stretch%2 == 1) == purge
}

// perSecond is how many were received a second.
func (r *scenarioRun) perSecond(purge bool) float64 {
	n := 0
	for _, at := range r.receipts {
		if r.during(at, purge) {
			n++
		}
	}
	return float64(n) / (float64(stretches) * r.stretch.Seconds())
}

// latency is from commit to receipt, of events committed meanwhile.
func (r *scenarioRun) latency(purge bool, p float64) time.Duration {
	var all []time.Duration
	for n, at := range r.committed {
		if r.during(at, purge) {
			all = append(all, max(0, r.receipts[n].Sub(at)))
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return percentile(all, p)
}
