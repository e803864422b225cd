package e2e

import (
	"fmt"
	"slices"
	"strings"

	"paydown/ent"
	"paydown/internal/money"
)

// linesOf formats entries, each with its kind and its lines in order of account; amounts of one account are
// added.
func linesOf(journals []*ent.Journal) []string {
	entries := make([]string, len(journals))
	for i, j := range journals {
		entries[i] = string(j.Kind) + " " + sumsOf(j.Edges.Postings)
	}
	return entries
}

// sumsOf formats the sums of postings, by account.
func sumsOf(postings []*ent.Posting) string {
	sums := map[string]money.Amount{}
	for _, p := range postings {
		sums[p.Account] = sums[p.Account].Add(p.Amount)
	}
	var lines []string
	for account, sum := range sums {
		if !sum.IsZero() {
			lines = append(lines, fmt.Sprintf("%s %s", account, sum))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}
