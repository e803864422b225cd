package e2e

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// Events that could not be applied are listed with the reason, and applied on the command line once the reason
// is gone.
func TestInboundEventsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		secret := strings.Repeat("inbound", 5)
		i.run(t, "tenant", "set", i.host, "inboundWebhookSecret="+secret)
		server := i.serve(t)
		stranger := *server.Client
		stranger.Token = ""
		s := &apptest.Sender{Client: &stranger, Secret: secret, Now: time.Now}
		s.Send(t, "legal-updates", object{"eventId": "docket-1", "ein": "12-3456789", "text": "do-not-list"}).Want(t, 202)
		s.Send(t, "weather", object{"eventId": "rain"}).Want(t, 202)
		list := func(args ...string) []object {
			var got struct {
				Events []object
			}
			out := i.run(t, append([]string{"inbound", "list", "--tenant", i.host, "--json"}, args...)...)
			if err := json.Unmarshal(out, &got); err != nil || strings.Contains(string(out), "do-not-list") {
				t.Fatalf("listed %s, %v", out, err)
			}
			return got.Events
		}
		failed := list("--status", "failed")
		if len(failed) != 1 || !strings.Contains(failed[0].Text("error"), "ein: ") || failed[0]["appliedAt"] != nil {
			t.Fatalf("failed: %v", failed)
		}
		if all := list(); len(all) != 2 || all[0].Text("externalId") != "rain" || all[0].Text("state") != "RECEIVED" {
			t.Errorf("all: %v", all)
		}
		if newest := list("--limit", "1"); len(newest) != 1 || newest[0].Text("externalId") != "rain" {
			t.Errorf("the newest: %v", newest)
		}
		reapply := []string{"inbound", "reapply", "--tenant", i.host, "--json", booktest.Text(t, failed[0].ID())}
		if out, err := i.command(reapply...).CombinedOutput(); err == nil || !strings.Contains(string(out), "ein") {
			t.Errorf("applied too early: %s", out)
		}
		merchant := server.Post(t, "/merchants", object{"legalName": "Docket Bakery LLC", "federalId": "12-3456789"}).
			In("merchant")
		var got struct {
			Event object
		}
		if out := i.run(t, reapply...); json.Unmarshal(out, &got) != nil || got.Event.Text("state") != "APPLIED" ||
			got.Event.Int("merchantId") != merchant.ID() || got.Event["error"] != nil {
			t.Errorf("applied as %s", out)
		}
		if left := list("--status", "failed"); len(left) != 0 {
			t.Errorf("still failed: %v", left)
		}
		if table := string(i.run(t, "inbound", "list", "--tenant", i.host)); !strings.Contains(table, "docket-1") {
			t.Errorf("the table is %s", table)
		}
	})
}
