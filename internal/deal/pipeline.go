package deal

import (
	"slices"

	"paydown/internal/fault"
	"paydown/internal/status"
)

// SubmissionCategory is the meaning of a status of a tenant's pipeline to the product. A tenant names and
// orders its statuses; the category of a status is fixed.
type SubmissionCategory string

// The categories. The last three are final.
const (
	CategoryOpen      SubmissionCategory = "OPEN"     // with the funder
	CategoryOffered   SubmissionCategory = "OFFERED"  // with the merchant
	CategoryAccepted  SubmissionCategory = "ACCEPTED" // agreed, documents outstanding
	CategoryFunded    SubmissionCategory = "FUNDED"
	CategoryDeclined  SubmissionCategory = "DECLINED" // by the funder
	CategoryRejected  SubmissionCategory = "REJECTED_BY_MERCHANT"
	CategoryWithdrawn SubmissionCategory = "WITHDRAWN"
)

var categories = []SubmissionCategory{
	CategoryOpen, CategoryOffered, CategoryAccepted, CategoryFunded,
	CategoryDeclined, CategoryRejected, CategoryWithdrawn,
}

// Values lists the categories, for the schema and for error messages.
func (SubmissionCategory) Values() []string { return names(categories) }

// NeedsReason reports whether a submission in this category must have a decline reason.
func (c SubmissionCategory) NeedsReason() bool { return c == CategoryDeclined }

// EndedCategories returns the categories of submissions that ended without funding.
func EndedCategories() []SubmissionCategory {
	return []SubmissionCategory{CategoryDeclined, CategoryRejected, CategoryWithdrawn}
}

// Ended reports whether a submission in this category has ended without funding.
func (c SubmissionCategory) Ended() bool {
	return slices.Contains(EndedCategories(), c)
}

// pipelineMoves is the table of moves between statuses, by category. An ended submission stays ended: asking
// a funder again creates a new submission. FUNDED can only move back when the funding is undone.
var pipelineMoves = map[SubmissionCategory][]SubmissionCategory{
	CategoryOpen:     categories,
	CategoryOffered:  categories,
	CategoryAccepted: categories,
	CategoryFunded:   {CategoryFunded, CategoryAccepted},
}

// CanBecome reports whether a submission may move from a status of one category to a status of the other.
func (c SubmissionCategory) CanBecome(next SubmissionCategory) bool {
	return slices.Contains(pipelineMoves[c], next)
}

// Precedes reports whether a category comes before another on the way to FUNDED.
func (c SubmissionCategory) Precedes(other SubmissionCategory) bool {
	way := categories[:4]
	here, there := slices.Index(way, c), slices.Index(way, other)
	return here >= 0 && here < there
}

// AllowedSubmissionMove returns nil if a submission may move between two statuses, and otherwise a conflict
// with both and the categories that it can move to.
func AllowedSubmissionMove(from, to PipelineStatus) error {
	if from.Category.CanBecome(to.Category) {
		return nil
	}
	next := names(pipelineMoves[from.Category])
	if len(next) == 0 {
		return fault.Conflictf("The submission is %s, which is final. Submit the deal to the funder again.", from.Code).
			With("statusId", "cannot change while the submission is %s", from.Code)
	}
	return fault.Conflictf("The submission is %s and cannot move to %s.", from.Code, to.Code).
		With("statusId", "must be a status of the category %s", status.OneOf(next))
}

// PipelineStatus is a status of a pipeline.
type PipelineStatus struct {
	Code     string
	Name     string
	Category SubmissionCategory
	// Position orders the statuses. A new submission starts in the open status with the lowest position.
	Position int
}

// DefaultPipeline is the pipeline of a new tenant. Gaps between positions leave room for more statuses.
var DefaultPipeline = []PipelineStatus{
	{"NEW", "New", CategoryOpen, 10},
	{"UNDER_REVIEW", "Under review", CategoryOpen, 20},
	{"DOCS_REQUIRED", "Documents required", CategoryOpen, 30},
	{"OFFER_RECEIVED", "Offer received", CategoryOffered, 40},
	{"ACCEPTED", "Accepted", CategoryAccepted, 50},
	{"CONTRACT_OUT", "Contract out", CategoryAccepted, 60},
	{"FUNDED", "Funded", CategoryFunded, 70},
	{"DECLINED", "Declined", CategoryDeclined, 80},
	{"REJECTED_BY_MERCHANT", "Rejected by the merchant", CategoryRejected, 90},
	{"WITHDRAWN", "Withdrawn", CategoryWithdrawn, 100},
}

// Choice is an entry of a list that a tenant may edit, shown in list order.
type Choice struct{ Code, Name string }

// DefaultDeclineReasons are a new tenant's reasons for declining a deal.
var DefaultDeclineReasons = []Choice{
	{"LOW_REVENUE", "Revenue too low"},
	{"DECLINING_REVENUE", "Revenue declining"},
	{"LOW_BALANCES", "Bank balances too low"},
	{"NSF_ACTIVITY", "Too many returned items or negative days"},
	{"TOO_MANY_POSITIONS", "Too many open positions"},
	{"PRIOR_DEFAULT", "Earlier default"},
	{"CREDIT_HISTORY", "Credit history"},
	{"LIENS_OR_JUDGMENTS", "Tax liens, judgments or bankruptcy"},
	{"TIME_IN_BUSINESS", "Too short a time in business"},
	{"RESTRICTED_INDUSTRY", "Industry not financed"},
	{"RESTRICTED_STATE", "State not financed"},
	{"ALTERED_DOCUMENTS", "Documents altered or not genuine"},
	{"UNVERIFIED", "Identity, ownership or bank account could not be verified"},
	{"DOCUMENTS_MISSING", "Documents not supplied"},
	{"OTHER", "Other"},
}

// DefaultMerchantStatuses are a new tenant's labels for merchants.
var DefaultMerchantStatuses = []string{
	"Prospect", "Applicant", "Active", "Paid in full", "In collections", "Do not fund", "Closed business",
}

// DefaultDispositionReasons are a new tenant's call outcomes.
var DefaultDispositionReasons = []Choice{
	{"SPOKE", "Spoke with the merchant"},
	{"NO_ANSWER", "No answer"},
	{"VOICEMAIL", "Left a voicemail"},
	{"BUSY", "Line busy"},
	{"WRONG_NUMBER", "Wrong or disconnected number"},
	{"CALL_BACK", "Call back later"},
	{"INTERESTED", "Interested"},
	{"NOT_INTERESTED", "Not interested"},
	{"PROMISE_TO_PAY", "Promised to pay"},
	{"DISPUTE", "Disputes the balance or the contract"},
	{"DO_NOT_CALL", "Asked not to be called"},
}
