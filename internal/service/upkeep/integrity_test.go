package upkeep_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/internal/store"
)

// Follow returns after tell fails, once no check is running any more.
func TestFollowStopsWhenSendFails(t *testing.T) {
	a := apptest.OnSQLite(t)
	const late = 8 // a statement of a check after the first
	var n int
	var checking atomic.Bool
	begun, goOn := make(chan struct{}), make(chan struct{})
	slow := &store.Statements{Trace: func(string) {
		if n++; n == late {
			checking.Store(true)
			close(begun)
			<-goOn
			checking.Store(false)
		}
	}}
	enough := errors.New("stop here")
	err := a.Integrity.Follow(store.Counting(t.Context(), slow), func(service.IntegrityCheck, int, int) error {
		<-begun
		time.AfterFunc(50*time.Millisecond, func() { close(goOn) })
		return enough
	})
	if !errors.Is(err, enough) {
		t.Errorf("Follow returned %v", err)
	}
	if checking.Load() {
		t.Error("a check is still running")
	}
}
