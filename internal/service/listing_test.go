package service

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/underwriting"
	"paydown/internal/service/workspace"
)

// listingFacts is the API contract of a list.
type listingFacts struct {
	scope                           auth.Scope
	sorts, filters, search, expands string
}

var contractLists = map[string]listingFacts{
	"leads": {
		"leads:read", "businessName status nextActionAt requestedAmount", "status source",
		"business_name dba_name contact_name email", "",
	},
	"merchants": {"merchants:read", "legalName dbaName", "", "legal_name dba_name", ""},
	"deals": {
		"deals:read", "dealNumber state fundedAmount paybackAmount fundedAt firstPaymentDate", "state",
		"deal_number reference_id", "merchant payments iso submissions",
	},
	"payments": {
		"payments:read", "amount status scheduledDate clearedDate", "dealId status type scheduledSince", "", "deal",
	},
	"funders":          {"funders:read", "name", "", "name contact_name email", ""},
	"isos":             {"isos:read", "name", "", "name contact_name email", ""},
	"syndicators":      {"syndicators:read", "name", "", "name contact_name email", ""},
	"submissions":      {"submissions:read", "submittedAt statusChangedAt", "dealId funderId", "", "funder status deal"},
	"decisions":        {"compliance:read", "score", "dealId", "", ""},
	"renewals":         {"renewals:read", "paidDownPct outstanding", "status", "", "priorDeal"},
	"creditFacilities": {"credit-facilities:read", "creditLimit availableRoom", "status", "", "draws"},
	"disclosures":      {"compliance:read", "state status", "dealId state status", "", ""},
	"uccFilings":       {"compliance:read", "filedAt lapsesAt", "dealId status", "", ""},
	"payouts":          {"payouts:read", "periodFrom periodTo", "kind status", "", "items"},
	"applications":     {"applications:read", "status", "status formId", "", "form"},
	"communications":   {"communications:read", "occurredAt", "merchantId dealId channel", "", ""},
}

// withoutUpdatedAt are the resources that have no updatedAt in the API contract.
var withoutUpdatedAt = []string{"decisions", "applications", "communications"}

func TestListsMatchContract(t *testing.T) {
	checkListing(t, LeadListing)
	checkListing(t, MerchantListing)
	checkListing(t, DealListing)
	checkListing(t, PaymentListing)
	checkListing(t, FunderListing)
	checkListing(t, ISOListing)
	checkListing(t, SyndicatorListing)
	checkListing(t, SubmissionListing)
	checkListing(t, DecisionListing)
	checkListing(t, RenewalListing)
	checkListing(t, CreditFacilityListing)
	checkListing(t, DisclosureListing)
	checkListing(t, UCCFilingListing)
	checkListing(t, PayoutListing)
	checkListing(t, ApplicationListing)
	checkListing(t, CommunicationListing)
}

func checkListing[E any](t *testing.T, l *Listing[E]) {
	t.Helper()
	want, known := contractLists[l.Resource]
	if !known {
		t.Errorf("the contract has no list of %s", l.Resource)
		return
	}
	sorts := append([]string{"id", "createdAt", "updatedAt"}, strings.Fields(want.sorts)...)
	if slices.Contains(withoutUpdatedAt, l.Resource) {
		sorts = slices.DeleteFunc(sorts, func(name string) bool { return name == "updatedAt" })
	}
	sameNames(t, l.Resource+" sorts by", l.SortNames(), sorts)
	var filters, expands []string
	for _, f := range l.Filters {
		filters = append(filters, f.Name)
		checkKind(t, l.Resource+" filter "+f.Name, columnOf[E](t, f.Column), f.Kind)
		if f.Doc == "" || (f.Kind == IsEnum) != (len(f.Values) > 0) {
			t.Errorf("%s: filter %s is not described", l.Resource, f.Name)
		}
	}
	for _, e := range l.Expands {
		expands = append(expands, e.Name)
		if _, err := auth.ParseScope(string(e.Scope)); err != nil || !strings.HasSuffix(string(e.Scope), ":read") {
			t.Errorf("%s: expanding %s needs %q", l.Resource, e.Name, e.Scope)
		}
	}
	sameNames(t, l.Resource+" filters by", filters, strings.Fields(want.filters))
	sameNames(t, l.Resource+" searches", l.Search, strings.Fields(want.search))
	sameNames(t, l.Resource+" expands", expands, strings.Fields(want.expands))
	if l.Scope != want.scope {
		t.Errorf("%s needs %s, want %s", l.Resource, l.Scope, want.scope)
	}
	for _, s := range l.AllSorts() {
		if s.Column != "id" && input.FieldName(s.Column) != s.Name {
			t.Errorf("%s: %s sorts by the column %s", l.Resource, s.Name, s.Column)
		}
		checkKind(t, l.Resource+" sort "+s.Name, columnOf[E](t, s.Column), s.Kind)
	}
	for _, column := range l.Search {
		columnOf[E](t, column)
	}
}

