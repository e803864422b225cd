package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// webhooks is a command that needs no database, with the signing secrets in its variable.
func webhooks(t *testing.T, secrets string, args ...string) *exec.Cmd {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"webhooks"}, args...)...)
	cmd.Env = []string{"PAYDOWN_WEBHOOK_SECRET=" + secrets, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// ran runs a command to its end, and returns its output and exit code. It never prints a secret.
func ran(t *testing.T, cmd *exec.Cmd, secrets ...string) (string, int) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for _, s := range secrets {
		if s != "" && strings.Contains(string(out), s) {
			t.Errorf("%v prints the secret: %s", cmd.Args, out)
		}
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The command returns the verdicts of the test vectors.
func TestWebhooksVerifyByTheVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "webhook", "vectors", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name, Scheme, Verdict string
			Secrets               []string
			Headers               map[string]string
			Body                  string
			BodyBase64            []byte
			Now                   json.Number
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	tried := map[string]int{}
	for _, v := range file.Vectors {
		if v.Verdict == "missing" || v.Headers[webhook.HeaderSignaturePrevious] != "" {
			continue // the command takes one signature, with all that it needs
		}
		if tried[v.Scheme+v.Verdict]++; tried[v.Scheme+v.Verdict] > 3 {
			continue // the package's own tests try all
		}
		args := []string{"verify", "--at=" + v.Now.String()}
		for name, flag := range map[string]string{
			webhook.HeaderTimestamp: "--timestamp=", webhook.HeaderSignature: "--signature=", webhook.HeaderStandardID: "--id=",
			webhook.HeaderStandardTimestamp: "--timestamp=", webhook.HeaderStandardSignature: "--standard-signature=",
		} {
			if value, ok := v.Headers[name]; ok {
				args = append(args, flag+value)
			}
		}
		cmd := webhooks(t, strings.Join(v.Secrets, ","), args...)
		cmd.Stdin = bytes.NewReader(append([]byte(v.Body), v.BodyBase64...))
		want := 1
		if v.Verdict == "valid" {
			want = 0
		}
		if out, code := ran(t, cmd, v.Secrets...); code != want || (code == 0) != (out == "valid\n") {
			t.Errorf("%s: exit code %d: %s", v.Name, code, out)
		}
	}
	if len(tried) != 8 {
		t.Errorf("these were tried: %v", tried)
	}
}

func TestWebhooksVerifySaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.January, 5, 14, 30, 0, 0, time.UTC)
	body := `{"id":"msg_1","note":"x"}`
	secret := webhook.NewSecret()
	capture := func(text string) string {
		path := filepath.Join(t.TempDir(), "body")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	verify := func(secret, body string, args ...string) (string, int) {
		signature := webhook.Sign([]byte(secret), at, []byte(`{"id":"msg_1","note":"x"}`))
		args = append(
			[]string{"verify", "--timestamp", webhook.Timestamp(at), "--signature", signature, capture(body)},
			args...)
		return ran(t, webhooks(t, secret, args...), secret)
	}
	then := []string{"--at", "2026-01-05T14:31:00Z"}
	for _, c := range []struct {
		name, body string
		args       []string
		code       int
		says       string
	}{
		{"good", body, then, 0, "valid"},
		{"as JSON", body, append(then, "--json"), 0, `"valid": true`},
		{"another body", `{"id":"msg_2"}`, then, 1, "not valid: X-Signature does not match"},
		{"a line break more", body + "\n", then, 1, "without the line break"},
		{"formatted", "{\n  \"id\": \"msg_1\",\n  \"note\": \"x\"\n}\n", then, 1, "without white space"},
		{"old", body, []string{"--at", "2026-01-05T14:36:05Z"}, 1, "is 6m5s old"},
		{"old, judged now", body, nil, 1, "--at"},
		{"ahead", body, []string{"--at", "2026-01-05T14:24:00Z"}, 1, "is 6m0s ahead"},
		{"refused as JSON", body, []string{"--json", "--at", "0"}, 1, `"valid": false`},
		{"a time that is none", body, []string{"--at", "yesterday"}, 2, "--at must be a time"},
		{"half of Standard Webhooks", body, []string{"--id", "msg_1"}, 2, "must be given together"},
	} {
		if out, code := verify(secret, c.body, c.args...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit code %d: %s", c.name, code, out)
		}
	}
	if out, code := verify("a secret of the company's own choice", body, then...); code != 0 {
		t.Errorf("an inbound secret: exit code %d: %s", code, out)
	}
	for name, cmd := range map[string]*exec.Cmd{
		"no secret": webhooks(t, "", "verify", "--timestamp", "1", "--signature", "00", capture(body)),
		"no file":   webhooks(t, secret, "verify", "--timestamp", "1", "--signature", "00", "/nonexistent/body"),
		"no secret's form": webhooks(t, "whsec_!secret!", "verify", "--timestamp", "1", "--id", "m",
			"--standard-signature", "v1,", capture(body)),
		"no secret's file": webhooks(t, "@/nonexistent/secret", "verify", "--timestamp", "1", "--signature", "00",
			capture(body)),
	} {
		if out, code := ran(t, cmd, "whsec_!secret!", secret); code != 1 || !strings.HasPrefix(out, "paydown: ") {
			t.Errorf("%s: exit code %d: %s", name, code, out)
		}
	}
}

