package deal

import (
	"fmt"
	"strings"
)

// StatementMaxAge is the maximum number of days since the end of a statement analysis's period.
const StatementMaxAge = 45

// declined is the recommendation of an underwriting decision that prevents funding.
const declined = "decline"

// finding is the result of a block's check: the problem, as a sentence without a period, and the remedy, as a
// clause to follow it. The zero value means that the block does not apply.
type finding struct{ problem, remedy string }

// message returns problem and remedy as one sentence.
func (f finding) message() string { return f.problem + "; " + f.remedy + "." }

// newFinding returns a finding; args are those of the problem.
func newFinding(remedy, problem string, args ...any) finding {
	return finding{fmt.Sprintf(problem, args...), remedy}
}

var nothing finding

// One check function per funding block.

func economicsIncomplete(f Facts) finding {
	if len(f.MissingTerms) == 0 {
		return nothing
	}
	return newFinding("enter the missing terms", "The deal lacks %s", enumerate(f.MissingTerms))
}

func economicsInconsistent(f Facts) finding {
	if f.Inconsistency == "" {
		return nothing
	}
	return newFinding("correct them", "The terms contradict each other (%s)", f.Inconsistency)
}

func noAcceptedApproval(f Facts) finding {
	if f.Approval.Accepted {
		return nothing
	}
	return finding{"The merchant has not accepted an offer for this deal", "send one and get it accepted"}
}

func offerExpired(f Facts) finding {
	if !f.Approval.Expired {
		return nothing
	}
	return finding{"The offer has expired", "send a new one and get it accepted"}
}

// termsDiffer applies only once an offer is accepted.
func termsDiffer(f Facts) finding {
	if !f.Approval.Accepted || len(f.Approval.Differing) == 0 {
		return nothing
	}
	return newFinding("restore the accepted terms, or get a new offer accepted",
		"The terms differ from the accepted offer: %s",
		enumerate(f.Approval.Differing))
}

func statementAltered(f Facts) finding {
	if !f.Statement.Present || !f.Statement.Altered {
		return nothing
	}
	return finding{
		"The latest statement analysis found the bank statements altered", "submit a new analysis of genuine statements",
	}
}

func statementMissingOrStale(f Facts) finding {
	switch end := f.Statement.PeriodEnd; {
	case !f.Statement.Present:
		return finding{"The deal has no statement analysis", "submit one"}
	case end == nil:
		return finding{"The latest statement analysis does not say when its period ends", "submit one that does"}
	case f.Today.Sub(*end) > StatementMaxAge:
		return newFinding("submit a newer one", "The latest statement analysis ends on %s, more than %d days ago",
			end, StatementMaxAge)
	default:
		return nothing
	}
}

func decisionDeclined(f Facts) finding {
	if f.Recommendation != declined {
		return nothing
	}
	return finding{"The latest underwriting decision is to decline", "run a new decision once the reasons are resolved"}
}

func merchantDefaulted(f Facts) finding {
	if len(f.Defaulted) == 0 {
		return nothing
	}
	return newFinding("cure or close the defaulted deals first", "The merchant is in default on %s",
		enumerate(f.Defaulted))
}

func openPosition(f Facts) finding {
	if len(f.OpenPositions) == 0 {
		return nothing
	}
	return newFinding("renew it with this deal, or close it first", "The merchant still repays %s",
		enumerate(f.OpenPositions))
}

func isoNotEligible(f Facts) finding {
	switch iso := f.ISO; {
	case !iso.Present || iso.Active && iso.AgreementSigned:
		return nothing
	case iso.AgreementSigned:
		return finding{"The ISO of this deal is not active", "reactivate it, or remove it from the deal"}
	case iso.Active:
		return finding{
			"The ISO of this deal has not signed its agreement", "record its signature, or remove it from the deal",
		}
	default:
		return finding{
			"The ISO of this deal is not active and has not signed its agreement", "resolve both, or remove it from the deal",
		}
	}
}

func stipsOutstanding(f Facts) finding {
	if len(f.Stipulations) == 0 {
		return nothing
	}
	return newFinding("approve each, or waive it if possible", "Outstanding: %s", enumerate(f.Stipulations))
}

func disclosureStateUnknown(f Facts) finding {
	if !f.Disclosure.StateUnknown {
		return nothing
	}
	return finding{
		"The merchant's state is unknown, so the disclosure requirements cannot be determined",
		"set the state of the merchant's principal place of business",
	}
}

func disclosureUndelivered(f Facts) finding {
	if !f.Disclosure.Required || f.Disclosure.Delivered {
		return nothing
	}
	return finding{"The law of the merchant's state requires a disclosure", "deliver it to the merchant"}
}

func disclosureUnsigned(f Facts) finding {
	if !f.Disclosure.Required || !f.Disclosure.SignatureRequired || f.Disclosure.Signed {
		return nothing
	}
	return finding{"The law of the merchant's state requires a signed disclosure", "have the merchant sign it"}
}

func disclosureStale(f Facts) finding {
	if !f.Disclosure.Required || !f.Disclosure.Stale {
		return nothing
	}
	return finding{"The terms have changed since the disclosure was created", "create and deliver a new one"}
}

func contractUnsigned(f Facts) finding {
	if f.ContractSigned {
		return nothing
	}
	return finding{"Not all parties have signed the contract", "get it signed"}
}

func bankUnverified(f Facts) finding {
	if f.BankVerified {
		return nothing
	}
	return finding{"The merchant has no verified bank account", "verify the account for funding and collection"}
}

func uccConflict(f Facts) finding {
	if len(f.UCCConflicts) == 0 {
		return nothing
	}
	return newFinding("get them terminated or subordinated",
		"Other parties have UCC filings on the merchant's receivables: %s",
		enumerate(f.UCCConflicts))
}

func participationInvalid(f Facts) finding {
	if len(f.ParticipationProblems) == 0 {
		return nothing
	}
	return newFinding("change them, or fund the wallet", "The participations are invalid: %s",
		strings.Join(f.ParticipationProblems, "; "))
}

// maxNamed is the number of names in a sentence before it only counts the rest.
const maxNamed = 10

// enumerate joins names: "a, b and c".
func enumerate(names []string) string {
	switch {
	case len(names) == 1:
		return names[0]
	case len(names) > maxNamed:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
	default:
		last := len(names) - 1
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
}
