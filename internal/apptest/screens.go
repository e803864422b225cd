package apptest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
)

// Screen is a query of the portal, with its fragments.
type Screen struct {
	Name, Text string
	Variables  []string // required ones
}

// Screens returns all queries of the portal, by name. root is the module's directory.
func Screens(tb testing.TB, root string) []Screen {
	tb.Helper()
	at := filepath.Join(root, "web", "src", "gql", "screens")
	files, err := filepath.Glob(filepath.Join(at, "*.graphql"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("the portal has no operations in %s: %v", at, err)
	}
	whole := &ast.QueryDocument{}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			tb.Fatal(err)
		}
		document, err := parser.ParseQuery(&ast.Source{Name: file, Input: string(text)})
		if err != nil {
			tb.Fatal(err)
		}
		whole.Operations = append(whole.Operations, document.Operations...)
		whole.Fragments = append(whole.Fragments, document.Fragments...)
	}
	var all []Screen
	for _, operation := range whole.Operations {
		if operation.Operation != ast.Query {
			continue
		}
		one := Screen{Name: operation.Name}
		for _, v := range operation.VariableDefinitions {
			if v.Type.NonNull && v.DefaultValue == nil {
				one.Variables = append(one.Variables, v.Variable)
			}
		}
		alone := &ast.QueryDocument{Operations: ast.OperationList{operation}}
		spread(operation.SelectionSet, whole.Fragments, alone)
		var text strings.Builder
		formatter.NewFormatter(&text).FormatQueryDocument(alone)
		one.Text = text.String()
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Screen) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// spread adds the fragments of a selection to a document, once each.
func spread(selected ast.SelectionSet, all ast.FragmentDefinitionList, document *ast.QueryDocument) {
	for _, selection := range selected {
		switch s := selection.(type) {
		case *ast.Field:
			spread(s.SelectionSet, all, document)
		case *ast.InlineFragment:
			spread(s.SelectionSet, all, document)
		case *ast.FragmentSpread:
			if f := all.ForName(s.Name); f != nil && document.Fragments.ForName(s.Name) == nil {
				document.Fragments = append(document.Fragments, f)
				spread(f.SelectionSet, all, document)
			}
		}
	}
}
