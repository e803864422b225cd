package webhook_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent/lead"
	"paydown/internal/deal"
	"paydown/internal/webhook"
)

// The events of the public contract, and the fields of their payloads.
var contract = map[string]string{
	"deal.created":              "dealId dealNumber fundedAmount merchantId productType state",
	"deal.state_changed":        "dealId dealNumber from to trigger",
	"merchant.created":          "legalName merchantId",
	"lead.created":              "businessName leadId source status",
	"lead.status_changed":       "from leadId to",
	"submission.status_changed": "dealId from funderId submissionId to",
	"payment.paid":              "amount dealId paymentId source",
	"payment.bounced":           "amount dealId paymentId reason returnCode",
	"esign.signed":              "dealId signatureRequestId signerEmail",
	"esign.completed":           "dealId documentId documentUrl signatureRequestId",
	"esign.declined":            "dealId reason signatureRequestId signerEmail",
	"webhook.test":              "endpointId message",
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range webhook.Catalogue {
		if seen[k.Event] || k.Event != k.Example.Event() || k.Description == "" || !webhook.Known(k.Event) {
			t.Errorf("%s is there twice, or not in full", k.Event)
		}
		seen[k.Event] = true
		text, err := json.Marshal(k.Example)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		var names []string
		for name := range fields {
			names = append(names, name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != contract[k.Event] {
			t.Errorf("%s has the fields %s, want %s", k.Event, got, contract[k.Event])
		}
		// A receiver that knows only the type can read the example.
		read := reflect.New(reflect.TypeOf(k.Example))
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(read.Interface()); err != nil {
			t.Errorf("%s: %v", k.Event, err)
		}
		if again, err := json.Marshal(read.Interface()); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s was %s and is %s, %v", k.Event, text, again, err)
		}
	}
	if len(seen) != len(contract) {
		t.Errorf("there are %d kinds of event, want %d", len(seen), len(contract))
	}
	for _, no := range []string{"", "*", "deal", "Deal.Created", "deal.created ", "deal.deleted"} {
		if webhook.Known(no) {
			t.Errorf("%q is a kind of event", no)
		}
	}
}

// The lists in the tags match those of the packages that define the rules.
func TestEnumerationsOfPayloads(t *testing.T) {
	states, products, leads := deal.State("").Values(), deal.Product("").Values(), lead.Status("").Values()
	triggers := []string{string(deal.ByAPI), string(deal.ByStaff), string(deal.ByAutomation), string(deal.ByEarlyPayoff)}
	want := map[string][]string{
		"DealCreated.State": states, "DealCreated.ProductType": products, "DealStateChanged.From": states,
		"DealStateChanged.To":      states,
		"DealStateChanged.Trigger": triggers, "LeadCreated.Status": leads, "LeadStatusChanged.From": leads,
		"LeadStatusChanged.To": leads,
	}
	for _, k := range webhook.Catalogue {
		payload := reflect.TypeOf(k.Example)
		for _, f := range reflect.VisibleFields(payload) {
			if tag, ok := f.Tag.Lookup("enum"); ok {
				name := payload.Name() + "." + f.Name
				got := strings.Split(tag, ",")
				if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want[name]))) {
					t.Errorf("%s is one of %v, want %v", name, got, want[name])
				}
				delete(want, name)
				if value := reflect.ValueOf(k.Example).FieldByIndex(f.Index).String(); !slices.Contains(got, value) {
					t.Errorf("the example's %s is %s", name, value)
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

func TestWants(t *testing.T) {
	for _, c := range []struct {
		events []string
		event  string
		want   bool
	}{
		{[]string{"*"}, "payment.paid", true},
		{[]string{"deal.created", "payment.paid"}, "payment.paid", true},
		{[]string{"deal.created"}, "payment.paid", false},
		{nil, "payment.paid", false},
	} {
		if got := webhook.Wants(c.events, c.event); got != c.want {
			t.Errorf("%v wants %s: %t", c.events, c.event, got)
		}
	}
}

func TestEnvelope(t *testing.T) {
	at := time.Date(2026, time.March, 9, 14, 30, 0, 123_999_999, time.FixedZone("", -5*3600))
	paid := webhook.Catalogue[6]
	e := webhook.NewEnvelope(paid.Event, webhook.Version, at, paid.Example)
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"` + e.ID + `","event":"payment.paid","version":1,"occurredAt":"2026-03-09T19:30:00.123Z",` +
		`"data":{"paymentId":50121,"dealId":1042,"amount":"515.88","source":"PROCESSOR"}}`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	if !regexp.MustCompile(`^msg_[A-Z2-7]{26}$`).MatchString(e.ID) || e.ID == webhook.NewEnvelope("", 1, at, nil).ID {
		t.Errorf("the id is %s", e.ID)
	}
}

func TestHeaders(t *testing.T) {
	at, body := time.Unix(1760000000, 0), []byte(`{"id":"msg_1"}`)
	secret, previous := webhook.NewSecret(), webhook.NewSecret()
	for _, old := range []string{"", previous} {
		h, err := webhook.Headers("msg_1", "deal.created", at, body, secret, old)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"X-Webhook-Id": "msg_1", "X-Webhook-Event": "deal.created", "X-Timestamp": "1760000000", "Webhook-Id": "msg_1",
			"Webhook-Timestamp": "1760000000", "Content-Type": "application/json", "User-Agent": "Paydown-Webhooks/1",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		stamp, signature := h.Get("X-Timestamp"), h.Get("X-Signature")
		if err := webhook.Verify(secret, stamp, signature, body, at); err != nil {
			t.Error(err)
		}
		standard, err := webhook.SignStandard("msg_1", at, body, secret)
		if err != nil {
			t.Fatal(err)
		}
		if old == "" {
			if _, there := h["X-Signature-Previous"]; there || h.Get("webhook-signature") != standard || len(h) != 9 {
				t.Errorf("without a previous secret: %v", h)
			}
			continue
		}
		if err := webhook.Verify(previous, stamp, h.Get("X-Signature-Previous"), body, at); err != nil {
			t.Error(err)
		}
		if first, second, _ := strings.Cut(h.Get("webhook-signature"), " "); first != standard ||
			!strings.HasPrefix(second, "v1,") ||
			len(h) != 10 {
			t.Errorf("with a previous secret: %v", h)
		}
	}
	if _, err := webhook.Headers("msg_1", "deal.created", at, body, "not a valid secret", ""); err == nil {
		t.Error("signed with what is no secret")
	}
}
