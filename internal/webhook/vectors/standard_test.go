package vectors_test

import (
	"encoding/base64"
	"strings"
	"time"

	"paydown/internal/webhook"
)

// byStandard is a delivery by Standard Webhooks, signed at the given time with each of the secrets.
func byStandard(name, body string, secrets ...string) vector {
	signatures, err := webhook.SignStandard(messageID, time.Unix(instant, 0), []byte(body), secrets...)
	if err != nil {
		panic(err) // the secrets are of the form that it takes
	}
	v := vector{
		Name:    "standard: " + name,
		Scheme:  standard,
		Secrets: []string{current},
		Now:     instant,
		Headers: map[string]string{
			webhook.HeaderStandardID: messageID, webhook.HeaderStandardTimestamp: stamp(instant),
			webhook.HeaderStandardSignature: signatures,
		},
	}
	return v.content(body)
}

func standardVectors() []vector {
	good := byStandard("", envelope, current).Headers[webhook.HeaderStandardSignature]
	return append(standardGood(good), standardBad(good)...)
}

func standardGood(good string) []vector {
	replaced := func(name, signature string) vector {
		return byStandard(name, envelope, current).with(webhook.HeaderStandardSignature, signature)
	}
	return []vector{
		byStandard("plain", envelope, current).expect("valid", "This is what a delivery looks like."),
		byStandard("rotation, both secrets known", envelope, current, previous).known(current, previous).
			expect("valid", "The first signature is by the current secret."),
		byStandard(
			"rotation, only the new secret known", envelope, current, previous,
		).expect("valid", "One signature that matches is enough."),
		byStandard("rotation, only the old secret known", envelope, current, previous).known(previous).
			expect("valid", "The second signature is by the secret that this receiver still has."),
		byStandard("text beyond ASCII", beyond, current).expect("valid", "The body's bytes are signed, which are UTF-8."),
		byStandard("empty object", "{}", current).expect("valid", "Any body can be signed."),
		byStandard("trailing newline", envelope+"\n", current).expect("valid", "The newline is a part of the body."),
		byStandard(
			"white space", spaced, current,
		).expect("valid", "White space and the order of keys are parts of the body."),
		byStandard("numbers no float can hold", numbers, current).expect("valid", "Numbers are signed as they are written."),
		byStandard("bytes that are no text", noText, current).expect("valid", "The signature is over bytes."),
		byStandard("five minutes old", envelope, current).at(instant+300).expect("valid", "Exactly five minutes are fresh."),
		byStandard("five minutes ahead", envelope, current).at(instant-300).
			expect("valid", "The receiver's clock may be behind by five minutes."),
		replaced("signatures of other versions", "v1a,"+good[3:]+" v2,"+good[3:]+" "+good).
			expect("valid", "Versions that the receiver does not know are passed over."),
	}
}

func standardBad(good string) []vector {
	plain := func(name string) vector { return byStandard(name, envelope, current) }
	replaced := func(name, signature string) vector {
		return plain(name).with(webhook.HeaderStandardSignature, signature)
	}
	stamped := func(name, timestamp string) vector {
		mac := authentic(decoded(current), messageID+"."+timestamp+"."+envelope)
		return replaced(name, "v1,"+base64.StdEncoding.EncodeToString(mac)).with(webhook.HeaderStandardTimestamp, timestamp)
	}
	return []vector{
		plain("one second too old").at(instant+301).expect("stale", "More than five minutes old."),
		plain("one second too far ahead").at(instant-301).expect("stale", "More than five minutes ahead."),
		byStandard("wrong secret", envelope, stranger).expect("signature", "It is signed with another endpoint's secret."),
		byStandard("old secret after the receiver dropped it", envelope, previous).
			expect("signature", "The receiver knows the current secret alone."),
		plain("one byte changed").content(oneByteOff).expect("signature", "The amount was changed on the way."),
		byStandard("body parsed and re-encoded", spaced, current).content(parsedAndWritten(spaced)).
			expect("signature", "What a framework makes of the body is not what was signed."),
		byStandard("signature of the re-encoded body", parsedAndWritten(spaced), current).content(spaced).
			expect("signature", "The body as it came is what counts."),
		plain("another id").with(webhook.HeaderStandardID, messageID[:29]+"F").
			expect("signature", "The id is signed too, so that nobody can make a repeat look new."),
		plain("timestamp of another second").with(webhook.HeaderStandardTimestamp, stamp(instant+1)).
			expect("signature", "The timestamp is signed too."),
		replaced("truncated", good[:len(good)-2]).expect("signature", "A part of a signature is none."),
		replaced("capitals", "v1,"+strings.ToUpper(good[3:])).expect("signature", "In base64 capitals are other digits."),
		replaced("no version", good[3:]).expect("signature", "A signature begins with its version."),
		replaced("another version", "v2,"+good[3:]).expect("signature", "v1 is the one for secrets that both sides share."),
		replaced(
			"in hex", "v1,"+signature(current, envelope),
		).expect("signature", "webhook-signature is in base64, and covers the id."),
		replaced("keyed with the secret's text", "v1,"+base64.StdEncoding.EncodeToString(
			authentic([]byte(current), messageID+"."+stamp(instant)+"."+envelope))).
			expect("signature", "Standard Webhooks keys with the bytes that the secret stands for."),
		replaced("no signature", "").expect("missing", "There is no webhook-signature."),
		plain("no id").with(webhook.HeaderStandardID, "").expect("missing", "There is no webhook-id."),
		plain("no timestamp").with(webhook.HeaderStandardTimestamp, "").expect("missing", "There is no webhook-timestamp."),
		stamped("timestamp with a fraction", stamp(instant)+".0").expect("timestamp", "It is in whole seconds."),
		stamped("timestamp as a date", "2026-01-05T14:30:00Z").expect("timestamp", "It is in seconds since 1970."),
	}
}
