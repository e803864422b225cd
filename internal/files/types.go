package files

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// kind is a type of files that is taken: the ends of its names, its media type, and what its bytes may look like.
type kind struct {
	ends  []string
	media string
	looks []string // besides media
}

// kinds are the types that are taken. What a browser or an office program would run is not among them.
var kinds = []kind{
	{[]string{".pdf"}, "application/pdf", nil},
	{[]string{".png"}, "image/png", nil},
	{[]string{".jpg", ".jpeg"}, "image/jpeg", nil},
	{[]string{".heic"}, "image/heic", []string{"image/heif", "image/heic-sequence", "image/heif-sequence"}},
	{[]string{".csv"}, "text/csv", []string{"text/plain", "text/tab-separated-values"}},
	{[]string{".txt"}, "text/plain", []string{"text/csv", "text/tab-separated-values"}},
	{[]string{".xlsx"}, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", nil},
	{[]string{".docx"}, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", nil},
}

// Taken are the ends of the names of files that are taken: ".pdf" …
func Taken() []string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.ends...)
	}
	return all
}

// typeOf is what a name says that a file is.
func typeOf(name string) (kind, bool) {
	end := strings.ToLower(path.Ext(name))
	i := slices.IndexFunc(kinds, func(k kind) bool { return slices.Contains(k.ends, end) })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

// looked is how much of a file is looked at, in bytes: an archive of an office program says late what it is.
const looked = 1 << 20

// fits is nil where the bytes of a file are of the kind, and otherwise ErrType.
func (k kind) fits(path string) error {
	mimetype.SetLimit(looked)
	found, err := mimetype.DetectFile(path)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	if found.Is(k.media) || slices.ContainsFunc(k.looks, found.Is) {
		return nil
	}
	return ErrType
}
