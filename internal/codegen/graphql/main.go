// Command graphql generates graph/exec, the executor of the GraphQL schema in graph/*.graphqls, as configured
// in gqlgen.yml. Run it in the root of the module.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "graphql:", err)
		os.Exit(1)
	}
}

func generate() error {
	log.SetOutput(io.Discard) // it would log every resolved field
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return err
	}
	cfg.Model = config.PackageConfig{} // every type is bound, none is generated
	if err := cfg.LoadSchema(); err != nil {
		return err
	}
	for name, definition := range cfg.Schema.Types {
		if model := bound(definition); model != "" && !definition.BuiltIn && !cfg.Models.UserDefined(name) {
			cfg.Models.Add(name, model)
		}
	}
	if err := api.Generate(cfg, api.AddPlugin(inputsAsTheyCame{})); err != nil {
		return err
	}
	return throughTheFacade(cfg.Exec.DirName)
}

// belowTheFacade matches a package below the service in generated code: in an import, in the name of a function
// derived from the type's path, and before a type.
var belowTheFacade = regexp.MustCompile(`"paydown/internal/service/([a-z]+)"`)

// throughTheFacade makes generated code use the facade's aliases for the service's types: gqlgen resolves an
// alias to the package that declares the type.
func throughTheFacade(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.gen.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		code, err := os.ReadFile(file) //nolint:gosec // just generated
		if err != nil {
			return err
		}
		named := belowTheFacade.FindAllSubmatch(code, -1)
		for i, name := range named {
			imported := "\t\"paydown/internal/service\"\n"
			if i > 0 || bytes.Contains(code, []byte(imported)) {
				imported = ""
			}
			pkg := string(name[1])
			code = bytes.ReplaceAll(code, slices.Concat([]byte("\t"), name[0], []byte("\n")), []byte(imported))
			code = bytes.ReplaceAll(code, []byte("ᚋserviceᚋ"+pkg+"ᚐ"), []byte("ᚋserviceᚐ"))
			code = regexp.MustCompile(`\b`+pkg+`\.([A-Z])`).ReplaceAll(code, []byte("service.$1"))
		}
		if len(named) == 0 {
			continue
		}
		if code, err = format.Source(code); err != nil {
			return err
		}
		if err := os.WriteFile(file, code, 0o644); err != nil { //nolint:gosec // source code
			return err
		}
	}
	return nil
}

// inputsAsTheyCame keeps the generator from requiring a resolver for every field of an input: model.Input reads
// the whole object.
type inputsAsTheyCame struct{}

func (inputsAsTheyCame) Name() string { return "inputs-as-they-came" }

func (inputsAsTheyCame) GenerateCode(data *codegen.Data) error { //nolint:unparam // plugin.CodeGenerator
	for _, input := range data.Inputs {
		for _, f := range input.Fields {
			f.IsResolver = false
		}
	}
	return nil
}

// bound returns the Go type for a type of the schema by its kind and name, unless gqlgen.yml defines it. An
// input is a model.Input, from which the service's own input is read. An object is the record of its name.
func bound(d *ast.Definition) string {
	switch {
	case d.Kind == ast.InputObject:
		return "paydown/graph/model.Input"
	case d.Kind == ast.Enum && (strings.HasSuffix(d.Name, "SortField") || d.Name == "SortDirection"):
		return "github.com/99designs/gqlgen/graphql.String"
	case d.Kind != ast.Object || d.Name == "Query" || d.Name == "Mutation" || d.Name == "Subscription":
		return ""
	case strings.HasSuffix(d.Name, "Connection") || strings.HasSuffix(d.Name, "Edge") || d.Name == "PageInfo":
		return "paydown/graph/model." + d.Name
	default:
		return "paydown/ent." + d.Name
	}
}
