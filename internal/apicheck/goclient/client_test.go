package goclient_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"

	client "paydown/internal/apicheck/goclient"
)

// must returns the response of a call, and ends the test unless it has the wanted status.
func must[T interface{ StatusCode() int }](t *testing.T, want int) func(T, error) T {
	t.Helper()
	return func(answer T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode() != want {
			t.Fatalf("%T: status %d, want %d: %+v", answer, answer.StatusCode(), want, answer)
		}
		return answer
	}
}

func text(s string) nullable.Nullable[string] { return nullable.NewNullableWithValue(s) }

// An integrator's program takes a lead and its deal through to the first payment, with only the generated
// client.
func TestGeneratedClientCallsServer(t *testing.T) {
	at := serve(t)
	api := connect(t, at, at.token)
	ctx := context.Background()

	whoami := must[*client.WhoamiResponse](t, 200)(api.WhoamiWithResponse(ctx)).JSON200
	if whoami.Tenant.Host != host || !slices.Contains(whoami.Scopes, "deals:write") || !whoami.ExpiresAt.IsNull() {
		t.Errorf("whoami: %+v", whoami)
	}

	status := client.LeadStatusQUALIFIED
	lead := must[*client.CreateLeadResponse](t, 201)(api.CreateLeadWithResponse(ctx, nil, client.NewLead{
		BusinessName: "Harbor Street Bakery LLC", RequestedAmount: text("50000.00"), Status: &status,
	})).JSON201.Lead
	if amount, err := lead.RequestedAmount.Get(); err != nil || amount != "50000.00" || lead.Status != status ||
		!lead.Email.IsNull() {
		t.Errorf("lead: %+v", lead)
	}
	cleared := must[*client.UpdateLeadResponse](t, 200)(api.UpdateLeadWithResponse(ctx, lead.Id, client.UpdateLead{
		RequestedAmount: nullable.NewNullNullable[string](),
	})).JSON200.Lead
	if !cleared.RequestedAmount.IsNull() || cleared.BusinessName != lead.BusinessName {
		t.Errorf("a null that was sent leaves %+v", cleared)
	}

	merchant := createMerchantTwice(ctx, t, api)
	deal := fund(ctx, t, api, merchant)
	payments := everyPayment(ctx, t, api, deal)
	paid := client.PaymentStatusPAID
	first := must[*client.UpdatePaymentResponse](t, 200)(
		api.UpdatePaymentWithResponse(ctx, payments[0].Id, client.UpdatePayment{Status: &paid})).JSON200.Payment
	if first.Status != paid || !first.ClearedDate.IsSpecified() || first.ClearedDate.IsNull() ||
		first.Amount != "13000.00" {
		t.Errorf("the payment that was paid: %+v", first)
	}
	one := must[*client.GetDealResponse](
		t, 200,
	)(
		api.GetDealWithResponse(ctx, deal, &client.GetDealParams{Expand: pointer("merchant,payments")}),
	)
	if got := one.JSON200.Deal; got.Merchant == nil || got.Merchant.Id != merchant || got.Payments == nil ||
		len(*got.Payments) != 5 {
		t.Errorf("the deal with its relations: %+v", got)
	}
	if id := one.Headers200.XRequestId; id == nil || *id == "" {
		t.Error("a reply without X-Request-Id")
	}
}

// createMerchantTwice repeats the request, like a client that lost the response.
func createMerchantTwice(ctx context.Context, t *testing.T, api *client.ClientWithResponses) int64 {
	t.Helper()
	create := func() *client.CreateMerchantResponse {
		return must[*client.CreateMerchantResponse](t, 201)(api.CreateMerchantWithResponse(ctx,
			&client.CreateMerchantParams{IdempotencyKey: pointer("merchant-1042")},
			client.NewMerchant{LegalName: "Harbor Street Bakery LLC", FederalId: text("98-7654321"), HomeBased: pointer(false)}))
	}
	made, again := create(), create()
	if made.JSON201.Merchant.Id != again.JSON201.Merchant.Id || made.Headers201.IdempotencyReplayed != nil {
		t.Errorf("%+v was made a second time: %+v", made.JSON201, again.JSON201)
	}
	if replayed := again.Headers201.IdempotencyReplayed; replayed == nil || *replayed != "true" {
		t.Errorf("Idempotency-Replayed: %v", replayed)
	}
	return made.JSON201.Merchant.Id
}

