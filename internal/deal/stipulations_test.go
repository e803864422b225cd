package deal_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/deal"
	"paydown/internal/fault"
)

// asked returns a product's matrix as code:requirement, R or w.
func asked(p deal.Product) []string {
	var out []string
	for _, s := range deal.Matrix(p) {
		letter := ":R"
		if s.Requirement == deal.Waivable {
			letter = ":w"
		}
		out = append(out, s.Code+letter)
	}
	return out
}

func TestStipulationMatrix(t *testing.T) {
	const first = "APPLICATION:R OWNER_ID:R FORMATION:R BANK_STATEMENTS:R VOIDED_CHECK:R "
	const last = " SIGNED_CONTRACT:R GUARANTY:R FUNDING_CALL:R"
	for product, between := range map[deal.Product]string{
		deal.MCA: "LEASE:w PROOF_OF_OWNERSHIP:w PROCESSOR_STATEMENTS:w PAYOFF_LETTERS:w TAX_RETURN:w",
		deal.Factoring: `LEASE:w PROOF_OF_OWNERSHIP:w TAX_RETURN:w RECEIVABLES_AGEING:R INVOICES:R
			PROFIT_AND_LOSS:w BALANCE_SHEET:w`,
		deal.TermLoan: `LEASE:w PROOF_OF_OWNERSHIP:w PROCESSOR_STATEMENTS:w PAYOFF_LETTERS:w TAX_RETURN:w
			PROFIT_AND_LOSS:w BALANCE_SHEET:w`,
		deal.LOC: `LEASE:w PROOF_OF_OWNERSHIP:w PROCESSOR_STATEMENTS:w PAYOFF_LETTERS:w TAX_RETURN:w
			RECEIVABLES_AGEING:w INVOICES:w PROFIT_AND_LOSS:w BALANCE_SHEET:w`,
		deal.SBA: "LEASE:R PROOF_OF_OWNERSHIP:R TAX_RETURN:R PROFIT_AND_LOSS:R BALANCE_SHEET:R",
		deal.Equipment: `LEASE:w PROOF_OF_OWNERSHIP:w TAX_RETURN:w PROFIT_AND_LOSS:w BALANCE_SHEET:w
			EQUIPMENT_QUOTE:R INSURANCE:R`,
	} {
		if got, want := asked(product), strings.Fields(first+between+last); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", product, got, want)
		}
	}
	if deal.Matrix("LAYAWAY") != nil {
		t.Error("an unknown product has a matrix")
	}
}

func TestEveryStipulationHasATitleAndItsOwnPlace(t *testing.T) {
	for _, product := range deal.Products {
		before := 0
		for _, s := range deal.Matrix(product) {
			if s.Title == "" || len(s.Title) > 200 || s.Position <= before {
				t.Errorf("%s: %+v after position %d", product, s, before)
			}
			if (s.Months > 0) != (s.Code == deal.StipBankStatements) {
				t.Errorf("%s: %s asks for %d months", product, s.Code, s.Months)
			}
			before = s.Position
		}
	}
}

func TestMonthsOfBankStatements(t *testing.T) {
	want := map[deal.Product]int{
		deal.MCA: 3, deal.Factoring: 3, deal.TermLoan: 6, deal.LOC: 6, deal.SBA: 12, deal.Equipment: 3,
	}
	for product, months := range want {
		if got := deal.Matrix(product)[3].Months; got != months {
			t.Errorf("%s: %d months", product, got)
		}
	}
}

func TestStipulationMoves(t *testing.T) {
	statuses := deal.StipRequested.Values()
	want := map[string]string{
		"REQUESTED":      "RECEIVED WAIVED NOT_APPLICABLE",
		"RECEIVED":       "APPROVED REJECTED WAIVED NOT_APPLICABLE",
		"REJECTED":       "REQUESTED WAIVED NOT_APPLICABLE",
		"WAIVED":         "REQUESTED",
		"NOT_APPLICABLE": "REQUESTED",
	}
	for _, from := range statuses {
		s := deal.StipulationStatus(from)
		for _, to := range statuses {
			allowed := slices.Contains(strings.Fields(want[from]), to)
			if s.CanBecome(deal.StipulationStatus(to)) != allowed {
				t.Errorf("%s to %s: want allowed %t", from, to, allowed)
			}
		}
		if len(s.Next()) != len(strings.Fields(want[from])) {
			t.Errorf("%s: next are %v", from, s.Next())
		}
		settled := slices.Contains([]string{"APPROVED", "WAIVED", "NOT_APPLICABLE"}, from)
		if s.Outstanding() == settled {
			t.Errorf("%s: outstanding is %t", from, !settled)
		}
	}
}

func TestRefusedStipulationMove(t *testing.T) {
	for from, says := range map[deal.StipulationStatus]string{
		deal.StipApproved:  "APPROVED, which is final",
		deal.StipRequested: "can become RECEIVED, WAIVED or NOT_APPLICABLE",
		deal.StipWaived:    "can become REQUESTED while it is WAIVED",
	} {
		err := deal.AllowedStipulationMove(from, deal.StipApproved)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", from, err, says)
		}
	}
	if err := deal.AllowedStipulationMove(deal.StipReceived, deal.StipApproved); err != nil {
		t.Error(err)
	}
}
