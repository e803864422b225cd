package auth

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/secure/precis"
)

// Length of a password, in characters.
const (
	MinPassword = 12
	MaxPassword = 256
)

// NormalPassword normalizes a password before hashing, so that it is the same from every keyboard: RFC 8265's
// OpaqueString, which is Unicode NFC with every kind of space replaced by the plain one. ok is false for
// invalid passwords.
func NormalPassword(password string) (normal string, ok bool) {
	if len(password) > 4*MaxPassword || !utf8.ValidString(password) {
		return "", false
	}
	normal, err := precis.OpaqueString.String(password)
	return normal, err == nil
}

// CheckPassword returns what is wrong with a new password, as a message for the person who chose it, or "". own
// are words that attackers would try first: the member's name and address, the name of the company.
//
// It follows NIST SP 800-63B: length counts, kinds of characters do not, and passwords that attackers try first
// are refused.
func CheckPassword(password string, own ...string) string {
	normal, ok := NormalPassword(password)
	if !ok {
		return "must be text without control characters"
	}
	if n := utf8.RuneCountInString(normal); n < MinPassword || n > MaxPassword {
		return "must have 12 to 256 characters"
	}
	if isCommon(normal, words(own)) {
		return "is too easy to guess; use a few unrelated words"
	}
	return ""
}

// words returns names and addresses, followed by their parts that are long enough to be recognized.
func words(names []string) []string {
	var found []string
	for _, name := range names {
		if utf8.RuneCountInString(name) >= 4 {
			found = append(found, strings.ToLower(name))
		}
	}
	for _, name := range names {
		for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if utf8.RuneCountInString(w) >= 4 {
				found = append(found, w)
			}
		}
	}
	return found
}

// isCommon reports whether a password is a common one, also after removing usual additions: digits and symbols
// around it, letters written as digits, a repetition, the person's own words.
func isCommon(password string, own []string) bool {
	lower := strings.ToLower(password)
	for _, form := range []string{lower, unleet(lower), unleet(bare(lower))} {
		rest := form
		for _, w := range own {
			rest = strings.ReplaceAll(rest, w, "")
		}
		if rest != form && bare(rest) == "" {
			return true
		}
		whole, core := unit(rest), unit(bare(rest))
		if utf8.RuneCountInString(whole) < 4 || isRun(whole) || isRun(core) || listed(whole) || isPair(core) {
			return true
		}
	}
	return false
}

// bare removes non-letters from both ends of s.
func bare(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

var leet = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

func unleet(s string) string { return leet.Replace(s) }

// unit returns the part that s repeats, possibly cut off at the end, or s if it repeats nothing.
func unit(s string) string {
	runes := []rune(s)
	for n := 1; n <= len(runes)/2; n++ {
		if slices.Equal(runes[n:], runes[:len(runes)-n]) {
			return string(runes[:n])
		}
	}
	return s
}

// isRun reports whether all characters follow one another, up or down: abcdefg, 987654, and 1234567890 with
// wrap-around.
func isRun(s string) bool {
	runes := []rune(s)
	if len(runes) < 4 {
		return false
	}
	for _, step := range []rune{1, -1} {
		run := true
		for i := 1; i < len(runes) && run; i++ {
			run = runes[i] == runes[i-1]+step ||
				step == 1 && runes[i-1] == '9' && runes[i] == '0' || step == -1 && runes[i-1] == '0' && runes[i] == '9'
		}
		if run {
			return true
		}
	}
	return false
}

// isPair reports whether s is a common password, or two of them in a row.
func isPair(s string) bool {
	if listed(s) {
		return true
	}
	for i := range s {
		if i > 0 && listed(s[:i]) && listed(s[i:]) {
			return true
		}
	}
	return false
}

// commonList holds some 11,000 passwords that occur most often in leaks, in lower case and sorted, one per
// line: the first 10,000 of @zxcvbn-ts/language-common 4.1.3 (MIT license), and of the rest those of at least
// ten characters.
//
//go:embed common.txt.gz
var commonList []byte

var common = sync.OnceValue(func() []string {
	reader, err := gzip.NewReader(bytes.NewReader(commonList))
	if err != nil {
		panic(err) // the list is part of the program
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	return strings.Fields(string(text))
})

func listed(s string) bool {
	_, found := slices.BinarySearch(common(), s)
	return found
}
