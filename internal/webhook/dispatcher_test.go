package webhook_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydown/internal/webhook"
)

// dispatching is a running dispatcher with a queue in memory, whose clock moves only while all goroutines wait.
type dispatching struct {
	*webhook.Dispatcher
	queue *memoryQueue
	log   *bytes.Buffer
	seen  *seen
	end   context.CancelFunc
	over  chan struct{}
}

// seen are the results reported to the observer.
type seen struct{ stale, tried, left, ended atomic.Int64 }

func (s *seen) Tried(webhook.Outcome)                  { s.tried.Add(1) }
func (s *seen) Left(time.Duration)                     { s.left.Add(1) }
func (s *seen) Ended(webhook.Verdict, webhook.Outcome) { s.ended.Add(1) }
func (s *seen) Stale(n int)                            { s.stale.Add(int64(n)) }

// dispatch starts a dispatcher in a synctest bubble.
func dispatch(
	t *testing.T, send func(context.Context, webhook.Attempt) webhook.Outcome, test func(t *testing.T, d *dispatching),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		d := &dispatching{queue: &memoryQueue{}, log: &bytes.Buffer{}, seen: &seen{}, end: end, over: make(chan struct{})}
		d.Dispatcher = webhook.NewDispatcher(webhook.DispatcherConfig{
			Queue: d.queue, Send: send, Log: slog.New(slog.NewTextHandler(d.log, nil)), Observer: d.seen,
		})
		go func() {
			defer close(d.over)
			d.Run(ctx)
		}()
		synctest.Wait()
		test(t, d)
		end()
		<-d.over
		if n := d.InFlight(); n != 0 {
			t.Errorf("%d places are taken in the end", n)
		}
	})
}

// always is a receiver with a constant answer.
func always(o webhook.Outcome) func(context.Context, webhook.Attempt) webhook.Outcome {
	return func(context.Context, webhook.Attempt) webhook.Outcome { return o }
}

// hanging never answers: the attempt ends at its timeout, or with the process.
func hanging(ctx context.Context, _ webhook.Attempt) webhook.Outcome {
	limited, cancel := context.WithTimeout(ctx, webhook.AttemptTimeout)
	defer cancel()
	<-limited.Done()
	return webhook.Outcome{Error: webhook.CodeTimeout, Internal: ctx.Err() != nil}
}

// one waits for the first and only result.
func (d *dispatching) one(t *testing.T) webhook.Result {
	t.Helper()
	synctest.Wait()
	all := d.queue.results()
	if len(all) != 1 {
		t.Fatalf("%d results are stored, want one: %v", len(all), all)
	}
	return all[0]
}

// refuse makes calls of a method fail until its result is called.
func (d *dispatching) refuse(method string) (mend func()) {
	d.queue.mu.Lock()
	defer d.queue.mu.Unlock()
	d.queue.fail = func(called string) error {
		if called == method {
			return errDown
		}
		return nil
	}
	return func() {
		d.queue.mu.Lock()
		defer d.queue.mu.Unlock()
		d.queue.fail = nil
	}
}

func TestEventsAreSentImmediately(t *testing.T) {
	dispatch(t, always(accepting), func(t *testing.T, d *dispatching) {
		d.queue.addEvents(11)
		begun := time.Now()
		d.Happened()
		if r := d.one(t); r.Verdict != webhook.Delivered || time.Since(begun) != 0 {
			t.Errorf("%v after %s", r, time.Since(begun))
		}
		d.queue.add(12)
		d.Due()
		synctest.Wait()
		if n := len(d.queue.results()); n != 2 || time.Since(begun) > 10*time.Millisecond {
			t.Errorf("%d are stored after %s", n, time.Since(begun))
		}
		if left, tried, ended := d.seen.left.Load(), d.seen.tried.Load(), d.seen.ended.Load(); left != 2 || tried != 2 ||
			ended != 2 {
			t.Errorf("the observer was told of %d, %d and %d", left, tried, ended)
		}
	})
}

