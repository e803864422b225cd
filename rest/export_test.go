package rest

import "net/http"

// Route adds a test's own route.
func (a *API) Route(pattern string, answer http.HandlerFunc) { a.mux.HandleFunc(pattern, answer) }
