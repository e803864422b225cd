package files

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// An office program's document is an archive whose list of contents says what each part is (ECMA-376, part 2, 10.1.2).
const (
	contentsPart = "[Content_Types].xml"
	// maxContents bounds the list, in bytes as it is read: a small archive can hold a great deal.
	maxContents = 1 << 20

	mainDocument = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	mainWorkbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
)

// officeOf is the check of an office program's document: of the parts that its list of contents names, one that is there
// has the type main. That of a document with macros is another.
func officeOf(main string) func(*os.File) error {
	return func(file *os.File) error {
		info, err := file.Stat()
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		archive, err := zip.NewReader(file, info.Size())
		if err != nil {
			return ErrType
		}
		for _, part := range partsOf(archive) {
			if part.Type == main && len(named(archive, strings.TrimPrefix(part.Name, "/"))) == 1 {
				return nil
			}
		}
		return ErrType
	}
}

// contentsEntry is what the list of contents says of a part.
type contentsEntry struct {
	Name string `xml:"PartName,attr"`
	Type string `xml:"ContentType,attr"`
}

// partsOf reads the list of contents; none, where there is no list that can be read, or more than one.
func partsOf(archive *zip.Reader) []contentsEntry {
	lists := named(archive, contentsPart)
	if len(lists) != 1 {
		return nil
	}
	content, err := lists[0].Open()
	if err != nil {
		return nil
	}
	defer func() { _ = content.Close() }()
	var list struct {
		XMLName xml.Name        `xml:"http://schemas.openxmlformats.org/package/2006/content-types Types"`
		Parts   []contentsEntry `xml:"Override"`
	}
	if xml.NewDecoder(io.LimitReader(content, maxContents)).Decode(&list) != nil {
		return nil
	}
	return list.Parts
}

// named are the files of an archive that have a name, which programs do not tell apart by case.
func named(archive *zip.Reader, name string) []*zip.File {
	return slices.DeleteFunc(slices.Clone(archive.File), func(f *zip.File) bool { return !strings.EqualFold(f.Name, name) })
}
