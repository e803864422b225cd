package adminctl

import (
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// words is a flag with a list of at least one entry. An empty value is refused rather than treated as not
// given: a script whose variable is unset must neither open a key to every address nor report success.
type words []string

// Validate checks the flag.
func (w words) Validate() error {
	if len(w) == 0 {
		return errors.New("must not be empty")
	}
	return nil
}

// noFlagsGiven is the error of an edit command without changes.
func noFlagsGiven() error {
	return usageError("nothing to change: see --help for the settings")
}

// sure is the flag of commands that cannot be undone.
type sure struct {
	Yes bool `short:"y" env:"-" help:"Skip the confirmation."`
}

// moment is a flag for a time: a timestamp, a date, or a duration before now.
type moment struct{ at *timestamppb.Timestamp }

// UnmarshalText parses the flag.
func (m *moment) UnmarshalText(text []byte) error {
	written := string(text)
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, written); err == nil {
			m.at = timestamppb.New(at)
			return nil
		}
	}
	if ago, err := time.ParseDuration(written); err == nil && ago > 0 {
		m.at = timestamppb.New(time.Now().Add(-ago))
		return nil
	}
	return fmt.Errorf("must be a time such as 2026-01-31T09:00:00Z, a date such as 2026-01-31, " +
		"or a duration before now such as 24h")
}

// paging are the flags of a paged list.
type paging struct {
	Limit  int    `default:"${limit}" help:"Maximum number of records; 0 for all. Default: ${default}."`
	Cursor string `placeholder:"CURSOR" help:"Cursor of the next page, as printed by the previous list."`
}

// Validate checks the flags.
func (p *paging) Validate() error {
	if p.Limit < 0 {
		return fmt.Errorf("--limit cannot be negative")
	}
	return nil
}

// mostAtOnce is the maximum page size.
const mostAtOnce = 100

// pages reads pages until there are enough records or no more; next is the cursor of the next page.
func pages[R any](
	p *paging, read func(limit uint32, cursor string) ([]R, string, error),
) (all []R, next string, err error) {
	next = p.Cursor
	for {
		size := mostAtOnce
		if p.Limit > 0 {
			size = min(size, p.Limit-len(all))
		}
		var some []R
		some, next, err = read(uint32(size), next)
		if err != nil {
			return nil, "", err
		}
		all = append(all, some...)
		if next == "" || p.Limit > 0 && len(all) >= p.Limit {
			return all, next, nil
		}
	}
}
