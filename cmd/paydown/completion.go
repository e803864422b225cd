package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"paydown/internal/adminctl"
	"paydown/internal/webhook"
)

// completionCmd prints the completion script of a shell. The script calls this program with completeCommand.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
	Code  bool   `short:"c" hidden:"" env:"-" help:"Accepted for compatibility with earlier versions."`
}

// Help explains how to use the script.
func (*completionCmd) Help() string {
	return "Run this, or add it to the shell's startup file:\n\n" +
		"  source <(paydown completion bash)     # bash, in ~/.bashrc\n" +
		"  source <(paydown completion zsh)      # zsh, in ~/.zshrc after compinit\n" +
		"  paydown completion fish | source      # fish, in ~/.config/fish/config.fish"
}

// Run prints the script.
func (cmd *completionCmd) Run(c *cli) error {
	_, err := io.WriteString(c.out, completionScripts[cmd.Shell])
	return err
}

// completeCommand precedes the words of an unfinished command line, the last of which is to be completed. The
// output has one line per candidate: the word, a tab, and its description. filesWord alone tells the shell to
// complete file names.
const (
	completeCommand = "__complete"
	filesWord       = ":files"
)

var completionScripts = map[string]string{
	"bash": `_paydown() {
  local word rest
  COMPREPLY=()
  while IFS=$'\t' read -r word rest; do
    if [[ $word == :files ]]; then compopt -o default; else COMPREPLY+=("$word"); fi
  done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _paydown paydown
`,
	"zsh": `_paydown() {
  local line
  local -a found
  for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then _files; return; fi
    [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe paydown found
}
compdef _paydown paydown
`,
	"fish": `function __paydown_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] $current 2>/dev/null)
  if test "$found" = :files
    __fish_complete_path $current
  else
    printf '%s\n' $found
  end
end
complete -c paydown -f -a '(__paydown_complete)'
`,
}

// candidate is a possible completion.
type candidate struct{ word, meaning string }

// printCandidates answers completeCommand.
func printCandidates(w io.Writer, app *kong.Application, words []string) {
	for _, c := range candidates(app, words) {
		if c.word == filesWord {
			fmt.Fprintln(w, filesWord)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\n", c.word, c.meaning)
	}
}

// candidates returns the completions of the last word, after the others.
func candidates(app *kong.Application, words []string) []candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	words, last := words[:len(words)-1], words[len(words)-1]
	node, position := app.Node, 0
	var waiting *kong.Flag // the flag whose value comes next
	for _, word := range words {
		switch name, _, hasValue := strings.Cut(word, "="); {
		case word == "=": // bash splits --flag=value into three words
		case waiting != nil:
			waiting = nil
		case strings.HasPrefix(word, "-"):
			if f := flagNamed(node, name); f != nil && !f.IsBool() && !hasValue {
				waiting = f
			}
		default:
			if child := childNamed(node, word); child != nil {
				node = child
			} else {
				position++
			}
		}
	}
	if last == "=" && waiting != nil {
		last = ""
	}
	name, value, hasValue := strings.Cut(last, "=")
	switch {
	case waiting != nil:
		return starting(last, "", valuesOf(waiting.Value))
	case strings.HasPrefix(last, "-") && hasValue:
		if f := flagNamed(node, name); f != nil {
			return starting(value, name+"=", valuesOf(f.Value))
		}
		return nil
	case strings.HasPrefix(last, "-"):
		return starting(last, "", flagsOf(node))
	case len(node.Children) > 0:
		return starting(last, "", commandsOf(node))
	case position < len(node.Positional):
		return starting(last, "", valuesOf(node.Positional[position]))
	default:
		return nil
	}
}

// starting returns the candidates that start with the word, each with a prefix.
func starting(word, prefix string, all []candidate) (some []candidate) {
	for _, c := range all {
		if c.word == filesWord {
			return []candidate{c}
		}
		if strings.HasPrefix(c.word, word) {
			some = append(some, candidate{prefix + c.word, c.meaning})
		}
	}
	return some
}

func childNamed(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name || slices.Contains(child.Aliases, name) {
			return child
		}
	}
	return nil
}

func commandsOf(node *kong.Node) (all []candidate) {
	for _, child := range node.Children {
		if !child.Hidden {
			all = append(all, candidate{child.Name, child.Help})
		}
	}
	return all
}

// flagNamed returns the flag of a command or its parents: --name or -n.
func flagNamed(node *kong.Node, name string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

func flagsOf(node *kong.Node) (all []candidate) {
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			all = append(all, candidate{"--" + f.Name, f.Help})
		}
	}
	return all
}

// valuesOf returns the known values of a flag or an argument: those of its enumeration, or those of its tag
// complete.
func valuesOf(v *kong.Value) (all []candidate) {
	words := strings.Split(v.Enum, ",")
	switch v.Tag.Get("complete") {
	case "context":
		words = adminctl.ContextNames()
	case "event":
		words = webhook.Events()
	case "file":
		words = []string{filesWord}
	default:
		if v.Flag != nil && v.Flag.PlaceHolder == "FILE" {
			words = []string{filesWord}
		}
	}
	for _, word := range words {
		if word != "" {
			all = append(all, candidate{word, ""})
		}
	}
	return all
}
