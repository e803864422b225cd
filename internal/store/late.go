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

// On PostgreSQL each statement costs a round trip. Late statements, whose result is known in advance, wait in the
// transaction, and run together as one. They run before the next statement that is not late, at the latest
// before the commit, so the transaction always reads what it wrote. On SQLite, which has no round trips, a late
// statement runs at once.

// lateTx is a transaction of PostgreSQL with its late statements.
type lateTx struct {
	dialect.Tx
	waiting []lateStatement
	// made gets the id of the row that a waiting INSERT makes; nil if none does.
	made func(id int)
}

type lateStatement struct {
	table, text string
	args        []any
	// one requires that the statement changes exactly one row.
	one bool
	// makes says that the statement returns the id of the row that it makes.
	makes bool
	// otherwise is the error if the statement, a count, does not count 0.
	otherwise func(context.Context) error
}

type (
	lateKey     struct{}
	lateDriver  struct{}
	lateMadeKey struct{}
	lateNoneKey struct{}
	lateReadKey struct{}
)

// madeID is an argument of a late statement: the id of the row that another late statement makes.
type madeID struct{}

// madeJSON is the record in JSON, without its id, which comes first.
type madeJSON []byte

// Late returns a context whose writes may run later. A late UPDATE must change exactly one row, which the
// transaction has locked; otherwise the transaction fails when the statement runs. Nothing else may be late whose
// error somebody handles.
func (tx *Tx) Late(ctx context.Context) context.Context {
	if tx.late == nil {
		return ctx
	}
	return context.WithValue(ctx, lateKey{}, true)
}

// LateCreate is Late for Ent's create of one record. The record has no id until Settle, where made gets it. If
// made is never called, the record has its id at once. There is one such record at a time.
func (tx *Tx) LateCreate(ctx context.Context, made func(id int)) context.Context {
	if tx.late == nil {
		return ctx
	}
	return context.WithValue(tx.Late(ctx), lateMadeKey{}, made)
}

// LateNone returns a context for one Count of Ent's that is assumed to be 0 until Settle. If it is not, otherwise
// returns the error that ends the transaction. Everything that the count depends on must be locked. ok is false
// where nothing is late.
func (tx *Tx) LateNone(ctx context.Context, otherwise func(context.Context) error) (late context.Context, ok bool) {
	if tx.late == nil {
		return ctx, false
	}
	return context.WithValue(ctx, lateNoneKey{}, otherwise), true
}

// reading returns a context for a statement that reads these tables only, so that late statements on others need not
// run before it.
func reading(ctx context.Context, tables ...string) context.Context {
	return context.WithValue(ctx, lateReadKey{}, tables)
}

// Settle runs what is late.
func (tx *Tx) Settle(ctx context.Context) error {
	if tx.late == nil {
		return nil
	}
	return tx.late.settle(ctx)
}

// Query implements dialect.Tx. Of a late context it takes the INSERT of a LateCreate and the count of a LateNone.
func (l *lateTx) Query(ctx context.Context, query string, args, v any) error {
	if otherwise, ok := ctx.Value(lateNoneKey{}).(func(context.Context) error); ok {
		l.waiting = append(l.waiting, lateStatement{text: query, args: args.([]any), otherwise: otherwise})
		v.(*entsql.Rows).ColumnScanner = &unmade{}
		return nil
	}
	made, _ := ctx.Value(lateMadeKey{}).(func(int))
	rows, fills := v.(*entsql.Rows)
	if made == nil || !fills || !strings.HasPrefix(query, "INSERT ") {
		if l.concerns(ctx) {
			if err := l.settle(ctx); err != nil {
				return err
			}
		}
		return l.Tx.Query(ctx, query, args, v)
	}
	if l.made != nil {
		if err := l.settle(ctx); err != nil {
			return err
		}
	}
	if err := l.wait(ctx, lateStatement{text: query, args: args.([]any), makes: true}); err != nil {
		return err
	}
	l.made = made
	rows.ColumnScanner = &unmade{}
	return nil
}

// concerns reports whether a statement may read what late statements write.
func (l *lateTx) concerns(ctx context.Context) bool {
	tables, known := ctx.Value(lateReadKey{}).([]string)
	return !known || slices.ContainsFunc(l.waiting, func(s lateStatement) bool { return slices.Contains(tables, s.table) })
}

