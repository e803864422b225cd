package rest_test

import (
	"log/slog"
	"runtime"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/rest"
)

// An API with its description kept has 1.9 MB, without it some 0.3 MB.
func TestTheDescriptionIsNotKept(t *testing.T) {
	a := apptest.OnSQLite(t)
	cfg := middleware.Config{
		Service: a.Service, Log: slog.New(slog.DiscardHandler), Limiter: ratelimit.New(nil, a.Clock.Now),
	}
	live := func() uint64 {
		runtime.GC()
		runtime.GC() // the first may have begun before
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	var apis [8]*rest.API
	before := live()
	for i := range apis {
		apis[i] = rest.New(cfg)
	}
	each := (live() - before) / uint64(len(apis))
	runtime.KeepAlive(&apis)
	t.Log("bytes:", each)
	if each > 900<<10 {
		t.Errorf("an API keeps %d bytes", each)
	}
}
