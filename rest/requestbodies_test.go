package rest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// send makes a request exactly as given, without the client's help.
func send(tb testing.TB, c *apptest.Client, method, path string, body io.Reader, header http.Header) *apptest.Answer {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), method, c.Base+path, body)
	if err != nil {
		tb.Fatal(err)
	}
	r.Host = c.Host
	r.Header.Set("Authorization", "Bearer "+c.Token)
	maps.Copy(r.Header, header)
	resp, err := c.HTTP.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return &apptest.Answer{Status: resp.StatusCode, Header: resp.Header, Body: raw}
}

// leadOf is a lead's body of this many bytes.
func leadOf(size int) []byte {
	head, tail := []byte(`{"businessName":"Harbor Street"`), []byte(`}`)
	return slices.Concat(head, bytes.Repeat([]byte(" "), size-len(head)-len(tail)), tail)
}

func TestCompressedBodyIsRejected(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "gzip.test")
	lead := seedLead(t, c, nil)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(`{"businessName":"x"}`))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	endpoint := c.Post(t, "/webhook-endpoints", apptest.Object{"url": "https://8.8.8.8/", "events": []string{"*"}}).
		In("webhookEndpoint").
		ID()
	for _, coding := range []string{"gzip", "GZIP", "x-gzip", "br", "zstd", "deflate", "identity, gzip"} {
		for _, to := range []string{
			"POST /api/v1/leads", "PATCH " + path("/api/v1/leads", lead),
			"POST " + path("/api/v1/webhook-endpoints", endpoint) + "?action=rotate",
			"POST /graphql", "POST /auth/login",
		} {
			method, address, _ := strings.Cut(to, " ")
			header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {coding}}
			answer := send(t, c, method, address, bytes.NewReader(zipped.Bytes()), header)
			if answer.Status != 415 || !strings.Contains(string(answer.Body), "unsupported_media_type") ||
				!strings.Contains(string(answer.Body), "Content-Encoding") || answer.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("%s, %s: %d %v %s", to, coding, answer.Status, answer.Header, answer.Body)
			}
		}
	}
	plain := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity"}}
	send(t, c, "POST", "/api/v1/leads", strings.NewReader(`{"businessName":"x"}`), plain).Want(t, 201)
}

func TestBodyRequiresJSONContentType(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "media.test")
	lead := seedLead(t, c, nil)
	for _, media := range []string{
		"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "text/json",
		"application/jsonp",
		"application/", ";", "json", "application/json, text/plain", "application/json; charset",
	} {
		for method, address := range map[string]string{"POST": "/api/v1/leads", "PATCH": path("/api/v1/leads", lead)} {
			answer := send(
				t, c, method, address, strings.NewReader(`{"businessName":"x"}`), http.Header{"Content-Type": {media}},
			)
			answer.Problem(t, 415, "unsupported_media_type")
		}
	}
	for _, media := range []string{
		"application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json",
	} {
		send(
			t, c, "PATCH", path("/api/v1/leads", lead), strings.NewReader(`{"businessName":"x"}`),
			http.Header{"Content-Type": {media}},
		).Want(t, 200)
	}
	send(t, c, "GET", "/api/v1/leads", nil, http.Header{"Content-Type": {"text/plain"}}).Want(t, 200)
	send(t, c, "DELETE", path("/api/v1/leads", lead), nil, http.Header{"Content-Type": {"text/plain"}}).Want(t, 200)
}

