// Package underwriting evaluates a deal by the tenant's policy: a score, its category, and a recommendation.
package underwriting

// Category is the grade of a score.
type Category string

// The categories in the API, best first.
const (
	A Category = "A"
	B Category = "B"
	C Category = "C"
)

// Values lists the categories, for the schema and for error messages.
func (Category) Values() []string { return []string{string(A), string(B), string(C)} }

// Recommendation is the recommendation of a decision. It does not approve or decline anything by itself.
type Recommendation string

// The recommendations in the API.
const (
	Approve Recommendation = "approve"
	Decline Recommendation = "decline"
	Refer   Recommendation = "refer"
)

// Values lists the recommendations.
func (Recommendation) Values() []string {
	return []string{string(Approve), string(Decline), string(Refer)}
}
