package graph_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// The exact bytes that clients send: @urql/core 6.0.3 and @apollo/client 4.3.8.
const (
	urqlAccept = "application/graphql-response+json, application/graphql+json, application/json, " +
		"text/event-stream, multipart/mixed"
	urqlSubscribes   = "text/event-stream, multipart/mixed"
	apolloAccept     = "application/graphql-response+json,application/json;q=0.9"
	apolloSubscribes = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0," +
		"application/graphql-response+json,application/json;q=0.9"
	apolloDefers    = "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9"
	apolloLibrary   = `"clientLibrary":{"name":"@apollo/client","version":"4.3.8"}`
	apolloPersisted = `"persistedQuery":{"version":1,` +
		`"sha256Hash":"9d24f8618eb642604c0bc7fa289e9e29ad6b6e6ec4cf7c4a0e1bf0dd2d0b4b0c"}`
	graphResponseJSON = "application/graphql-response+json"
)

// exactly sends a body unchanged, with this Accept header.
func exactly(t *testing.T, c *apptest.Client, accept, body string) *apptest.Answer {
	t.Helper()
	return c.With("Accept", accept).With("Content-Type", "application/json").Do(t, http.MethodPost, "/graphql", body)
}

func TestClientRequests(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "clients.test")
	for name, r := range map[string]struct {
		accept, body, want string
		status             int
	}{
		"urql's query": {
			urqlAccept, `{"query":"{\n  deals(first: 1) {\n    nodes {\n      id\n    }\n  }\n}","variables":{}}`,
			`{"data":{"deals":{"nodes":[]}}}`, 200,
		},
		"urql's mutation": {
			urqlAccept,
			`{"query":"mutation {\n  createLead(input: {businessName: \n\"x\"}) {\n    id\n  }\n}","variables":{}}`,
			`{"data":{"createLead":{"id":"`, 200,
		},
		"urql's mistake": {urqlAccept, `{"query":"{\n  nothing\n}","variables":{}}`, `"code":"bad_request"`, 400},
		"Apollo's query": {
			apolloAccept, `{"variables":{},"extensions":{` + apolloLibrary + `},` +
				`"query":"{\n  deals(first: 1) {\n    nodes {\n      id\n      __typename\n    }\n    __typename\n  }\n}"}`,
			`{"data":{"deals":{"nodes":[],"__typename":"DealConnection"}}}`, 200,
		},
		"Apollo's mutation": {
			apolloAccept, `{"variables":{},"extensions":{` + apolloLibrary + `},` +
				`"query":"mutation {\n  createLead(input: {businessName: \"y\"}) {\n    __typename\n  }\n}"}`,
			`{"data":{"createLead":{"__typename":"Lead"}}}`, 200,
		},
		"Apollo's mistake": {
			apolloAccept, `{"variables":{},"extensions":{` + apolloLibrary + `},"query":"{\n  nothing\n}"}`,
			`"code":"bad_request"`, 400,
		},
		"Apollo's persisted query": {
			apolloAccept, `{"variables":{},"extensions":{` + apolloLibrary + `,` + apolloPersisted + `}}`,
			`"message":"PersistedQueryNotSupported"`, 200,
		},
		"Apollo's persisted query by name": {
			apolloAccept, `{"operationName":"Deals","variables":{},"extensions":{` + apolloPersisted + `}}`,
			`"code":"PERSISTED_QUERY_NOT_SUPPORTED"`, 200,
		},
		"Apollo's persisted query with its document": {
			apolloAccept, `{"variables":{},"extensions":{` + apolloPersisted + `},"query":"{ __typename }"}`,
			`{"data":{"__typename":"Query"}}`, 200,
		},
		"Apollo's subscription": {
			apolloSubscribes, `{"variables":{},"extensions":{` + apolloLibrary + `},` +
				`"query":"subscription {\n  dealActivity(dealId: 1) {\n    id\n    __typename\n  }\n}"}`,
			`"code":"not_acceptable"`, 406,
		},
		"Apollo's @defer": {
			apolloDefers, `{"variables":{},"extensions":{` + apolloLibrary + `},"query":"{\n  deals(first: 1) {\n` +
				`    nodes {\n      id\n      ... @defer {\n        dealNumber\n      }\n    }\n  }\n}"}`,
			`Unknown directive \"@defer\"`, 400,
		},
	} {
		answer := exactly(t, c, r.accept, r.body)
		if media := answer.Header.Get("Content-Type"); answer.Status != r.status ||
			media != graphResponseJSON+"; charset=utf-8" ||
			!strings.Contains(string(answer.Body), r.want) {
			t.Errorf("%s: %d %s %s", name, answer.Status, media, answer.Body)
		}
	}
	// By GET, like Apollo with useGETForHashedQueries.
	hashed := "/graphql?variables=%7B%7D&extensions=" + url.QueryEscape(`{`+apolloLibrary+`,`+apolloPersisted+`}`)
	answer := c.With("Accept", apolloAccept).Do(t, http.MethodGet, hashed, nil)
	if problems := answer.Want(t, 200).List("errors"); problems[0].Text("message") != "PersistedQueryNotSupported" ||
		problems[0].In("extensions").Text("code") != "PERSISTED_QUERY_NOT_SUPPORTED" {
		t.Errorf("%s", answer.Body)
	}
	if code := errorOf(t, exactly(t, c, "", `{"extensions":{"persistedQuery":"x"}}`), 400); code != "validation_error" {
		t.Errorf("a hash that is none: %s", code)
	}
}

