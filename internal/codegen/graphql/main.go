// Command graphql generates graph/exec, which binds the GraphQL schema in graph/*.graphqls to the types of the
// service, as configured in gqlgen.yml. Package graph/engine executes it. Run it in the root of the module.
package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/imports"
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
	if err := cfg.Init(); err != nil {
		return err
	}
	imports.LocalPrefix = cfg.LocalPrefix
	data, err := codegen.BuildData(cfg)
	if err != nil {
		return err
	}
	b, err := bindingOf(data)
	if err != nil {
		return err
	}
	return b.render(cfg.Exec.DirName)
}

//go:embed templates/*.gotpl
var files embed.FS

// render writes a file for each template, and removes others that were generated before.
func (b *binding) render(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	all, err := files.ReadDir("templates")
	if err != nil {
		return err
	}
	for _, file := range all {
		text, err := files.ReadFile("templates/" + file.Name())
		if err != nil {
			return err
		}
		name := filepath.Join(dir, strings.TrimSuffix(file.Name(), ".gotpl")+".gen.go")
		err = templates.Render(templates.Options{
			PackageName: b.Config.Exec.Package, Template: string(text), Filename: name, Data: b, Funcs: functions,
			GeneratedHeader: true, Packages: b.Config.Packages, PruneOptions: b.Config.GetPruneOptions(),
		})
		if err == nil {
			err = tidy(name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return nil
}

// belowTheFacade matches the import of a package below the service.
var belowTheFacade = regexp.MustCompile(`(?m)^\t(\w+ )?"paydown/internal/service/([a-z]+)"\n`)

// tidy makes generated code use the facade's aliases for the service's types: gqlgen resolves an alias to the package
// that declares the type.
func tidy(file string) error {
	code, err := os.ReadFile(file) //nolint:gosec // just generated
	if err != nil {
		return err
	}
	for _, imported := range belowTheFacade.FindAllSubmatch(code, -1) {
		name := string(imported[2])
		if alias := bytes.TrimSpace(imported[1]); len(alias) > 0 {
			name = string(alias)
		}
		facade := []byte("\t\"paydown/internal/service\"\n")
		if bytes.Contains(code, facade) {
			facade = nil
		}
		code = bytes.Replace(code, imported[0], facade, 1)
		code = bytes.ReplaceAll(code, []byte("ᚋserviceᚋ"+string(imported[2])+"ᚐ"), []byte("ᚋserviceᚐ"))
		code = regexp.MustCompile(`\b`+name+`\.([A-Z])`).ReplaceAll(code, []byte("service.$1"))
	}
	code = regexp.MustCompile(`ᚋserviceᚋ[a-z]+ᚐ`).ReplaceAll(code, []byte("ᚋserviceᚐ"))
	if code, err = format.Source(code); err != nil {
		return err
	}
	return os.WriteFile(file, code, 0o644) //nolint:gosec // source code
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

var errUnsupported = errors.New("graph/engine does not support this")
