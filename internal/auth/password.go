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

// PasswordCost is what one hash of a password costs, in the parameters of argon2id.
type PasswordCost struct {
	Memory  uint32 // KiB
	Passes  uint32
	Threads uint8
}

// UsualCost is what OWASP recommends: some 20 ms of one core and 19 MiB.
var UsualCost = PasswordCost{Memory: 19 << 10, Passes: 2, Threads: 1}

const (
	saltSize = 16
	hashSize = 32
)

// Passwords makes and checks the hashes that are stored of passwords. No more of them are worked on at once than there
// are processors, so that memory stays bounded and a flood of attempts leaves the machine to others now and then. It is
// safe for concurrent use.
type Passwords struct {
	cost  PasswordCost
	slots chan struct{}
	dummy string
	made  atomic.Int64
}

// NewPasswords makes one; a cost of zero is UsualCost.
func NewPasswords(cost PasswordCost) *Passwords {
	if cost == (PasswordCost{}) {
		cost = UsualCost
	}
	p := &Passwords{cost: cost, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	// A hash of nothing that anybody could enter: checking against it costs what checking against a real one does.
	p.dummy = phc(cost, random(saltSize), random(hashSize))
	return p
}

// Made is how many hashes have been worked out.
func (p *Passwords) Made() int64 { return p.made.Load() }

// Hash is what is stored of a password: salt, hash and parameters in the PHC string format. The error is the context's.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltSize)
	sum, err := p.sum(ctx, p.cost, password, salt, hashSize)
	return phc(p.cost, salt, sum), err
}

// Check reports whether the password is the one that stored was made of. An empty stored is nobody's: the answer is no,
// after the same work. stale says that the hash was made at another cost than today's, and should be made anew.
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

// sum works one hash out, once there is room for it.
func (p *Passwords) sum(ctx context.Context, cost PasswordCost, password string, salt []byte, size int) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	p.made.Add(1)
	//nolint:gosec // the size is that of a hash of ours
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

var errPHC = errors.New("auth: a stored password hash that is none of ours")

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