// Exec implements dialect.Tx.
func (l *lateTx) Exec(ctx context.Context, query string, args, v any) error {
	if ctx.Value(lateKey{}) == nil {
		if err := l.settle(ctx); err != nil {
			return err
		}
		return l.Tx.Exec(ctx, query, args, v)
	}
	one := strings.HasPrefix(query, "UPDATE ")
	if one && v == nil {
		return fmt.Errorf("store: a late statement whose result is not asked for: %s", query)
	}
	if result, ok := v.(*sql.Result); ok {
		*result = driver.RowsAffected(1)
	}
	return l.wait(ctx, lateStatement{text: query, args: args.([]any), one: one})
}

// Commit implements dialect.Tx.
func (l *lateTx) Commit() error {
	if len(l.waiting) > 0 {
		return errors.Join(errors.New("store: a commit before late statements have run"), l.Rollback())
	}
	return l.Tx.Commit()
}

// wait adds a statement. All parts of one statement see the same rows, and each row may change once, so each table
// occurs once.
func (l *lateTx) wait(ctx context.Context, s lateStatement) error {
	s.table = tableOf(s.text)
	for _, other := range l.waiting {
		if other.table == s.table {
			if err := l.settle(ctx); err != nil {
				return err
			}
			break
		}
	}
	l.waiting = append(l.waiting, s)
	return nil
}

// tableOf returns the table that an INSERT or UPDATE writes to.
func tableOf(query string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(query, "INSERT INTO "), "UPDATE ")
	rest = strings.TrimPrefix(rest, `"`)
	return rest[:max(0, strings.IndexAny(rest, "\" (\n"))]
}

// settle runs the waiting statements as one.
func (l *lateTx) settle(ctx context.Context) error {
	waiting, made := l.waiting, l.made
	if len(waiting) == 0 {
		return nil
	}
	l.waiting, l.made = nil, nil
	if first := waiting[0]; len(waiting) == 1 && !first.makes && !first.one && first.otherwise == nil {
		return l.Tx.Exec(ctx, first.text, first.args, nil)
	}
	query, args, results := together(waiting)
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
	for _, s := range waiting {
		switch {
		case s.one && got[next] != 1:
			return fmt.Errorf("store: a late change of one row of %s changed %d", s.table, got[next])
		case s.otherwise != nil && got[next] != 0:
			return cmp.Or(s.otherwise(ctx), fmt.Errorf("store: %d rows where there should be none: %s", got[next], s.text))
		case s.one || s.otherwise != nil:
			next++
		}
	}
	if made != nil {
		made(int(got[0]))
	}
	return nil
}

// together makes one statement of several. It returns one row of results: the id that is made, or 0, then of each
// statement that is checked the number of rows that it changed or counted.
func together(all []lateStatement) (query string, args []any, results int) {
	var with, result strings.Builder
	result.WriteString("0")
	results = 1
	for i, s := range all {
		if s.otherwise != nil {
			result.WriteString(", (")
			args = renumber(&result, s, args)
			result.WriteString(")")
			results++
			continue
		}
		name := "w" + strconv.Itoa(i)
		if s.makes {
			name = "made"
			made := "(SELECT id FROM made)" + result.String()[1:]
			result.Reset()
			result.WriteString(made)
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

// renumber writes the text of a statement with the numbers that its arguments get after those of others.
func renumber(q *strings.Builder, s lateStatement, args []any) []any {
	numbers := make([]int, len(s.args)) // 0: not yet given
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
		case madeID:
			q.WriteString("(SELECT id FROM made)")
		case madeJSON:
			// The id is the first field of a record's JSON.
			q.WriteString(`('{"id":' || (SELECT id FROM made)::text || ',' || ` + number(k-1, string(value[1:])) + `::text)`)
		default:
			q.WriteString(number(k-1, value))
		}
		text = text[end:]
	}
}

// unmade is the result of an INSERT or a count that has not run: 0.
type unmade struct{ read bool }

func (u *unmade) Next() bool {
	first := !u.read
	u.read = true
	return first
}

func (*unmade) Scan(into ...any) error {
	switch v := into[0].(type) {
	case *int64:
		*v = 0
	case *int:
		*v = 0
	default:
		return errors.New("store: only the id of a late row can be read")
	}
	return nil
}

func (*unmade) Close() error                            { return nil }
func (*unmade) ColumnTypes() ([]*sql.ColumnType, error) { return nil, nil }
func (*unmade) Columns() ([]string, error)              { return []string{"id"}, nil }
func (*unmade) Err() error                              { return nil }
func (*unmade) NextResultSet() bool                     { return false }
