package auth_test

import (
	"context"
	"testing"
	"time"

	"paydown/internal/auth"
)

func TestActorIsInContext(t *testing.T) {
	ctx := t.Context()
	if auth.From(ctx) != nil || auth.SeesAllTenants(ctx) {
		t.Error("an empty context has an actor")
	}
	key := &auth.Actor{Kind: auth.ByKey, ID: 7, TenantID: 2}
	if got := auth.From(auth.With(ctx, key)); got != key {
		t.Errorf("the actor is %+v", got)
	}
	if !auth.SeesAllTenants(auth.AllTenants(ctx, "webhook worker")) {
		t.Error("a worker that opted out of the tenant scope is still in it")
	}
}

func TestSystemAndOperatorsHaveAllPermissions(t *testing.T) {
	for kind, as := range map[auth.ActorKind]func(context.Context, int, *time.Location, string) context.Context{
		auth.BySystem: auth.AsSystem, auth.ByOperator: auth.AsOperator,
	} {
		ctx := as(t.Context(), 3, time.UTC, "req-1")
		a := auth.From(ctx)
		if a.Kind != kind || a.TenantID != 3 || a.Zone != time.UTC || a.RequestID != "req-1" || a.ReadOnly {
			t.Errorf("%+v", a)
		}
		if !a.May("deals:write") || !a.May("webhooks:read") || auth.SeesAllTenants(ctx) {
			t.Errorf("%s: has too few rights, or too many", kind)
		}
	}
}
