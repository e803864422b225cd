package adminctl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/mattn/go-isatty"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// tell prints the answer of a call, as JSON or as show words it for people; or words its error.
func (s *session) tell(ctx context.Context, answer proto.Message, err error, show func(*table)) error {
	if err != nil {
		return s.problem(ctx, err)
	}
	if s.json {
		return s.printJSON(answer, true)
	}
	t := &table{w: tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)}
	show(t)
	return t.w.Flush()
}

// issued prints what is seen this once: with JSON in its place in the answer, otherwise alone on standard output, so that it
// can be piped to where it is kept, with what is said about it on standard error.
func (s *session) issued(ctx context.Context, answer proto.Message, err error, secret, words string) error {
	if err != nil {
		return s.problem(ctx, err)
	}
	if s.json {
		return s.printJSON(answer, true)
	}
	fmt.Fprintln(s.Err, words)
	_, err = fmt.Fprintln(s.Out, secret)
	return err
}

// printJSON prints a message as the admin services write it, with the names of the description and all that is empty: on one
// line, or on several for reading.
func (s *session) printJSON(m proto.Message, indented bool) error {
	raw, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		return err
	}
	var b bytes.Buffer // protojson varies its spaces on purpose
	if indented {
		err = json.Indent(&b, raw, "", "  ")
	} else {
		err = json.Compact(&b, raw)
	}
	if err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = s.Out.Write(b.Bytes())
	return err
}

// table lays out columns.
type table struct{ w *tabwriter.Writer }

// row is a line of cells: texts, numbers, times, lists, and pointers to these, of which nil is empty.
func (t *table) row(cells ...any) {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = cell(c)
	}
	fmt.Fprintln(t.w, strings.Join(words, "\t"))
}

// fields are the lines of one record: name, value, name, value.
func (t *table) fields(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		t.row(pairs[i], pairs[i+1])
	}
}

func cell(v any) string {
	switch v := v.(type) {
	case string:
		return plain(v)
	case *string:
		if v == nil {
			return ""
		}
		return plain(*v)
	case *uint32:
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		return plain(strings.Join(v, ","))
	case *timestamppb.Timestamp:
		return when(v)
	default:
		return fmt.Sprint(v)
	}
}

// when is a time as people read it, in UTC; "" where there is none.
func when(t *timestamppb.Timestamp) string {
	if t == nil {
		return ""
	}
	return t.AsTime().UTC().Format("2006-01-02 15:04:05Z")
}

// plain is text of somebody else's without what a terminal would obey, on one line.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// isTerminal reports whether somebody sits at the other end.
func isTerminal(of any) bool {
	f, ok := of.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// sure is the flag of what cannot be taken back.
type sure struct {
	Yes bool `short:"y" env:"-" help:"Do not ask."`
}

// confirm asks whether to go on. Where nobody can be asked, --yes has to be there.
func (s *session) confirm(given sure, format string, args ...any) error {
	if given.Yes {
		return nil
	}
	question := plain(fmt.Sprintf(format, args...)) + " (" + s.server + ")"
	if !isTerminal(s.In) {
		return wrongUse("this needs --yes, since nobody can be asked: %s", question)
	}
	fmt.Fprintf(s.Err, "%s\nGo on? [y/N] ", question)
	line, err := readLine(s.In)
	if word := strings.ToLower(strings.TrimSpace(line)); err != nil || word != "y" && word != "yes" {
		return wrongUse("nothing was done")
	}
	return nil
}

// readLine reads one line, and nothing of what follows it.
func readLine(from io.Reader) (string, error) {
	const longest = 4 << 10
	var line []byte
	one := make([]byte, 1)
	for len(line) < longest {
		n, err := from.Read(one)
		if n == 1 && one[0] == '\n' {
			return string(line), nil
		}
		line = append(line, one[:n]...)
		if errors.Is(err, io.EOF) && len(line) > 0 {
			return string(line), nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("a line of more than %d bytes", longest)
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
	Limit  int    `default:"50" help:"At most so many; 0: all. Default: ${default}."`
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

// more says where a list goes on.
func (s *session) more(next string) {
	if next != "" && !s.json {
		fmt.Fprintf(s.Err, "There is more: --cursor %s\n", next)
	}
}
