package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// attempt is a write that was sent: the request, and the response if there was one.
type attempt struct {
	method, path string
	body         object
	name         string // unique: its Idempotency-Key, and what its record is called
	answer       *apptest.Answer
}

func (a *attempt) acknowledged() bool { return a.answer != nil && a.answer.Status < 300 }

// entity is the kind of record it is about.
func (a *attempt) entity() string { return booktest.Singular(a.path) }

// pays reports whether the write marks a payment PAID.
func (a *attempt) pays() bool { return a.body["status"] == "PAID" }

// record is what a response shows.
func (a *attempt) record(t *testing.T) object {
	t.Helper()
	return a.answer.JSON(t).In(a.entity())
}

// send makes the attempt, again if it was made before.
func (a *attempt) send(c *apptest.Client) (*apptest.Answer, error) {
	if a.method == http.MethodPost {
		c = c.With("Idempotency-Key", a.name)
	}
	return c.Try(a.method, a.path, a.body)
}

// load is writers that send as fast as they are answered, until the program is gone.
type load struct {
	name     string
	seed     uint64
	merchant object
	deals    []object // one for each writer
	rows     [][]object
	answered atomic.Int64
}

const writers = 8

// prepare creates the records for the writers.
func prepare(t *testing.T, c *apptest.Client, name string, seed uint64) *load {
	t.Helper()
	l := &load{name: name, seed: seed}
	f := &booktest.Fleet{Desk: &booktest.Desk{Client: c}}
	for range writers {
		deal := f.Funded(t, 60, nil)
		l.deals = append(l.deals, deal)
		l.rows = append(l.rows, f.PaymentsOf(t, deal, ""))
	}
	l.merchant = object{"id": l.deals[0]["merchantId"]}
	return l
}

// run sends until the program is gone, and calls enough once count writes are answered. It returns every
// attempt.
func (l *load) run(t *testing.T, c *apptest.Client, count int64, enough func()) []*attempt {
	t.Helper()
	sent := make([][]*attempt, writers)
	var done sync.WaitGroup
	for w := range writers {
		done.Go(func() {
			dice := rand.New(rand.NewPCG(l.seed, uint64(w)))
			for n := 0; ; n++ {
				a := l.next(dice, w, n)
				sent[w] = append(sent[w], a)
				answer, err := a.send(c)
				if err != nil {
					return // the program is gone
				}
				a.answer = answer
				if l.answered.Add(1) == count {
					enough()
				}
			}
		})
	}
	done.Wait()
	var all []*attempt
	for _, attempts := range sent {
		for _, a := range attempts {
			if a.answer != nil && !a.acknowledged() {
				t.Errorf("%s %s %v: %d %s", a.method, a.path, a.body, a.answer.Status, a.answer.Body)
			}
		}
		all = append(all, attempts...)
	}
	return all
}

// next is a write of the writer: each of its deals' payments is marked PAID once.
func (l *load) next(dice *rand.Rand, writer, n int) *attempt {
	a := &attempt{method: http.MethodPost, name: fmt.Sprintf("%s-%d-%d", l.name, writer, n)}
	deal := l.deals[writer]
	switch kind := dice.IntN(10); {
	case kind < 3:
		a.path, a.body = "/leads", object{"businessName": a.name}
	case kind < 4:
		a.path, a.body = "/merchants", object{"legalName": a.name}
	case kind < 5:
		a.path, a.body = "/deals", object{"merchantId": l.merchant.ID(), "referenceId": a.name, "fundedAmount": "5000.00"}
	case kind < 8 || len(l.rows[writer]) == 0:
		a.path, a.body = "/payments", object{
			"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "0.50", "referenceId": a.name,
			"status": []string{"PENDING", "PAID"}[dice.IntN(2)],
		}
	default:
		row := l.rows[writer][0]
		l.rows[writer] = l.rows[writer][1:]
		a.method, a.path, a.body = http.MethodPatch, booktest.At(
			"payments", row,
		), object{
			"status":      "PAID",
			"referenceId": a.name,
		}
	}
	return a
}