func TestBodyLimits(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "size.test")
	json := http.Header{"Content-Type": {"application/json"}}
	const most = 1 << 20
	for name, c1 := range map[string]struct {
		body io.Reader
		want int
	}{
		"the most":                {bytes.NewReader(leadOf(most)), 201},
		"a byte more":             {bytes.NewReader(leadOf(most + 1)), 413},
		"the most, in chunks":     {io.MultiReader(bytes.NewReader(leadOf(most))), 201},
		"a byte more, in chunks":  {io.MultiReader(bytes.NewReader(leadOf(most + 1))), 413},
		"ten times, in chunks":    {io.MultiReader(bytes.NewReader(leadOf(10 * most))), 413},
		"a little, byte by byte":  {iotestOneByte(leadOf(200)), 201},
		"noise beyond the bound":  {bytes.NewReader(bytes.Repeat([]byte("x"), most+1)), 413},
		"none":                    {nil, 400},
		"nothing, in chunks":      {io.MultiReader(), 400},
		"blanks up to the bound":  {bytes.NewReader(bytes.Repeat([]byte(" "), most)), 400},
		"depth up to the bound":   {strings.NewReader(strings.Repeat(`[`, most)), 400},
		"names up to the bound":   {strings.NewReader(manyNames(most)), 400},
		"a number without an end": {strings.NewReader(`{"requestedAmount":` + strings.Repeat("9", most-100) + `}`), 400},
	} {
		t.Run(name, func(t *testing.T) {
			answer := send(t, c, "POST", "/api/v1/leads", c1.body, json)
			switch c1.want {
			case 201:
				answer.Want(t, 201)
			case 413:
				answer.Problem(t, 413, "payload_too_large")
			default:
				answer.Problem(t, 400, "validation_error")
			}
		})
	}
}

func iotestOneByte(body []byte) io.Reader {
	readers := make([]io.Reader, len(body))
	for i := range body {
		readers[i] = bytes.NewReader(body[i : i+1])
	}
	return io.MultiReader(readers...)
}

func manyNames(size int) string {
	var b strings.Builder
	b.WriteString(`{"a":1`)
	for i := 0; b.Len() < size-20; i++ {
		fmt.Fprintf(&b, `,"%x":1`, i)
	}
	b.WriteString("}")
	return b.String()
}

// Errors of the decoder are reported in the envelope, with a path if there is one.
func TestRejectedBodyMessages(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "wire.test")
	lead := path("/leads", seedLead(t, c, nil))
	for _, body := range []string{`{`, `{"businessName":"x"} x`, "\ufeff{}", `{"requestedAmount":NaN}`, "<xml/>"} {
		c.Do(t, "POST", "/leads", body).Problem(t, 400, "invalid_json")
		c.Do(t, "PATCH", lead, body).Problem(t, 400, "invalid_json")
	}
	for body, field := range map[string]string{
		``: "body", `null`: "body", `[]`: "body", `"x"`: "body", `{"Notes":"x"}`: "Notes",
		`{"notes":"a","notes":"b"}`: "notes",
		`{"requestedAmount":1e2}`:   "requestedAmount", `{"requestedAmount":12.345}`: "requestedAmount",
		`{"requestedAmount":"1,000"}`: "requestedAmount",
		`{"requestedAmount":true}`:    "requestedAmount", `{"requestedAmount":1234567890123456789}`: "requestedAmount",
		`{"notes":"\u0000"}`: "notes",
		`{"notes":"\ud800"}`: "notes", "{\"notes\":\"\xff\"}": "body", `{"businessName":null}`: "businessName",
		`{"status":null}`: "status",
		`{"ownerId":1}`:   "ownerId", `{"id":1}`: "id", `{"createdAt":"2026-01-01"}`: "createdAt",
		`{"tenantId":2}`:                 "tenantId",
		`{"__proto__":{}}`:               "__proto__",
		strings.Repeat(`{"a":`, 100_000): "body",
	} {
		messages := c.Do(t, "PATCH", lead, body).Problem(t, 400, "validation_error")
		if len(messages) != 1 || messages[field] == "" {
			t.Errorf("%.40s names %v", body, messages)
		}
	}
	messages := c.Do(t, "POST", "/leads", `{"email":"x","phone":"y","requestedAmount":"-1","status":"WON",
		"source":"\u0007","nickname":1}`).
		Problem(t, 400, "validation_error")
	if len(messages) != 7 || messages["businessName"] != "is required" ||
		!strings.Contains(messages["status"], "NEW, CONTACTED, QUALIFIED, CONVERTED, DEAD") {
		t.Errorf("seven things are wrong: %v", messages)
	}
}

