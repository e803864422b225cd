package store_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	entsql "entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/store"
)

// The values of a column are compared like in the API's lists: with text for amounts, rates and dates, and with
// the pair of value and id for the next page. The values are random, but the same in every run.
func TestColumnsAreExact(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		random := rand.New(rand.NewPCG(1, 2))
		w := newWorld(t, s, db)
		lead, deal := kindOf(ent.TypeLead), kindOf(ent.TypeDeal)

		amounts := []money.Amount{
			money.Cents(0),
			money.Cents(1),
			money.Cents(-1),
			money.Cents(99_999_999_999_999),
			money.Cents(-99_999_999_999_999),
		}
		rates := []money.Rate{
			money.MustRate("0"),
			money.MustRate("0.000001"),
			money.MustRate("999999999.999999"),
			money.MustRate("-999999999.999999"),
		}
		days := []civil.Date{civil.Of(1000, 1, 1), civil.Of(9999, 12, 31), civil.Of(2024, 2, 29)}
		times := []time.Time{time.UnixMilli(0), time.UnixMilli(-1), time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)}
		for len(amounts) < 150 {
			amounts = append(amounts, money.Cents(digits(random, 14)), money.Cents(digits(random, 14)+1))
			n := digits(random, 15)
			rates = append(rates, money.MustRate(fmt.Sprintf("%s%d.%06d", sign(n), abs(n)/1e6, abs(n)%1e6)))
			days = append(days, civil.Of(1000, 1, 2).AddDays(random.IntN(9000*365)), civil.Of(2026, 1, random.IntN(40)))
			at := time.UnixMilli(random.Int64N(4e12) - 2e12)
			times = append(
				times, at, at.Add(time.Millisecond), at.Truncate(time.Second), at.In(time.FixedZone("", 5*60*60+30*60)),
			)
		}
		text := func(v fmt.Stringer) any { return v.String() }
		t.Run("amounts", func(t *testing.T) {
			checkColumn(t, w, lead, "requested_amount", amounts, money.Amount.Cmp, func(v money.Amount) any { return text(v) })
		})
		t.Run("rates", func(t *testing.T) {
			checkColumn(t, w, deal, "factor_rate", rates, money.Rate.Cmp, func(v money.Rate) any { return text(v) })
		})
		t.Run("dates", func(t *testing.T) {
			order := func(a, b civil.Date) int { return a.Sub(b) }
			checkColumn(t, w, deal, "first_payment_date", days, order, func(v civil.Date) any { return text(v) })
		})
		t.Run("times", func(t *testing.T) {
			checkColumn(t, w, lead, "next_action_at", times, time.Time.Compare, func(v time.Time) any { return v })
		})
	})
}

// digits returns a number of at most this many digits; short ones are as likely as long ones.
func digits(random *rand.Rand, most int) int64 {
	limit := int64(1)
	for range 1 + random.IntN(most) {
		limit *= 10
	}
	return random.Int64N(2*limit-1) - limit + 1
}

func abs(n int64) int64 { return max(n, -n) }

func sign(n int64) string {
	if n < 0 {
		return "-"
	}
	return ""
}

// stored is a record and the value given to its column.
type stored[V any] struct {
	id    int
	value V
}

