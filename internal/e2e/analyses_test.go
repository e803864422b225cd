package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

func TestStatementAnalyses(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "analyses.test")
		bakery := apptest.Object{"legalName": "Harbor Street Bakery LLC", "federalId": "98-7654321"}
		merchant := c.Post(t, "/merchants", bakery).In("merchant")
		deal := c.Post(t, "/deals", apptest.Object{
			"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 100,
			"collectionFrequency": "DAILY",
		}).In("deal")
		ofDeal := fmt.Sprintf("/deals/%d/statement-analysis", deal.ID())

		t.Run("versions count up, whichever way the deal was found", func(t *testing.T) {
			c.Do(t, http.MethodGet, ofDeal, nil).Problem(t, http.StatusNotFound, "not_found")
			first := c.Post(t, ofDeal, apptest.Object{
				"source": "statement-reader", "trueRevenue3m": "174000.00", "avgMonthlyTrueRevenue": "58000.00", "monthsCovered": 3,
				"positions": []apptest.Object{
					{"funder": "Other Funding", "payment": "210.00", "frequency": "DAILY"},
				}, "positionCount": 1,
			}).In("statementAnalysis")
			second := c.Post(t, "/statement-analysis", apptest.Object{"source": "x", "ein": "987654321"}).In("statementAnalysis")
			third := c.Post(t, "/statement-analysis", apptest.Object{"source": "x", "merchantId": merchant.ID()}).
				In("statementAnalysis")
			for i, got := range []apptest.Object{first, second, third} {
				if got.Int("version") != i+1 || got.Int("dealId") != deal.ID() || got.Int("keyId") == 0 {
					t.Errorf("analysis %d: %v", i+1, got)
				}
			}
			if got := c.Get(t, ofDeal).In("statementAnalysis").Int("version"); got != 3 {
				t.Errorf("the newest analysis is version %d, want 3", got)
			}
		})

		t.Run("exactly one target, which must be there", func(t *testing.T) {
			for body, want := range map[string]struct {
				status int
				code   string
			}{
				`{"source": "x"}`: {http.StatusBadRequest, "validation_error"},
				fmt.Sprintf(`{"source": "x", "dealId": %d, "ein": "987654321"}`, deal.ID()): {
					http.StatusBadRequest, "validation_error",
				},
				`{"source": "x", "ein": "111111111"}`: {http.StatusUnprocessableEntity, "invalid_reference"},
				`{"source": "x", "dealId": 999999}`:   {http.StatusUnprocessableEntity, "invalid_reference"},
			} {
				c.Do(t, http.MethodPost, "/statement-analysis", body).Problem(t, want.status, want.code)
			}
		})

		t.Run("contradictions are named", func(t *testing.T) {
			for body, path := range map[string]string{
				`"trueRevenue3m": "174000.00", "avgMonthlyTrueRevenue": "60000.00", "monthsCovered": 3`: "avgMonthlyTrueRevenue",
				`"periodStart": "2026-03-01", "periodEnd": "2026-01-31"`:                                "periodEnd",
				`"periodStart": "2026-01-01", "periodEnd": "2026-03-31", "monthsCovered": 12`:           "monthsCovered",
				`"grossDeposits": "100.00", "mcaDeposits": "60.00", "internalTransfers": "60.00"`:       "grossDeposits",
				`"positionCount": 2, "positions": []`:                                                   "positionCount",
				`"positions": [{"payment": "1e3"}]`:                                                     "positions.0.payment",
				`"grossDeposits": "10.00", "depositTypes": [{"type": "card", "amount": "11.00"}]`:       "depositTypes",
				`"summary": []`:       "summary",
				`"positions": "none"`: "positions",
				`"summary": ` + strings.Repeat(`{"a":`, 21) + `1` + strings.Repeat(`}`, 21): "summary",
			} {
				details := c.Do(t, http.MethodPost, ofDeal, `{"source": "x", `+body+`}`).
					Problem(t, http.StatusBadRequest, "validation_error")
				if details[path] == "" {
					t.Errorf("%s: details %v, want %s", body, details, path)
				}
			}
		})

		t.Run("an altered analysis blocks funding until a clean newer one", func(t *testing.T) {
			c.Post(
				t, ofDeal,
				apptest.Object{"source": "x", "altered": true, "alteredFlags": []apptest.Object{{"code": "FONT", "page": 2}}},
			)
			path := fmt.Sprintf("/deals/%d", deal.ID())
			c.Patch(t, path, apptest.Object{"state": "SUBMITTED"})
			details := c.Do(t, http.MethodPatch, path, apptest.Object{"state": "PREFUNDED"}).
				Problem(t, http.StatusConflict, "conflict")
			if details["blocks.STATEMENT_ALTERED"] == "" {
				t.Errorf("details %v, want blocks.STATEMENT_ALTERED", details)
			}
			c.Post(t, ofDeal, apptest.Object{"source": "x"})
			c.Patch(t, path, apptest.Object{"state": "PREFUNDED"})
		})
	})
}