func sameNames(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

// columnOf returns the type of a record's column without its pointer. It panics if the record has no such
// column.
func columnOf[E any](t *testing.T, column string) reflect.Type {
	t.Helper()
	field := input.ColumnField(new(E), column).Type()
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	return field
}

func checkKind(t *testing.T, what string, column reflect.Type, kind list.ValueKind) {
	t.Helper()
	fits := map[list.ValueKind]bool{
		list.IsTime:    column.String() == "time.Time",
		IsDate:         column == reflect.TypeFor[civil.Date](),
		list.IsDecimal: column == reflect.TypeFor[money.Amount]() || column == reflect.TypeFor[money.Rate](),
		IsInteger:      column.Kind() == reflect.Int,
		IsID:           column.Kind() == reflect.Int,
		IsEnum:         column.Kind() == reflect.String,
		list.IsText:    column.Kind() == reflect.String,
		list.IsBool:    column.Kind() == reflect.Bool,
	}
	if !fits[kind] {
		t.Errorf("%s is of kind %d, its column a %s", what, kind, column)
	}
}

// Every input field must match a column of its record by name and type, or be handled separately.
func TestInputsFitTheirRecords(t *testing.T) {
	for _, pair := range []struct{ in, record any }{
		{LeadInput{}, ent.Lead{}},
		{MerchantInput{}, ent.Merchant{}},
		{NewDeal{}, ent.Deal{}},
		{DealUpdate{}, ent.Deal{}},
		{NewPayment{}, ent.Payment{}},
		{PaymentUpdate{}, ent.Payment{}},
		{FunderInput{}, ent.Funder{}},
		{ISOInput{}, ent.ISO{}},
		{SyndicatorInput{}, ent.Syndicator{}},
		{AnalysisInput{}, ent.StatementAnalysis{}},
		{pipeline.NewSubmission{}, ent.Submission{}},
		{pipeline.NewSubmissionStatus{}, ent.SubmissionStatus{}},
		{pipeline.NewDeclineReason{}, ent.DeclineReason{}},
		{NewApproval{}, ent.Approval{}},
		{CounterInput{}, ent.Approval{}},
		{underwriting.NewStipulation{}, ent.Stipulation{}},
		{underwriting.StipulationReceipt{}, ent.Stipulation{}},
		{underwriting.NewStipulationTemplate{}, ent.StipulationTemplate{}},
		{workspace.NewNote{}, ent.Note{}},
	} {
		record := reflect.New(reflect.TypeOf(pair.record))
		for _, f := range InputFields(reflect.TypeOf(pair.in)) {
			if f.Name == "" || f.Name != strings.TrimSpace(f.Name) {
				t.Errorf("%T has a field without a name", pair.in)
			}
			if f.Column == "" {
				continue
			}
			column := input.ColumnField(record.Interface(), f.Column).Type()
			nullable := column.Kind() == reflect.Pointer
			if nullable {
				column = column.Elem()
			}
			given := f.Type
			if given == reflect.TypeFor[civil.Moment]() {
				given = reflect.TypeOf(ent.Lead{}.CreatedAt)
			}
			if given != column {
				t.Errorf("%T: %s is a %s, its column a %s", pair.in, f.Name, f.Type, column)
			}
			if isList := column.Kind() == reflect.Slice; !isList && nullable != (f.Need == "") {
				t.Errorf("%T: %s may be null: %t; its column: %t", pair.in, f.Name, f.Need == "", nullable)
			}
		}
	}
}
