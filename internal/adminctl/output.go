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

// tell prints the answer of a call, as JSON or with show; or returns its error.
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

// issued prints a secret that is shown only once: with --json as part of the answer, otherwise alone on
// standard output, so that it can be piped, with the message on standard error.
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

// printJSON prints a message as the admin services write it, with default values: on one line, or indented.
func (s *session) printJSON(m proto.Message, indented bool) error {
	raw, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		return err
	}
	var b bytes.Buffer // protojson varies its white space on purpose
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

// table aligns columns.
type table struct{ w *tabwriter.Writer }

// row prints cells: strings, numbers, times, lists, and pointers to these; nil is empty.
func (t *table) row(cells ...any) {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = cell(c)
	}
	fmt.Fprintln(t.w, strings.Join(words, "\t"))
}

// fields prints one record, a line per field: name, value, name, value.
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

// when formats a time in UTC; "" if there is none.
func when(t *timestamppb.Timestamp) string {
	if t == nil {
		return ""
	}
	return t.AsTime().UTC().Format("2006-01-02 15:04:05Z")
}

// plain replaces control characters in foreign text, so that it cannot steer the terminal, and puts it on one
// line.
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

// isTerminal reports whether the reader or writer is a terminal.
func isTerminal(of any) bool {
	f, ok := of.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// confirm asks before a change on a server. Without a terminal, --yes is required.
func (s *session) confirm(given sure, format string, args ...any) error {
	if given.Yes || s.local {
		return nil
	}
	question := plain(fmt.Sprintf(format, args...)) + " (" + s.server + ")"
	if !isTerminal(s.In) {
		return usageError("--yes is required without a terminal: %s", question)
	}
	fmt.Fprintf(s.Err, "%s\nContinue? [y/N] ", question)
	line, err := readLine(s.In)
	if word := strings.ToLower(strings.TrimSpace(line)); err != nil || word != "y" && word != "yes" {
		return usageError("canceled")
	}
	return nil
}

// readLine reads one line and nothing after it.
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
	return "", fmt.Errorf("the line is longer than %d bytes", longest)
}

// more prints the cursor of the next page.
func (s *session) more(next string) {
	if next != "" && !s.json {
		fmt.Fprintf(s.Err, "More records: --cursor %s\n", next)
	}
}
