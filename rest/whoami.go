package rest

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// WhoamiView describes the calling key.
type WhoamiView struct {
	KeyID       int           `json:"keyId"`
	Name        string        `json:"name" example:"CRM import"`
	Purpose     *string       `json:"purpose"`
	Kind        string        `json:"kind" enum:"LIVE,TEST"`
	Scopes      []string      `json:"scopes" nullable:"false" example:"[\"deals:write\", \"leads:read\"]" doc:"Effective scopes; for a key that predates scopes, those implied by its flags"`
	ExpiresAt   *string       `json:"expiresAt" format:"date-time"`
	IPAllowList []string      `json:"ipAllowList" nullable:"false" doc:"Empty: any address"`
	ReadOnly    bool          `json:"readOnly" doc:"True for a test key that reads production data because the company has no sandbox"`
	CreatedAt   string        `json:"createdAt" format:"date-time"`
	Tenant      TenantView    `json:"tenant" doc:"The company that the key belongs to"`
	RateLimit   RateLimitView `json:"rateLimit"`
}

// TenantView is a tenant, as its own keys see it.
type TenantView struct {
	ID      int    `json:"id"`
	Name    string `json:"name" example:"Northline Capital"`
	Host    string `json:"host" example:"northline.example"`
	Sandbox bool   `json:"sandbox"`
}

// RateLimitView is the key's use of its current window. Limit and remaining are null if there is no limit.
type RateLimitView struct {
	Limit         *int `json:"limit" example:"120"`
	Remaining     *int `json:"remaining" example:"119"`
	WindowSeconds int  `json:"windowSeconds" example:"60"`
}

func whoamiView(c *service.Caller, d ratelimit.Decision) WhoamiView {
	limit := RateLimitView{WindowSeconds: int(ratelimit.Window.Seconds())}
	if d.Limit > 0 {
		limit.Limit, limit.Remaining = &d.Limit, &d.Remaining
	}
	expires := c.Key.ExpiresAt
	if c.Key.RetiresAt != nil && (expires == nil || c.Key.RetiresAt.Before(*expires)) {
		expires = c.Key.RetiresAt
	}
	return WhoamiView{
		KeyID: c.Key.ID, Name: c.Key.Name, Purpose: c.Key.Purpose, Kind: string(c.Key.Kind),
		Scopes: c.Key.Scopes.Strings(), ExpiresAt: optStamp(expires), IPAllowList: orEmpty(c.Key.IPAllowList),
		ReadOnly: c.Actor.ReadOnly, CreatedAt: stamp(c.Key.CreatedAt),
		Tenant: TenantView{
			ID: c.Tenant.ID, Name: c.Tenant.Name, Host: c.Tenant.Host, Sandbox: c.Tenant.SandboxOfID != nil,
		},
		RateLimit: limit,
	}
}

func (a *API) whoami() {
	op := huma.Operation{
		Method: http.MethodGet, Path: "/api/v1/whoami", OperationID: "whoami", Tags: []string{"Keys"},
		Summary:     "Describe the calling key",
		Description: "The first call to make when a key does not do what you expect. Any valid key may make it.",
		Responses:   answer("The calling key", http.StatusOK, a.schemas.Schema(reflect.TypeFor[WhoamiView](), true, "")),
	}
	a.handle(op, "", func(w http.ResponseWriter, r *http.Request) error {
		if err := noParameters(r); err != nil {
			return err
		}
		in := middleware.FromContext(r.Context())
		middleware.WriteJSON(w, http.StatusOK, whoamiView(in.Caller, in.Decision))
		return nil
	})
}
