package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// On PostgreSQL each statement costs a round trip. Deferred statements, whose results are known in advance, are queued
// in the transaction and run together as one statement: before the next statement that is not deferred, at the latest
// before the commit, so the transaction always reads its own writes. SQLite has no round trips; there they run at once.

// deferringTx is a transaction of PostgreSQL with its queue of deferred statements.
type deferringTx struct {
	dialect.Tx
	queued []deferredStatement
	// setID receives the id of the row that a queued INSERT creates; nil if no INSERT is queued.
	setID func(id int)
}

type deferredStatement struct {
	table, text string
	args        []any
	// one requires that the statement changes exactly one row.
	one bool
	// returnsID says that the statement returns the id of the row that it creates.
	returnsID bool
	// nonzero returns the error if the statement, a count, does not return 0.
	nonzero func(context.Context) error
}

type (
	deferKey       struct{}
	deferDriver    struct{}
	deferCreateKey struct{}
	deferCountKey  struct{}
	readTablesKey  struct{}
)

// createdID is an argument of a deferred statement: the id of the row that another deferred statement creates.
type createdID struct{}

// createdJSON is the created record in JSON, without its id, which comes first.
type createdJSON []byte

// Deferred returns a context whose writes may be deferred. A deferred UPDATE must change exactly one row, which the
// transaction has locked; otherwise the transaction fails when the statement runs. No other write may be deferred
// whose error the caller handles.
func (tx *Tx) Deferred(ctx context.Context) context.Context {
	if tx.deferring == nil {
		return ctx
	}
	return context.WithValue(ctx, deferKey{}, true)
}

// DeferredCreate is Deferred for one record that Ent creates. The record has no id until RunDeferred calls setID with
// it. If setID is never called, the record had its id at once. At most one such record is queued at a time.
func (tx *Tx) DeferredCreate(ctx context.Context, setID func(id int)) context.Context {
	if tx.deferring == nil {
		return ctx
	}
	return context.WithValue(tx.Deferred(ctx), deferCreateKey{}, setID)
}

// DeferredZero returns a context for one Count of Ent's, which is assumed to be 0 until RunDeferred runs it. If it is
// not 0, nonzero returns the error that ends the transaction. Everything that the count depends on must be locked. ok
// is false where statements are not deferred.
func (tx *Tx) DeferredZero(
	ctx context.Context, nonzero func(context.Context) error,
) (deferred context.Context, ok bool) {
	if tx.deferring == nil {
		return ctx, false
	}
	return context.WithValue(ctx, deferCountKey{}, nonzero), true
}

// reading returns a context for a statement that reads only these tables, so that deferred statements on other tables
// need not run before it.
func reading(ctx context.Context, tables ...string) context.Context {
	return context.WithValue(ctx, readTablesKey{}, tables)
}

// RunDeferred runs the deferred statements.
func (tx *Tx) RunDeferred(ctx context.Context) error {
	if tx.deferring == nil {
		return nil
	}
	return tx.deferring.flush(ctx)
}

// Query implements dialect.Tx. It queues the INSERT of a DeferredCreate and the count of a DeferredZero.
func (l *deferringTx) Query(ctx context.Context, query string, args, v any) error {
	if nonzero, ok := ctx.Value(deferCountKey{}).(func(context.Context) error); ok {
		l.queued = append(l.queued, deferredStatement{text: query, args: args.([]any), nonzero: nonzero})
		v.(*entsql.Rows).ColumnScanner = &pendingResult{}
		return nil
	}
	setID, _ := ctx.Value(deferCreateKey{}).(func(int))
	rows, fills := v.(*entsql.Rows)
	if setID == nil || !fills || !strings.HasPrefix(query, "INSERT ") {
		if l.concerns(ctx) {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
		return l.Tx.Query(ctx, query, args, v)
	}
	if l.setID != nil {
		if err := l.flush(ctx); err != nil {
			return err
		}
	}
	if err := l.enqueue(ctx, deferredStatement{text: query, args: args.([]any), returnsID: true}); err != nil {
		return err
	}
	l.setID = setID
	rows.ColumnScanner = &pendingResult{}
	return nil
}

// concerns reports whether a statement may read what deferred statements write.
func (l *deferringTx) concerns(ctx context.Context) bool {
	tables, known := ctx.Value(readTablesKey{}).([]string)
	writes := func(s deferredStatement) bool { return slices.Contains(tables, s.table) }
	return !known || slices.ContainsFunc(l.queued, writes)
}

// Exec implements dialect.Tx.
func (l *deferringTx) Exec(ctx context.Context, query string, args, v any) error {
	if ctx.Value(deferKey{}) == nil {
		if err := l.flush(ctx); err != nil {
			return err
		}
		return l.Tx.Exec(ctx, query, args, v)
	}
	one := strings.HasPrefix(query, "UPDATE ")
	if one && v == nil {
		return fmt.Errorf("store: a deferred UPDATE must check its result: %s", query)
	}
	if result, ok := v.(*sql.Result); ok {
		*result = driver.RowsAffected(1)
	}
	return l.enqueue(ctx, deferredStatement{text: query, args: args.([]any), one: one})
}

// Commit implements dialect.Tx.
func (l *deferringTx) Commit() error {
	if len(l.queued) > 0 {
		return errors.Join(errors.New("store: commit with deferred statements in the queue"), l.Rollback())
	}
	return l.Tx.Commit()
}

// enqueue adds a statement. The parts of one statement all see the rows as they were before it, and may change a row
// only once, so the queue has at most one statement for each table.
func (l *deferringTx) enqueue(ctx context.Context, s deferredStatement) error {
	s.table = tableOf(s.text)
	for _, other := range l.queued {
		if other.table == s.table {
			if err := l.flush(ctx); err != nil {
				return err
			}
			break
		}
	}
	l.queued = append(l.queued, s)
	return nil
}

// tableOf returns the table that an INSERT or UPDATE writes to.
func tableOf(query string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(query, "INSERT INTO "), "UPDATE ")
	rest = strings.TrimPrefix(rest, `"`)
	return rest[:max(0, strings.IndexAny(rest, "\" (\n"))]
}

