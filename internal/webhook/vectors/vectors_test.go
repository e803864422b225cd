// Package vectors_test makes vectors.json and holds it to what the code does: deliveries as a receiver may get them, good
// and bad, with the verdict on each. Receivers in other languages are tested with the same file.
package vectors_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"paydown/internal/webhook"
)

const path = "vectors.json"

var write = flag.Bool("write", false, "write "+path+" anew")

// file is vectors.json.
type file struct {
	About            []string          `json:"about"`
	FreshnessSeconds int               `json:"freshnessSeconds"`
	Verdicts         map[string]string `json:"verdicts"`
	Vectors          []vector          `json:"vectors"`
}

// vector is a delivery, what its receiver knows, and the verdict that it should come to.
type vector struct {
	Name       string            `json:"name"`
	Scheme     string            `json:"scheme"`
	Secrets    []string          `json:"secrets"`
	Now        int64             `json:"now"`
	Headers    map[string]string `json:"headers"`
	Body       *string           `json:"body,omitempty"`
	BodyBase64 string            `json:"bodyBase64,omitempty"`
	Verdict    string            `json:"verdict"`
	Why        string            `json:"why"`
}

func (v vector) body(t *testing.T) []byte {
	t.Helper()
	if v.Body != nil {
		return []byte(*v.Body)
	}
	raw, err := base64.StdEncoding.DecodeString(v.BodyBase64)
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	return raw
}

func (v vector) header() http.Header {
	h := http.Header{}
	for name, value := range v.Headers {
		h.Set(name, value)
	}
	return h
}

var verdictOf = map[error]string{
	nil: "valid", webhook.ErrMissing: "missing", webhook.ErrTimestamp: "timestamp", webhook.ErrStale: "stale",
	webhook.ErrSignature: "signature",
}

var made = file{
	About: []string{
		"Deliveries as a receiver may get them, with the verdict on each: test vectors for whatever verifies signatures of paydown's.",
		"Verify the body's exact bytes: those of body in UTF-8 or, where there is none, of bodyBase64. secrets are those that the " +
			"receiver knows, the current one first; now is its clock, in seconds since 1970. Each scheme is judged by its own headers.",
		"A test needs to tell valid from the rest; the other verdicts are for logs. This file is made by vectors_test.go.",
	},
	FreshnessSeconds: int(webhook.Freshness / time.Second),
	Verdicts: map[string]string{
		"valid":     "a secret and the body give the signature, and the timestamp is at most freshnessSeconds before or after now",
		"missing":   "a header that the scheme needs is missing or empty",
		"timestamp": "the timestamp is not in whole seconds since 1970, in plain decimal digits",
		"stale":     "the signature is good, and the timestamp more than freshnessSeconds before or after now",
		"signature": "no signature is what any secret and the body give",
	},
	Vectors: append(ownVectors(), standardVectors()...),
}

// The file is what the code makes: run `make generate` after a change.
func TestVectorsAreUpToDate(t *testing.T) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(made); err != nil {
		t.Fatal(err)
	}
	if *write {
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(kept, text.Bytes()) {
		t.Errorf("%s is not what the code makes (make generate); %v", path, err)
	}
}

func read(t *testing.T) file {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept file
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&kept); err != nil || len(kept.Vectors) == 0 {
		t.Fatalf("%d vectors, %v", len(kept.Vectors), err)
	}
	return kept
}

// The code comes to the verdicts of the file, and the file has every verdict of both schemes.
func TestVerdicts(t *testing.T) {
	seen, names := map[string]int{}, map[string]bool{}
	for _, v := range read(t).Vectors {
		if names[v.Name] || v.Why == "" {
			t.Errorf("%s is there twice, or without a reason", v.Name)
		}
		names[v.Name] = true
		seen[v.Scheme+"/"+v.Verdict]++
		verify := map[string]func([]string, http.Header, []byte, time.Time) error{
			own: webhook.VerifyDelivery, standard: webhook.VerifyStandard,
		}[v.Scheme]
		err := verify(v.Secrets, v.header(), v.body(t), time.Unix(v.Now, 0))
		got := "none of the verdicts"
		for reason, verdict := range verdictOf {
			if errors.Is(err, reason) {
				got = verdict
			}
		}
		if got != v.Verdict {
			t.Errorf("%s: %s (%v), want %s: %s", v.Name, got, err, v.Verdict, v.Why)
		}
	}
	for _, verdict := range verdictOf {
		for _, scheme := range []string{own, standard} {
			if seen[scheme+"/"+verdict] == 0 {
				t.Errorf("nothing is %s by %s", verdict, scheme)
			}
		}
	}
}

// What the library of Standard Webhooks for Go, unchanged, makes of the same deliveries. It asks the system's clock, which
// is set to the vector's.
func TestTheLibraryOfStandardWebhooksAgrees(t *testing.T) {
	for _, v := range read(t).Vectors {
		if v.Scheme != standard {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(time.Unix(v.Now, 0)))
			accepted := false
			for _, secret := range v.Secrets {
				library, err := standardwebhooks.NewWebhook(secret)
				if err != nil {
					t.Fatal(err)
				}
				accepted = accepted || library.Verify(v.body(t), v.header()) == nil
			}
			if accepted != (v.Verdict == "valid") {
				t.Errorf("%s: the library accepts it: %t", v.Name, accepted)
			}
		})
	}
}

// Whatever the engine sends, an unchanged library takes: with one secret, and on either side of a rotation.
func TestTheLibraryOfStandardWebhooksTakesWhatIsSent(t *testing.T) {
	secret, previous := webhook.NewSecret(), webhook.NewSecret()
	for _, k := range webhook.Catalogue {
		body, err := json.Marshal(webhook.NewEnvelope(k.Event, webhook.Version, time.Now(), k.Example))
		if err != nil {
			t.Fatal(err)
		}
		sent, err := webhook.Headers("msg_1", k.Event, time.Now(), body, secret, previous)
		if err != nil {
			t.Fatal(err)
		}
		for _, known := range []string{secret, previous} {
			library, err := standardwebhooks.NewWebhook(known)
			if err != nil {
				t.Fatal(err)
			}
			if err := library.Verify(body, sent); err != nil {
				t.Errorf("%s: %v", k.Event, err)
			}
			if err := library.Verify(append(body, ' '), sent); err == nil {
				t.Errorf("%s: the library takes another body", k.Event)
			}
		}
	}
}

// instant is the second of the vectors' deliveries.
const instant = 1767623400

func stamp(seconds int64) string { return strconv.FormatInt(seconds, 10) }
