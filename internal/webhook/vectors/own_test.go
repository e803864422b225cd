package vectors_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"paydown/internal/webhook"
)

// The schemes: paydown's own, and Standard Webhooks.
const (
	own      = "x-signature"
	standard = "standard-webhooks"
)

const messageID = "msg_R4ZJ2MNCX7YB5QK3WVT6HDLPAE"

// The secrets of the vectors; the receiver never knows the stranger's.
var (
	current  = fixedSecret("the current secret of a vector.")
	previous = fixedSecret("the secret before the last one.")
	stranger = fixedSecret("a secret of some other endpoint")
)

func fixedSecret(text string) string {
	return "whsec_" + base64.StdEncoding.EncodeToString([]byte(text+"!"))
}

// The bodies of the vectors.
var (
	envelope = `{"id":"` + messageID + `","event":"payment.paid","version":1,"occurredAt":"2026-01-05T14:29:58.120Z",` +
		`"data":{"paymentId":50121,"dealId":1042,"amount":"515.88","source":"PROCESSOR"}}`
	oneByteOff = strings.Replace(envelope, "515.88", "915.88", 1)
	beyond     = `{"id":"` + messageID + `","note":"Café Zoë, 東京 🥐 <&>","line":"` + "\u2028" + `"}`
	escaped    = `{"id":"` + messageID + `","note":"Caf\u00e9 \/ \ud83e\udd50"}`
	numbers    = `{"id":"` + messageID + `","exact":9007199254740993,"zero":1.10,"large":1E400,"minus":-0}`
	spaced     = "{\r\n\t\"version\" : 1,\r\n  \"id\": \"" + messageID + "\",\r\n  \"id2\":\"\"}\r\n"
	noText     = "{\"id\":\"" + messageID + "\",\"raw\":\"\xff\xfe\x00\"}"
)

// content puts a body into a vector.
func (v vector) content(body string) vector {
	if body == noText {
		v.BodyBase64 = base64.StdEncoding.EncodeToString([]byte(body))
	} else {
		v.Body = &body
	}
	return v
}

// expect adds the verdict.
func (v vector) expect(verdict, why string) vector {
	v.Verdict, v.Why = verdict, why
	return v
}

// with sets a header, or takes one away.
func (v vector) with(name, value string) vector {
	v.Headers = maps.Clone(v.Headers)
	if v.Headers[name] = value; value == "" {
		delete(v.Headers, name)
	}
	return v
}

func (v vector) known(secrets ...string) vector {
	v.Secrets = secrets
	return v
}

func (v vector) at(now int64) vector {
	v.Now = now
	return v
}

// signed is a delivery by paydown's own scheme, signed at the given time with each of the secrets: the current
// one and, if given, the previous one.
func signed(name, body string, secrets ...string) vector {
	v := vector{Name: name, Scheme: own, Secrets: []string{current}, Now: instant, Headers: map[string]string{
		webhook.HeaderTimestamp: stamp(instant),
		webhook.HeaderSignature: signature(secrets[0], body),
	}}
	if len(secrets) > 1 {
		v.Headers[webhook.HeaderSignaturePrevious] = signature(secrets[1], body)
	}
	return v.content(body)
}

func signature(secret, body string) string {
	return webhook.Sign([]byte(secret), time.Unix(instant, 0), []byte(body))
}

// authentic is the MAC of any text, for signatures that are correct but over the wrong content.
func authentic(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func decoded(secret string) []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		panic(err) // the secrets are the ones above
	}
	return key
}

