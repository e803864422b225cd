package secret_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"paydown/internal/secret"
)

func open(t *testing.T, keys ...string) *secret.Box {
	t.Helper()
	box, err := secret.Open(strings.Join(keys, ","))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func TestSealAndUnseal(t *testing.T) {
	box := open(t, secret.NewKey())
	for _, plain := range [][]byte{nil, {0}, []byte("whsec_…"), bytes.Repeat([]byte("a"), 1<<20)} {
		sealed := box.Seal(plain, "row 1")
		got, err := box.Unseal(sealed, "row 1")
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes come back as %d, %v", len(plain), len(got), err)
		}
		if len(plain) > 1 && bytes.Contains(sealed, plain) {
			t.Error("the sealed value shows the plain one")
		}
	}
}

func TestTheSameValueIsSealedDifferentlyEachTime(t *testing.T) {
	box := open(t, secret.NewKey())
	seen := map[string]bool{}
	for range 100 {
		sealed := string(box.Seal([]byte("same"), ""))
		if seen[sealed] {
			t.Fatal("a nonce was used twice")
		}
		seen[sealed] = true
	}
}

func TestASealedValueBelongsWhereItWasSealed(t *testing.T) {
	box := open(t, secret.NewKey())
	sealed := box.Seal([]byte("number"), "tenant 1")
	for _, elsewhere := range []string{"tenant 2", "tenant 11", "tenant ", ""} {
		if got, err := box.Unseal(sealed, elsewhere); err == nil || got != nil {
			t.Errorf("unsealed at %q: %q", elsewhere, got)
		}
	}
}

func TestAnAlteredValueDoesNotUnseal(t *testing.T) {
	box := open(t, secret.NewKey())
	sealed := box.Seal([]byte("number"), "row")
	for i := range sealed {
		for bit := range 8 {
			altered := slices.Clone(sealed)
			altered[i] ^= 1 << bit
			if got, err := box.Unseal(altered, "row"); err == nil {
				t.Fatalf("byte %d, bit %d: %q", i, bit, got)
			}
		}
	}
	for n := range sealed {
		if _, err := box.Unseal(sealed[:n], "row"); err == nil {
			t.Errorf("the first %d bytes unseal", n)
		}
	}
	if _, err := box.Unseal(append(slices.Clone(sealed), 0), "row"); err == nil {
		t.Error("a value with an extra byte unseals")
	}
}

func TestAnEarlierKeyStillUnseals(t *testing.T) {
	older, newer, stranger := secret.NewKey(), secret.NewKey(), secret.NewKey()
	before, during, after := open(t, older), open(t, newer, older), open(t, newer)
	old := before.Seal([]byte("number"), "row")
	if got, err := during.Unseal(old, "row"); err != nil || string(got) != "number" {
		t.Errorf("while the key is replaced: %q, %v", got, err)
	}
	resealed := during.Seal([]byte("number"), "row")
	if got, err := after.Unseal(resealed, "row"); err != nil || string(got) != "number" {
		t.Errorf("the newer key does not seal: %q, %v", got, err)
	}
	for name, box := range map[string]*secret.Box{"the newer key": after, "a stranger's": open(t, stranger)} {
		if _, err := box.Unseal(old, "row"); !errors.Is(err, secret.ErrUnknownKey) {
			t.Errorf("%s alone: %v", name, err)
		}
	}
}

func TestSignaturesAreBoundToTheirParts(t *testing.T) {
	box := open(t, secret.NewKey())
	parts := func(texts ...string) [][]byte {
		out := make([][]byte, len(texts))
		for i, s := range texts {
			out[i] = []byte(s)
		}
		return out
	}
	signature := box.Sign(parts("ab", "c")...)
	if len(signature) != 16 || !box.Verify(signature, parts("ab", "c")...) {
		t.Errorf("%x is not accepted", signature)
	}
	if !bytes.Equal(signature, box.Sign(parts("ab", "c")...)) {
		t.Error("the same parts have two signatures")
	}
	for _, other := range [][]string{{"a", "bc"}, {"abc"}, {"ab", "c", ""}, {"c", "ab"}, {"ab"}, {}, {"2:ab1:c"}} {
		if box.Verify(signature, parts(other...)...) {
			t.Errorf("also stands for %q", other)
		}
	}
	for _, bad := range [][]byte{nil, signature[:15], append(slices.Clone(signature), 0), make([]byte, 16)} {
		if box.Verify(bad, parts("ab", "c")...) {
			t.Errorf("takes %x", bad)
		}
	}
}

func TestASignatureOutlivesAChangeOfKey(t *testing.T) {
	older, newer := secret.NewKey(), secret.NewKey()
	signature := open(t, older).Sign([]byte("cursor"))
	if !open(t, newer, older).Verify(signature, []byte("cursor")) {
		t.Error("refused while the key is replaced")
	}
	if open(t, newer).Verify(signature, []byte("cursor")) {
		t.Error("accepted after the old key was removed")
	}
}

