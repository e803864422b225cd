package documents_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// contract uploads a document, sends it to one signer, and returns it with the signer.
func (o *office) contract(t *testing.T, staff *apptest.Client) (document int, signer string) {
	t.Helper()
	document = staff.Do(t, http.MethodPost, o.to("contract.pdf", "kind", "CONTRACT"), pdf).
		Want(t, http.StatusCreated).
		In("document").
		ID()
	o.key.Patch(t, fmt.Sprintf("/deals/%d", o.deal), apptest.Object{
		"fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 126, "collectionFrequency": "DAILY",
	})
	made := staff.Graph(t, fmt.Sprintf(`mutation { it: createSignatureRequest(input: {
		title: "Agreement", kind: CONTRACT, dealId: %d, documentId: %d,
		signers: [{name: "Dana Whitfield", email: "dana@harbor.example"}]}) { id signers { id } } }`, o.deal, document), nil).
		In("it")
	staff.Graph(t, "mutation { sendSignatureRequest(id: "+made.Text("id")+") { id } }", nil)
	return document, made.List("signers")[0].Text("id")
}

// completed returns the payload of the last esign.completed.
func (o *office) completed(t *testing.T) apptest.Object {
	t.Helper()
	event, err := o.Store.Reader().OutboxEvent.Query().Where(outboxevent.Event("esign.completed")).
		Order(outboxevent.ByID()).All(o.Operator(t, host))
	if err != nil || len(event) == 0 {
		t.Fatalf("%v %v", event, err)
	}
	var data apptest.Object
	if err := json.Unmarshal(event[len(event)-1].Data, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCompletedSigningReturnsSignedDocument(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOffice(t, a)
		staff := a.Staff(t, host, "underwriter")
		sent, signer := o.contract(t, staff)
		sign := func(input string) apptest.Asked {
			return staff.Ask(t, "mutation { recordSignature(id: "+signer+", input: {"+input+"}) { id } }", nil)
		}
		if told := sign("").Refused(t, "validation_error"); told["documentUrl"] == "" {
			t.Errorf("neither: %v", told)
		}
		if told := sign(fmt.Sprintf("documentId: %d", sent)).Refused(t, "validation_error"); told["documentId"] == "" {
			t.Errorf("what was sent out: %v", told)
		}
		signed := staff.Do(t, http.MethodPost, o.to("signed.pdf", "kind", "CONTRACT"), pdf+"signed").
			Want(t, http.StatusCreated).
			In("document").
			ID()
		both := fmt.Sprintf(`documentId: %d, documentUrl: "https://documents.example/1.pdf"`, signed)
		if told := sign(both).Refused(t, "validation_error"); told["documentUrl"] == "" {
			t.Errorf("one file and the URL of another: %v", told)
		}
		if answer := sign(fmt.Sprintf("documentId: %d", signed)); len(answer.Errors) > 0 {
			t.Fatal(answer.Errors)
		}
		path := fmt.Sprintf("/documents/%d", signed)
		if told := o.completed(t); told.Int("documentId") != signed || told.Text("documentUrl") != "https://"+host+path {
			t.Errorf("%v", told)
		}
		if got := o.key.Do(t, http.MethodGet, path, nil); got.Status != http.StatusOK || string(got.Body) != pdf+"signed" {
			t.Errorf("%d %q", got.Status, got.Body)
		}

		// A document that is only a link becomes one with a file.
		_, signer = o.contract(t, staff)
		const link = "https://documents.example/2.pdf"
		if answer := sign(`documentUrl: "` + link + `"`); len(answer.Errors) > 0 {
			t.Fatal(answer.Errors)
		}
		told := o.completed(t)
		row, err := a.Store.Reader().Document.Get(a.Operator(t, host), told.Int("documentId"))
		if err != nil || told.Text("documentUrl") != link || row.URL == nil || *row.URL != link || row.StorageKey != nil {
			t.Errorf("%v %v %v", told, row, err)
		}
	}, apptest.KeepingFiles(t, t.TempDir(), limit))
}

func TestKeyDownloadChecks(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOffice(t, a)
		id := a.Staff(t, host, "underwriter").
			Do(t, http.MethodPost, o.to("a.pdf"), pdf).
			Want(t, http.StatusCreated).
			In("document").
			ID()
		path := fmt.Sprintf("/documents/%d", id)
		a.Tenant(t, "other.test")
		reader := a.As(
			host,
			a.NewKey(
				t, host, service.NewKey{Name: "reader", Kind: auth.Live, Scopes: []string{"deals:read"}, RateLimit: 4},
			).Token,
		)
		got := reader.Do(t, http.MethodGet, path, nil)
		if got.Status != http.StatusOK || string(got.Body) != pdf || got.Header.Get("X-RateLimit-Remaining") != "3" {
			t.Errorf("%d %v %q", got.Status, got.Header, got.Body)
		}
		stranger := a.Key(t, "other.test")
		bound := a.NewKey(
			t, host,
			service.NewKey{Name: "bound", Kind: auth.Live, Scopes: []string{"deals:read"}, Allow: []string{"203.0.113.9"}},
		)
		for what, c := range map[string]struct {
			as     *apptest.Client
			method string
			status int
			code   string
		}{
			"no company's host":     {a.As("nowhere.test", stranger.Token), http.MethodGet, http.StatusNotFound, "not_found"},
			"nobody":                {a.As(host, ""), http.MethodGet, http.StatusUnauthorized, "unauthorized"},
			"another company's key": {a.As(host, stranger.Token), http.MethodGet, http.StatusUnauthorized, "unauthorized"},
			"at another company":    {a.As("other.test", stranger.Token), http.MethodGet, http.StatusNotFound, "not_found"},
			"from another address":  {a.As(host, bound.Token), http.MethodGet, http.StatusForbidden, "forbidden"},
			"a key for something else": {
				a.As(host, a.Key(t, host, "leads:write").Token), http.MethodGet, http.StatusForbidden, "forbidden",
			},
			"a key that deletes": {reader, http.MethodDelete, http.StatusMethodNotAllowed, "method_not_allowed"},
		} {
			t.Run(what, func(t *testing.T) {
				c.as.Do(t, c.method, path, nil).Problem(t, c.status, c.code)
			})
		}
		reader.Do(t, http.MethodGet, "/documents/999", nil).Problem(t, http.StatusNotFound, "not_found")
		reader.Do(t, http.MethodGet, path, nil)
		reader.Do(t, http.MethodGet, path, nil).Problem(t, http.StatusTooManyRequests, "rate_limited")
	}, apptest.KeepingFiles(t, t.TempDir(), limit))
}
