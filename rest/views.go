package rest

import (
	"time"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// A view is what the public API shows of a record. Views are written by hand, so that a new column does not
// change the API. Fields without a value are null; relations are absent unless they are expanded.

// wireTime is RFC 3339 in UTC with milliseconds.
const wireTime = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(wireTime) }

func optStamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := stamp(*t)
	return &s
}

func optAmount(a *money.Amount) *string {
	if a == nil {
		return nil
	}
	s := a.String()
	return &s
}

func optRate(r *money.Rate) *string {
	if r == nil {
		return nil
	}
	s := r.String()
	return &s
}

func optDate(d *civil.Date) *string {
	if d == nil {
		return nil
	}
	s := d.String()
	return &s
}

// viewAll returns the views of a relation with many records; it is never null once expanded.
func viewAll[E, V any](records []*E, view func(*E) V) *[]V {
	views := make([]V, len(records))
	for i, r := range records {
		views[i] = view(r)
	}
	return &views
}
