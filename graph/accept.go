package graph

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// This file negotiates the form of a reply (RFC 9110, section 12.5.1). Queries and mutations are answered as JSON, whatever
// else the caller takes: urql's default names streams too. A subscription is answered as a stream.

// mediaRange is one of the ranges of media types that a caller accepts.
type mediaRange struct {
	media  string // "type/subtype", "type/*" or "*/*"
	weight float64
}

// acceptedBy reads the Accept header. What is no media range is passed over.
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

// weigh finds the range that says most exactly what the caller thinks of a media type: its weight, 0 where the type is not
// accepted, and its place in the header.
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

// mediaOf is the form of a reply in JSON: of the two that there are the one that the caller likes better, by weight and then
// by which is named first; application/json where neither is.
func mediaOf(r *http.Request) string {
	accepted := acceptedBy(r)
	plain, first := weigh(accepted, jsonMedia)
	other, second := weigh(accepted, graphMedia)
	if other > plain || (other == plain && other > 0 && second < first) {
		return graphMedia
	}
	return jsonMedia
}

// takesStream reports whether the caller takes a stream of events. Who says nothing is not taken to.
func takesStream(r *http.Request) bool {
	weight, _ := weigh(acceptedBy(r), streamMedia)
	return weight > 0
}

// takesStreamAlone reports whether the caller takes a stream of events and no JSON, as clients ask for a subscription.
func takesStreamAlone(r *http.Request) bool {
	accepted := acceptedBy(r)
	for _, media := range []string{jsonMedia, graphMedia} {
		if weight, _ := weigh(accepted, media); weight > 0 {
			return false
		}
	}
	return takesStream(r)
}
