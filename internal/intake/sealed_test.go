package intake_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"paydown/internal/intake"
	"paydown/internal/secret"
)

func box(t *testing.T, keys ...string) *secret.Box {
	t.Helper()
	b, err := secret.Open(strings.Join(keys, ","))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var asked = []intake.Field{
	{Name: "business", Label: "Business", Type: intake.Text},
	{Name: "businessName", Label: "Business Name", Type: intake.Text},
	{Name: "ssn", Label: "SSN", Type: intake.SSN},
	{Name: "bank", Label: "Where to send it", Type: intake.Account},
	{Name: "ownerSsn", Label: "Owner", Type: intake.Text},
	{Name: "owner2", Label: "Second owner: Social Security #", Type: intake.Number},
	{Name: "acct", Label: "Account number", Type: intake.Text},
	{Name: "notes", Label: "Anything else", Type: intake.Notes},
	{Name: "ein", Label: "EIN", Type: intake.EIN},
	{Name: "phone", Label: "Phone", Type: intake.Phone},
	{Name: "agrees", Label: "I give my social security number", Type: intake.Checkbox},
}

func TestSecretAnswersAreSealed(t *testing.T) {
	b := box(t, secret.NewKey())
	for payload, secrets := range map[string]string{
		`{"business":"Harbor Street Bakery","ein":"98-7654321","phone":"212-555-0142","agrees":true}`: "",
		`{"businessName":"Missing Numbers LLC"}`:                                                      "",
		`{"ssn":"900-11-2233"}`:                                                                       "900-11-2233",
		`{"bank":"000123456789"}`:                                                                     "000123456789",
		`{"ownerSsn":"900112233"}`:                                                                    "900112233",
		`{"owner2":900112233}`:                                                                        "900112233",
		`{"acct":"000123456789","business":"Harbor & <Sons>"}`:                                        "000123456789",
		`{"notes":"My number is 900-11-2233."}`:                                                       "900-11-2233",
		`{"notes":"Call 212-555-0142 or 1-900-11-2233-4."}`:                                           "",
		`[]`: "",
		// A removed field.
		`{"gone":"900-11-2233"}`: "900-11-2233",
	} {
		stored, sealed, err := intake.Reseal(b, 7, asked, json.RawMessage(payload))
		if err != nil {
			t.Fatal(err)
		}
		if (sealed > 0) != (secrets != "") || secrets != "" && strings.Contains(string(stored), secrets) {
			t.Errorf("%s is stored as %s", payload, stored)
		}
		if back, err := intake.Reveal(b, 7, stored); err != nil || same(t, back) != same(t, json.RawMessage(payload)) {
			t.Errorf("%s comes back as %s: %v", payload, back, err)
		}
		for what, masked := range map[string]json.RawMessage{
			"what came in": intake.Masked(asked, json.RawMessage(payload)), "what is stored": intake.Masked(nil, stored),
		} {
			hidden := secrets == "" || !strings.Contains(string(masked), secrets) &&
				strings.Contains(string(masked), intake.Mask)
			if !hidden && (what != "what came in" || !strings.Contains(payload, "gone")) {
				t.Errorf("of %s %s is shown as %s", what, payload, masked)
			}
			if secrets == "" && same(t, masked) != same(t, json.RawMessage(payload)) {
				t.Errorf("%s is shown as %s", payload, masked)
			}
		}
	}
}

func same(t *testing.T, payload json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(payload, &v); err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(v)
	return string(text)
}

func TestASealedAnswerBelongsToItsApplicationAndField(t *testing.T) {
	b := box(t, secret.NewKey())
	stored, _, err := intake.Reseal(b, 7, asked, json.RawMessage(`{"ssn":"900-11-2233"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := intake.Reveal(b, 8, stored); err == nil {
		t.Error("another application can reveal it")
	}
	moved := json.RawMessage(strings.Replace(string(stored), `"ssn"`, `"business"`, 1))
	if _, err := intake.Reveal(b, 7, moved); err == nil {
		t.Error("another field can reveal it")
	}
}

func TestPayloadIsResealed(t *testing.T) {
	older, newer := secret.NewKey(), secret.NewKey()
	payload := json.RawMessage(`{"acct":"000123456789","business":"Harbor","ssn":"900-11-2233"}`)
	stored, _, err := intake.Reseal(box(t, older), 7, asked, payload)
	if err != nil {
		t.Fatal(err)
	}
	stored, sealed, err := intake.Reseal(box(t, newer, older), 7, nil, stored)
	if err != nil || sealed != 2 {
		t.Fatalf("%d are resealed: %v", sealed, err)
	}
	if back, err := intake.Reveal(box(t, newer), 7, stored); err != nil || string(back) != string(payload) {
		t.Errorf("%s %v", back, err)
	}
	if _, _, err := intake.Reseal(box(t, older), 7, asked, stored); !errors.Is(err, secret.ErrUnknownKey) {
		t.Errorf("without the key: %v", err)
	}
	// An answer that was stored before answers were sealed is sealed in the same way.
	if stored, sealed, err = intake.Reseal(box(t, newer), 7, asked, payload); sealed != 2 || err != nil ||
		strings.Contains(string(stored), "900-11") {
		t.Errorf("%s %v", stored, err)
	}
}
