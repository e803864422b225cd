// Package secret seals what is stored encrypted and signs what is handed out, under the installation's secret key.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// KeySize is the length of the secret key in bytes.
const KeySize = 32

const idSize = 4

// ErrUnknownKey is a sealed value whose key is not in the box.
var ErrUnknownKey = errors.New("secret: sealed under a key that is not configured")

// Box holds the secret key in use and, while one is being replaced, the earlier ones. Each sealed value carries the id
// of its key.
type Box struct {
	keys     []key // the first seals; all unseal
	failures atomic.Uint64
}

type key struct {
	id          [idSize]byte
	aead        cipher.AEAD
	mac         []byte
	base        []byte // what Derive works from
	fingerprint []byte
}

// Key tells a key without telling what it is.
type Key struct {
	ID string // what the values sealed under the key carry, in hexadecimal
	// Fingerprint is derived from the key one way: the same key always has the same one.
	Fingerprint []byte
}

// NewKey makes a random secret key in the form that PAYDOWN_SECRET_KEY takes.
func NewKey() string {
	raw := make([]byte, KeySize)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	return base64.StdEncoding.EncodeToString(raw)
}

// Open reads the secret key: base64 of 32 bytes. After a change of key the earlier ones follow, separated by commas,
// until everything is sealed anew.
func Open(encoded string) (*Box, error) {
	box := &Box{}
	for part := range strings.SplitSeq(encoded, ",") {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(raw) != KeySize {
			return nil, fmt.Errorf("the secret key must be base64 of %d bytes", KeySize)
		}
		k, err := newKey(raw)
		if err != nil {
			return nil, err
		}
		box.keys = append(box.keys, k)
	}
	return box, nil
}

func newKey(raw []byte) (key, error) {
	var k key
	sealing, err := hkdf.Key(sha256.New, raw, nil, "paydown seal v1", KeySize)
	if err != nil {
		return k, err
	}
	if k.mac, err = hkdf.Key(sha256.New, raw, nil, "paydown mac v1", KeySize); err != nil {
		return k, err
	}
	if k.base, err = hkdf.Key(sha256.New, raw, nil, "paydown derive v1", KeySize); err != nil {
		return k, err
	}
	if k.fingerprint, err = hkdf.Key(sha256.New, raw, nil, "paydown fingerprint v1", KeySize); err != nil {
		return k, err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return k, err
	}
	if k.aead, err = cipher.NewGCMWithRandomNonce(block); err != nil {
		return k, err
	}
	sum := sha256.Sum256(k.mac)
	copy(k.id[:], sum[:])
	return k, nil
}

// Seal encrypts. What is bound (a table and row, say) must be the same when the value is unsealed.
func (b *Box) Seal(plain []byte, bound string) []byte {
	k := b.keys[0]
	//nolint:gosec // the nonce is not fixed: this AEAD draws one for each message and takes none
	return k.aead.Seal(append([]byte(nil), k.id[:]...), nil, plain, []byte(bound))
}

// Keys lists the keys of the box. The first seals.
func (b *Box) Keys() []Key {
	out := make([]Key, len(b.keys))
	for i, k := range b.keys {
		out[i] = Key{ID: hex.EncodeToString(k.id[:]), Fingerprint: slices.Clone(k.fingerprint)}
	}
	return out
}

// Has reports whether the key with the id is in the box.
func (b *Box) Has(id string) bool {
	return slices.ContainsFunc(b.keys, func(k key) bool { return hex.EncodeToString(k.id[:]) == id })
}

// KeyOf is the id of the key that a value was sealed under; "" where the value is too short to be a sealed one.
func KeyOf(sealed []byte) string {
	if len(sealed) < idSize {
		return ""
	}
	return hex.EncodeToString(sealed[:idSize])
}

// Reseal seals a value again, under the first key.
func (b *Box) Reseal(sealed []byte, bound string) ([]byte, error) {
	plain, err := b.unseal(sealed, bound)
	if err != nil {
		return nil, err
	}
	return b.Seal(plain, bound), nil
}

// Failures counts the values that Unseal could not open.
func (b *Box) Failures() uint64 { return b.failures.Load() }

// Unseal decrypts what Seal made.
func (b *Box) Unseal(sealed []byte, bound string) ([]byte, error) {
	plain, err := b.unseal(sealed, bound)
	if err != nil {
		b.failures.Add(1)
	}
	return plain, err
}

func (b *Box) unseal(sealed []byte, bound string) ([]byte, error) {
	if len(sealed) < idSize {
		return nil, ErrUnknownKey
	}
	for _, k := range b.keys {
		if [idSize]byte(sealed[:idSize]) == k.id {
			return k.aead.Open(nil, nil, sealed[idSize:], []byte(bound))
		}
	}
	return nil, ErrUnknownKey
}

// Sign returns a 16-byte HMAC-SHA256 of the parts, each of which is length-prefixed so that no two lists collide.
func (b *Box) Sign(parts ...[]byte) []byte { return b.keys[0].sign(parts) }

// Verify reports in constant time whether the signature is one that Sign made, under any key of the box.
func (b *Box) Verify(signature []byte, parts ...[]byte) bool {
	for _, k := range b.keys {
		if hmac.Equal(signature, k.sign(parts)) {
			return true
		}
	}
	return false
}

// Derive returns 32 secret bytes that follow from the parts, under each key of the box, the one in use first. What is
// derived need not be stored: whoever has the key and the parts can derive it again.
func (b *Box) Derive(parts ...[]byte) [][]byte {
	derived := make([][]byte, len(b.keys))
	for i, k := range b.keys {
		derived[i] = digest(k.base, parts)
	}
	return derived
}

func (k key) sign(parts [][]byte) []byte { return digest(k.mac, parts)[:16] }

// digest is an HMAC-SHA256 of the parts, each of which is length-prefixed.
func digest(under []byte, parts [][]byte) []byte {
	h := hmac.New(sha256.New, under)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return h.Sum(nil)
}
