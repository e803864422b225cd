package deal

import (
	"fmt"
	"strings"
)

// StatementMaxAge is how many days ago the period of a statement analysis may have ended.
const StatementMaxAge = 45

// declined is the recommendation of an underwriting decision that stands in the way.
const declined = "decline"

// finding is what a block has found: what is wrong, as a sentence without its full stop, and what to do about it, as the
// clause that may follow. The zero value is nothing.
type finding struct{ problem, remedy string }

// message is both, as one sentence.
func (f finding) message() string { return f.problem + "; " + f.remedy + "." }

// found makes a finding; args are those of the problem.
func found(remedy, problem string, args ...any) finding {
	return finding{fmt.Sprintf(problem, args...), remedy}
}

var nothing finding

// One function a funding block.

func economicsIncomplete(f Facts) finding {
	if len(f.MissingTerms) == 0 {
		return nothing
	}
	return found("give what is missing", "The deal lacks %s", enumerate(f.MissingTerms))
}

func economicsInconsistent(f Facts) finding {
	if f.Inconsistency == "" {
		return nothing
	}
	return found("correct them", "The terms contradict each other (%s)", f.Inconsistency)
}

func noAcceptedApproval(f Facts) finding {
	if f.Approval.Accepted {
		return nothing
	}
	return finding{"The merchant has accepted no offer for this deal", "send one and have it accepted"}
}

func offerExpired(f Facts) finding {
	if !f.Approval.Expired {
		return nothing
	}
	return finding{"The offer has expired", "send a new one and have it accepted"}
}

// termsDiffer has nothing to compare with until an offer is accepted.
func termsDiffer(f Facts) finding {
	if !f.Approval.Accepted || len(f.Approval.Differing) == 0 {
		return nothing
	}
	return found("restore what was accepted, or have a new offer accepted", "Not as in the accepted offer: %s",
		enumerate(f.Approval.Differing))
}

func statementAltered(f Facts) finding {
	if !f.Statement.Present || !f.Statement.Altered {
		return nothing
	}
	return finding{"The latest statement analysis found the bank statements altered", "deliver a newer one of genuine statements"}
}

func statementMissingOrStale(f Facts) finding {
	switch end := f.Statement.PeriodEnd; {
	case !f.Statement.Present:
		return finding{"The deal has no statement analysis", "deliver one"}
	case end == nil:
		return finding{"The latest statement analysis does not say when its period ends", "deliver one that does"}
	case f.Today.Sub(*end) > StatementMaxAge:
		return found("deliver a newer one", "The latest statement analysis ends on %s, more than %d days ago",
			end, StatementMaxAge)
	default:
		return nothing
	}
}

func decisionDeclined(f Facts) finding {
	if f.Recommendation != declined {
		return nothing
	}
	return finding{"The latest underwriting decision is to decline", "have the deal decided anew once the reasons are resolved"}
}

func merchantDefaulted(f Facts) finding {
	if len(f.Defaulted) == 0 {
		return nothing
	}
	return found("cure or close what is in default first", "The merchant is in default on %s", enumerate(f.Defaulted))
}

func openPosition(f Facts) finding {
	if len(f.OpenPositions) == 0 {
		return nothing
	}
	return found("renew that with this deal, or close it first", "The merchant still repays %s",
		enumerate(f.OpenPositions))
}

func isoNotEligible(f Facts) finding {
	switch iso := f.ISO; {
	case !iso.Present || iso.Active && iso.AgreementSigned:
		return nothing
	case iso.AgreementSigned:
		return finding{"The ISO of this deal is not active", "reactivate it, or take it off the deal"}
	case iso.Active:
		return finding{"The ISO of this deal has not signed its agreement", "record its signature, or take it off the deal"}
	default:
		return finding{"The ISO of this deal is not active and has not signed its agreement", "resolve both, or take it off the deal"}
	}
}

func stipsOutstanding(f Facts) finding {
	if len(f.Stipulations) == 0 {
		return nothing
	}
	return found("approve each, or waive it where it may be waived", "Outstanding: %s", enumerate(f.Stipulations))
}

func disclosureStateUnknown(f Facts) finding {
	if !f.Disclosure.StateUnknown {
		return nothing
	}
	return finding{
		"The merchant's state is not known, so it cannot be told whether the law requires a disclosure",
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
	return finding{"The terms have changed since the disclosure was made", "make and deliver a new one"}
}

func contractUnsigned(f Facts) finding {
	if f.ContractSigned {
		return nothing
	}
	return finding{"The contract is not signed by everybody", "have it signed"}
}

func bankUnverified(f Facts) finding {
	if f.BankVerified {
		return nothing
	}
	return finding{"The merchant has no verified bank account", "verify the one to be paid and debited"}
}

func uccConflict(f Facts) finding {
	if len(f.UCCConflicts) == 0 {
		return nothing
	}
	return found("have them terminated or subordinated", "Others have filed on the merchant's receivables: %s",
		enumerate(f.UCCConflicts))
}

func participationInvalid(f Facts) finding {
	if len(f.ParticipationProblems) == 0 {
		return nothing
	}
	return found("change them, or fund the wallet", "The participations cannot be carried out: %s",
		strings.Join(f.ParticipationProblems, "; "))
}

// maxNamed is how many things a sentence names before it only counts.
const maxNamed = 10

// enumerate writes a list as people do: "a, b and c".
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
