package ledger

// Account is the code of an account in the chart.
type Account string

// The accounts.
const (
	Cash              Account = "1000"
	RestrictedCash    Account = "1010"
	InTransit         Account = "1020"
	Receivable        Account = "1100"
	DueFromISO        Account = "1210"
	RenewalClearing   Account = "1900"
	DeferredIncome    Account = "2000"
	Participations    Account = "2100"
	SyndicatorPayable Account = "2110"
	SyndicatorWallet  Account = "2120"
	CommissionPayable Account = "2200"
	UnappliedCash     Account = "2400"
	FactorIncome      Account = "4000"
	FeeIncome         Account = "4100"
	ManagementFees    Account = "4200"
	Recoveries        Account = "4300"
	CommissionExpense Account = "5000"
	EPODiscount       Account = "5100"
	CreditLoss        Account = "5200"
)

// AccountType is the type of an account, which determines its normal side.
type AccountType string

// The account types.
const (
	Asset     AccountType = "ASSET"
	Liability AccountType = "LIABILITY"
	Income    AccountType = "INCOME"
	Expense   AccountType = "EXPENSE"
)

// Values lists the types, for the schema.
func (AccountType) Values() []string {
	return []string{string(Asset), string(Liability), string(Income), string(Expense)}
}

// DebitNormal reports whether accounts of the type normally have a debit balance.
func (t AccountType) DebitNormal() bool { return t == Asset || t == Expense }

// Head is an account of the chart with its title and type.
type Head struct {
	Account Account
	Title   string
	Type    AccountType
}

// Chart is the chart of accounts, ordered by code.
var Chart = []Head{
	{Cash, "Cash", Asset},
	{RestrictedCash, "Restricted syndicator cash", Asset},
	{InTransit, "Cash in transit", Asset},
	{Receivable, "Purchased receivable", Asset},
	{DueFromISO, "Due from ISO", Asset},
	{RenewalClearing, "Renewal clearing", Asset},
	{DeferredIncome, "Deferred factor income", Liability},
	{Participations, "Participations in receivable", Liability},
	{SyndicatorPayable, "Syndicator payable", Liability},
	{SyndicatorWallet, "Syndicator wallet", Liability},
	{CommissionPayable, "Commission payable", Liability},
	{UnappliedCash, "Unapplied", Liability},
	{FactorIncome, "Factor income", Income},
	{FeeIncome, "Fees", Income},
	{ManagementFees, "Management fees", Income},
	{Recoveries, "Recoveries", Income},
	{CommissionExpense, "Commission", Expense},
	{EPODiscount, "EPO discount", Expense},
	{CreditLoss, "Credit loss", Expense},
}

// head returns an account of the chart, or an empty Head if it is unknown.
func head(a Account) Head {
	for _, h := range Chart {
		if h.Account == a {
			return h
		}
	}
	return Head{}
}

// Values lists the codes, for the schema.
func (Account) Values() []string {
	codes := make([]string, len(Chart))
	for i, h := range Chart {
		codes[i] = string(h.Account)
	}
	return codes
}

// Title returns the account's name; empty for a code that is not in the chart.
func (a Account) Title() string { return head(a).Title }

// Type returns the account's type; empty for a code that is not in the chart.
func (a Account) Type() AccountType { return head(a).Type }
