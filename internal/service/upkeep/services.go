// Package upkeep maintains the data: retention, integrity checks, sealed values and their secret keys.
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

// New returns the aggregates. Integrity checks the files of documents.
func New(core *unit.Core, documents workspace.Documents) *Services {
	keys := SecretKeys{core, newKeyWatch()}
	return &Services{
		Integrity:  Integrity{core, documents, keys},
		Retention:  Retention{core, newSweeps()},
		SecretKeys: keys,
	}
}

// Background returns the background jobs. Each runs until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Retention.run, s.SecretKeys.run}
}