func TestWhatIsDerivedCanBeDerivedAgain(t *testing.T) {
	older, newer := secret.NewKey(), secret.NewKey()
	old := open(t, older).Derive([]byte("a"), []byte("bc"))
	if len(old) != 1 || len(old[0]) != 32 || !bytes.Equal(old[0], open(t, older).Derive([]byte("a"), []byte("bc"))[0]) {
		t.Errorf("derived %x", old)
	}
	during := open(t, newer, older).Derive([]byte("a"), []byte("bc"))
	if len(during) != 2 || !bytes.Equal(during[1], old[0]) || bytes.Equal(during[0], during[1]) {
		t.Errorf("while the key is replaced it derives %x", during)
	}
	if bytes.Equal(old[0], open(t, older).Derive([]byte("ab"), []byte("c"))[0]) {
		t.Error("different parts derive the same bytes")
	}
	if bytes.HasPrefix(old[0], open(t, older).Sign([]byte("a"), []byte("bc"))) {
		t.Error("a signature reveals derived bytes")
	}
}

func TestInvalidKeysAreRefused(t *testing.T) {
	good := secret.NewKey()
	for name, encoded := range map[string]string{
		"nothing":          "",
		"too short":        base64.StdEncoding.EncodeToString(make([]byte, 31)),
		"too long":         base64.StdEncoding.EncodeToString(make([]byte, 33)),
		"not base64":       strings.Repeat("!", 44),
		"hexadecimal":      strings.Repeat("0f", 32),
		"one bad of two":   good + ",",
		"a bad one at end": good + ",short",
	} {
		box, err := secret.Open(encoded)
		if err == nil || box != nil {
			t.Errorf("%s is accepted", name)
		} else if encoded != "" && strings.Contains(err.Error(), encoded) {
			t.Errorf("%s: the error reveals the key", name)
		}
	}
	open(t, good+" ", " "+secret.NewKey()+"\n") // surrounding spaces are allowed
}

func TestNewKeysDiffer(t *testing.T) {
	first, second := secret.NewKey(), secret.NewKey()
	if first == second {
		t.Error("two keys are the same")
	}
}

func TestKeysHaveAnIDAndAFingerprint(t *testing.T) {
	older, newer := secret.NewKey(), secret.NewKey()
	both, alone := open(t, newer, older), open(t, older)
	keys := both.Keys()
	if len(keys) != 2 || keys[0].ID == keys[1].ID || bytes.Equal(keys[0].Fingerprint, keys[1].Fingerprint) {
		t.Fatalf("two keys are told as %v", keys)
	}
	if got := alone.Keys(); got[0].ID != keys[1].ID || !bytes.Equal(got[0].Fingerprint, keys[1].Fingerprint) {
		t.Errorf("the same key is told as %v and %v", got[0], keys[1])
	}
	if sealed := both.Seal([]byte("x"), "row"); secret.KeyOf(sealed) != keys[0].ID ||
		bytes.Contains(sealed, keys[0].Fingerprint[:8]) {
		t.Errorf("sealed under %s, want %s", secret.KeyOf(sealed), keys[0].ID)
	}
	if !both.Has(keys[1].ID) || alone.Has(keys[0].ID) || alone.Has("") || secret.KeyOf([]byte("abc")) != "" {
		t.Error("Has does not report the box's keys")
	}
	for _, k := range keys {
		if len(k.Fingerprint) != secret.KeySize {
			t.Errorf("a fingerprint of %d bytes", len(k.Fingerprint))
		}
	}
}

func TestAValueIsSealedAgainUnderTheFirstKey(t *testing.T) {
	older, newer := secret.NewKey(), secret.NewKey()
	old, both, after := open(t, older), open(t, newer, older), open(t, newer)
	sealed := old.Seal([]byte("number"), "row")
	fresh, err := both.Reseal(sealed, "row")
	if err != nil || secret.KeyOf(fresh) != after.Keys()[0].ID {
		t.Fatalf("sealed again under %s: %v", secret.KeyOf(fresh), err)
	}
	if got, err := after.Unseal(fresh, "row"); err != nil || string(got) != "number" {
		t.Errorf("it holds %q, %v", got, err)
	}
	if _, err := both.Reseal(sealed, "another row"); err == nil {
		t.Error("sealed again for another row")
	}
	if _, err := after.Reseal(sealed, "row"); !errors.Is(err, secret.ErrUnknownKey) {
		t.Errorf("without the old key: %v", err)
	}
	if both.Failures() != 0 {
		t.Errorf("%d failures are counted", both.Failures())
	}
	_, _ = after.Unseal(sealed, "row")
	if after.Failures() != 1 {
		t.Errorf("%d failures are counted", after.Failures())
	}
}
