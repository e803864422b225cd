package list

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/unit"
)

// position is the last record of a page: the value of its sort field, and its id.
type position struct {
	Value string `json:"v,omitempty"`
	Null  bool   `json:"n,omitempty"` // the field of that record is null
	ID    int    `json:"i"`
}

var errCursor = fault.New(fault.InvalidCursor,
	"This cursor does not belong to this request. Start again without one, or repeat the request it came from.").
	With("cursor", "must be nextCursor of the page before, with the other parameters unchanged")

const signatureSize = 16

// bindingOf identifies the request that a cursor is valid for: tenant, list, sort and filters. Limit and expand
// may change between pages.
func bindingOf(tenant int, resource string, req Request) []byte {
	return append(fmt.Appendf(nil, "%d %s", tenant, resource), req.narrowing()...)
}

// formatCursor encodes a position as an opaque string, signed together with the request's binding.
func formatCursor(c *unit.Core, q interface{ bound() []byte }, p position) string {
	raw, _ := json.Marshal(p) // a struct of plain fields always marshals
	signed := append(c.Secrets.Sign([]byte("cursor"), q.bound(), raw), raw...)
	return base64.RawURLEncoding.EncodeToString(signed)
}

func (q *Query[E]) bound() []byte { return q.binding }

func (q *Query[E]) kind() ValueKind { return q.sort.Kind }

// parsePosition decodes a cursor. A malformed cursor and one of another request give the same error.
func parsePosition(c *unit.Core, q interface {
	bound() []byte
	kind() ValueKind
}, text string,
) (*position, error) {
	signed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(signed) <= signatureSize || strings.ContainsAny(text, "\r\n") { // which base64 passes over
		return nil, errCursor
	}
	raw := signed[signatureSize:]
	if !c.Secrets.Verify(signed[:signatureSize], []byte("cursor"), q.bound(), raw) {
		return nil, errCursor
	}
	var p position
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, errCursor
	}
	if _, err := sqlValue(q.kind(), p.Value); err != nil && !p.Null && q.kind() != IsID {
		return nil, errCursor
	}
	return &p, nil
}

// WireValue formats a sort value for a cursor.
func WireValue(v any) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case int:
		return strconv.Itoa(v)
	case money.Amount, money.Rate, civil.Date:
		return v.(fmt.Stringer).String()
	default:
		return fmt.Sprint(v)
	}
}

// sqlValue parses a WireValue into a query argument.
func sqlValue(kind ValueKind, text string) (any, error) {
	switch kind {
	case IsTime:
		return time.Parse(time.RFC3339Nano, text)
	case IsInteger, IsID:
		return strconv.Atoi(text)
	default:
		return text, nil
	}
}

// Filter applies the query's conditions.
func (q *Query[E]) Filter(s *sql.Selector) {
	for _, w := range q.conditions {
		w(s)
	}
}

// where applies the query's conditions and skips the records up to the position. It selects either the records
// whose sort field is null, or the others.
func (q *Query[E]) where(after *position, nulls bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		q.Filter(s)
		id, column := s.C("id"), s.C(q.sort.Column)
		if q.nullable {
			if nulls {
				s.Where(sql.IsNull(column))
			} else {
				s.Where(sql.NotNull(column))
			}
		}
		if after == nil {
			return
		}
		if nulls || q.sort.Column == "id" {
			if q.desc {
				s.Where(sql.LT(id, after.ID))
			} else {
				s.Where(sql.GT(id, after.ID))
			}
			return
		}
		value, err := sqlValue(q.sort.Kind, after.Value)
		if err != nil {
			s.AddError(err)
			return
		}
		// The row comparison lets an index on (tenant, field, id) start at the position.
		operator := ">"
		if q.desc {
			operator = "<"
		}
		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("(").Ident(column).Comma().Ident(id).WriteString(") " + operator + " (")
			b.Arg(value).Comma().Arg(after.ID).WriteString(")")
		}))
	}
}

// order sorts by the field, then by id in the same direction, like the index.
func (q *Query[E]) order(nulls bool) func(*sql.Selector) {
	direction := sql.Asc
	if q.desc {
		direction = sql.Desc
	}
	return func(s *sql.Selector) {
		if !nulls && q.sort.Column != "id" {
			s.OrderBy(direction(s.C(q.sort.Column)))
		}
		s.OrderBy(direction(s.C("id")))
	}
}
