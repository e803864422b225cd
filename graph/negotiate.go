package graph

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// This file negotiates the media type of a response (RFC 9110, section 12.5.1). Queries and mutations are
// always answered as JSON, even if the caller also accepts streams, as urql does by default. A subscription is
// answered as a stream.

// mediaRange is a media range that a caller accepts.
type mediaRange struct {
	media  string // "type/subtype", "type/*" or "*/*"
	weight float64
}

// acceptedBy parses the Accept header. It ignores invalid media ranges.
func acceptedBy(r *http.Request) []mediaRange {
	var all []mediaRange
	for text := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		media, parameters, err := mime.ParseMediaType(text)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, given := parameters["q"]; given {
			if weight, err = strconv.ParseFloat(q, 64); err != nil || !(weight >= 0 && weight <= 1) {
				continue
			}
		}
		all = append(all, mediaRange{media, weight})
	}
	return all
}

// weigh finds the most specific range for a media type. It returns its weight, 0 if the type is not accepted,
// and its position in the header.
func weigh(accepted []mediaRange, media string) (weight float64, place int) {
	kind, _, _ := strings.Cut(media, "/")
	place = len(accepted)
	for _, as := range []string{"*/*", kind + "/*", media} {
		for i, a := range accepted {
			if a.media == as {
				weight, place = a.weight, i
				break
			}
		}
	}
	return weight, place
}

// mediaOf returns the media type of a JSON response: of the two supported ones the one with the higher weight,
// then the one named first; application/json if neither is accepted.
func mediaOf(r *http.Request) string {
	accepted := acceptedBy(r)
	plain, first := weigh(accepted, jsonMedia)
	other, second := weigh(accepted, graphMedia)
	if other > plain || (other == plain && other > 0 && second < first) {
		return graphMedia
	}
	return jsonMedia
}

// takesStream reports whether the caller accepts an event stream. A caller without an Accept header does not.
func takesStream(r *http.Request) bool {
	weight, _ := weigh(acceptedBy(r), streamMedia)
	return weight > 0
}

// takesStreamAlone reports whether the caller accepts an event stream but no JSON, as clients do for a
// subscription.
func takesStreamAlone(r *http.Request) bool {
	accepted := acceptedBy(r)
	for _, media := range []string{jsonMedia, graphMedia} {
		if weight, _ := weigh(accepted, media); weight > 0 {
			return false
		}
	}
	return takesStream(r)
}