func TestDispatcherPolls(t *testing.T) {
	dispatch(t, always(accepting), func(t *testing.T, d *dispatching) {
		d.queue.addEvents(11)
		d.queue.add(12)
		time.Sleep(1100 * time.Millisecond) // of the bubble: the longest that it does not look
		synctest.Wait()
		if n := len(d.queue.results()); n != 2 {
			t.Errorf("%d are stored, want 2", n)
		}
	})
}

func TestRetrySchedule(t *testing.T) {
	pauses := []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute}
	for range 1000 {
		for i, pause := range pauses {
			if got, more := webhook.Backoff(i + 1); !more || got < pause || got > pause+pause/10 {
				t.Fatalf("after try %d the pause is %s (%t), want %s and up to a tenth more", i+1, got, more, pause)
			}
		}
	}
	for _, tries := range []int{-1, 0, 6, 7} {
		if _, more := webhook.Backoff(tries); more {
			t.Errorf("another try after %d", tries)
		}
	}
	var at []time.Time
	send := func(context.Context, webhook.Attempt) webhook.Outcome {
		at = append(at, time.Now())
		return failing
	}
	dispatch(t, send, func(t *testing.T, d *dispatching) {
		d.queue.add(11)
		d.Due()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(at) != 1+len(pauses) {
			t.Fatalf("%d tries, want %d", len(at), 1+len(pauses))
		}
		for i, pause := range pauses {
			if took := at[i+1].Sub(at[i]); took < pause || took > pause+pause/10+10*time.Millisecond {
				t.Errorf("try %d came after %s, want %s and up to a tenth more", i+2, took, pause)
			}
		}
		results := d.queue.results()
		if last := results[len(results)-1]; last.Verdict != webhook.Failed || last.Tries != 5 {
			t.Errorf("the last result is %v after %d tries", last.Verdict, last.Tries)
		}
	})
}

func TestInternalErrorsAreNotAttempts(t *testing.T) {
	for name, send := range map[string]func(context.Context, webhook.Attempt) webhook.Outcome{
		"a name server that is down": always(starved),
		"a panic":                    func(context.Context, webhook.Attempt) webhook.Outcome { panic("on purpose") },
		"a process that stands still": func(context.Context, webhook.Attempt) webhook.Outcome {
			time.Sleep(20 * time.Second)
			return webhook.Outcome{Error: webhook.CodeTimeout}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dispatch(t, send, func(t *testing.T, d *dispatching) {
				d.queue.add(11)
				d.Due()
				time.Sleep(20 * time.Minute)
				results := d.queue.results()
				if len(results) < 30 {
					t.Errorf("%d tries in 20 minutes: it does not go on", len(results))
				}
				for _, r := range results {
					if r.Verdict != webhook.Returned || r.Tries != 0 || r.After < 5*time.Second || r.After > 10*time.Second {
						t.Fatalf("a result is %v after %d tries, next in %s", r.Verdict, r.Tries, r.After)
					}
				}
				if ids := d.Failing(); len(ids) != 0 {
					t.Errorf("the endpoints %v count as failing", ids)
				}
			})
		})
	}
}

func TestAPanicIsLogged(t *testing.T) {
	dispatch(t, func(_ context.Context, a webhook.Attempt) webhook.Outcome {
		if a.Endpoint == 11 {
			panic("on purpose")
		}
		return accepting
	}, func(t *testing.T, d *dispatching) {
		d.queue.add(11)
		d.queue.add(12)
		d.Due()
		synctest.Wait()
		results := d.queue.results()
		if !slices.ContainsFunc(
			results, func(r webhook.Result) bool { return r.Endpoint == 12 && r.Verdict == webhook.Delivered },
		) {
			t.Errorf("the results are %v", results)
		}
		if log := d.log.String(); !strings.Contains(log, "on purpose") || !strings.Contains(log, "dispatcher_test.go") {
			t.Errorf("the log is %s", log)
		}
	})
}

