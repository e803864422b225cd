// Package rest is the public REST API: routes, their documentation, and the views of the records. All
// operations call package service.
package rest

import (
	"log/slog"
	"net/http"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"paydown/internal/auth"
	"paydown/internal/middleware"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// API serves /api/.
type API struct {
	service *service.Service
	log     *slog.Logger
	chain   *middleware.Chain
	mux     *http.ServeMux
	huma    huma.API
	schemas huma.Registry
	shaped  map[reflect.Type]bool // views whose schemas are finished
	openAPI func() []byte
	// unverified is for bodies of inbound events until their signature is checked, suspect for those from
	// addresses that have used up their allowance of wrong signatures.
	unverified, suspect budget
}

// Version is the version of the API's description: raised with every change of it.
const Version = "1.0.0"

// New returns the API with all of its routes. It keeps no description, which takes as much memory as everything else
// of the API together: the first request for it builds the API once more and describes that.
func New(cfg middleware.Config) *API {
	a := build(cfg)
	a.openAPI = sync.OnceValue(func() []byte { return build(cfg).describe() })
	a.forget()
	return a
}

// build returns the API with its description, as far as registering its routes makes it.
func build(cfg middleware.Config) *API {
	a := &API{
		service: cfg.Service, log: cfg.Log, mux: http.NewServeMux(), shaped: map[reflect.Type]bool{},
		unverified: budget{size: unverifiedBodies}, suspect: budget{size: suspectBodies},
	}
	a.chain = middleware.New(cfg, auth.REST, surfaceHandler{a})
	a.schemas = huma.NewMapRegistry(schemaPrefix, schemaNamer)
	a.huma = humago.New(a.mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "paydown", Version: Version,
				Description: overview,
				Contact:     &huma.Contact{Name: "The company that runs this host"},
				License:     &huma.License{Name: "MIT", Identifier: "MIT"},
			},
			Servers: []*huma.Server{{URL: "/", Description: "The company's own host"}},
			Components: &huma.Components{
				Schemas: a.schemas, Responses: a.problemResponses(), Headers: responseHeaders(),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"apiKey": {Type: "http", Scheme: "bearer", Description: "An API key: svc_live_… or svc_test_…"},
					webhookSignature: {
						Type: "apiKey", In: "header", Name: webhook.HeaderSignature,
						Description: "Deliveries to your webhook endpoints are signed with the endpoint's secret: " +
							"hex of HMAC-SHA256 over X-Timestamp, a period and the body",
					},
				},
			},
		},
		Formats: map[string]huma.Format{jsonMedia: huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat},
	})
	a.whoami()
	a.leads()
	a.merchants()
	a.deals()
	a.payments()
	a.funders()
	a.isos()
	a.syndicators()
	a.analyses()
	a.submissions()
	a.decisions()
	a.renewals()
	a.creditFacilities()
	a.disclosures()
	a.uccFilings()
	a.payouts()
	a.applications()
	a.communications()
	a.webhookEndpoints()
	a.inbound()
	a.docs()
	a.mux.HandleFunc("GET "+descriptionPath, func(w http.ResponseWriter, _ *http.Request) {
		middleware.WriteBody(w, http.StatusOK, a.openAPI())
	})
	return a
}

// forget drops what only the description needs of each operation.
func (a *API) forget() {
	for _, item := range a.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete} {
			if op != nil {
				op.Description, op.Parameters, op.RequestBody, op.Responses = "", nil, nil, nil
			}
		}
	}
	clear(a.schemas.Map())
	components := a.huma.OpenAPI().Components
	components.Responses, components.Headers, a.shaped = nil, nil, nil
}

func schemaNamer(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() != "" && t.Kind() == reflect.Struct {
		return schemaName(t)
	}
	return huma.DefaultSchemaNamer(t, hint)
}

// Operations lists the documented operations as METHOD PATH → scope, for tests and the golden list.
func (a *API) Operations() map[string]string {
	operations := map[string]string{}
	for path, item := range a.huma.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		} {
			if op != nil {
				scope, _ := op.Extensions["x-scope"].(string)
				operations[method+" "+path] = scope
			}
		}
	}
	return operations
}

// Description is the machine-readable description of the API, as served at /api/openapi.json.
func (a *API) Description() []byte { return a.openAPI() }
