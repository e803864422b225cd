package underwriting

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"paydown/internal/fault"
)

// metrics are all metrics that a policy can use.
var metrics = []Metric{
	Revenue, BalanceDays, NSFPerMonth, NegativePerMonth, Positions, Holdback, Trend, MonthsInBusiness,
	LargestDepositor, MonthsMissing,
}

// ReadPolicy parses a policy from a person, and reports all problems with paths below rules. Unlike a stored
// policy, it must not have unknown fields.
func ReadPolicy(raw json.RawMessage) (Policy, []fault.Detail) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var p Policy
	if err := dec.Decode(&p); err != nil {
		return Policy{}, []fault.Detail{{
			Path: "rules", Message: "must be a policy object; see the active policy for an example",
		}}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Policy{}, []fault.Detail{{Path: "rules", Message: "must be a single object"}}
	}
	return p, p.problems()
}

// review collects the problems of a policy.
type review []fault.Detail

func (r *review) add(path, format string, args ...any) {
	*r = append(*r, fault.Detail{Path: "rules." + path, Message: fmt.Sprintf(format, args...)})
}

// Limits of a policy.
const (
	fullScore = 100
	mostBands = 20
	mostFlags = 50
)

// problems lists the problems of a policy.
func (p Policy) problems() []fault.Detail {
	var r review
	sum, seen := 0, map[Metric]bool{}
	for i, rule := range p.Rules {
		path := fmt.Sprintf("rules.%d", i)
		if seen[rule.Metric] {
			r.add(path+".metric", "must be unique: another rule uses this metric")
		}
		seen[rule.Metric] = true
		rule.review(&r, path)
		sum += max(rule.Max, 0)
	}
	if sum != fullScore {
		r.add("rules", "must have 100 points in total; they have %d", sum)
	}
	a, b := p.Categories[A], p.Categories[B]
	if len(p.Categories) != 2 || b < 0 || a <= b || a > fullScore {
		r.add("categories", "must have the lowest scores of A and B from 0 to 100, with A above B")
	}
	if p.Refer < 0 || p.Approve < p.Refer || p.Approve > fullScore {
		r.add("approve", "must be at least refer, both from 0 to 100")
	}
	if p.LeastMonths < 0 || p.LeastMonths > 120 {
		r.add("leastMonths", "must be from 0 to 120")
	}
	p.reviewFlags(&r)
	p.Offer.review(&r)
	return r
}

func (r Rule) review(in *review, path string) {
	if !slices.Contains(metrics, r.Metric) {
		in.add(path+".metric", "must be one of %s", metricNames())
	}
	if r.Max < 0 || r.Max > fullScore {
		in.add(path+".max", "must be from 0 to 100")
	}
	if len(r.Bands) == 0 || len(r.Bands) > mostBands {
		in.add(path+".bands", "must have 1 to %d entries", mostBands)
	}
	for i, band := range r.Bands {
		at := fmt.Sprintf("%s.bands.%d", path, i)
		if (band.AtLeast == nil) == (band.AtMost == nil) {
			in.add(at, "must have exactly one of atLeast and atMost")
			continue
		}
		if band.Points < 0 || band.Points > r.Max {
			in.add(at+".points", "must be from 0 to the rule's max")
		}
		if i > 0 && !band.wider(r.Bands[i-1]) {
			in.add(at, "must be wider than the previous band, with fewer points")
		}
	}
}

// wider reports whether a band extends the one before it on the same side, with fewer points. Any other band
// would never apply, or would reward a worse figure.
func (b Band) wider(before Band) bool {
	switch {
	case b.Points >= before.Points:
		return false
	case b.AtLeast != nil:
		return before.AtLeast != nil && b.AtLeast.LessThan(*before.AtLeast)
	default:
		return before.AtMost != nil && b.AtMost.GreaterThan(*before.AtMost)
	}
}

func (p Policy) reviewFlags(r *review) {
	if len(p.Flags) > mostFlags {
		r.add("flags", "must have at most %d entries", mostFlags)
	}
	seen := map[string]bool{}
	for i, flag := range p.Flags {
		path := fmt.Sprintf("flags.%d", i)
		if flag.Code == "" || len(flag.Code) > 50 || strings.Trim(flag.Code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
			r.add(path+".code", "must be 1 to 50 uppercase letters, digits and underscores")
		}
		if seen[flag.Code] {
			r.add(path+".code", "must be unique: another flag has this code")
		}
		seen[flag.Code] = true
		if flag.Severity != KnockOut && flag.Severity != Soft {
			r.add(path+".severity", "must be one of %s, %s", KnockOut, Soft)
		}
		if strings.TrimSpace(flag.Message) == "" || len(flag.Message) > 500 {
			r.add(path+".message", "must be 1 to 500 characters")
		}
		switch {
		case flag.Metric == "":
			if flag.Above != nil || flag.Below != nil {
				r.add(path+".metric", "is required with above or below")
			}
		case !slices.Contains(metrics, flag.Metric):
			r.add(path+".metric", "must be one of %s", metricNames())
		case (flag.Above == nil) == (flag.Below == nil):
			r.add(path, "must have exactly one of above and below")
		}
	}
}

func (o OfferLimits) review(r *review) {
	if len(o.RevenueMultiples) != 3 {
		r.add("offer.revenueMultiples", "must have a multiple for each of A, B, C")
	}
	for _, c := range []Category{A, B, C} {
		multiple, there := o.RevenueMultiples[c]
		if there && (multiple.Sign() < 0 || multiple.Decimal().GreaterThan(decimal.NewFromInt(100))) {
			r.add("offer.revenueMultiples."+string(c), "must be from 0 to 100")
		}
	}
	if o.Cap.Sign() <= 0 {
		r.add("offer.cap", "must be greater than 0")
	}
	if o.HoldbackPct.Sign() <= 0 || o.HoldbackPct.Decimal().GreaterThan(hundred) {
		r.add("offer.holdbackPct", "must be greater than 0 and at most 100")
	}
}

func metricNames() string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}