func TestUnsignableDeliveryIsNotSent(t *testing.T) {
	dispatch(t, func(context.Context, webhook.Attempt) webhook.Outcome {
		t.Error("it is sent")
		return accepting
	}, func(t *testing.T, d *dispatching) {
		d.queue.add(11).Secret = ""
		d.Due()
		if r := d.one(t); r.Verdict != webhook.Returned || r.After < 5*time.Second {
			t.Errorf("the result is %v", r)
		}
	})
}

func TestInactiveEndpointGetsNothing(t *testing.T) {
	dispatch(t, func(context.Context, webhook.Attempt) webhook.Outcome {
		t.Error("it is sent")
		return accepting
	}, func(t *testing.T, d *dispatching) {
		d.queue.add(11).Inactive = true
		d.Due()
		if r := d.one(t); r.Verdict != webhook.Dropped {
			t.Errorf("the result is %v", r)
		}
	})
}

func TestNothingIsSentNearLeaseEnd(t *testing.T) {
	var sent atomic.Int64
	dispatch(t, func(context.Context, webhook.Attempt) webhook.Outcome {
		sent.Add(1)
		return accepting
	}, func(t *testing.T, d *dispatching) {
		first := true
		d.queue.claimed = func(held *webhook.Delivery) {
			if first { // as if the process had stood still between the claim and the try
				held.Held = time.Now().Add(14 * time.Second)
			}
			first = false
		}
		d.queue.add(11)
		d.Due()
		time.Sleep(2 * time.Second)
		results := d.queue.results()
		if len(results) != 2 || results[0].Verdict != webhook.Returned || results[0].After != 0 ||
			results[1].Verdict != webhook.Delivered || sent.Load() != 1 {
			t.Errorf("%d are sent, the results are %v", sent.Load(), results)
		}
	})
}

func TestRefusedResultsAreRetried(t *testing.T) {
	for _, method := range []string{"FanOut", "Backlog", "Claim", "Complete"} {
		t.Run(method, func(t *testing.T) {
			dispatch(t, always(accepting), func(t *testing.T, d *dispatching) {
				mend := d.refuse(method)
				for endpoint := range 30 {
					d.queue.add(endpoint)
					d.queue.addEvents(endpoint)
				}
				d.Happened()
				d.Due()
				time.Sleep(20 * time.Second)
				if method != "Complete" && d.InFlight() != 0 {
					t.Errorf("%d places are taken and nothing is under way", d.InFlight())
				}
				if method == "FanOut" && len(d.queue.results()) != 30 {
					t.Errorf("%d of what waits has left, want all 30", len(d.queue.results()))
				}
				mend()
				time.Sleep(3 * time.Second)
				results := d.queue.results()
				if len(results) != 60 || d.queue.stale != 0 {
					t.Errorf("%d results are stored, %d were stale", len(results), d.queue.stale)
				}
				if d.InFlight() != 0 {
					t.Errorf("%d places are taken", d.InFlight())
				}
			})
		})
	}
}

func TestResultIsDroppedWithLease(t *testing.T) {
	var sent atomic.Int64
	dispatch(t, func(context.Context, webhook.Attempt) webhook.Outcome {
		sent.Add(1)
		return accepting
	}, func(t *testing.T, d *dispatching) {
		mend := d.refuse("Complete")
		d.queue.add(11)
		d.Due()
		time.Sleep(webhook.Lease - time.Second)
		if sent.Load() != 1 {
			t.Errorf("it was sent %d times within its lease", sent.Load())
		}
		time.Sleep(3 * time.Second)
		mend()
		time.Sleep(3 * time.Second)
		if r := d.one(t); r.Verdict != webhook.Delivered || r.Fence != 2 || sent.Load() != 2 {
			t.Errorf("the result is %v under the fence %d, sent %d times", r.Verdict, r.Fence, sent.Load())
		}
	})
}

