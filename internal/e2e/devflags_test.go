package e2e

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// The development flags allow what they name, both for new endpoints and for deliveries, and the log says so at
// the start.
func TestWebhooksToOnesOwnMachine(t *testing.T) {
	t.Parallel()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	i := newInstallation(t, program, "sqlite:"+filepath.Join(t.TempDir(), "paydown.db"))
	const warning = "private or plain http addresses"
	refuses := func(t *testing.T, server *running, url string) {
		t.Helper()
		messages := server.Do(t, "POST", "/webhook-endpoints", object{"url": url, "events": []string{"*"}}).
			Problem(t, 400, "validation_error")
		if messages["url"] == "" {
			t.Errorf("%s: %v", url, messages)
		}
	}
	receiver := apptest.NewReceiver(t, nil)

	server := i.serve(t, "--webhook-allow-cidr", "127.0.0.0/8,::1", "--webhook-allow-http")
	if n := strings.Count(server.log.String(), warning); n != 1 {
		t.Errorf("the log warns %d times", n)
	}
	refuses(t, server, "http://192.168.0.1/")
	id, secret := endpoint(t, server.Client, receiver.URL, "lead.created")
	server.Do(t, "POST", "/leads", object{"businessName": "Harbor Bakery"})
	if err := receiver.Await(t, 1)[0].Verify(secret); err != nil {
		t.Error(err)
	}
	server.stop(t)
	if code := server.ended(t); code != 0 {
		t.Errorf("the program ended with %d", code)
	}

	// Without the flags the same endpoint gets nothing.
	server = i.serve(t)
	if strings.Contains(server.log.String(), warning) {
		t.Error("the log warns without a reason")
	}
	refuses(t, server, receiver.URL)
	server.Do(t, "POST", "/leads", object{"businessName": "Harbor Bakery"})
	awaitDelivery(
		t, server.Client, id, "is refused", func(o apptest.Object) bool { return o["error"] == "blocked_address" },
	)

	for _, variable := range []string{
		"PAYDOWN_WEBHOOK_ALLOW_CIDR=127.0.0.0/8,localhost", "PAYDOWN_WEBHOOK_ALLOW_HTTP=perhaps",
	} {
		cmd := i.command("serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
		cmd.Env = append(cmd.Env, variable)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		name, _, _ := strings.Cut(variable[len("PAYDOWN_WEBHOOK_ALLOW_"):], "=")
		flag := "--webhook-allow-" + strings.ToLower(name)
		if !errors.As(err, &exit) || !strings.Contains(string(out), flag) {
			t.Errorf("%s: %v, %s", variable, err, out)
		}
	}
}
