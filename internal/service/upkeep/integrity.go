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

// Integrity checks that the records are consistent with each other.
type Integrity struct {
	core       *unit.Core
	documents  workspace.Documents
	secretKeys SecretKeys
}

// IntegrityReport has the results of all checks.
type IntegrityReport struct {
	OK     bool             `json:"ok"`
	Checks []IntegrityCheck `json:"checks"`
}

// IntegrityCheck is the result of one check.
type IntegrityCheck struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Verify runs every check over all tenants and changes nothing. The error is a database error; problems with
// the data are in the report.
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

// Follow runs every check as Verify does, and calls tell after each one with the number of finished checks
// and of all checks. An error from tell ends it and cancels the running check. The checks do not wait for
// tell.
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
	found := make(chan store.Finding, total) // room for all findings: the transaction never waits for the reader
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
		Name: "document-files", OK: lost == 0,
		Detail: fmt.Sprintf("%d of %d stored documents have lost their file", lost, checked),
	}, total, total)
}