// fund prices a deal and moves it to FUNDED.
func fund(ctx context.Context, t *testing.T, api *client.ClientWithResponses, merchant int64) int64 {
	t.Helper()
	deal := must[*client.CreateDealResponse](t, 201)(api.CreateDealWithResponse(ctx, nil, client.NewDeal{
		MerchantId: merchant, FundedAmount: text("50000.00"), FactorRate: text("1.30"),
		NumberOfPayments:    nullable.NewNullableWithValue[int64](5),
		CollectionFrequency: nullable.NewNullableWithValue(client.ScheduleFrequencyDAILY),
	})).JSON201.Deal
	if payback, err := deal.PaybackAmount.Get(); err != nil || payback != "65000.00" ||
		deal.State != client.DealStateINCEPTION {
		t.Fatalf("deal: %+v", deal)
	}
	for _, state := range []client.DealState{
		client.DealStateSUBMITTED, client.DealStatePREFUNDED, client.DealStateFUNDED,
	} {
		moved := must[*client.UpdateDealResponse](
			t, 200,
		)(
			api.UpdateDealWithResponse(ctx, deal.Id, client.UpdateDeal{State: &state}),
		)
		if moved.JSON200.Deal.State != state {
			t.Fatalf("%s: %+v", state, moved.JSON200.Deal)
		}
	}
	back := client.DealStateINCEPTION
	refused := must[*client.UpdateDealResponse](
		t, 409,
	)(
		api.UpdateDealWithResponse(ctx, deal.Id, client.UpdateDeal{State: &back}),
	)
	if problem := refused.JSON409; problem == nil || problem.Code != "conflict" || problem.Error == "" {
		t.Errorf("an illegal move: %+v", problem)
	}
	return deal.Id
}

// everyPayment reads all pages of a deal's payments.
func everyPayment(ctx context.Context, t *testing.T, api *client.ClientWithResponses, deal int64) []client.Payment {
	t.Helper()
	var all []client.Payment
	params := &client.ListPaymentsParams{DealId: &deal, Limit: pointer(2), Status: pointer(client.PaymentStatusPENDING)}
	for range 10 {
		page := must[*client.ListPaymentsResponse](t, 200)(api.ListPaymentsWithResponse(ctx, params)).JSON200
		if page.Count != len(page.Payments) {
			t.Errorf("count %d for %d payments", page.Count, len(page.Payments))
		}
		all = append(all, page.Payments...)
		if !page.HasMore {
			if !page.NextCursor.IsNull() {
				t.Errorf("the last page has a cursor: %+v", page)
			}
			break
		}
		cursor, err := page.NextCursor.Get()
		if err != nil {
			t.Fatal(err)
		}
		params.Cursor = &cursor
	}
	if len(all) != 5 {
		t.Fatalf("%d payments, want 5: %+v", len(all), all)
	}
	for _, p := range all {
		day, err := p.ScheduledDate.Get()
		if err != nil || day.Before(time.Now().AddDate(0, 0, -2)) || p.DealId != deal {
			t.Errorf("payment: %+v, %v", p, err)
		}
	}
	return all
}

// The generated client distinguishes the errors of the API.
func TestGeneratedClientErrors(t *testing.T) {
	at := serve(t)
	api, ctx := connect(t, at, at.token), context.Background()

	invalid := must[*client.CreateMerchantResponse](t, 400)(api.CreateMerchantWithResponse(ctx, nil, client.NewMerchant{
		LegalName: "Harbor Street Bakery LLC", FederalId: text("12"), AnnualRevenue: text("1,000"),
	}))
	problem := invalid.JSON400
	if problem == nil || problem.Code != "validation_error" || problem.Details == nil {
		t.Fatalf("an invalid body: %+v", problem)
	}
	var paths []string
	for _, d := range *problem.Details {
		paths = append(paths, d.Path)
	}
	slices.Sort(paths)
	if !slices.Equal(paths, []string{"annualRevenue", "federalId"}) {
		t.Errorf("the fields at fault: %v", paths)
	}
	if id := invalid.Headers400.XRequestId; id == nil || *id != problem.RequestId {
		t.Errorf("requestId %s is not X-Request-Id %v", problem.RequestId, id)
	}
	missing := must[*client.GetLeadResponse](t, 404)(api.GetLeadWithResponse(ctx, 987654321, nil))
	if missing.JSON404.Code != "not_found" {
		t.Errorf("a lead that is not there: %+v", missing.JSON404)
	}
	unknown := must[*client.CreateDealResponse](
		t, 422,
	)(
		api.CreateDealWithResponse(ctx, nil, client.NewDeal{MerchantId: 987654321}),
	)
	if unknown.JSON422.Code != "invalid_reference" {
		t.Errorf("a merchant that is not there: %+v", unknown.JSON422)
	}
	stranger := must[*client.WhoamiResponse](t, 401)(connect(t, at, "").WhoamiWithResponse(ctx))
	if stranger.JSON401.Code != "unauthorized" || stranger.HTTPResponse.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("no key: %+v", stranger.JSON401)
	}
}

func pointer[T any](v T) *T { return &v }

// connect creates a client of the company's API; "" sends no key.
func connect(t *testing.T, at *installation, token string) *client.ClientWithResponses {
	t.Helper()
	api, err := client.NewClientWithResponses(
		at.base,
		client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Host = host
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return api
}
