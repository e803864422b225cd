package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
)

// workload is one kind of request.
type workload struct {
	name   string
	write  bool
	status int
	next   func(*target) []byte
	// rows says that the bare server reads the same rows and answers with them as they are, in another form.
	rows bool
}

const listPath = "/api/v1/deals?limit=50"

// workloads are the six requests that are compared. Copies of the deal are numbered from 1 to copies.
func workloads(copies int) []workload {
	var paid, made atomic.Int64
	written := copies - firstWritten
	get := func(path string) func(*target) []byte {
		return func(t *target) []byte { return t.cached(path) }
	}
	return []workload{
		{name: "GET a deal", status: http.StatusOK, next: func(t *target) []byte {
			return t.cached("/api/v1/deals/" + strconv.Itoa(copyOf(1+rand.IntN(firstWritten-1)))) //nolint:gosec // any deal will do
		}},
		{name: "list 50 deals", status: http.StatusOK, next: get(listPath)},
		{
			name: "list 50 deals, expand=merchant,payments", status: http.StatusOK,
			next: get(listPath + "&expand=merchant,payments"),
		},
		{name: "GraphQL: a deal's page", status: http.StatusOK, rows: true, next: func(t *target) []byte {
			return t.request(http.MethodPost, "/graphql", screenBody())
		}},
		{name: "POST a payment", write: true, status: http.StatusCreated, next: func(t *target) []byte {
			n := int(made.Add(1))
			return t.request(http.MethodPost, "/api/v1/payments", fmt.Sprintf(
				`{"dealId": %d, "type": "ADVANCE_PAYBACK", "amount": "515.88", "method": "ACH", "referenceId": "batch-2026-01"}`,
				copyOf(firstWritten+n%written)))
		}},
		// The last payment of a deal stays pending: with it the deal would close.
		{name: "PATCH a payment to PAID", write: true, status: http.StatusOK, next: func(t *target) []byte {
			n := int(paid.Add(1))
			id := copyOf(firstWritten+n%written) + n/written
			if n/written >= paymentsOfDeal-1 {
				id = 0 // none is left: the answer will not be the one that is wanted
			}
			return t.request(http.MethodPatch, "/api/v1/payments/"+strconv.Itoa(id), `{"status": "PAID"}`)
		}},
	}
}
