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

// The model of the server's command alone helps, refuses and suggests as the model of all does.
func TestTheModelOfTheServerAnswersAsTheWholeModel(t *testing.T) {
	var out, errOut bytes.Buffer
	built := map[string]*kong.Kong{}
	parserOf := func(named ...string) *kong.Kong {
		key := strings.Join(named, "")
		if built[key] == nil {
			var err error
			c := &cli{out: &out, err: &errOut, getenv: os.Getenv}
			if built[key], err = c.parser(t.Context(), onlyServe(named)); err != nil {
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

// The server starts with a model of its own; every other command has the whole model.
func TestOnlyTheServerHasAModelOfItsOwn(t *testing.T) {
	whole, err := (&cli{getenv: os.Getenv}).parser(t.Context(), onlyServe(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range whole.Model.Children {
		parser, err := (&cli{getenv: os.Getenv}).parser(t.Context(), onlyServe([]string{command.Name}))
		if err != nil {
			t.Fatal(err)
		}
		want := len(whole.Model.Children)
		if command.Name == "serve" {
			want = 1
		}
		if got := len(parser.Model.Children); got != want {
			t.Errorf("the model of %s has %d commands, want %d", command.Name, got, want)
		}
	}
}
