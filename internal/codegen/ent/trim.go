package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/imports"
)

// unused matches declarations of the generated client that nothing uses. The linker cannot drop methods by
// itself, because libraries look methods up by name, and each family has dozens of methods per record. To use
// one again, remove it from this list, and add tests of tenancy in internal/store if it reads or writes. A
// declaration is written as its receiver, a dot and its name; a type without a dot.
var unused = regexp.MustCompile(strings.Join([]string{
	// Aggregates: only in internal/store.
	`^\w+GroupBy(\.\w+)?$`, `^\w+Query\.(GroupBy|Aggregate)$`, `^\w+Select\.Aggregate$`,
	`\.Query[A-Z]\w*$`,           // from a record, query or client along an edge
	`^[A-Z]\w*\.String$`,         // a record as text, including confidential values
	`^\w+Client\.MapCreateBulk$`, // and bulk builders from a slice
	`^\w+Mutation\.Old[A-Z]\w*$`, // old values of a record
}, "|"))

// required replaces removed methods that an Ent interface requires.
const required = `
// OldField implements ent.Mutation. Nothing asks for it.
func (m *%[1]s) OldField(context.Context, string) (ent.Value, error) {
	return nil, errors.New("ent: old values are not loaded")
}
`

// schemaOf matches the client's references to package migrate, which depends on Atlas: only the generator of
// migrations and tests use it.
var schemaOf = regexp.MustCompile(
	`(?m)^\t// Schema is the client .*\n\tSchema \*migrate\.Schema\n|^\tc\.Schema = migrate\.NewSchema\(c\.driver\)\n` +
		`|^\t"paydown/ent/migrate"\n`,
)

// trim removes unused declarations from the generated package in a directory.
func trim(dir string) error {
	if err := os.RemoveAll(filepath.Join(dir, "enttest")); err != nil { // needs the client's schema
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := trimFile(file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func trimFile(path string) error {
	source, err := os.ReadFile(path) //nolint:gosec // the generator has just written it
	if err != nil {
		return err
	}
	source = schemaOf.ReplaceAll(source, nil)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ParseComments)
	if err != nil {
		return err
	}
	var kept strings.Builder
	from := 0
	for _, decl := range file.Decls {
		name := nameOf(decl)
		if !unused.MatchString(name) {
			continue
		}
		start, end := set.Position(decl.Pos()).Offset, set.Position(decl.End()).Offset
		if doc := docOf(decl); doc != nil {
			start = set.Position(doc.Pos()).Offset
		}
		kept.Write(source[from:start])
		if mutation, ok := strings.CutSuffix(name, ".OldField"); ok {
			fmt.Fprintf(&kept, required, mutation)
		}
		from = end
	}
	kept.Write(source[from:])
	trimmed, err := imports.Process(
		path, []byte(kept.String()), &imports.Options{Comments: true, TabIndent: true, TabWidth: 8},
	)
	if err != nil {
		return err
	}
	return os.WriteFile(path, trimmed, 0o644) //nolint:gosec // source code
}

// nameOf returns a declaration in the form of unused; "" if it is neither a function nor a single type.
func nameOf(decl ast.Decl) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return ""
		}
		receiver := d.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if of, ok := receiver.(*ast.Ident); ok {
			return of.Name + "." + d.Name.Name
		}
	case *ast.GenDecl:
		if t, ok := d.Specs[0].(*ast.TypeSpec); ok && len(d.Specs) == 1 {
			return t.Name.Name
		}
	}
	return ""
}

func docOf(decl ast.Decl) *ast.CommentGroup {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}
