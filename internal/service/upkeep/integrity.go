package upkeep

import (
	"context"
	"fmt"
	"sync"

	"paydown/internal/auth"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
	"paydown/internal/store"
)

// Integrity proves that the records agree with each other.
type Integrity struct {
	core       *unit.Core
	documents  workspace.Documents
	secretKeys SecretKeys
}

// IntegrityReport says what was checked and what came of it.
type IntegrityReport struct {
	OK     bool             `json:"ok"`
	Checks []IntegrityCheck `json:"checks"`
}

// IntegrityCheck is one of them.
type IntegrityCheck struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Verify runs every check over all tenants, and changes nothing. The error is of the database; what is wrong with the
// data is in the report.
func (s Integrity) Verify(ctx context.Context) (*IntegrityReport, error) {
	report := &IntegrityReport{OK: true}
	err := s.Follow(ctx, func(check IntegrityCheck, _, _ int) error {
		report.OK = report.OK && check.OK
		report.Checks = append(report.Checks, check)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

// Follow runs every check as Verify does, and tells of each as it ends: how many are over, and how many there are. The error
// of tell ends it, and what was being checked with it. Whoever is told may take his time: the checks do not wait for him.
func (s Integrity) Follow(ctx context.Context, tell func(check IntegrityCheck, done, total int) error) error {
	if err := unit.RequireOperator(ctx); err != nil {
		return err
	}
	var checking sync.WaitGroup
	defer checking.Wait()
	ctx, cancel := context.WithCancel(auth.AllTenants(ctx, "integrity check"))
	defer cancel()
	checks, walks := store.IntegrityChecks(), []store.Walk{store.ReadableRows(), s.sealedValues()}
	total := len(checks) + len(walks)
	if s.documents.Files != nil {
		total++
	}
	found := make(chan store.Finding, total) // holds all: nothing waits while the transaction is open
	ended := make(chan error, 1)
	checking.Go(func() {
		_, err := s.core.Store.RunChecks(ctx, checks, func(f store.Finding) { found <- f }, walks...)
		close(found)
		ended <- err
	})
	done := 0
	for f := range found {
		done++
		if err := tell(IntegrityCheck{Name: f.Name, OK: f.Violations == 0, Detail: f.Describe()}, done, total); err != nil {
			return err
		}
	}
	if err := <-ended; err != nil || s.documents.Files == nil {
		return err
	}
	checked, lost, err := s.documents.CheckFiles(ctx)
	if err != nil {
		return err
	}
	return tell(IntegrityCheck{
		Name: "document-files", OK: lost == 0, Detail: fmt.Sprintf("of %d documents that are kept here %d have lost their file", checked, lost),
	}, total, total)
}
