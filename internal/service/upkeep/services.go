// Package upkeep looks after the data: retention, integrity checks, sealed values and the keys that they are sealed
// under.
package upkeep

import (
	"context"

	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// Services are the aggregates of this package.
type Services struct {
	Integrity  Integrity
	Retention  Retention
	SecretKeys SecretKeys
}

// New makes the aggregates. documents are those whose files Integrity looks for.
func New(core *unit.Core, documents workspace.Documents) *Services {
	keys := SecretKeys{core, newKeyWatch()}
	return &Services{
		Integrity:  Integrity{core, documents, keys},
		Retention:  Retention{core, newSweeps()},
		SecretKeys: keys,
	}
}

// Background is the work that goes on until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Retention.run, s.SecretKeys.run}
}
