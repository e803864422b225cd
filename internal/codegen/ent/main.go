// Command ent generates the database client in ent/ from ent/schema. Run it in the root of the module; `make
// generate` does.
package main

import (
	"log"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

func main() {
	log.SetFlags(0)
	err := entc.Generate("./ent/schema",
		&gen.Config{
			Target:   "./ent",
			Package:  "paydown/ent",
			Features: []gen.Feature{gen.FeatureIntercept, gen.FeatureLock},
		},
		entc.TemplateFiles("./internal/codegen/ent/tx.tmpl", "./internal/codegen/ent/records.tmpl",
			"./internal/codegen/ent/values.tmpl", "./internal/codegen/ent/rows.tmpl"),
	)
	if err == nil {
		err = trim("./ent")
	}
	if err != nil {
		log.Fatalf("generate ent: %v", err)
	}
}
