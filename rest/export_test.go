package rest

import "net/http"

// Route adds a route of a test's own.
func (a *API) Route(pattern string, answer http.HandlerFunc) { a.mux.HandleFunc(pattern, answer) }
