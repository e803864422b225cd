package deal

import (
	"fmt"
	"strings"
)

// StatementMaxAge is how many days ago the period of a statement analysis may have ended.
const StatementMaxAge = 45

// declined is the recommendation of an underwriting decision that stands in the way.
const declined = "decline"

// One function a funding block. Each says, as a sentence for the caller, what is wrong and what to do about it, or "".

func economicsIncomplete(f Facts) string {
	if len(f.MissingTerms) == 0 {
		return ""
	}
	return fmt.Sprintf("The deal lacks %s; give what is missing.", enumerate(f.MissingTerms))
}

func economicsInconsistent(f Facts) string {
	if f.Inconsistency == "" {
		return ""
	}
	return fmt.Sprintf("The terms contradict each other (%s); correct them.", f.Inconsistency)
}

func noAcceptedApproval(f Facts) string {
	if f.Approval.Accepted {
		return ""
	}
	return "The merchant has accepted no offer for this deal; send one and have it accepted."
}

func offerExpired(f Facts) string {
	if !f.Approval.Expired {
		return ""
	}
	return "The offer has expired; send a new one and have it accepted."
}

// termsDiffer has nothing to compare with until an offer is accepted.
func termsDiffer(f Facts) string {
	if !f.Approval.Accepted || len(f.Approval.Differing) == 0 {
		return ""
	}
	return fmt.Sprintf("Not as in the accepted offer: %s; restore what was accepted, or have a new offer accepted.",
		enumerate(f.Approval.Differing))
}

func statementAltered(f Facts) string {
	if !f.Statement.Present || !f.Statement.Altered {
		return ""
	}
	return "The latest statement analysis found the bank statements altered; deliver a newer one of genuine statements."
}

func statementMissingOrStale(f Facts) string {
	switch end := f.Statement.PeriodEnd; {
	case !f.Statement.Present:
		return "The deal has no statement analysis; deliver one."
	case end == nil:
		return "The latest statement analysis does not say when its period ends; deliver one that does."
	case f.Today.Sub(*end) > StatementMaxAge:
		return fmt.Sprintf("The latest statement analysis ends on %s, more than %d days ago; deliver a newer one.",
			end, StatementMaxAge)
	default:
		return ""
	}
}

func decisionDeclined(f Facts) string {
	if f.Recommendation != declined {
		return ""
	}
	return "The latest underwriting decision is to decline; have the deal decided anew once the reasons are resolved."
}

func merchantDefaulted(f Facts) string {
	if len(f.Defaulted) == 0 {
		return ""
	}
	return fmt.Sprintf("The merchant is in default on %s; cure or close what is in default first.", enumerate(f.Defaulted))
}

func openPosition(f Facts) string {
	if len(f.OpenPositions) == 0 {
		return ""
	}
	return fmt.Sprintf("The merchant still repays %s; renew that with this deal, or close it first.",
		enumerate(f.OpenPositions))
}

func isoNotEligible(f Facts) string {
	switch iso := f.ISO; {
	case !iso.Present || iso.Active && iso.AgreementSigned:
		return ""
	case iso.AgreementSigned:
		return "The ISO of this deal is not active; reactivate it, or take it off the deal."
	case iso.Active:
		return "The ISO of this deal has not signed its agreement; record its signature, or take it off the deal."
	default:
		return "The ISO of this deal is not active and has not signed its agreement; resolve both, or take it off the deal."
	}
}

func stipsOutstanding(f Facts) string {
	if len(f.Stipulations) == 0 {
		return ""
	}
	return fmt.Sprintf("Outstanding: %s; approve each, or waive it where it may be waived.", enumerate(f.Stipulations))
}

func disclosureUndelivered(f Facts) string {
	if !f.Disclosure.Required || f.Disclosure.Delivered {
		return ""
	}
	return "The law of the merchant's state requires a disclosure; deliver it to the merchant."
}

func disclosureUnsigned(f Facts) string {
	if !f.Disclosure.Required || !f.Disclosure.SignatureRequired || f.Disclosure.Signed {
		return ""
	}
	return "The law of the merchant's state requires a signed disclosure; have the merchant sign it."
}

func disclosureStale(f Facts) string {
	if !f.Disclosure.Required || !f.Disclosure.Stale {
		return ""
	}
	return "The terms have changed since the disclosure was made; make and deliver a new one."
}

func contractUnsigned(f Facts) string {
	if f.ContractSigned {
		return ""
	}
	return "The contract is not signed by everybody; have it signed."
}

func bankUnverified(f Facts) string {
	if f.BankVerified {
		return ""
	}
	return "The merchant has no verified bank account; verify the one to be paid and debited."
}

func uccConflict(f Facts) string {
	if len(f.UCCConflicts) == 0 {
		return ""
	}
	return fmt.Sprintf("Others have filed on the merchant's receivables: %s; have them terminated or subordinated.",
		enumerate(f.UCCConflicts))
}

func participationInvalid(f Facts) string {
	if len(f.ParticipationProblems) == 0 {
		return ""
	}
	return fmt.Sprintf("The participations cannot be carried out: %s; change them, or fund the wallet.",
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
