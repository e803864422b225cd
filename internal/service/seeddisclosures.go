package service

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/ent/disclosure"
	rules "paydown/internal/disclosure"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
)

// shown is what a disclosure says of a deal's terms. Amounts are in dollars. The annual percentage rate that some states
// ask for is not among it.
type shown struct {
	FundingProvided    money.Amount  `json:"fundingProvided"`
	AmountFinanced     money.Amount  `json:"amountFinanced"`
	RecipientFunds     money.Amount  `json:"recipientFunds"`
	Itemization        []shownItem   `json:"itemization"`
	FinanceCharge      money.Amount  `json:"financeCharge"`
	TotalRepayment     money.Amount  `json:"totalRepayment"`
	PaymentAmount      money.Amount  `json:"paymentAmount"`
	Frequency          string        `json:"frequency"`
	AverageMonthlyCost *money.Amount `json:"averageMonthlyCost"`
	TermDays           *int          `json:"termDays"`
	Prepayment         prepayment    `json:"prepayment"`
	Collateral         string        `json:"collateral"`
	AvoidableFees      []shownItem   `json:"avoidableFees"`
	BrokerCompensation money.Amount  `json:"brokerCompensation"`
	PriorBalancePaid   money.Amount  `json:"priorBalancePaid"`
	InputsHash         string        `json:"inputsHash"`
}

// shownItem is a line of a disclosure.
type shownItem struct {
	Item   string       `json:"item"`
	Amount money.Amount `json:"amount"`
}

// prepayment says what paying early costs or saves.
type prepayment struct {
	AdditionalFees   bool          `json:"additionalFees"`
	DiscountedPayoff *money.Amount `json:"discountedPayoff"` // in all, within the window; null where there is no discount
	WindowDays       *int          `json:"windowDays"`       // calendar days from funding
}

// Disclose drafts the disclosure that the law of the merchant's state demands of a deal that is priced, in the place of
// one that showed other terms. Where none demands one it does nothing and returns 0.
func (s Seeds) Disclose(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		m, err := t.Merchant.Get(ctx, d.MerchantID)
		if err != nil {
			return 0, err
		}
		if m.State == nil || d.FundedAmount == nil {
			return 0, nil
		}
		law, required := rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
		if !required {
			return 0, nil
		}
		if err := t.supersedeDisclosures(ctx, dealID, ""); err != nil {
			return 0, err
		}
		show, err := t.show(ctx, d, m)
		if err != nil {
			return 0, err
		}
		raw, err := json.Marshal(show)
		if err != nil {
			return 0, err
		}
		made, err := t.Disclosure.Create().SetDealID(dealID).SetState(law.State).SetComputed(raw).
			SetInputsHash(t.termsHash(d)).Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("disclosure.create", "disclosure", made.ID, &dealID, nil, made)
		return made.ID, nil
	})
}

// show works out what a disclosure says. What is taken off the funds for fees is a part of what the financing costs.
func (t *tx) show(ctx context.Context, d *ent.Deal, m *ent.Merchant) (*shown, error) {
	terms := termsOf(d, t.zone())
	if missing := terms.Missing(); len(missing) > 0 {
		return nil, fault.Conflictf("A deal is disclosed once it is priced.")
	}
	prior, err := t.priorBalance(ctx, d)
	if err != nil {
		return nil, err
	}
	net, err := terms.NetDisbursement(prior)
	if err != nil {
		return nil, err
	}
	financed := terms.FundedAmount.Sub(terms.Fees())
	show := &shown{
		FundingProvided: *terms.FundedAmount, AmountFinanced: financed, RecipientFunds: net,
		FinanceCharge: terms.PaybackAmount.Sub(financed), TotalRepayment: *terms.PaybackAmount,
		PaymentAmount: *terms.PaymentAmount, Frequency: string(*terms.Frequency), TermDays: terms.TermDays,
		Prepayment: prepaymentOf(terms), Collateral: "All present and future receivables of " + m.LegalName,
		PriorBalancePaid: prior, InputsHash: hex.EncodeToString(t.termsHash(d)),
	}
	if d.IsoID != nil {
		show.BrokerCompensation = terms.Commission()
	}
	show.Itemization = items(
		shownItem{"Paid to you", net}, shownItem{"Paid on your earlier balance with us", prior},
		shownItem{"Bank fee", terms.BankFee()}, shownItem{"Application fee", orZero(terms.ApplicationFee)},
		shownItem{"Wire fee", orZero(terms.WireFee)},
	)
	show.AvoidableFees = items(
		shownItem{"Returned payment", returnFee}, shownItem{"Surcharge on default", orZero(terms.DefaultSurcharge)},
	)
	if terms.TermDays != nil && *terms.TermDays > 0 {
		yearly := terms.PaybackAmount.Decimal().Mul(decimal.NewFromInt(365))
		show.AverageMonthlyCost = new(money.Round(yearly.DivRound(decimal.NewFromInt(int64(12**terms.TermDays)), 2)))
	}
	return show, nil
}

// returnFee is what a returned payment costs the merchant.
var returnFee = money.Must("35.00")

func items(all ...shownItem) []shownItem {
	kept := []shownItem{}
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

// priorBalance is what the deal that this one renews would take to pay off today.
func (t *tx) priorBalance(ctx context.Context, d *ent.Deal) (money.Amount, error) {
	if d.RenewedFromDealID == nil {
		return money.Zero, nil
	}
	prior, err := t.Deal.Get(ctx, *d.RenewedFromDealID)
	if err != nil {
		return money.Zero, err
	}
	payoff, err := t.payoffOf(ctx, prior)
	return payoff.Amount, err
}

// DeliverDisclosure notes that the merchant has a deal's disclosure; where there is none it returns 0.
func (s Seeds) DeliverDisclosure(ctx context.Context, dealID int) (int, error) {
	return s.moveDisclosure(ctx, dealID, disclosure.StatusDRAFT, disclosure.StatusDELIVERED, disclosure.FieldDeliveredAt)
}

// SignDisclosure notes that the merchant has signed a deal's disclosure; where there is none, or the state asks for no
// signature, it returns 0.
func (s Seeds) SignDisclosure(ctx context.Context, dealID int) (int, error) {
	return s.moveDisclosure(ctx, dealID, disclosure.StatusDELIVERED, disclosure.StatusSIGNED, disclosure.FieldSignedAt)
}

func (s Seeds) moveDisclosure(ctx context.Context, dealID int, from, to disclosure.Status, stamp string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Disclosure.Query().Where(disclosure.DealID(dealID), disclosure.StatusEQ(from), locked).Only(ctx)
		if ent.IsNotFound(err) {
			return 0, nil
		}
		if err != nil || to == disclosure.StatusSIGNED && !signed(before.State) {
			return 0, err
		}
		update := t.Disclosure.Update().Where(disclosure.ID(before.ID))
		after, err := stored(ctx, t, before, []columnChange{{disclosure.FieldStatus, to}, {stamp, t.At()}},
			update.Mutation(), update.Save)
		if err != nil {
			return 0, err
		}
		t.record("disclosure.update", "disclosure", before.ID, &dealID, before, after)
		return before.ID, nil
	})
}

// signed reports whether a state's law has the merchant sign.
func signed(state string) bool {
	for _, law := range rules.Rules {
		if law.State == state {
			return law.Signed
		}
	}
	return false
}