func TestStaleResultsAreCounted(t *testing.T) {
	var release chan struct{}
	var sent atomic.Int64
	dispatch(t, func(context.Context, webhook.Attempt) webhook.Outcome {
		if sent.Add(1) == 1 {
			<-release
		}
		return failing
	}, func(t *testing.T, d *dispatching) {
		release = make(chan struct{}) // of the bubble
		r := d.queue.add(11)
		d.Due()
		synctest.Wait()
		d.queue.mu.Lock()
		r.Fence++ // somebody else has it
		r.over = true
		d.queue.mu.Unlock()
		close(release)
		synctest.Wait()
		if d.seen.stale.Load() != 1 || len(d.queue.results()) != 0 {
			t.Errorf("%d are stale, stored are %v", d.seen.stale.Load(), d.queue.results())
		}
	})
}

func TestStopping(t *testing.T) {
	t.Run("waits for who answers, and gives back what hangs", func(t *testing.T) {
		dispatch(t, func(ctx context.Context, a webhook.Attempt) webhook.Outcome {
			if a.Endpoint == 11 {
				return hanging(ctx, a)
			}
			time.Sleep(3 * time.Second)
			return accepting
		}, func(t *testing.T, d *dispatching) {
			d.queue.add(11)
			d.queue.add(12)
			d.Due()
			synctest.Wait()
			begun := time.Now()
			d.end()
			<-d.over
			if took := time.Since(begun); took > 6*time.Second {
				t.Errorf("it took %s to stop", took)
			}
			got := map[int]webhook.Result{}
			for _, r := range d.queue.results() {
				got[r.Endpoint] = r
			}
			if got[12].Verdict != webhook.Delivered {
				t.Errorf("who answers in time: %v", got[12].Verdict)
			}
			if hung := got[11]; hung.Verdict != webhook.Returned || hung.After != 0 || hung.Tries != 0 {
				t.Errorf("who hangs: %v, next in %s", hung.Verdict, hung.After)
			}
			if d.queue.helped == 0 {
				t.Error("others are not told of what was given back")
			}
		})
	})
	t.Run("does not wait for a database that is gone", func(t *testing.T) {
		dispatch(t, always(accepting), func(t *testing.T, d *dispatching) {
			d.refuse("Complete")
			for endpoint := range 100 {
				d.queue.add(endpoint)
			}
			d.Due()
			synctest.Wait()
			begun := time.Now()
			d.end()
			<-d.over
			if took := time.Since(begun); took > 11*time.Second {
				t.Errorf("it took %s to stop", took)
			}
		})
	})
}

// Signature timestamps use the queue's clock, which all processes share, however wrong this process's clock is.
func TestTimestampsUseQueueClock(t *testing.T) {
	const ahead = 10 * time.Minute
	var mu sync.Mutex
	var sent []string
	dispatch(t, func(_ context.Context, a webhook.Attempt) webhook.Outcome {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, a.Header.Get(webhook.HeaderTimestamp))
		return accepting
	}, func(t *testing.T, d *dispatching) {
		d.queue.ahead = ahead
		d.queue.add(11)
		d.Due()
		synctest.Wait()
		if want := webhook.Timestamp(time.Now().Add(ahead)); len(sent) != 1 || sent[0] != want {
			t.Errorf("the timestamps are %v, want %s", sent, want)
		}
	})
}

// If one endpoint hangs, or has a large backlog, the others' deliveries are not delayed.
func TestEndpointsAreIndependent(t *testing.T) {
	dispatch(t, func(ctx context.Context, a webhook.Attempt) webhook.Outcome {
		if a.Endpoint == 11 {
			return hanging(ctx, a)
		}
		return accepting
	}, func(t *testing.T, d *dispatching) {
		for range 500 {
			d.queue.add(11)
		}
		d.queue.add(12)
		d.queue.add(21)
		d.Due()
		synctest.Wait()
		if got := d.queue.results(); len(got) != 2 {
			t.Errorf("%d have accepting, want those of the other two", len(got))
		}
		if n := d.InFlight(); n != webhook.DefaultBounds.Trial {
			t.Errorf("%d tries are under way at the one that hangs, want %d", n, webhook.DefaultBounds.Trial)
		}
		d.queue.mu.Lock()
		for _, r := range d.queue.rows {
			r.over = true
		}
		d.queue.mu.Unlock()
	})
}
