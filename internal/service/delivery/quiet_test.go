package delivery

import (
	"testing"
	"time"

	"paydown/internal/auth"
)

func TestOnlyEventsOfTenantsWithoutEndpointsAreQuiet(t *testing.T) {
	t.Parallel()
	var q quiet
	none, some := auth.AsSystem(t.Context(), 1, time.UTC, "test"), auth.AsSystem(t.Context(), 2, time.UTC, "test")
	if q.covers(none) || q.covers(some) {
		t.Error("a tenant is quiet before the fan-out has looked")
	}
	q.note([]int{1, 2}, func(tenant int) bool { return tenant == 2 })
	if !q.covers(none) || q.covers(some) || q.covers(t.Context()) || q.covers(auth.AllTenants(none, "test")) {
		t.Error("quiet is another than the tenant without endpoints")
	}
	q.note([]int{1}, func(int) bool { return true })
	if q.covers(none) {
		t.Error("a tenant with an endpoint is quiet")
	}
	q.note([]int{1}, func(int) bool { return false })
	q.until[1] = q.until[1].Add(-quietFor)
	if q.covers(none) {
		t.Error("a tenant stays quiet")
	}
}