// Well-formed values are also validated all at once: each by itself, and against each other.
func TestAllInvalidValuesAreReported(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "values.test")
	deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
	for _, p := range []struct {
		path  string
		body  apptest.Object
		wrong []string
	}{
		{
			"/merchants",
			apptest.Object{
				"email": "x", "phone": "y", "website": "z", "federalId": "1", "state": "ny",
				"stateOfIncorporation": "ZZ", "postalCode": "1",
			},
			[]string{"email", "federalId", "legalName", "phone", "postalCode", "state", "stateOfIncorporation", "website"},
		},
		{
			"/payments",
			apptest.Object{
				"dealId": deal, "type": "WIRE_FEE", "amount": "-5", "status": "BOUNCED", "note": "\u0007",
				"method": "CARD",
			},
			[]string{"amount", "method", "note", "status"},
		},
		{
			"/payments",
			apptest.Object{"type": "PARTICIPATION_PAYOUT", "amount": "5", "referenceId": strings.Repeat("x", 501)},
			[]string{"dealId", "referenceId", "syndicatorId"},
		},
		{
			"/deals",
			apptest.Object{
				"position": 0, "factorRate": "0.9", "buyRate": "9", "bankFeeBasis": "FLAT", "uwScoreCategory": "D",
				"termDays": -1,
			},
			[]string{"bankFeeValue", "buyRate", "factorRate", "merchantId", "position", "termDays", "uwScoreCategory"},
		},
	} {
		messages := c.Do(t, "POST", p.path, p.body).Problem(t, 400, "validation_error")
		var got []string
		for field := range messages {
			got = append(got, field)
		}
		slices.Sort(got)
		if !slices.Equal(got, p.wrong) {
			t.Errorf("%s %v: %v", p.path, p.body, messages)
		}
	}
}

func TestEmptyUpdateChangesNothing(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "empty.test")
		merchant := seedMerchant(t, c, apptest.Object{"annualRevenue": "5", "startedOn": "2020-01-01"})
		deal := seedDeal(t, c, merchant, apptest.Object{"fundedAmount": "50000", "factorRate": "1.3"})
		records := map[string]string{
			"lead": path("/leads", seedLead(t, c, apptest.Object{"notes": "x"})), "merchant": path("/merchants", merchant),
			"deal": path("/deals", deal), "payment": path("/payments", seedPayment(t, c, deal, nil)),
		}
		a.Clock.Advance(time.Hour)
		before := trail(t, a, c.Host)
		for name, address := range records {
			was := c.Get(t, address).In(name)
			same := map[string]apptest.Object{
				"lead":     {"notes": "x", "businessName": was["businessName"], "status": "NEW", "email": nil},
				"merchant": {"annualRevenue": 5, "startedOn": "2020-01-01", "homeBased": false, "legalName": was["legalName"]},
				"deal":     {"fundedAmount": "50000.00", "factorRate": 1.3, "state": "INCEPTION"},
				"payment":  {"amount": 35, "status": "PENDING", "note": nil},
			}[name]
			for _, body := range []any{"{}", " { } ", same} {
				now := c.Patch(t, address, body).In(name)
				if now["updatedAt"] != was["updatedAt"] || now["createdAt"] != was["createdAt"] {
					t.Errorf("%s: %v changed %v to %v", name, body, was["updatedAt"], now["updatedAt"])
				}
			}
			if now := c.Get(t, address).In(name); now["updatedAt"] != was["updatedAt"] {
				t.Errorf("%s: updatedAt moved from %v to %v", name, was["updatedAt"], now["updatedAt"])
			}
		}
		if after := trail(t, a, c.Host); after != before {
			t.Errorf("audit entries and events: %v, before %v", after, before)
		}
	})
}

