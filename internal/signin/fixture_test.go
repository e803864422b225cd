package signin_test

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/internal/apptest"
)

const (
	host  = "staff.test"
	admin = "ada@staff.test"
)

// office is a tenant with one administrator.
type office struct {
	a     *apptest.App
	admin int
}

// offices runs a test on both databases with its own clock: nothing else moves the clock.
func offices(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	for name, start := range map[string]func(testing.TB, ...apptest.Option) *apptest.App{
		"SQLite": apptest.OnSQLite, "PostgreSQL": apptest.OnPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := start(t, behindProxy)
			a.Clock.Stop(time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC))
			a.Tenant(t, host)
			test(t, &office{a: a, admin: a.Member(t, host, admin, "admin")})
		})
	}
}

// behindProxy trusts the test's own machine as a proxy, so that callers can come from any address.
func behindProxy(s *serviceConfig, l *listenersConfig) {
	apptest.Trusting(netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))(s, l)
}

// at returns a browser at an address, over TLS.
func (o *office) at(address string) *apptest.Browser {
	return o.a.Browser(host).From("X-Forwarded-For", address, "X-Forwarded-Proto", "https")
}

// home is the administrator's usual address.
const home = "198.51.100.7"

// trail returns the audit entries of an action, oldest first.
func (o *office) trail(t *testing.T, action string) []*ent.AuditEntry {
	t.Helper()
	rows, err := o.a.Store.Reader().AuditEntry.Query().Where(auditentry.Action(action)).Order(auditentry.ByID()).
		All(o.a.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// requireStatus ends the test unless the browser's session request has the status.
func requireStatus(t *testing.T, b *apptest.Browser, status int) {
	t.Helper()
	if got := b.Status(t); got != status {
		t.Fatalf("the session request has status %d, want %d", got, status)
	}
}

// patience limits how long a test waits on a busy machine.
const patience = 2 * time.Minute

// waitForStatus waits until the session request has the status, for a second at most: that is how long other processes
// may take.
func waitForStatus(t *testing.T, b *apptest.Browser, status int) {
	t.Helper()
	began := time.Now()
	for {
		asked := time.Now()
		if b.Status(t) == status {
			return
		}
		if late := asked.Sub(began); late > time.Second {
			t.Fatalf("%s later the session is not answered %d", late, status)
		}
		pause(t)
	}
}

// pause waits briefly before the next request, so that polling does not use up the rate limit.
func pause(t *testing.T) {
	t.Helper()
	select {
	case <-time.After(5 * time.Millisecond):
	case <-t.Context().Done():
	}
}

// normalized returns an answer without the parts that differ between requests.
func normalized(t *testing.T, answer *apptest.Answer) string {
	t.Helper()
	var headers []string
	for name, values := range answer.Header {
		switch name {
		case "Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset":
			values = nil
		}
		headers = append(headers, name+": "+strings.Join(values, "|"))
	}
	slices.Sort(headers)
	body := strings.ReplaceAll(string(answer.Body), answer.Header.Get("X-Request-Id"), "")
	return http.StatusText(answer.Status) + "\n" + strings.Join(headers, "\n") + "\n" + body
}
