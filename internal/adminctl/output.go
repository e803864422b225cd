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
	case *timestamppb.Timestamp:
		return when(v)
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

// confirm asks whether to go on with what happens on a server. If nobody can be asked, --yes has to be there.
func (s *session) confirm(given sure, format string, args ...any) error {
	if given.Yes || s.local {
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

// more says where a list goes on.
func (s *session) more(next string) {
	if next != "" && !s.json {
		fmt.Fprintf(s.Err, "There is more: --cursor %s\n", next)
	}
}
