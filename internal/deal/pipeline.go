package deal

import (
	"slices"

	"paydown/internal/fault"
	"paydown/internal/status"
)

// SubmissionCategory is what a step of a tenant's pipeline means to the product. A tenant names and orders its steps as
// it likes; the category of a step is fixed.
type SubmissionCategory string

// The categories. The last three end a submission.
const (
	CategoryOpen      SubmissionCategory = "OPEN"     // in the funder's hands
	CategoryOffered   SubmissionCategory = "OFFERED"  // in the merchant's
	CategoryAccepted  SubmissionCategory = "ACCEPTED" // agreed, with papers to come
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

// NeedsReason reports whether a submission at such a step must name the reason for which it was declined.
func (c SubmissionCategory) NeedsReason() bool { return c == CategoryDeclined }

// EndedCategories are those at which a submission came to nothing.
func EndedCategories() []SubmissionCategory {
	return []SubmissionCategory{CategoryDeclined, CategoryRejected, CategoryWithdrawn}
}

// Ended reports whether a submission at such a step came to nothing.
func (c SubmissionCategory) Ended() bool {
	return slices.Contains(EndedCategories(), c)
}

// pipelineMoves is the table of moves between steps, by their categories. What has ended stays so: a funder who is asked
// again gets another submission. From FUNDED there is only the way back of a funding that was undone.
var pipelineMoves = map[SubmissionCategory][]SubmissionCategory{
	CategoryOpen:     categories,
	CategoryOffered:  categories,
	CategoryAccepted: categories,
	CategoryFunded:   {CategoryFunded, CategoryAccepted},
}

// CanBecome reports whether a submission may move from a step of one category to another step of the next.
func (c SubmissionCategory) CanBecome(next SubmissionCategory) bool {
	return slices.Contains(pipelineMoves[c], next)
}

// Precedes reports whether a submission at such a step has yet to come to the other category on its way to FUNDED.
func (c SubmissionCategory) Precedes(other SubmissionCategory) bool {
	way := categories[:4]
	here, there := slices.Index(way, c), slices.Index(way, other)
	return here >= 0 && here < there
}

// AllowedSubmissionMove is nil where a submission may move from one step to another, and otherwise a conflict that names
// both and the categories it could move to.
func AllowedSubmissionMove(from, to PipelineStatus) error {
	if from.Category.CanBecome(to.Category) {
		return nil
	}
	next := names(pipelineMoves[from.Category])
	if len(next) == 0 {
		return fault.Conflictf("The submission is %s, which is final; submit the deal to the funder again.", from.Code).
			With("statusId", "cannot change while the submission is %s", from.Code)
	}
	return fault.Conflictf("The submission is %s and cannot be moved to %s.", from.Code, to.Code).
		With("statusId", "must be a step of the category %s", status.OneOf(next))
}

// PipelineStatus is a step of a pipeline.
type PipelineStatus struct {
	Code     string
	Name     string
	Category SubmissionCategory
	// Position orders the steps. A new submission begins at the open one with the lowest.
	Position int
}

// DefaultPipeline is the pipeline of a new tenant. Its positions leave room for steps in between.
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

// Choice is an entry of a list that a tenant may edit. Entries are shown in the order of the list.
type Choice struct{ Code, Name string }

// DefaultDeclineReasons are a new tenant's reasons for which a funder declines a deal.
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

// DefaultMerchantStatuses are the labels that a new tenant has for its merchants.
var DefaultMerchantStatuses = []string{
	"Prospect", "Applicant", "Active", "Paid in full", "In collections", "Do not fund", "Closed business",
}

// DefaultDispositionReasons say how a new tenant's calls ended.
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