func TestSubscriptionRequiresEventStream(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "takes.test")
	deal := newDeal(t, c)
	for accept, streamed := range map[string]bool{
		"text/event-stream": true, urqlSubscribes: true, urqlAccept: true, "*/*": true, "text/*": true,
		"application/json;q=0.5, text/event-stream;q=0.1": true,
		"TEXT/Event-Stream": true, "text/event-stream; charset=utf-8": true,
		"application/json": false, "text/html": false, "text/event-stream;q=0": false, "*/*, text/event-stream;q=0": false,
		"text/*;q=0, */*":    false,
		"text/event-streams": false, "application/text/event-stream": false, "text/event-stream;q=2": false,
	} {
		r, err := http.NewRequestWithContext(
			t.Context(), http.MethodPost, c.Base+"/graphql", strings.NewReader(bodyOf(t, fmt.Sprintf(activity, deal), nil)),
		)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.Host
		r.Header = http.Header{
			"Authorization": {"Bearer " + c.Token},
			"Content-Type":  {"application/json"},
			"Accept":        {accept},
		}
		resp, err := c.HTTP.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(resp.Body).ReadString('\n')
		_ = resp.Body.Close()
		if isStream := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream"); isStream != streamed ||
			(streamed && (err != nil || line != ":\n")) ||
			(!streamed && (resp.StatusCode != http.StatusNotAcceptable || !strings.Contains(line, "not_acceptable"))) {
			t.Errorf("%s: %d %v %q", accept, resp.StatusCode, resp.Header, line)
		}
	}
}

func TestResponseFormatFollowsWeights(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "weight.test")
	for accept, want := range map[string]string{
		"application/json;q=0.5, application/graphql-response+json":       graphResponseJSON,
		"application/json, application/graphql-response+json":             "application/json",
		"application/graphql-response+json, application/json":             graphResponseJSON,
		"application/graphql-response+json;q=0.1, application/json;q=0.9": "application/json",
		"application/graphql-response+json;q=0, */*":                      "application/json",
		"application/json;q=0, application/*":                             graphResponseJSON,
		"*/*":                                                             "application/json",
		"application/*;q=0.1":                                             "application/json",
		"text/html":                                                       "application/json",
		"text/event-stream;q=0":                                           "application/json",
		"text/event-stream, */*;q=0.1":                                    "application/json",
		"text/event-stream, application/json;q=0.01":                      "application/json",
		// Only subscriptions are streams.
		"text/event-stream":                       "application/json",
		"text/event-stream, application/json;q=0": "application/json",
	} {
		answer := exactly(t, c, accept, `{"query":"{ __typename }"}`)
		if media := answer.Header.Get("Content-Type"); answer.Status != 200 || media != want+"; charset=utf-8" {
			t.Errorf("%s: %d %s", accept, answer.Status, media)
		}
	}
}

// A response in one part is not sent as multipart.
func TestDeferIsNotSupported(t *testing.T) {
	a := apptest.OnSQLite(t, apptest.Introspecting())
	c := a.Client(t, "defer.test")
	var names []string
	for _, directive := range c.Graph(t, "{ __schema { directives { name } } }", nil).In("__schema").List("directives") {
		names = append(names, directive.Text("name"))
	}
	if slices.Contains(names, "defer") || !slices.Contains(names, "skip") || !slices.Contains(names, "include") {
		t.Errorf("%v", names)
	}
	c.Ask(t, "{ ... @defer { __typename } }", nil).Refused(t, "bad_request")
}
