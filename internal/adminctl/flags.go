package adminctl

import (
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// words is a flag for a list, which has an entry where it is given. An empty one is refused rather than taken for one that
// is not given: a script whose variable is not set must neither open a key to every address nor be told that all went well.
type words []string

// Validate judges the flag.
func (w words) Validate() error {
	if len(w) == 0 {
		return errors.New("must not be empty")
	}
	return nil
}

// nothingGiven is the error of a command that is to change a record, but not told what.
func nothingGiven() error {
	return wrongUse("nothing is given that is to change: --help tells what can")
}

// sure is the flag of what cannot be taken back.
type sure struct {
	Yes bool `short:"y" env:"-" help:"Do not ask."`
}

// moment is a flag for a time: written out, a day, or how long ago.
type moment struct{ at *timestamppb.Timestamp }

// UnmarshalText reads the flag.
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
	return fmt.Errorf("must be a time such as 2026-01-31T09:00:00Z, a day such as 2026-01-31, or how long ago, such as 24h")
}

// paging are the flags of a list that comes in pages.
type paging struct {
	Limit  int    `default:"${limit}" help:"At most so many; 0 for all. Default: ${default}."`
	Cursor string `placeholder:"CURSOR" help:"Where to go on, as the list before told."`
}

// Validate judges the flags.
func (p *paging) Validate() error {
	if p.Limit < 0 {
		return fmt.Errorf("--limit cannot be negative")
	}
	return nil
}

// mostAtOnce is how many records a page has at most.
const mostAtOnce = 100

// pages reads pages until there are enough records or no more; next is where to go on.
func pages[R any](p *paging, read func(limit uint32, cursor string) ([]R, string, error)) (all []R, next string, err error) {
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
