package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/lead"
	"paydown/internal/store"
)

// The program is stopped while it works: it finishes and answers started requests, starts no others, stores its
// counters, and exits with success.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		server := i.serve(t)
		// A connection for each request: one kept open may be closed while the next request is on its way.
		calls := &counting{next: &http.Transport{DisableKeepAlives: true}}
		server.HTTP.Transport = calls
		l := prepare(t, server.Client, "s", 1)
		slow := i.begin(t, server)
		sent := l.run(t, server.Client, 60, func() { server.stop(t) })
		<-server.stopping
		slow.finish(t)
		if code := server.ended(t); code != 0 {
			t.Errorf("the program ended with %d", code)
		}
		if path, ok := store.SQLitePath(i.db); ok {
			if _, err := os.Stat(path + "-wal"); !os.IsNotExist(err) {
				t.Errorf("the write-ahead log is not folded into the database: %v", err)
			}
		}

		i.look(t, func(ctx context.Context, read *ent.Client) {
			stocked := take(ctx, read)
			for _, a := range sent {
				if there := stocked.named[a.entity()+" "+a.name] == 1; there != a.acknowledged() {
					t.Errorf("%s %s is there: %t, acknowledged: %t", a.method, a.name, there, a.acknowledged())
				}
			}
			if n := read.Lead.Query().Where(lead.BusinessName(slow.name)).CountX(ctx); n != 1 {
				t.Errorf("the slow request made %d leads", n)
			}
		})
		if got, want := i.calls(t), calls.answered.Load()+1; got != want {
			t.Errorf("%d calls of the key are counted, want %d", got, want)
		}
		i.verified(t)
	})
}

// counting counts the requests that are answered.
type counting struct {
	next     http.RoundTripper
	answered atomic.Int64
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := c.next.RoundTrip(r)
	if err == nil {
		c.answered.Add(1)
	}
	return answer, err
}

// calls returns the calls of the key, as listed by the program.
func (i *installation) calls(t *testing.T) int64 {
	t.Helper()
	var list struct {
		Keys []struct {
			CallCount int64 `json:",string"`
		}
	}
	if err := json.Unmarshal(i.run(t, "key", "list", "--tenant", i.host, "--json"), &list); err != nil {
		t.Fatal(err)
	}
	return list.Keys[0].CallCount
}

// slowRequest is a POST of a lead whose body comes in two parts.
type slowRequest struct {
	conn net.Conn
	read *bufio.Reader
	name string
	rest string
}

// begin sends the first part, and returns when the handler reads the body.
func (i *installation) begin(t *testing.T, server *running) *slowRequest {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(server.Base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	r := &slowRequest{conn: conn, read: bufio.NewReader(conn), name: "Slow Kiln Pottery LLC"}
	body := fmt.Sprintf(`{"businessName": %q}`, r.name)
	half := len(body) / 2
	r.rest = body[half:]
	_, err = fmt.Fprintf(conn, "POST /api/v1/leads HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n%s",
		i.host, i.token, len(body), body[:half])
	if err != nil {
		t.Fatal(err)
	}
	if line, err := r.read.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
		t.Fatalf("the handler does not ask for the body: %q %v", line, err)
	}
	if _, err := r.read.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return r
}

// finish sends the second part; the response must be complete.
func (r *slowRequest) finish(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(r.conn, r.rest); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(r.read, nil)
	if err != nil {
		t.Fatalf("the slow request was cut: %v", err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusCreated || !strings.Contains(string(body), r.name) {
		t.Errorf("the slow request was answered %d %s %v", answer.StatusCode, body, err)
	}
}