// trail counts the traces of writes.
func trail(tb testing.TB, a *apptest.App, host string) [2]int {
	tb.Helper()
	ctx := a.Operator(tb, host)
	var counts [2]int
	for i, count := range []func(context.Context) (int, error){
		a.Store.Reader().AuditEntry.Query().Count, a.Store.Reader().OutboxEvent.Query().Count,
	} {
		n, err := count(ctx)
		if err != nil {
			tb.Fatal(err)
		}
		counts[i] = n
	}
	return counts
}

func TestNullClearsOptionalFields(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "null.test")
		lead := path("/leads", seedLead(t, c, apptest.Object{
			"dbaName": "a", "contactName": "b", "email": "a@b.example", "phone": "2125550142", "requestedAmount": "5",
			"source": "web", "notes": "n",
		}))
		a.Clock.Advance(time.Hour)
		before := c.Get(t, lead).In("lead")
		cleared := c.Patch(t, lead, apptest.Object{"email": nil, "requestedAmount": nil}).In("lead")
		for field, value := range cleared {
			switch field {
			case "email", "requestedAmount":
				if value != nil {
					t.Errorf("%s is %v", field, value)
				}
			case "updatedAt":
				if value == before[field] {
					t.Error("updatedAt did not move")
				}
			default:
				if value != before[field] {
					t.Errorf("%s was %v and is %v", field, before[field], value)
				}
			}
		}
		if got := c.Get(t, lead).In("lead"); fmt.Sprint(got) != fmt.Sprint(cleared) {
			t.Errorf("read back %v, want %v", got, cleared)
		}
		for _, field := range []string{"businessName", "status"} {
			messages := c.Do(t, "PATCH", lead, apptest.Object{field: nil, "notes": "changed"}).
				Problem(t, 400, "validation_error")
			if messages[field] != "must not be null" {
				t.Errorf("%s: %v", field, messages)
			}
		}
		nulls := apptest.Object{"businessName": "x", "email": nil, "requestedAmount": nil, "notes": nil}
		created := c.Post(t, "/leads", nulls).In("lead")
		if created["email"] != nil || created.Text("status") != "NEW" {
			t.Errorf("made of nulls: %v", created)
		}
	})
}

// A refused string is not stored; an accepted one is returned unchanged, byte for byte.
func TestTextRoundTrip(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "text.test")
		for _, text := range []string{
			"O'Brien; DROP TABLE leads; --", `"quoted" \ back\\slash`, "<script>alert(1)</script> & co",
			"Ünïcödé 咖啡 🍵 \u202eabc", "%s %d {{.}} ${x}",
			" padded ", "e\u0301 \u00e9", strings.Repeat("é", 200), "a\u2028\u2029b", "NULL", "null", "0",
		} {
			got := c.Post(t, "/leads", apptest.Object{"businessName": text, "source": text, "notes": text + "\n\t" + text}).
				In("lead")
			again := c.Get(t, path("/leads", got.ID())).In("lead")
			for _, record := range []apptest.Object{got, again} {
				if record.Text("businessName") != text || record.Text("source") != text ||
					record.Text("notes") != text+"\n\t"+text {
					t.Errorf("%q came back as %v", text, record)
				}
			}
		}
		for field, most := range map[string]int{"businessName": 200, "source": 500, "notes": 10_000} {
			body := apptest.Object{"businessName": "x"}
			body[field] = strings.Repeat("é", most)
			c.Post(t, "/leads", body)
			body[field] = strings.Repeat("é", most+1)
			if messages := c.Do(t, "POST", "/leads", body).Problem(t, 400, "validation_error"); messages[field] == "" {
				t.Errorf("%s: %v", field, messages)
			}
		}
	})
}
