package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/store"
)

// The page of a deal, by GraphQL. The bare server runs the statements that the product runs for it, one after the
// other, and writes their rows as they come: the ratio is what the product needs beyond that.

// screenBody is a request's body: the portal's query for the page of the first copy of the deal. It asks once: a stage
// of its own ends the program like any other where that fails.
var screenBody = sync.OnceValue(func() string {
	s := &stage{}
	all := apptest.Screens(s, ".")
	i := slices.IndexFunc(all, func(one apptest.Screen) bool { return one.Name == "Deal" })
	if i < 0 {
		s.Fatal("the portal has no page of a deal")
	}
	body, err := json.Marshal(map[string]any{
		"query": all[i].Text, "variables": map[string]string{"id": strconv.Itoa(copyOf(1))},
	})
	s.must(err)
	return string(body)
})

// screenStatement is a statement of the page with its values.
type screenStatement struct {
	Query string
	Args  []any
}

// screenStatements executes the page in a copy of the product inside this process and returns its statements. By then
// the caller's authentication is cached.
func screenStatements(cfg product, p *target) ([]screenStatement, error) {
	handler, stop, err := inProcess(cfg, p.token)
	if err != nil {
		return nil, err
	}
	defer stop()
	var fewest []screenStatement
	for range tries {
		var mu sync.Mutex
		var all []screenStatement
		counter := store.Statements{Args: func(query string, args []any) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, screenStatement{query, wireArgs(args)})
		}}
		answer := ask(handler, &counter, p.token, http.MethodPost, "/graphql", strings.NewReader(screenBody()))
		if answer.Code != http.StatusOK || strings.Contains(answer.Body.String(), `"errors"`) {
			return nil, fmt.Errorf("the page of a deal: status %d: %s", answer.Code, answer.Body)
		}
		if fewest == nil || len(all) < len(fewest) {
			fewest = all
		}
	}
	return fewest, nil
}

// wireArgs are values that JSON brings back as the database takes them.
func wireArgs(args []any) []any {
	wire := make([]any, len(args))
	for i, arg := range args {
		wire[i] = arg
		switch arg := arg.(type) {
		case []byte:
			wire[i] = string(arg)
		case time.Time:
			wire[i] = arg.UTC().Format(time.RFC3339Nano)
		}
	}
	return wire
}

// prepareScreen prepares the statements of the page.
func (b *bare) prepareScreen() error {
	for i, s := range b.Screen {
		prepared, err := b.reader.PrepareContext(context.Background(), s.Query) //nolint:sqlclosecheck // for as long as the process lives
		if err != nil {
			return fmt.Errorf("prepare a statement of the page: %w", err)
		}
		b.statements[screenName(i)] = prepared
		for j, arg := range s.Args {
			if n, ok := arg.(float64); ok { // JSON's: the values are ids and numbers of records
				s.Args[j] = int64(n)
			}
		}
	}
	return nil
}

func screenName(i int) string { return "screen " + strconv.Itoa(i) }

// screen is the rows of the page.
func (b *bare) screen(r *http.Request) (any, error) {
	pages := make([][][]any, len(b.Screen))
	for i, s := range b.Screen {
		rows, err := b.screenRows(r.Context(), screenName(i), s.Args)
		if err != nil {
			return nil, err
		}
		pages[i] = rows
	}
	return pages, nil
}

func (b *bare) screenRows(ctx context.Context, name string, args []any) (all [][]any, err error) {
	rows, err := b.rows(ctx, nil, name, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, v := range values {
			if raw, ok := v.([]byte); ok {
				values[i] = string(raw)
			}
		}
		all = append(all, values)
	}
	return all, rows.Err()
}
