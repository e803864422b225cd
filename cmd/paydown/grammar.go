package main

import (
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// onlyServe leaves every command but serve out of kong's model if the first argument is serve, because the model of all
// commands takes longer to build than the server takes to start. Other commands need the whole model: the commands
// that run the admin services in this process read serve's variables.
func onlyServe(args []string) kong.Option {
	if len(args) == 0 || args[0] != "serve" {
		return kong.IgnoreFields()
	}
	var others []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[cli]()) {
		if _, ok := field.Tag.Lookup("cmd"); ok && field.Name != "Serve" {
			others = append(others, field.Name)
		}
	}
	return kong.IgnoreFields(`^cli\.(?:` + strings.Join(others, "|") + `)$`)
}
