package rest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"paydown/internal/apptest"
)

// JSON stored as sent has one form on both databases: that of the golden file, byte for byte, in the response
// to the write and in every later one.
func TestStoredJSONIsEqualOnBothDatabases(t *testing.T) {
	golden, err := os.ReadFile("testdata/stored_json.txt")
	if err != nil {
		t.Fatal(err)
	}
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "stored.test")
		deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
		const sent = `{
			"source": "reader",
			"depositTypes": {"wire": {"count": 2, "amount": "10.00"}, "ACH": {"amount": 1, "count": 1}},
			"positions": [{"payment": "12.50", "funder": "B <&> \u00c9 \ud83c\udf75", "aa": 1, "b": 2}],
			"alteredFlags": [],
			"summary": {
				"numbers": [1.0, 1.00, 1e2, 1E-7, -0, 100000000000000000001, 0.1000000000000000055511151231257827, 1e308],
				"zz": null, "a": {"longer": 1, "b": [ ], "": {}}, "B": "\u0041\/\t", "é": true, "10": 1, "9": 2
			}
		}`
		address := path("/deals", deal) + "/statement-analysis"
		objects := func(answer apptest.Object, raw []byte) []byte {
			var whole struct {
				StatementAnalysis map[string]json.RawMessage `json:"statementAnalysis"`
			}
			if err := json.Unmarshal(raw, &whole); err != nil || len(answer) == 0 {
				t.Fatal(err)
			}
			var out bytes.Buffer
			for _, name := range []string{"depositTypes", "positions", "alteredFlags", "summary"} {
				out.WriteString(name + " " + string(whole.StatementAnalysis[name]) + "\n")
			}
			return out.Bytes()
		}
		made := c.Do(t, "POST", address, sent)
		read := c.Do(t, "GET", address, nil)
		for what, got := range map[string][]byte{
			"the answer to the write": objects(made.Want(t, 201), made.Body),
			"a later one":             objects(read.Want(t, 200), read.Body),
		} {
			if !bytes.Equal(got, golden) {
				t.Errorf("%s has\n%s\nwant\n%s", what, got, golden)
			}
		}
	})
}

// The same rule with its keys in another order is the same rule: nothing changes, and no event or audit entry
// is written.
func TestReorderedObjectIsNoChange(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "same.test")
		iso := path("/isos", seed(t, c, "/isos", "iso", apptest.Object{
			"name": "Broker", "commissionRule": json.RawMessage(`{"tiers":[{"upTo":50000,"points":8.50}],"basis":"POINTS <b>"}`),
		}))
		before := c.Get(t, iso).In("iso")
		a.Clock.Advance(5_000_000_000)
		c.Patch(t, iso, `{"commissionRule": {"basis": "POINTS \u003cb>", "tiers": [{"points": 8.50, "upTo": 50000}]}}`)
		if after := c.Get(t, iso).In("iso"); after["updatedAt"] != before["updatedAt"] {
			t.Errorf("updatedAt went from %v to %v", before["updatedAt"], after["updatedAt"])
		}
		c.Patch(t, iso, `{"commissionRule": {"basis": "POINTS \u003cb>", "tiers": [{"points": 8.5, "upTo": 50000}]}}`)
		if after := c.Get(t, iso).In("iso"); after["updatedAt"] == before["updatedAt"] {
			t.Error("another number is no change")
		}
	})
}
