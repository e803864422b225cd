package rest

import (
	"net/http"

	"paydown/internal/auth"
	"paydown/internal/service"
)

// Route adds a test's own route.
func (a *API) Route(pattern string, answer http.HandlerFunc) { a.mux.HandleFunc(pattern, answer) }

// ListRequest reads the query parameters of a list that may return the column id, for tests.
func ListRequest[E any](
	actor *auth.Actor, l *service.Listing[E], params map[string]string,
) (service.ListRequest, error) {
	req, _, err := listRequest(actor, l, []string{"id"}, params)
	return req, err
}

// The functions that make the views which rows are also written as.
var (
	DealViewOf       = dealView
	PaymentViewOf    = paymentView
	LeadViewOf       = leadView
	MerchantViewOf   = merchantView
	FunderViewOf     = funderView
	SyndicatorViewOf = syndicatorView
)