// local is `paydown webhooks listen` on a free port.
type local struct {
	cmd   *exec.Cmd
	url   string
	lines chan string // of its output
	ended chan error
}

func listen(t *testing.T, secret string, args ...string) *local {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &local{lines: make(chan string, 1000), ended: make(chan error, 1)}
	l.cmd = webhooks(t, "", append([]string{"listen", "--addr", "127.0.0.1:0", "--secret-file", file}, args...)...)
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := l.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(log)
	first, err := said.ReadString('\n')
	at, ok := strings.CutPrefix(first, "Listening on ")
	if !ok || err != nil {
		t.Fatalf("%q, %v", first, err)
	}
	l.url, _, _ = strings.Cut(at, " ")
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			l.lines <- lines.Text()
		}
		close(l.lines)
		_, _ = io.Copy(io.Discard, said)
		l.ended <- l.cmd.Wait()
	}()
	t.Cleanup(func() { _ = l.cmd.Process.Kill() })
	return l
}

// next returns the next line of its output.
func (l *local) next(t *testing.T) string {
	t.Helper()
	select {
	case line, ok := <-l.lines:
		if !ok {
			t.Fatal("it has ended")
		}
		return line
	case <-time.After(patience):
		t.Fatal("it prints nothing")
	}
	return ""
}

func (l *local) received(t *testing.T) object {
	t.Helper()
	var got object
	if line := l.next(t); json.Unmarshal([]byte(line), &got) != nil {
		t.Fatalf("it prints %s", line)
	}
	return got
}

