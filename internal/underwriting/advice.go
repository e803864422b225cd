// Package underwriting weighs a deal by the tenant's policy: a score, its category, and advice.
package underwriting

// Category is the grade of a score.
type Category string

// The categories of the public contract, best first.
const (
	A Category = "A"
	B Category = "B"
	C Category = "C"
)

// Values lists the categories, for the schema and for error messages.
func (Category) Values() []string { return []string{string(A), string(B), string(C)} }

// Recommendation is what a decision advises. Nothing is approved or declined by it alone.
type Recommendation string

// The recommendations of the public contract.
const (
	Approve Recommendation = "approve"
	Decline Recommendation = "decline"
	Refer   Recommendation = "refer"
)

// Values lists the recommendations.
func (Recommendation) Values() []string {
	return []string{string(Approve), string(Decline), string(Refer)}
}
