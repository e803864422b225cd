// Package secret seals data for storage and signs data for callers, with the installation's secret key.
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

// ErrUnknownKey means that the key of a sealed value is not in the box.
var ErrUnknownKey = errors.New("secret: sealed under a key that is not configured")

// Box holds the active secret key and, during a change of key, the earlier ones. Each sealed value carries
// the id of its key.
type Box struct {
	keys     []key // the first seals; all unseal
	failures atomic.Uint64
}

type key struct {
	id          [idSize]byte
	aead        cipher.AEAD
	mac         []byte
	base        []byte // base of Derive
	fingerprint []byte
}

// Key identifies a key without revealing it.
type Key struct {
	ID string // hexadecimal id that the values sealed under the key carry
	// Fingerprint is a one-way function of the key: the same key always has the same fingerprint.
	Fingerprint []byte
}

// NewKey returns a random secret key in the format of PAYDOWN_SECRET_KEY.
func NewKey() string {
	raw := make([]byte, KeySize)
	_, _ = rand.Read(raw) // never fails: crypto/rand crashes the program instead
	return base64.StdEncoding.EncodeToString(raw)
}

// Open parses the secret key: base64 of 32 bytes. After a change of key, the earlier keys follow, separated
// by commas, until everything is sealed again.
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

// Seal encrypts plain. bound, for example a table and row, must be the same when the value is unsealed.
func (b *Box) Seal(plain []byte, bound string) []byte {
	k := b.keys[0]
	//nolint:gosec // the nonce is not fixed: this AEAD generates one for each message
	return k.aead.Seal(append([]byte(nil), k.id[:]...), nil, plain, []byte(bound))
}

// Keys lists the keys of the box. The first one seals.
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

// KeyOf returns the id of the key that a value is sealed under; "" if the value is too short to be sealed.
func KeyOf(sealed []byte) string {
	if len(sealed) < idSize {
		return ""
	}
	return hex.EncodeToString(sealed[:idSize])
}

// Reseal seals a sealed value again under the first key.
func (b *Box) Reseal(sealed []byte, bound string) ([]byte, error) {
	plain, err := b.unseal(sealed, bound)
	if err != nil {
		return nil, err
	}
	return b.Seal(plain, bound), nil
}

// Failures returns how many values Unseal could not open.
func (b *Box) Failures() uint64 { return b.failures.Load() }

// Unseal decrypts a value that Seal encrypted.
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

// Sign returns a 16-byte HMAC-SHA256 of the parts. Each part is length-prefixed, so that different lists
// never collide.
func (b *Box) Sign(parts ...[]byte) []byte { return b.keys[0].sign(parts) }

// Verify reports in constant time whether Sign made the signature, under any key of the box.
func (b *Box) Verify(signature []byte, parts ...[]byte) bool {
	for _, k := range b.keys {
		if hmac.Equal(signature, k.sign(parts)) {
			return true
		}
	}
	return false
}

// Derive returns 32 secret bytes derived from the parts, for each key of the box, the active one first.
// Derived bytes need not be stored: they can be derived again from the key and the parts.
func (b *Box) Derive(parts ...[]byte) [][]byte {
	derived := make([][]byte, len(b.keys))
	for i, k := range b.keys {
		derived[i] = digest(k.base, parts)
	}
	return derived
}

func (k key) sign(parts [][]byte) []byte { return digest(k.mac, parts)[:16] }

// digest returns an HMAC-SHA256 of the length-prefixed parts.
func digest(under []byte, parts [][]byte) []byte {
	h := hmac.New(sha256.New, under)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return h.Sum(nil)
}