// checkColumn checks that a column returns the stored value, and sorts and filters by it.
func checkColumn[V any](
	t *testing.T, w *world, k kind, column string, values []V, order func(a, b V) int, arg func(V) any,
) {
	t.Helper()
	rows := storeAll(t, w.a, w.s, k, column, values)
	ctx, client := w.a.ctx, w.s.Reader()
	all, err := result(
		call(k.query(client).filter(func(s *entsql.Selector) { s.Where(entsql.NotNull(s.C(column))) }).v, "All", ctx),
	)
	if err != nil {
		t.Fatal(err)
	}
	given := map[int]V{}
	for _, row := range rows {
		given[row.id] = row.value
	}
	for i := range all.Len() {
		record := all.Index(i)
		field := record.Elem().FieldByName(goName(column))
		if got := field.Elem().Interface().(V); order(got, given[idOf(record)]) != 0 {
			t.Fatalf("%v comes back as %v", given[idOf(record)], got)
		}
	}

	slices.SortFunc(rows, func(a, b stored[V]) int { return cmp.Or(order(a.value, b.value), cmp.Compare(a.id, b.id)) })
	find := func(where *entsql.Predicate) []int {
		t.Helper()
		b := k.query(client).filter(func(s *entsql.Selector) { s.Where(where) })
		sort := b.v.MethodByName("Order")
		by := reflect.ValueOf(func(s *entsql.Selector) { s.OrderBy(entsql.Asc(s.C(column)), entsql.Asc(s.C("id"))) })
		ids, err := result(call(sort.Call([]reflect.Value{by.Convert(sort.Type().In(0).Elem())})[0], "IDs", ctx))
		if err != nil {
			t.Fatal(err)
		}
		return ids.Interface().([]int)
	}
	pair := func(operator string, row stored[V]) *entsql.Predicate {
		return entsql.P(func(b *entsql.Builder) {
			b.WriteString("(").Ident(column).Comma().Ident("id").WriteString(") " + operator + " (")
			b.Arg(arg(row.value)).Comma().Arg(row.id).WriteString(")")
		})
	}
	want := func(keep func(stored[V]) bool) []int {
		ids := []int{}
		for _, row := range rows {
			if keep(row) {
				ids = append(ids, row.id)
			}
		}
		return ids
	}
	if got := find(entsql.NotNull(column)); !slices.Equal(got, want(func(stored[V]) bool { return true })) {
		t.Fatalf("sorted: %v", got)
	}
	for i := 0; i < len(rows); i += 1 + len(rows)/40 {
		row := rows[i]
		value := arg(row.value)
		for name, c := range map[string]struct {
			where *entsql.Predicate
			keep  func(stored[V]) bool
		}{
			"=":  {entsql.EQ(column, value), func(r stored[V]) bool { return order(r.value, row.value) == 0 }},
			"<":  {entsql.LT(column, value), func(r stored[V]) bool { return order(r.value, row.value) < 0 }},
			">":  {entsql.GT(column, value), func(r stored[V]) bool { return order(r.value, row.value) > 0 }},
			"<=": {entsql.LTE(column, value), func(r stored[V]) bool { return order(r.value, row.value) <= 0 }},
			">=": {entsql.GTE(column, value), func(r stored[V]) bool { return order(r.value, row.value) >= 0 }},
			"after": {
				pair(">", row),
				func(r stored[V]) bool { return cmp.Or(order(r.value, row.value), cmp.Compare(r.id, row.id)) > 0 },
			},
			"before": {
				pair("<", row),
				func(r stored[V]) bool { return cmp.Or(order(r.value, row.value), cmp.Compare(r.id, row.id)) < 0 },
			},
		} {
			if got, want := find(c.where), want(c.keep); !slices.Equal(got, want) {
				t.Errorf("%s %v finds %d records, want %d", name, value, len(got), len(want))
			}
		}
	}
}

func storeAll[V any](t *testing.T, o *owner, s *store.Store, k kind, column string, values []V) []stored[V] {
	t.Helper()
	var rows []stored[V]
	err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		rows = nil
		for _, v := range values {
			b := k.create(tx.Client)
			if err := o.fill(ctx, tx, k, b); err != nil {
				return err
			}
			if err := b.mutation().SetField(column, v); err != nil {
				return err
			}
			record, err := b.save(ctx)
			if err != nil {
				return err
			}
			rows = append(rows, stored[V]{idOf(record), v})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Sums of many large amounts, beyond the precision of a float, are exact to the cent.
func TestSumsAreExact(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		random := rand.New(rand.NewPCG(3, 4))
		w := newWorld(t, s, db)
		var want int64
		add := func(cents int64) {
			if cents != 0 {
				w.a.book(t, s, cents, ledger.Funding)
				want += cents
			}
		}
		for range 120 {
			add(99_999_999_999_999 - random.Int64N(1000))
			add(digits(random, 14))
			add(digits(random, 3))
		}
		if want < 1<<53 {
			t.Fatalf("%d is not beyond a float", want)
		}
		err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			sums, err := tx.DealSums(ctx, w.a.id, w.a.rows[ent.TypeDeal])
			if err != nil {
				return err
			}
			syndicator := w.a.rows[ent.TypeSyndicator]
			expected := fmt.Sprintf("[{1000 0 FUNDING %d} {2120 S FUNDING %d}]", want, -want)
			if got := fmt.Sprint(inOrder(sums, syndicator)); got != expected {
				t.Errorf("the sums are %s, want %s", got, expected)
			}
			cents, err := tx.WalletCents(ctx, w.a.id, syndicator, "2120")
			if cents != -want {
				t.Errorf("the wallet has %d cents, want %d", cents, -want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		for _, check := range store.IntegrityChecks() {
			if check.Name == "trial_balance" || check.Name == "entries_balance" {
				if found, err := s.RunCheck(t.Context(), check); err != nil || found.Violations > 0 {
					t.Errorf("%s: %s: %v", check.Name, found.Describe(), err)
				}
			}
		}
	})
}
