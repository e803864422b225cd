package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// The model of one command helps, refuses and suggests as the model of all does.
func TestTheModelOfOneCommandAnswersAsTheWholeModel(t *testing.T) {
	var out, errOut bytes.Buffer
	built := map[string]*kong.Kong{}
	parserOf := func(named ...string) *kong.Kong {
		key := strings.Join(named, "")
		if built[key] == nil {
			var err error
			c := &cli{out: &out, err: &errOut, getenv: os.Getenv}
			if built[key], err = c.parser(t.Context(), onlyNamed(named)); err != nil {
				t.Fatal(err)
			}
		}
		return built[key]
	}
	answer := func(parser *kong.Kong, args []string) string {
		out.Reset()
		errOut.Reset()
		code := execute(parser, args, &errOut)
		return fmt.Sprintf("%d\n%s\n%s", code, &out, &errOut)
	}
	lines := [][]string{{"--help"}, {"keys", "create", "--help"}, {"serv", "--help"}, {"--db", "x", "serve", "--help"}}
	for name := range leaves(t) {
		words := strings.Fields(name)
		group := words[:len(words)-1]
		lines = append(lines,
			append(slices.Clone(words), "--help"),
			append(slices.Clone(words), "--no-such-flag"),
			append(slices.Clone(words), "--hel", "x"),
			append(slices.Clone(words), "--log-format", "xml"),
			append(slices.Clone(group), "no-such-command"),
		)
	}
	for _, args := range lines {
		if got, want := answer(parserOf(args[0]), args), answer(parserOf(), args); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

// Every command has a model of its own, by each of its names: otherwise it would start as slowly as before.
func TestEveryCommandIsNamedAsItsFieldIs(t *testing.T) {
	whole, err := (&cli{getenv: os.Getenv}).parser(t.Context(), onlyNamed(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range whole.Model.Children {
		for _, name := range append([]string{command.Name}, command.Aliases...) {
			parser, err := (&cli{getenv: os.Getenv}).parser(t.Context(), onlyNamed([]string{name}))
			if err != nil {
				t.Fatal(err)
			}
			if got := parser.Model.Children; len(got) != 1 || got[0].Name != command.Name {
				t.Errorf("the model of %s has %d commands", name, len(got))
			}
		}
	}
}
