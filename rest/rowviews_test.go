package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/store"
	"paydown/rest"
)

// What is written straight from a row is, byte for byte, the view of the record. The records hold random values, such
// as no caller could set.
func TestRowsAreWrittenLikeViews(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		const host = "rows.example"
		c := a.Client(t, host)
		merchant := seedMerchant(t, c, nil)
		deal := seedDeal(t, c, merchant, nil)
		f := &filler{rand.New(rand.NewPCG(3, 4))}
		compareRows(t, a, c, f, "deals", rest.DealViewOf, func(tx *store.Tx, i int) (entgo.Mutation, saver[ent.Deal]) {
			create := tx.Deal.Create().SetMerchantID(merchant).SetDealNumber(fmt.Sprintf("R-%d", i))
			return create.Mutation(), create.Save
		})
		compareRows(t, a, c, f, "payments", rest.PaymentViewOf,
			func(tx *store.Tx, _ int) (entgo.Mutation, saver[ent.Payment]) {
				create := tx.Payment.Create().SetDealID(deal)
				return create.Mutation(), create.Save
			})
		compareRows(t, a, c, f, "leads", rest.LeadViewOf, func(tx *store.Tx, _ int) (entgo.Mutation, saver[ent.Lead]) {
			create := tx.Lead.Create()
			return create.Mutation(), create.Save
		})
		compareRows(t, a, c, f, "merchants", rest.MerchantViewOf,
			func(tx *store.Tx, _ int) (entgo.Mutation, saver[ent.Merchant]) {
				create := tx.Merchant.Create()
				return create.Mutation(), create.Save
			})
		compareRows(t, a, c, f, "funders", rest.FunderViewOf,
			func(tx *store.Tx, _ int) (entgo.Mutation, saver[ent.Funder]) {
				create := tx.Funder.Create()
				return create.Mutation(), create.Save
			})
		compareRows(t, a, c, f, "syndicators", rest.SyndicatorViewOf,
			func(tx *store.Tx, _ int) (entgo.Mutation, saver[ent.Syndicator]) {
				create := tx.Syndicator.Create()
				return create.Mutation(), create.Save
			})
	})
}

type saver[E any] func(context.Context) (*E, error)

// compareRows creates random records and compares the answers about them with their views.
func compareRows[E, V any](
	t *testing.T, a *apptest.App, c *apptest.Client, f *filler, plural string, view func(*E) V,
	create func(tx *store.Tx, i int) (entgo.Mutation, saver[E]),
) {
	t.Helper()
	const records = 60
	want := map[int]string{}
	for i := range records {
		behind(t, a, c.Host, func(ctx context.Context, tx *store.Tx) error {
			m, save := create(tx, i)
			f.fill(t, m, reflect.TypeFor[E]())
			row, err := save(ctx)
			if err != nil {
				return err
			}
			raw, err := json.Marshal(view(row))
			want[int(reflect.ValueOf(row).Elem().FieldByName("ID").Int())] = string(raw)
			return err
		})
	}
	compare := func(what string, id int, raw json.RawMessage) {
		t.Helper()
		if expected, ok := want[id]; ok && string(raw) != expected {
			t.Errorf("%s %d:\n%s\nwant\n%s", what, id, raw, expected)
		}
	}
	found := 0
	for next := ""; ; {
		body := c.Do(t, "GET", "/"+plural+"?limit=50&sort=createdAt"+next, nil).Body
		var page struct {
			HasMore    bool
			NextCursor string
		}
		var rows map[string]json.RawMessage
		var list []json.RawMessage
		for _, into := range []any{&page, &rows} {
			if err := json.Unmarshal(body, into); err != nil {
				t.Fatal(err)
			}
		}
		if err := json.Unmarshal(rows[plural], &list); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		for _, raw := range list {
			var row struct{ ID int }
			if err := json.Unmarshal(raw, &row); err != nil {
				t.Fatal(err)
			}
			if _, ok := want[row.ID]; ok {
				found++
			}
			compare("the list of "+plural, row.ID, raw)
		}
		if !page.HasMore {
			break
		}
		next = "&cursor=" + page.NextCursor
	}
	if found != records {
		t.Errorf("the list of %s has %d of %d records", plural, found, records)
	}
	if plural == "merchants" { // one merchant comes with its contacts
		return
	}
	for id := range want {
		body := c.Do(t, "GET", fmt.Sprintf("/%s/%d", plural, id), nil).Body
		var one map[string]json.RawMessage
		if err := json.Unmarshal(body, &one); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		compare("GET of one of the "+plural, id, one[singular(plural)])
	}
}

func singular(plural string) string { return strings.TrimSuffix(plural, "s") }

// filler sets random values.
type filler struct{ *rand.Rand }

// fill sets the columns of a new record that it may choose: the required ones and some of the others.
func (f *filler) fill(t *testing.T, m entgo.Mutation, record reflect.Type) {
	t.Helper()
	for _, field := range reflect.VisibleFields(record) {
		column, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if _, set := m.Field(column); set && column == "deal_number" || column == "edges" || column == "id" ||
			column == "-" || column == "" || column == "tenant_id" || column == "is_house" ||
			strings.HasSuffix(column, "_id") && field.Type.Kind() != reflect.String && column != "reference_id" {
			continue
		}
		optional := field.Type.Kind() == reflect.Pointer
		goType := field.Type
		if optional {
			goType = goType.Elem()
		}
		if goType.Kind() == reflect.Int && strings.HasSuffix(column, "_id") || optional && f.IntN(3) == 0 {
			continue
		}
		value := f.value(ent.Records[record.Name()].Enums[column], goType, column)
		if value == nil {
			continue
		}
		if err := m.SetField(column, value); err != nil {
			t.Fatalf("%s.%s: %v", record.Name(), column, err)
		}
	}
}

func (f *filler) value(enum []string, goType reflect.Type, column string) any {
	switch {
	case enum != nil:
		return reflect.ValueOf(enum[f.IntN(len(enum))]).Convert(goType).Interface()
	case goType == reflect.TypeFor[money.Amount]():
		return money.Cents(f.Int64N(2e14-1) - 1e14 + 1)
	case goType == reflect.TypeFor[money.Rate]():
		return money.MustRate(fmt.Sprintf("%d.%06d", f.IntN(1e9), f.IntN(1e6)/[]int{1, 10, 1e4, 1e6}[f.IntN(4)]))
	case goType == reflect.TypeFor[civil.Date]():
		return civil.Of(1900, 1, 1).AddDays(f.IntN(200 * 365))
	case goType == reflect.TypeFor[time.Time]():
		return time.UnixMilli(f.Int64N(4e12) - 1e12).UTC()
	}
	switch goType.Kind() { //nolint:exhaustive // the others are left null
	case reflect.Int:
		return f.IntN(1 << 31)
	case reflect.Bool:
		return f.IntN(2) == 0
	case reflect.String:
		if goType.PkgPath() != "" {
			return nil // a type of the domain that is no enumeration
		}
		texts := []string{
			"", "plain", `"quoted" \ back`, "<b>&amp;</b>", "Ünïcödé 咖啡 🍵", "tab\tline\nreturn\r", "\u2028\u2029", "\x7f", "%_'",
		}
		text := texts[f.IntN(len(texts))]
		if strings.Contains(column, "external") { // unique
			text += fmt.Sprint(f.Int64())
		}
		return text
	}
	return nil
}
