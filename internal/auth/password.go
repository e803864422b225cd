package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"
)

// PasswordCost is the cost of one password hash, as parameters of argon2id.
type PasswordCost struct {
	Memory  uint32 // KiB
	Passes  uint32
	Threads uint8
}

// UsualCost is OWASP's recommendation: some 20 ms of one core and 19 MiB.
var UsualCost = PasswordCost{Memory: 19 << 10, Passes: 2, Threads: 1}

const (
	saltSize = 16
	hashSize = 32
)

// hashMemory is what the hashes that are computed at the same time may use together, in KiB.
const hashMemory = 128 << 10

// Passwords creates and checks password hashes. It limits how many are computed at a time, by processors and by
// memory, so a flood of attempts neither takes over the machine nor fills its memory. It is safe for concurrent use.
type Passwords struct {
	cost  PasswordCost
	slots chan struct{}
	dummy string
	made  atomic.Int64
}

// NewPasswords returns a Passwords; a zero cost means UsualCost.
func NewPasswords(cost PasswordCost) *Passwords {
	if cost == (PasswordCost{}) {
		cost = UsualCost
	}
	p := &Passwords{cost: cost, slots: make(chan struct{}, atATime(cost, runtime.GOMAXPROCS(0)))}
	// Nobody can enter a password for this hash, but checking against it costs as much as against a real one.
	p.dummy = phc(cost, random(saltSize), random(hashSize))
	return p
}

// atATime returns how many hashes may be computed at the same time.
func atATime(cost PasswordCost, processors int) int {
	return max(1, min(processors, hashMemory/int(max(1, cost.Memory))))
}

// AtATime returns how many hashes are computed at the same time at most.
func (p *Passwords) AtATime() int { return cap(p.slots) }

// Made returns the number of hashes computed.
func (p *Passwords) Made() int64 { return p.made.Load() }

// Hash returns what is stored of a password: salt, hash and parameters in the PHC string format. The error is
// the context's.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltSize)
	sum, err := p.sum(ctx, p.cost, password, salt, hashSize)
	return phc(p.cost, salt, sum), err
}

// Check reports whether the password matches the stored hash. If stored is empty, it returns false after the
// same work. stale reports that the hash has another cost than the current one, and should be replaced.
func (p *Passwords) Check(ctx context.Context, password, stored string) (ok, stale bool, err error) {
	nobody := stored == ""
	if nobody {
		stored = p.dummy
	}
	cost, salt, want, err := parsePHC(stored)
	if err != nil {
		return false, false, err
	}
	sum, err := p.sum(ctx, cost, password, salt, len(want))
	if err != nil {
		return false, false, err
	}
	ok = subtle.ConstantTimeCompare(sum, want) == 1 && !nobody
	return ok, ok && (cost != p.cost || len(salt) != saltSize || len(want) != hashSize), nil
}

// sum computes one hash, once a slot is free.
func (p *Passwords) sum(
	ctx context.Context, cost PasswordCost, password string, salt []byte, size int,
) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	p.made.Add(1)
	//nolint:gosec // the length of a stored hash
	return argon2.IDKey([]byte(password), salt, cost.Passes, cost.Memory, cost.Threads, uint32(size)), nil
}

func random(n int) []byte {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	return raw
}

func phc(cost PasswordCost, salt, sum []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, cost.Memory, cost.Passes, cost.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

var errPHC = errors.New("auth: invalid stored password hash")

func parsePHC(stored string) (cost PasswordCost, salt, sum []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return cost, nil, nil, errPHC
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &cost.Memory, &cost.Passes, &cost.Threads); err != nil {
		return cost, nil, nil, errPHC
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	sum, sumErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || sumErr != nil || len(salt) == 0 || len(sum) < 16 || cost.Passes == 0 || cost.Threads == 0 {
		return cost, nil, nil, errPHC
	}
	return cost, salt, sum, nil
}
