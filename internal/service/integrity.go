package service

import (
	"context"

	"paydown/internal/auth"
	"paydown/internal/store"
)

// Integrity proves that the records agree with each other.
type Integrity struct{ *core }

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
	if err := operatorsOnly(ctx); err != nil {
		return nil, err
	}
	ctx = auth.AllTenants(ctx, "integrity check")
	report := &IntegrityReport{OK: true}
	findings, err := s.store.RunChecks(ctx, store.IntegrityChecks())
	if err != nil {
		return nil, err
	}
	for _, found := range findings {
		check := found.Check
		result := IntegrityCheck{Name: check.Name, OK: found.Violations == 0, Detail: found.Describe()}
		report.OK = report.OK && result.OK
		report.Checks = append(report.Checks, result)
	}
	return report, nil
}
