package unit

import (
	"log/slog"
	"sync"
	"time"

	"paydown/internal/secret"
	"paydown/internal/store"
)

// Core is the state that all services share.
type Core struct {
	Store   *store.Store
	Secrets *secret.Box
	Log     *slog.Logger
	Now     func() time.Time
	Signals Signals
	Holder  string   // names this process where only one may do a job
	History bool     // see Config
	running sync.Map // claims of idempotent writes under way in this process
}
