package rest_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-openapi/inflect"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service"
	"paydown/internal/store"
)

// listKinds are the kinds of record that the lists show.
var listKinds = map[string]string{
	"/leads": ent.TypeLead, "/merchants": ent.TypeMerchant, "/deals": ent.TypeDeal, "/payments": ent.TypePayment,
	"/funders": ent.TypeFunder, "/isos": ent.TypeISO, "/syndicators": ent.TypeSyndicator,
	"/submissions": ent.TypeSubmission, "/decisions": ent.TypeDecisionResult, "/renewals": ent.TypeRenewalOpportunity,
	"/credit-facilities": ent.TypeCreditFacility, "/disclosures": ent.TypeDisclosure, "/ucc-filings": ent.TypeUCCFiling,
	"/payouts": ent.TypePayoutBatch, "/applications": ent.TypeApplicationSubmission,
	"/communications": ent.TypeCommunication, "/webhook-endpoints": ent.TypeWebhookEndpoint,
}

// sortable are the fields by which each list sorts, according to the contract.
var sortable = map[string]string{
	"/leads":             "id createdAt updatedAt businessName status nextActionAt requestedAmount",
	"/merchants":         "id createdAt updatedAt legalName dbaName",
	"/deals":             "id createdAt updatedAt dealNumber state fundedAmount paybackAmount fundedAt firstPaymentDate",
	"/payments":          "id createdAt updatedAt amount status scheduledDate clearedDate",
	"/funders":           "id createdAt updatedAt name",
	"/isos":              "id createdAt updatedAt name",
	"/syndicators":       "id createdAt updatedAt name",
	"/submissions":       "id createdAt updatedAt submittedAt statusChangedAt",
	"/decisions":         "id createdAt score",
	"/renewals":          "id createdAt updatedAt paidDownPct outstanding",
	"/credit-facilities": "id createdAt updatedAt creditLimit availableRoom",
	"/disclosures":       "id createdAt updatedAt state status",
	"/ucc-filings":       "id createdAt updatedAt filedAt lapsesAt",
	"/payouts":           "id createdAt updatedAt periodFrom periodTo",
	"/applications":      "id createdAt status",
	"/communications":    "id createdAt occurredAt",
	"/webhook-endpoints": "id createdAt",
}

// shelf is a list with test records: each sort field has equal values, values whose text order differs from
// their own order and, if it may be empty, nulls.
type shelf struct {
	list, kind string
	fields     []string // that the list sorts by, as described
	rows       *apptest.Rows
	made       *int
}

const shelfSize = 10

// fillLists returns all lists that the server describes.
func fillLists(t *testing.T, a *apptest.App, c *apptest.Client) []shelf {
	t.Helper()
	shared, lists := apptest.NewRows(a, c.Host), map[string]shelf{}
	for route, item := range describedPaths(t, c) {
		for _, p := range apptest.Object(item).In("get").List("parameters") {
			if p.Text("name") != "sort" {
				continue
			}
			s := shelf{list: baseOf(route), kind: listKinds[baseOf(route)], rows: shared, made: new(int)}
			for _, value := range p.In("schema")["enum"].([]any) {
				if field := value.(string); !strings.Contains(field, ":") {
					s.fields = append(s.fields, field)
				}
			}
			if s.kind == "" {
				t.Fatalf("%s: which kind of record does it list? Add it to listKinds and sortable", s.list)
			}
			sameTexts(t, s.list+" sorts by", slices.Clone(s.fields), strings.Fields(sortable[s.list]))
			lists[s.list] = s
		}
	}
	if len(lists) < len(sortable) {
		t.Errorf("only %d lists are described", len(lists))
	}
	all := make([]shelf, 0, len(lists))
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		all = append(all, lists[list])
	}
	for i := range shelfSize {
		if i%3 != 1 { // some are made within the same transaction or so
			a.Clock.Advance(time.Hour)
		}
		shared.Write(t, func(ctx context.Context, tx *store.Tx) error {
			for _, s := range all {
				for range 1 + i%2 {
					if _, err := s.add(ctx, tx); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return all
}

// add adds another record to the list.
func (s shelf) add(ctx context.Context, tx *store.Tx) (int, error) {
	return s.rows.Add(ctx, tx, s.kind, s.values())
}

// values are the next values of the sort fields.
func (s shelf) values() apptest.Values {
	*s.made++
	given := apptest.Values{}
	for i, field := range s.fields {
		column := apptest.ColumnOf(s.kind, columnNamed(field))
		if field == "id" || field == "createdAt" || field == "updatedAt" {
			continue
		}
		turn := []int{0, 1, -1, 2, 1, 3, -1, 0, 4, 2, 5}[(*s.made+3*i)%11]
		switch {
		case s.uniquely(column.Name):
			given[column.Name] = fmt.Sprintf("D-%06d", *s.made*7919%100_000)
		case turn >= 0:
			given[column.Name] = choice(apptest.TypeOf(s.kind, column.Name), column.Enums, turn)
		case column.Nullable:
			given[column.Name] = nil
		default:
			given[column.Name] = choice(apptest.TypeOf(s.kind, column.Name), column.Enums, 1)
		}
	}
	return given
}

// choice is one of six values of a type.
func choice(t reflect.Type, enum []string, n int) any {
	if e, ok := reflect.TypeAssert[service.Enum](reflect.Zero(t)); ok {
		enum = e.Values()
	}
	if len(enum) > 0 {
		return enum[n%len(enum)]
	}
	switch t {
	case reflect.TypeFor[money.Amount]():
		return money.Must([]string{"9.50", "100.00", "20.00", "0.00", "1000000.01", "99.99"}[n])
	case reflect.TypeFor[money.Rate]():
		return money.MustRate([]string{"9.5", "100", "20", "0", "33.333333", "99.99"}[n])
	case reflect.TypeFor[civil.Date]():
		return civil.Must([]string{"2026-03-02", "2026-02-02", "2025-12-31", "2026-11-02", "2026-02-03", "1999-12-31"}[n])
	case reflect.TypeFor[time.Time](): // fractions of different lengths
		return monday.Add(time.Duration([]int{0, 100, 120, 123, 3_600_000, -1}[n]) * time.Millisecond)
	}
	if t.Kind() == reflect.Int {
		return []int{9, 100, 20, 0, 75, 10}[n]
	}
	return []string{"delta", "alpha", "Zulu", "charlie", "\u00e9lan", "alpha beta"}[n]
}

// uniquely reports whether a column has a unique index.
func (s shelf) uniquely(column string) bool {
	for _, index := range apptest.TableOf(s.kind).Indexes {
		if index.Unique && len(index.Columns) == 2 && index.Columns[1].Name == column {
			return true
		}
	}
	return false
}

func (s shelf) nullable(field string) bool {
	return apptest.ColumnOf(s.kind, columnNamed(field)).Nullable
}

// nullsOf counts the records without a field, and reports whether the list shows it at all: calls have no
// createdAt.
func (s shelf) nullsOf(records []apptest.Object, field string) (n int, shown bool) {
	for _, record := range records {
		value, there := record[field]
		shown = shown || there
		if value == nil {
			n++
		}
	}
	return n, shown
}

func columnNamed(field string) string { return inflect.Underscore(field) }