// interrupt ends it like Ctrl-C.
func (l *local) interrupt(t *testing.T) {
	t.Helper()
	if err := l.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-l.ended:
		if err != nil {
			t.Errorf("interrupted, it ends with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
}

func (l *local) post(t *testing.T, header http.Header, body []byte) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"hooks", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

func TestWebhooksAreTriggeredAndReceivedHere(t *testing.T) {
	t.Parallel()
	secret, previous := webhook.NewSecret(), webhook.NewSecret()
	l := listen(t, secret, "--json")
	trigger := func(secrets string, args ...string) (sent object, out string, code int) {
		args = append([]string{"trigger", "payment.paid", "--to", l.url + "hooks", "--json"}, args...)
		out, code = ran(t, webhooks(t, secrets, args...), strings.Split(secrets, ",")...)
		_ = json.Unmarshal([]byte(out), &sent) // what is no JSON fails the comparisons
		return sent, out, code
	}
	sent, out, code := trigger(secret + "," + previous)
	got := l.received(t)
	if code != 0 || sent["delivered"] != true || sent.Int("responseStatus") != 200 || sent["error"] != nil ||
		sent.Text("id") == "" {
		t.Errorf("exit code %d: %s", code, out)
	}
	if got.Text("id") != sent.Text("id") || got.Text("event") != "payment.paid" || got["valid"] != true ||
		got["repeat"] != false || got.Text("path") != "/hooks" ||
		got.In("payload").In("data").Text("amount") != "515.88" {
		t.Errorf("received %v", got)
	}
	// Before the receiver knows of a rotation, it verifies with the previous secret.
	if sent, out, code := trigger(previous + "," + secret); code != 0 || l.received(t)["valid"] != true {
		t.Errorf("rotated: exit code %d: %v %s", code, sent, out)
	}
	sent, out, code = trigger(previous)
	if got := l.received(t); code != 1 || sent.Int("responseStatus") != 401 || sent.Text("error") != webhook.CodeStatus ||
		!strings.Contains(
			sent.Text("responseSnippet"), "does not match",
		) || got["valid"] != false || got.Text("reason") == "" {
		t.Errorf("with another secret: exit code %d: %s; received %v", code, out, got)
	}
	body := []byte(`{"id":"msg_A","event":"deal.created","n":9007199254740993}`)
	header, err := webhook.Headers("msg_A", "deal.created", time.Now(), body, secret, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, repeat := range []bool{false, true} {
		if status, _ := l.post(t, header, body); status != 200 {
			t.Errorf("answered with %d", status)
		}
		if got := l.received(t); got["repeat"] != repeat || got["valid"] != true {
			t.Errorf("received %v", got)
		}
	}
	half := header.Clone()
	half.Set(webhook.HeaderStandardID, "msg_B")
	if status, why := l.post(t, half, body); status != 401 || !strings.Contains(why, "webhook-signature") {
		t.Errorf("with one scheme that does not hold: %d %s", status, why)
	}
	if status, why := l.post(t, http.Header{}, []byte("\x1b[2Jx")); status != 401 || !strings.Contains(why, "not signed") {
		t.Errorf("unsigned: %d %s", status, why)
	}
	_ = l.received(t)
	if line := l.next(t); strings.Contains(line, "\x1b") || !strings.Contains(line, `\u001b[2Jx`) {
		t.Errorf("printed as %q", line)
	}
	if status, _ := l.post(t, header, bytes.Repeat([]byte{' '}, 2<<20)); status != 413 {
		t.Errorf("too large: %d", status)
	}
	l.interrupt(t)
	if sent, out, code := trigger(secret); code != 1 || sent.Text("error") != webhook.CodeConnection ||
		sent["responseStatus"] != nil {
		t.Errorf("with nobody there: exit code %d: %s", code, out)
	}
}

func TestWebhooksListenForPeople(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	l := listen(t, secret, "--status", "503")
	out, code := ran(t, webhooks(t, secret, "trigger", "deal.created", "--to", l.url), secret)
	if code != 1 || !strings.Contains(out, "NOT DELIVERED (status): answered 503 in ") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if head := l.next(t); !strings.HasSuffix(head, "answered 503: valid") ||
		!strings.Contains(head, "  deal.created  msg_") {
		t.Errorf("printed %q", head)
	}
	if first, second := l.next(t), l.next(t); first != "{" || !strings.HasPrefix(second, `  "id": "msg_`) {
		t.Errorf("printed %q, %q", first, second)
	}
	l.interrupt(t)
	// When stopped it does not keep a sender waiting.
	l = listen(t, secret, "--delay", "1h")
	done := make(chan int, 1)
	body := []byte(`{"id":"msg_A\nmsg_B"}`)
	header, err := webhook.Headers("msg_A", "deal.created", time.Now(), body, secret, "")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		status, _ := l.post(t, header, body)
		done <- status
	}()
	if head := l.next(t); !strings.Contains(head, "  msg_A msg_B  ") {
		t.Errorf("printed %q", head)
	}
	l.interrupt(t)
	if status := <-done; status != 200 {
		t.Errorf("answered with %d", status)
	}
	for _, wrong := range [][]string{{"--status", "99"}, {"--status", "x"}, {"--delay", "-1s"}} {
		if out, code := ran(t, webhooks(t, secret, append([]string{"listen"}, wrong...)...)); code != 2 {
			t.Errorf("%v: exit code %d: %s", wrong, code, out)
		}
	}
	if out, code := ran(t, webhooks(t, "whsec_short!", "listen"), "whsec_short!"); code != 1 ||
		!strings.Contains(out, "whsec_ and base64") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func TestWebhooksTriggerRefuses(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret()
	kinds, code := ran(t, webhooks(t, "", "trigger", "--list"))
	for _, event := range webhook.Events() {
		if code != 0 || !strings.Contains(kinds, event+" ") {
			t.Errorf("%s is not listed: %s", event, kinds)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--to", "http://127.0.0.1:1/"}, 2, "webhook.test"},
		{[]string{"deal.deleted", "--to", "http://127.0.0.1:1/"}, 2, "webhook.test"},
		{[]string{"deal.created"}, 2, "--to"},
		{[]string{"deal.created", "--to", "http://127.0.0.1:1/", "--tenant", "a.test", "--endpoint", "1"}, 2, "--to"},
		{[]string{"deal.created", "--tenant", "a.test"}, 2, "--endpoint"},
		{[]string{"deal.created", "--to", "http://hooks.example.com/"}, 1, "https"},
		{[]string{"deal.created", "--to", "https://169.254.169.254/"}, 1, "public"},
		{[]string{"deal.created", "--to", "https://10.0.0.1/"}, 1, "public"},
		{[]string{"deal.created", "--to", "https://10.0.0.1/", "--webhook-allow-cidr", "ten"}, 1, "--webhook-allow-cidr"},
	} {
		cmd := webhooks(t, secret, append([]string{"trigger"}, c.args...)...)
		if out, code := ran(t, cmd, secret); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit code %d: %s", c.args, code, out)
		}
	}
}

// act runs f as an operator of the tenant, beside the program.
func (i *installation) act(t *testing.T, do func(context.Context, *service.Service) error) {
	t.Helper()
	s, err := store.Open(i.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	box, err := secret.Open(i.secret)
	if err != nil {
		t.Fatal(err)
	}
	made := service.New(service.Config{Store: s, Secrets: box})
	ctx, err := made.Tenants.AsOperator(context.Background(), i.host)
	if err == nil {
		err = do(ctx, made)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An example of any kind is queued for the endpoint as a delivery that the engine sends, and is in the audit
// trail.
func TestWebhooksAreTriggeredThroughTheDatabase(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		var id int
		i.act(t, func(ctx context.Context, s *service.Service) error {
			made, err := s.WebhookEndpoints.Create(ctx, service.WebhookEndpointInput{
				URL: service.Some("https://192.0.2.7.invalid/hooks"), Events: service.Some([]string{"deal.created"}),
			})
			if err == nil {
				id = made.ID
			}
			return err
		})
		trigger := func(event string, endpoint int) *exec.Cmd {
			return i.command(
				"webhooks", "trigger", event, "--tenant", i.host, "--endpoint", booktest.Text(t, endpoint), "--json",
			)
		}
		kinds := []webhook.Kind{webhook.Catalogue[0], webhook.Catalogue[6], webhook.Catalogue[11]}
		for _, k := range kinds {
			out, err := trigger(k.Event, id).Output()
			var got struct{ Delivery apptest.Object }
			if err != nil || json.Unmarshal(out, &got) != nil {
				t.Fatalf("%s: %v: %s", k.Event, err, out)
			}
			want := k.Example
			if k.Event == "webhook.test" {
				want = webhook.Test{EndpointID: id, Message: webhook.TestMessage}
			}
			i.look(t, func(ctx context.Context, c *ent.Client) {
				row, err := c.WebhookDelivery.Get(ctx, got.Delivery.ID())
				if err != nil {
					t.Fatal(err)
				}
				var sent struct {
					ID, Event string
					Data      json.RawMessage
				}
				data, _ := json.Marshal(want)
				if json.Unmarshal(row.Payload, &sent) != nil || !sameJSON(sent.Data, data) ||
					sent.ID != row.MessageID || sent.Event != k.Event ||
					row.Event != k.Event || row.EndpointID != id || row.NextAttemptAt == nil ||
					got.Delivery.Text("status") != "PENDING" {
					t.Errorf("%s waits as %s, %+v", k.Event, row.Payload, row)
				}
			})
		}
		i.look(t, func(ctx context.Context, c *ent.Client) {
			n, err := c.AuditEntry.Query().Where(auditentry.Action("webhookEndpoint.test"), auditentry.EntityID(id)).Count(ctx)
			if err != nil || n != len(kinds) {
				t.Errorf("the trail knows of %d, %v", n, err)
			}
		})
		i.act(t, func(ctx context.Context, s *service.Service) error {
			if _, err := s.WebhookEndpoints.Test(ctx, id, "deal.deleted"); err == nil ||
				!strings.Contains(err.Error(), "payment.bounced") {
				t.Errorf("an unknown kind: %v", err)
			}
			_, err := s.WebhookEndpoints.Update(ctx, id, service.WebhookEndpointInput{IsActive: service.Some(false)})
			return err
		})
		for endpoint, says := range map[int]string{id: "not active", 987654321: "webhook endpoint"} {
			if out, code := ran(t, trigger("deal.created", endpoint)); code != 1 || !strings.Contains(out, says) {
				t.Errorf("endpoint %d: exit code %d: %s", endpoint, code, out)
			}
		}
		i.verified(t)
	})
}

// A developer's setup: the program delivers real events and examples to the listener beside it.
func TestWebhooksOnOnesOwnMachine(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		i.env = []string{"PAYDOWN_WEBHOOK_ALLOW_CIDR=127.0.0.0/8", "PAYDOWN_WEBHOOK_ALLOW_HTTP=true"}
		server := i.serve(t)
		// The listener's address is known only once it has the secret.
		made := server.Post(t, "/webhook-endpoints", object{"url": "http://127.0.0.1:1/", "events": []string{"lead.created"}})
		endpoint := made.In("webhookEndpoint").ID()
		l := listen(t, made.Text("secret"), "--json")
		server.Patch(t, "/webhook-endpoints/"+booktest.Text(t, endpoint), object{"url": l.url})
		lead := server.Post(t, "/leads", object{"businessName": "Harbor Street Bakery LLC"}).In("lead").ID()
		if got := l.received(t); got["valid"] != true || got.Text("event") != "lead.created" ||
			got.In("payload").In("data").Int("leadId") != lead {
			t.Errorf("received %v", got)
		}
		i.run(t, "webhooks", "trigger", "payment.paid", "--tenant", i.host, "--endpoint", booktest.Text(t, endpoint))
		if got := l.received(t); got["valid"] != true || got.Text("event") != "payment.paid" {
			t.Errorf("received %v", got)
		}
		l.interrupt(t)
	})
}

func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && x.String() == y.String()
}
