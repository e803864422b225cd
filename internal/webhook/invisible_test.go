package webhook

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestInvisibleASCIIIsThatOfTheTables(t *testing.T) {
	for r := range rune(utf8.RuneSelf) {
		want := r != ' ' && unicode.In(r, unicode.C, unicode.Z, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector)
		if got := isInvisible(r); got != want {
			t.Errorf("%q: %t, want %t", r, got, want)
		}
	}
}
