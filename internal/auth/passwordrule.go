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

// How long a password may be, in characters.
const (
	MinPassword = 12
	MaxPassword = 256
)

// NormalPassword is a password as it is hashed, so that it is the same from every keyboard: RFC 8265's OpaqueString,
// which is Unicode's form C with every kind of space made the plain one. ok is false for what cannot be a password.
func NormalPassword(password string) (normal string, ok bool) {
	if len(password) > 4*MaxPassword || !utf8.ValidString(password) {
		return "", false
	}
	normal, err := precis.OpaqueString.String(password)
	return normal, err == nil
}

// CheckPassword says what is wrong with a new password, in a sentence for whoever chose it; "" where nothing is. own are
// the words that everybody would try first: the member's name and address, the name of the company.
//
// It follows NIST SP 800-63B: length counts, kinds of characters do not, and what attackers try first is refused.
func CheckPassword(password string, own ...string) string {
	normal, ok := NormalPassword(password)
	if !ok {
		return "must be text without control characters"
	}
	if n := utf8.RuneCountInString(normal); n < MinPassword || n > MaxPassword {
		return "must have 12 to 256 characters"
	}
	if isCommon(normal, words(own)) {
		return "is too easy to guess; a few words that do not belong together are better"
	}
	return ""
}

// words are names and addresses as they stand, and then their parts that are long enough to be recognised.
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

// isCommon reports a password that is a common one, or becomes one when what people add to it is taken off: digits and
// signs around it, letters written as digits, a repetition, words of their own.
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

// bare is s without what is no letter at both ends.
func bare(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

var leet = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

func unleet(s string) string { return leet.Replace(s) }

// unit is what s repeats, the last time perhaps not in full; s itself where it repeats nothing.
func unit(s string) string {
	runes := []rune(s)
	for n := 1; n <= len(runes)/2; n++ {
		if slices.Equal(runes[n:], runes[:len(runes)-n]) {
			return string(runes[:n])
		}
	}
	return s
}

// isRun reports characters that follow one another, up or down: abcdefg, 987654, and 1234567890 with what comes then.
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

// isPair reports a common password, or two of them one after the other.
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

// commonList are some 11,000 passwords that turn up in leaks most often, in lower case and in order, a line each: the
// first 10,000 of @zxcvbn-ts/language-common 4.1.3 (MIT license), and of the rest those of ten characters and more.
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