// parsedAndWritten is a body that was parsed and serialized again.
func parsedAndWritten(body string) string {
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		panic(err) // the bodies are the ones above
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func ownVectors() []vector {
	good := signature(current, envelope)
	return append(ownGood(good), ownBad(good)...)
}

func ownGood(good string) []vector {
	return []vector{
		signed("x-signature: plain", envelope, current).expect("valid", "This is what a delivery looks like."),
		signed("x-signature: rotation, both secrets known", envelope, current, previous).known(current, previous).
			expect("valid", "X-Signature is by the current secret."),
		signed("x-signature: rotation, only the new secret known", envelope, current, previous).
			expect("valid", "X-Signature is by the current secret; the other header does no harm."),
		signed("x-signature: rotation, only the old secret known", envelope, current, previous).known(previous).
			expect("valid", "X-Signature-Previous is by the secret that this receiver still has."),
		signed("x-signature: signed right before a rotation", envelope, previous).known(current, previous).
			expect("valid", "X-Signature is by the secret before; for a while a receiver takes both."),
		signed(
			"x-signature: text beyond ASCII", beyond, current,
		).expect("valid", "The body's bytes are signed, which are UTF-8."),
		signed("x-signature: escaped text", escaped, current).expect("valid", "Escapes are signed as they stand."),
		signed("x-signature: empty object", "{}", current).expect("valid", "Any body can be signed."),
		signed("x-signature: empty body", "", current).expect("valid", "Any body can be signed, one of no bytes too."),
		signed("x-signature: trailing newline", envelope+"\n", current).expect("valid", "The newline is a part of the body."),
		signed(
			"x-signature: white space", spaced, current,
		).expect("valid", "White space and the order of keys are parts of the body."),
		signed("x-signature: numbers no float can hold", numbers, current).
			expect("valid", "Numbers are signed as they are written: verify before you parse."),
		signed("x-signature: bytes that are no text", noText, current).
			expect("valid", "The signature is over bytes: do not decode the body before you verify it."),
		signed(
			"x-signature: five minutes old", envelope, current,
		).at(instant+300).
			expect("valid", "Exactly five minutes are fresh."),
		signed("x-signature: five minutes ahead", envelope, current).at(instant-300).
			expect("valid", "The receiver's clock may be behind by five minutes."),
		signed("x-signature: hex in capitals", envelope, current).with(webhook.HeaderSignature, strings.ToUpper(good)).
			expect("valid", "Capitals stand for the same bytes: compare what the hex stands for. We never send them."),
	}
}

func ownBad(good string) []vector {
	plain := func(name string) vector { return signed("x-signature: "+name, envelope, current) }
	replaced := func(name, signature string) vector { return plain(name).with(webhook.HeaderSignature, signature) }
	stamped := func(name, timestamp string) vector {
		mac := hex.EncodeToString(authentic([]byte(current), timestamp+"."+envelope))
		return replaced(name, mac).with(webhook.HeaderTimestamp, timestamp)
	}
	return []vector{
		plain(
			"one second too old",
		).at(instant+301).
			expect("stale", "More than five minutes: somebody may be sending a recorded delivery again."),
		plain(
			"one second too far ahead",
		).at(instant-301).
			expect("stale", "More than five minutes ahead of the receiver's clock."),
		stamped(
			"timestamp in milliseconds", stamp(instant*1000),
		).expect("stale", "Read as seconds it is some 56,000 years ahead."),
		signed(
			"x-signature: wrong secret", envelope, stranger,
		).expect("signature", "It is signed with another endpoint's secret."),
		signed("x-signature: old secret after the receiver dropped it", envelope, previous).
			expect("signature", "The receiver knows the current secret alone."),
		signed("x-signature: wrong secrets in both headers", envelope, stranger, stranger).known(current, previous).
			expect("signature", "Neither header is by a secret that the receiver knows."),
		plain("one byte changed").content(oneByteOff).expect("signature", "The amount was changed on the way."),
		plain("trailing newline added").content(envelope+"\n").expect("signature", "A newline more is another body."),
		signed("x-signature: trailing newline lost", envelope+"\n", current).content(envelope).
			expect("signature", "A newline less is another body."),
		signed("x-signature: body parsed and re-encoded", spaced, current).content(parsedAndWritten(spaced)).
			expect("signature", "What a framework makes of the body is not what was signed."),
		signed("x-signature: signature of the re-encoded body", parsedAndWritten(spaced), current).content(spaced).
			expect("signature", "The body as it came is what counts; a receiver that re-encodes it would accept this."),
		plain("timestamp of another second").with(webhook.HeaderTimestamp, stamp(instant+1)).
			expect("signature", "The timestamp is signed too, so that nobody can make an old delivery fresh."),
		replaced("signature of the body alone", hex.EncodeToString(authentic([]byte(current), envelope))).
			expect("signature", "The timestamp is missing from what was signed."),
		replaced(
			"keyed with the decoded secret", hex.EncodeToString(authentic(decoded(current), stamp(instant)+"."+envelope)),
		).
			expect("signature", "X-Signature is keyed with the secret's text, whsec_ and all; "+
				"Standard Webhooks with what it stands for."),
		replaced("truncated", good[:62]).expect("signature", "A part of a signature is none."),
		replaced("half a byte", good[:63]).expect("signature", "A part of a signature is none."),
		replaced("lengthened", good+"00").expect("signature", "It has a byte too many."),
		replaced("not hex", good[:63]+"z").expect("signature", "z is no digit of hex."),
		replaced("not hex after the end", good+"zz").expect("signature", "Some decoders stop silently where the hex ends."),
		replaced("spaces within", good[:32]+" "+good[32:]).expect("signature", "Some decoders skip spaces silently."),
		replaced("base64", base64.StdEncoding.EncodeToString(authentic([]byte(current), stamp(instant)+"."+envelope))).
			expect("signature", "X-Signature is in hex."),
		replaced("with the name of the hash", "sha256="+good).expect("signature", "X-Signature is hex and nothing else."),
		replaced("no signature", "").expect("missing", "There is no X-Signature."),
		plain("no timestamp").with(webhook.HeaderTimestamp, "").expect("missing", "There is no X-Timestamp."),
		replaced(
			"previous signature only", "",
		).with(webhook.HeaderSignaturePrevious, signature(previous, envelope)).
			known(current, previous).
			expect("missing", "X-Signature is always there; what lacks it is not from us."),
		stamped("timestamp with a fraction", stamp(instant)+".0").expect("timestamp", "It is in whole seconds."),
		stamped("timestamp with a sign", "+"+stamp(instant)).expect("timestamp", "It consists of digits."),
		stamped("timestamp with a leading zero", "0"+stamp(instant)).expect("timestamp", "One instant has one form."),
		stamped("timestamp with an underscore", "1_767623400").expect("timestamp", "Some languages would read this number."),
		stamped("timestamp as a date", "2026-01-05T14:30:00Z").expect("timestamp", "It is in seconds since 1970."),
		stamped("timestamp in hex", "0x695bca28").expect("timestamp", "It is in decimal digits."),
		stamped("timestamp beyond all range", "99999999999999999999").expect("timestamp", "No clock shows this."),
	}
}
