package compliance

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/shopspring/decimal"

	"paydown/ent"
	rules "paydown/internal/disclosure"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// disclosureContent is the stored content of a disclosure. Amounts are in dollars, the annual percentage rate in
// percent; the rate is null if the state's law does not require it.
type disclosureContent struct {
	FundingProvided    money.Amount  `json:"fundingProvided"`
	AmountFinanced     money.Amount  `json:"amountFinanced"`
	RecipientFunds     money.Amount  `json:"recipientFunds"`
	Itemization        []contentItem `json:"itemization"`
	FinanceCharge      money.Amount  `json:"financeCharge"`
	TotalRepayment     money.Amount  `json:"totalRepayment"`
	EstimatedAPR       *money.Rate   `json:"estimatedApr"`
	PaymentAmount      money.Amount  `json:"paymentAmount"`
	Frequency          string        `json:"frequency"`
	AverageMonthlyCost *money.Amount `json:"averageMonthlyCost"`
	TermDays           *int          `json:"termDays"`
	Prepayment         prepayment    `json:"prepayment"`
	Collateral         string        `json:"collateral"`
	AvoidableFees      []contentItem `json:"avoidableFees"`
	BrokerCompensation money.Amount  `json:"brokerCompensation"`
	PriorBalancePaid   money.Amount  `json:"priorBalancePaid"`
	InputsHash         string        `json:"inputsHash"`
}

// contentItem is a line of a disclosure.
type contentItem struct {
	Item   string       `json:"item"`
	Amount money.Amount `json:"amount"`
}

// prepayment discloses what early payoff costs or saves.
type prepayment struct {
	AdditionalFees   bool          `json:"additionalFees"`
	DiscountedPayoff *money.Amount `json:"discountedPayoff"` // total, within the window; null without a discount
	WindowDays       *int          `json:"windowDays"`       // calendar days from funding
}

// WriteDisclosure computes the content of a disclosure. Fees that are deducted from the funds are part of the
// finance charge.
func WriteDisclosure(
	ctx context.Context, t *unit.Tx, d *ent.Deal, m *ent.Merchant, law rules.Rule,
) (*disclosureContent, error) {
	terms := books.TermsOf(d, t.Zone())
	if missing := terms.Missing(); len(missing) > 0 {
		return nil, fault.Conflictf("The deal must be priced before it can be disclosed.")
	}
	prior, err := servicing.PriorBalance(ctx, t, d)
	if err != nil {
		return nil, err
	}
	net, err := terms.NetDisbursement(prior)
	if err != nil {
		return nil, err
	}
	financed := terms.FundedAmount.Sub(terms.Fees())
	show := &disclosureContent{
		FundingProvided: *terms.FundedAmount, AmountFinanced: financed, RecipientFunds: net,
		FinanceCharge: terms.PaybackAmount.Sub(financed), TotalRepayment: *terms.PaybackAmount,
		PaymentAmount: *terms.PaymentAmount, Frequency: string(*terms.Frequency), TermDays: terms.TermDays,
		Prepayment: prepaymentOf(terms), Collateral: servicing.ReceivablesOf(m),
		PriorBalancePaid: prior, InputsHash: hex.EncodeToString(servicing.TermsHash(t, d)),
	}
	if law.APR {
		if show.EstimatedAPR, err = estimatedAPR(t, terms, financed); err != nil {
			return nil, err
		}
	}
	if d.IsoID != nil {
		show.BrokerCompensation = terms.Commission()
	}
	show.Itemization = items(
		contentItem{PaidToMerchant, net}, contentItem{"Paid on your earlier balance with us", prior},
		contentItem{"Bank fee", terms.BankFee()}, contentItem{"Application fee", books.OrZero(terms.ApplicationFee)},
		contentItem{"Wire fee", books.OrZero(terms.WireFee)},
	)
	show.AvoidableFees = items(
		contentItem{"Returned payment", returnFee}, contentItem{"Surcharge on default", books.OrZero(terms.DefaultSurcharge)},
	)
	if terms.TermDays != nil && *terms.TermDays > 0 {
		yearly := terms.PaybackAmount.Decimal().Mul(decimal.NewFromInt(365))
		show.AverageMonthlyCost = new(money.Round(yearly.DivRound(decimal.NewFromInt(int64(12**terms.TermDays)), 2)))
	}
	return show, nil
}

// PaidToMerchant is the label of the line with the amount that the merchant receives.
const PaidToMerchant = "Paid to you"

// returnFee is the merchant's fee for a returned payment.
var returnFee = money.Must("35.00")

func items(all ...contentItem) []contentItem {
	kept := []contentItem{}
	for _, item := range all {
		if !item.Amount.IsZero() {
			kept = append(kept, item)
		}
	}
	return kept
}

func prepaymentOf(terms pricing.Terms) prepayment {
	if terms.EPOFactorRate == nil {
		return prepayment{}
	}
	return prepayment{
		DiscountedPayoff: new(terms.FundedAmount.Times(*terms.EPOFactorRate)), WindowDays: terms.EPOWindowDays,
	}
}

// estimatedAPR is the annual percentage rate of the amount financed, based on payments as scheduled today.
func estimatedAPR(t *unit.Tx, terms pricing.Terms, financed money.Amount) (*money.Rate, error) {
	plan, _ := terms.Plan()
	start, ok := terms.Start(t.Today())
	if !ok {
		return nil, fault.Conflictf("The deal needs terms from which payments can be scheduled before it can be disclosed.")
	}
	rows, err := schedule.Rows(plan, start, *terms.NumberOfPayments, *terms.PaymentAmount, *terms.PaybackAmount)
	if err != nil {
		return nil, err
	}
	payments := make([]rules.Payment, len(rows))
	for i, row := range rows {
		payments[i] = rules.Payment{On: row.Date, Amount: row.Amount}
	}
	rate, err := rules.APR(financed, terms.FundingDay(t.Today()), payments, unitPeriods[plan.Frequency])
	for _, known := range []error{rules.ErrNoAdvance, rules.ErrNoPayments, rules.ErrUnderpaid, rules.ErrNoRate} {
		if errors.Is(err, known) {
			return nil, fault.Conflictf("The required annual percentage rate cannot be computed from the deal's terms.").
				Because(err)
		}
	}
	return &rate, err
}

// unitPeriods maps collection frequencies to unit periods.
var unitPeriods = map[schedule.Frequency]rules.UnitPeriod{
	schedule.Daily: rules.Day(), schedule.Weekly: rules.Weeks(1), schedule.Monthly: rules.Months(1),
}
