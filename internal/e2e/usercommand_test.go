package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// The command line creates the first members of a company, which then sign in to the real program.
func TestUserCommands(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		const typed = "walnut ferry onyx trellis\r\n"
		made := i.user(
			t, typed, "create", "--email", "Ada@Crash.test", "--role", "admin", "--name", "Ada Lowe", "--password-stdin",
			"--json",
		)
		ada := made.In("user")
		if ada.Text("email") != "ada@crash.test" || ada.Text("role") != "Admin" || ada["hasPassword"] != true ||
			made.Text("token") != "" {
			t.Errorf("made %v", made)
		}
		server := i.serve(t)
		login := func(email, password string) int {
			answer := server.Do(t, http.MethodPost, "/auth/login", object{"email": email, "password": password})
			return answer.Status
		}
		if status := login("ada@crash.test", strings.TrimSpace(typed)); status != http.StatusOK {
			t.Errorf("the administrator is answered %d", status)
		}
		invited := i.user(t, "", "create", "--email", "sam@crash.test", "--role", "Sales", "--json")
		token := invited.Text("token")
		reset := func(token string) *apptest.Answer {
			return server.Do(t, http.MethodPost, "/auth/reset", object{"token": token, "password": "another pair of wet boots"})
		}
		reset(token).Want(t, http.StatusOK)
		if status := login("sam@crash.test", "another pair of wet boots"); status != http.StatusOK {
			t.Errorf("who was invited is answered %d", status)
		}
		i.user(t, "", "disable", "sam@crash.test", "--json")
		if status := login("sam@crash.test", "another pair of wet boots"); status != http.StatusUnauthorized {
			t.Errorf("a disabled member is answered %d", status)
		}
		i.user(t, "", "enable", booktest.Text(t, invited.In("user")["id"]), "--json")
		next := i.user(t, "", "reset", "sam@crash.test", "--json").Text("token")
		reset(next).Want(t, http.StatusOK)
		i.user(t, "a third pair of wet boots", "reset", "sam@crash.test", "--password-stdin", "--json")
		if status := login("sam@crash.test", "a third pair of wet boots"); status != http.StatusOK {
			t.Errorf("after a new password the member is answered %d", status)
		}
		list := i.user(t, "", "list", "--json")
		if users := list.List("users"); len(users) != 2 || users[1].Text("email") != "sam@crash.test" ||
			users[1]["lastLoginAt"] == nil {
			t.Errorf("listed %v", list)
		}
		if roles := i.user(t, "", "roles", "--json").List("roles"); len(roles) != 7 || roles[0].Text("code") != "admin" {
			t.Errorf("roles %v", roles)
		}
		for _, table := range []string{"list", "roles"} {
			if out := string(i.run(t, "user", table, "--tenant", i.host)); !strings.Contains(strings.ToLower(out), "admin") {
				t.Errorf("user %s prints %s", table, out)
			}
		}
		for what, c := range map[string]struct {
			stdin string
			args  []string
			want  string
		}{
			"a weak password": {
				"password1234",
				[]string{"create", "--email", "x@crash.test", "--role", "sales", "--password-stdin"},
				"password: is too easy to guess",
			},
			"no password at all": {
				"",
				[]string{"create", "--email", "x@crash.test", "--role", "sales", "--password-stdin"},
				"no password on standard input",
			},
			"a role that is none": {
				"",
				[]string{"create", "--email", "x@crash.test", "--role", "boss"},
				`no role "boss"; it has admin, underwriter`,
			},
			"no address":           {"", []string{"create", "--email", "x", "--role", "sales"}, "must be an email address"},
			"a taken address":      {"", []string{"create", "--email", "ADA@crash.test", "--role", "sales"}, "Another member"},
			"the last one":         {"", []string{"disable", "ada@crash.test"}, "At least one active member"},
			"somebody not there":   {"", []string{"enable", "nobody@crash.test"}, "No such user"},
			"a number of nobody's": {"", []string{"reset", "999999"}, "No such user"},
		} {
			cmd := i.command(append([]string{"user", c.args[0], "--tenant", i.host}, c.args[1:]...)...)
			cmd.Stdin = strings.NewReader(c.stdin)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "password1234") {
				t.Errorf("%s: %v, %s", what, err, out)
			}
		}
		i.verified(t)
	})
}

// user runs a command about staff members, which must succeed, and returns its output.
func (i *installation) user(t *testing.T, stdin, verb string, args ...string) object {
	t.Helper()
	cmd := i.command(append([]string{"user", verb, "--tenant", i.host}, args...)...)
	var errOut bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("paydown user %s: %v\n%s%s", verb, err, out, errOut.Bytes())
	}
	var printed object
	if err := json.Unmarshal(out, &printed); err != nil {
		t.Fatalf("paydown user %s prints no JSON: %v\n%s", verb, err, out)
	}
	return printed
}