// flush runs the queued statements as one.
func (l *deferringTx) flush(ctx context.Context) error {
	queued, setID := l.queued, l.setID
	if len(queued) == 0 {
		return nil
	}
	l.queued, l.setID = nil, nil
	if first := queued[0]; len(queued) == 1 && !first.returnsID && !first.one && first.nonzero == nil {
		return l.Tx.Exec(ctx, first.text, first.args, nil)
	}
	query, args, results := combine(queued)
	var rows entsql.Rows
	if err := l.Tx.Query(ctx, query, args, &rows); err != nil {
		return err
	}
	got, into := make([]int64, results), make([]any, results)
	for i := range got {
		into[i] = &got[i]
	}
	if err := scanOne(&rows, into...); err != nil {
		return err
	}
	next := 1
	for _, s := range queued {
		switch {
		case s.one && got[next] != 1:
			return fmt.Errorf("store: a deferred change of one row of %s changed %d", s.table, got[next])
		case s.nonzero != nil && got[next] != 0:
			return cmp.Or(s.nonzero(ctx), fmt.Errorf("store: %d rows where there should be none: %s", got[next], s.text))
		case s.one || s.nonzero != nil:
			next++
		}
	}
	if setID != nil {
		setID(int(got[0]))
	}
	return nil
}

// combine combines statements into one. Its result is one row: the id of the created row, or 0, then for each
// statement that is checked the number of rows that it changed or counted.
func combine(all []deferredStatement) (query string, args []any, results int) {
	var with, result strings.Builder
	result.WriteString("0")
	results = 1
	for i, s := range all {
		if s.nonzero != nil {
			result.WriteString(", (")
			args = renumber(&result, s, args)
			result.WriteString(")")
			results++
			continue
		}
		name := "w" + strconv.Itoa(i)
		if s.returnsID {
			name = "created"
			id := "(SELECT id FROM created)" + result.String()[1:]
			result.Reset()
			result.WriteString(id)
		}
		if with.Len() > 0 {
			with.WriteString(", ")
		}
		with.WriteString(name + " AS (")
		args = renumber(&with, s, args)
		if s.one {
			with.WriteString(" RETURNING 1")
			result.WriteString(", (SELECT count(*) FROM " + name + ")")
			results++
		}
		with.WriteString(")")
	}
	query = " SELECT " + result.String()
	if with.Len() > 0 {
		query = "WITH " + with.String() + query
	}
	return query, args, results
}

// renumber appends a statement to q, with its arguments numbered after those already in args.
func renumber(q *strings.Builder, s deferredStatement, args []any) []any {
	numbers := make([]int, len(s.args)) // 0: not numbered yet
	number := func(i int, value any) string {
		if numbers[i] == 0 {
			args = append(args, value)
			numbers[i] = len(args)
		}
		return "$" + strconv.Itoa(numbers[i])
	}
	text := s.text
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 {
			q.WriteString(text)
			return args
		}
		end := at + 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		q.WriteString(text[:at])
		k, err := strconv.Atoi(text[at+1 : end])
		if err != nil {
			q.WriteString(text[at:end])
			text = text[end:]
			continue
		}
		switch value := s.args[k-1].(type) {
		case createdID:
			q.WriteString("(SELECT id FROM created)")
		case createdJSON:
			// The id is the first field of a record's JSON.
			q.WriteString(`('{"id":' || (SELECT id FROM created)::text || ',' || ` + number(k-1, string(value[1:])) + `::text)`)
		default:
			q.WriteString(number(k-1, value))
		}
		text = text[end:]
	}
}

// pendingResult is the result of an INSERT or a count that has not run yet: 0.
type pendingResult struct{ read bool }

func (u *pendingResult) Next() bool {
	first := !u.read
	u.read = true
	return first
}

func (*pendingResult) Scan(into ...any) error {
	switch v := into[0].(type) {
	case *int64:
		*v = 0
	case *int:
		*v = 0
	default:
		return errors.New("store: only the id of a deferred row can be read")
	}
	return nil
}

func (*pendingResult) Close() error                            { return nil }
func (*pendingResult) ColumnTypes() ([]*sql.ColumnType, error) { return nil, nil }
func (*pendingResult) Columns() ([]string, error)              { return []string{"id"}, nil }
func (*pendingResult) Err() error                              { return nil }
func (*pendingResult) NextResultSet() bool                     { return false }
