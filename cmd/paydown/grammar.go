package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// onlyNamed leaves every command out of kong's model but the one that the first argument names, because the model
// of all commands takes longer to build than the server takes to start. Any other first argument, such as a flag
// or an unknown name, leaves the model whole.
func onlyNamed(args []string) kong.Option {
	var others []string
	named := false
	for _, field := range reflect.VisibleFields(reflect.TypeFor[cli]()) {
		if _, ok := field.Tag.Lookup("cmd"); !ok {
			continue
		}
		if len(args) > 0 && slices.Contains(namesOf(field), args[0]) {
			named = true
		} else {
			others = append(others, field.Name)
		}
	}
	if !named {
		return kong.IgnoreFields()
	}
	return kong.IgnoreFields(`^cli\.(?:` + strings.Join(others, "|") + `)$`)
}

// namesOf returns the name and aliases of a top-level command. The field of each has a name of one word.
func namesOf(field reflect.StructField) []string {
	names := []string{strings.ToLower(field.Name)}
	if aliases := field.Tag.Get("aliases"); aliases != "" {
		names = append(names, strings.Split(aliases, ",")...)
	}
	return names
}
