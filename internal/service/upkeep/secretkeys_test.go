package upkeep_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/fault"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/service/delivery"
	"paydown/internal/service/upkeep"
	"paydown/internal/store"
)

// site is a database with one company, and an admitted process with its secret key. The process does no
// background work.
type site struct {
	*service.Service
	DB, Secret string
	store      *store.Store
	operator   context.Context // inside the company
}

// onSites runs a test on both databases.
func onSites(t *testing.T, test func(t *testing.T, a *site)) {
	t.Helper()
	for name, url := range map[string]func(testing.TB) string{
		"SQLite": apptest.SQLiteURL, "PostgreSQL": apptest.MigratedPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &site{DB: url(t), Secret: secret.NewKey()}
			a.Service = otherProcess(t, a, a.Secret)
			if err := a.SecretKeys.Admit(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, err := a.Tenants.Create(t.Context(), service.NewTenant{Name: "Keys", Host: "keys.test"})
			if err == nil {
				a.operator, err = a.Tenants.AsOperator(context.WithoutCancel(t.Context()), "keys.test")
			}
			if err == nil {
				a.store, err = store.Open(a.DB, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = a.store.Close() })
			test(t, a)
		})
	}
}

// otherProcess is another process on the database with these keys. It has not been admitted.
func otherProcess(t *testing.T, a *site, keys ...string) *service.Service {
	t.Helper()
	s, err := store.Open(a.DB, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return service.New(service.Config{Store: s, Secrets: box(t, keys...), Log: slog.New(slog.DiscardHandler)})
}

func box(t *testing.T, keys ...string) *secret.Box {
	t.Helper()
	b, err := secret.Open(strings.Join(keys, ","))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func idOf(t *testing.T, key string) string {
	t.Helper()
	return box(t, key).Keys()[0].ID
}

// endpoint creates an endpoint with a sealed secret.
func endpoint( //nolint:revive // the context is the actor's
	t *testing.T, s *service.Service, ctx context.Context,
) *service.IssuedEndpoint {
	t.Helper()
	e, err := s.WebhookEndpoints.Create(ctx, service.WebhookEndpointInput{
		URL: service.Some("https://hooks.example"), Events: service.Some([]string{"*"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// opened returns an endpoint's current and previous signing secret, opened with the given key only.
func opened(t *testing.T, a *site, key string, id int) (now, before string) {
	t.Helper()
	var row *ent.WebhookEndpoint
	err := a.store.Write(a.operator, func(ctx context.Context, tx *store.Tx) error {
		var err error
		row, err = tx.WebhookEndpoint.Get(ctx, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := box(t, key).Unseal(row.Secret, delivery.SigningBound(id))
	if err != nil {
		t.Fatalf("endpoint %d: %v", id, err)
	}
	if len(row.PreviousSecret) == 0 {
		return string(plain), ""
	}
	earlier, err := box(t, key).Unseal(row.PreviousSecret, delivery.SigningBound(id))
	if err != nil {
		t.Fatalf("earlier secret of endpoint %d: %v", id, err)
	}
	return string(plain), string(earlier)
}

// requireMissing requires that a process is refused because a key is missing, and that the error shows only the key's
// id.
func requireMissing(t *testing.T, err error, missing string, keys ...string) *service.KeyError {
	t.Helper()
	lacking, ok := errors.AsType[*service.KeyError](err)
	if !ok {
		t.Fatalf("not refused because of a missing key: %v", err)
	}
	if !slices.Contains(lacking.Missing, idOf(t, missing)) || !strings.Contains(err.Error(), idOf(t, missing)) {
		t.Errorf("the error does not name %s: %v", idOf(t, missing), err)
	}
	for _, key := range append(keys, missing) {
		if strings.Contains(err.Error(), key) || strings.Contains(err.Error(), strings.TrimRight(key, "=")) {
			t.Errorf("the error contains a key: %v", err)
		}
	}
	return lacking
}

func exec(t *testing.T, a *site, query string) {
	t.Helper()
	driver, source := "postgres", a.DB
	if !a.store.IsPostgres() {
		path, _ := store.SQLitePath(a.DB)
		driver, source = "sqlite", "file:"+path+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

func TestAProcessWithAWrongKeyIsRefused(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		wrong, newer := secret.NewKey(), secret.NewKey()
		// Even though nothing is sealed yet.
		_ = requireMissing(t, otherProcess(t, a, wrong).SecretKeys.Admit(t.Context()), a.Secret, wrong)
		endpoint(t, a.Service, a.operator)
		lacking := requireMissing(t, otherProcess(t, a, wrong).SecretKeys.Admit(t.Context()), a.Secret, wrong)
		if want := "1 webhook signing secrets"; !strings.Contains(lacking.Error(), want) {
			t.Errorf("the error is %q, without %q", lacking, want)
		}
		if err := otherProcess(t, a, a.Secret).SecretKeys.Admit(t.Context()); err != nil {
			t.Errorf("the right key is refused: %v", err)
		}
		// A new key in front is recorded; the old one is required as long as something is sealed under it.
		if err := otherProcess(t, a, newer, a.Secret).SecretKeys.Admit(t.Context()); err != nil {
			t.Fatalf("a new key in front of the old one is refused: %v", err)
		}
		_ = requireMissing(t, otherProcess(t, a, newer).SecretKeys.Admit(t.Context()), a.Secret, newer)
		_ = requireMissing(t, otherProcess(t, a, a.Secret).SecretKeys.Admit(t.Context()), newer, a.Secret)
		if _, err := otherProcess(t, a, newer, a.Secret).SecretKeys.Reseal(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := otherProcess(t, a, newer).SecretKeys.Admit(t.Context()); err != nil {
			t.Errorf("the retired key cannot be dropped: %v", err)
		}
		_ = requireMissing(t, otherProcess(t, a, a.Secret).SecretKeys.Admit(t.Context()), newer, a.Secret)
	})
}

func TestKeysAreProvenWithoutFingerprints(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		ctx := a.operator
		older, newer, wrong := a.Secret, secret.NewKey(), secret.NewKey()
		first := endpoint(t, a.Service, ctx)
		second := endpoint(t, otherProcess(t, a, newer, older), ctx) // still not admitted
		forget := func() { exec(t, a, `DELETE FROM secret_keys`) }
		forget()
		lacking := requireMissing(t, otherProcess(t, a, wrong).SecretKeys.Admit(t.Context()), older, wrong)
		if len(lacking.Missing) != 2 || !slices.Contains(lacking.Missing, idOf(t, newer)) {
			t.Errorf("missing keys: %v", lacking.Missing)
		}
		_ = requireMissing(t, otherProcess(t, a, newer).SecretKeys.Admit(t.Context()), older, newer)
		// A value that carries the id of a key but is not sealed under it proves nothing.
		exec(t, a, fmt.Sprintf(`UPDATE webhook_endpoints SET secret = %s WHERE id = %d`,
			literal(a, forged(t, newer)), second.ID))
		err := otherProcess(t, a, newer, older).SecretKeys.Admit(t.Context())
		if wrongly, ok := errors.AsType[*service.KeyError](err); !ok ||
			!slices.Equal(wrongly.Wrong, []string{idOf(t, newer)}) {
			t.Errorf("with a value that does not open: %v", err)
		}
		if recorded := recorded(t, a); len(recorded) != 0 {
			t.Errorf("recorded %v, although the keys were refused", recorded)
		}
		exec(t, a, fmt.Sprintf(`UPDATE webhook_endpoints SET secret = %s WHERE id = %d`,
			literal(a, box(t, newer).Seal([]byte(second.SigningSecret), delivery.SigningBound(second.ID))), second.ID))
		if err := otherProcess(t, a, newer, older).SecretKeys.Admit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := recorded(t, a); len(got) != 2 || !slices.Contains(got, idOf(t, newer)) ||
			!slices.Contains(got, idOf(t, older)) {
			t.Errorf("recorded are %v", got)
		}
		_ = requireMissing(t, otherProcess(t, a, newer).SecretKeys.Admit(t.Context()), older, newer)
		if now, _ := opened(t, a, older, first.ID); now != first.SigningSecret {
			t.Error("a secret has changed")
		}
	})
}

// forged returns a value that carries the id of a key but does not open with it.
func forged(t *testing.T, key string) []byte {
	t.Helper()
	return box(t, key).Seal([]byte("whsec_x"), "another row")
}

// literal returns bytes as an SQL literal.
func literal(a *site, value []byte) string {
	if a.store.IsPostgres() {
		return fmt.Sprintf(`'\x%x'::bytea`, value)
	}
	return fmt.Sprintf(`x'%x'`, value)
}

// recorded returns the ids of the active keys.
func recorded(t *testing.T, a *site) []string {
	t.Helper()
	rows, err := a.store.Reader().SecretKey.Query().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range rows {
		if r.RetiredAt == nil {
			ids = append(ids, r.KeyID)
		}
	}
	return ids
}

func TestResealContinuesAfterAKill(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		ctx := a.operator
		newer := secret.NewKey()
		const many = 250
		secrets := map[int]string{}
		err := a.store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			clear(secrets)
			for i := range many {
				e, err := tx.WebhookEndpoint.Create().SetURL("https://hooks.example").SetEvents([]string{"*"}).SetSecret([]byte{}).
					Save(ctx)
				if err != nil {
					return err
				}
				secrets[e.ID] = fmt.Sprintf("whsec_%d", i)
				sealed := box(t, a.Secret).Seal([]byte(secrets[e.ID]), delivery.SigningBound(e.ID))
				if err := tx.WebhookEndpoint.UpdateOneID(e.ID).SetSecret(sealed).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s := otherProcess(t, a, newer, a.Secret)
		killed, kill := context.WithCancel(t.Context())
		if _, err := s.SecretKeys.Reseal(killed, func(string, int) { kill() }); !errors.Is(err, context.Canceled) {
			t.Fatalf("it was not killed: %v", err)
		}
		under := func() (old, fresh int) {
			t.Helper()
			usage, err := s.SecretKeys.Usage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range usage {
				switch u.ID {
				case idOf(t, a.Secret):
					old = u.Total
				case idOf(t, newer):
					fresh = u.Total
				}
			}
			return old, fresh
		}
		if old, fresh := under(); old == 0 || fresh == 0 || old+fresh != many {
			t.Fatalf("killed half-way with %d under the old key and %d under the new", old, fresh)
		}
		_ = requireMissing(t, otherProcess(t, a, newer).SecretKeys.Admit(t.Context()), a.Secret)
		result, err := s.SecretKeys.Reseal(t.Context(), nil)
		if err != nil || result.Failed != 0 || !slices.Equal(result.Retired, []string{idOf(t, a.Secret)}) ||
			len(result.Left) != 0 {
			t.Fatalf("resumed: %+v, %v", result, err)
		}
		if old, fresh := under(); old != 0 || fresh != many {
			t.Errorf("%d are under the old key and %d under the new", old, fresh)
		}
		for id, want := range secrets {
			if now, _ := opened(t, a, newer, id); now != want {
				t.Fatalf("the secret of endpoint %d has become %q", id, now)
			}
		}
	})
}

// Secrets rotate while all values are sealed again: no rotation is undone, and nothing remains under the old
// key.
func TestResealDuringRotations(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		ctx := a.operator
		newer := secret.NewKey()
		const many, rounds = 12, 8
		ids := make([]int, many)
		for i := range ids {
			ids[i] = endpoint(t, a.Service, ctx).ID
		}
		s := otherProcess(t, a, newer, a.Secret)
		var rotating sync.WaitGroup
		last := make([][2]string, many) // per endpoint: current and previous secret
		stop := make(chan struct{})
		for i, id := range ids {
			rotating.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						if n >= 2 {
							return
						}
					default:
					}
					rotated, err := []*service.Service{a.Service, s}[min(n%3, 1)].WebhookEndpoints.Rotate(ctx, id)
					if err != nil {
						t.Errorf("rotate: %v", err)
						return
					}
					last[i] = [2]string{rotated.SigningSecret, last[i][0]}
				}
			})
		}
		for range rounds {
			if _, err := s.SecretKeys.Reseal(t.Context(), nil); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		rotating.Wait()
		result, err := s.SecretKeys.Reseal(t.Context(), nil)
		if err != nil || len(result.Left) != 0 {
			t.Fatalf("%+v, %v", result, err)
		}
		for i, id := range ids {
			if now, before := opened(t, a, newer, id); now != last[i][0] || before != last[i][1] {
				t.Errorf("endpoint %d signs with %q and %q, want %q", id, now, before, last[i])
			}
		}
	})
}

// A value that changed since it was read is left alone.
func TestResealKeepsAChangedValue(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		ctx := a.operator
		e := endpoint(t, a.Service, ctx)
		column := store.SealedColumn{Table: "webhook_endpoints", Column: "secret"}
		rows, err := a.store.Sealed().Rows(t.Context(), column, store.Page{Limit: 10})
		if err != nil || len(rows) != 1 {
			t.Fatal(rows, err)
		}
		rotated, err := a.WebhookEndpoints.Rotate(ctx, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		replaced := true
		err = a.store.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			var err error
			replaced, err = tx.ReplaceSealed(ctx, column, rows[0], rows[0].Value)
			return err
		})
		if err != nil || replaced {
			t.Errorf("replaced: %v, %v", replaced, err)
		}
		if now, _ := opened(t, a, a.Secret, e.ID); now != rotated.SigningSecret {
			t.Error("the rotation is undone")
		}
	})
}

// A process that uses a retired key activates it again; one that lacks an active key is not ready.
func TestKeysAreWatchedWhileAProcessRuns(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, app *apptest.App) {
		app.Tenant(t, "keys.test")
		a := &site{
			Service: app.Service, DB: app.DB, Secret: app.Secret, store: app.Store, operator: app.Operator(t, "keys.test"),
		}
		newer := secret.NewKey()
		token, err := app.AdminTokens.Create(t.Context(), service.NewAdminToken{Name: "keys"})
		if err != nil {
			t.Fatal(err)
		}
		get := func(url string) (int, string) {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+token.Token)
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = answer.Body.Close() }()
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return answer.StatusCode, string(body)
		}
		// lookAndExpect makes the process look, and requires what it then shows.
		lookAndExpect := func(status int, ready string, metrics ...string) {
			t.Helper()
			if _, err := a.SecretKeys.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			a.SecretKeys.Count(t.Context())
			for _, base := range []string{app.HTTP.URL, app.Admin.URL} {
				if got, text := get(base + "/readyz"); got != status || strings.TrimSpace(text) != ready {
					t.Errorf("ready: %d %s, want %d %s", got, text, status, ready)
				}
			}
			_, health := get(app.Admin.URL + "/paydown.admin.v1.OperationsService/GetHealth?encoding=json&message=%7B%7D")
			if is := strings.Contains(health, `"ready":true`); is != (status == http.StatusOK) {
				t.Errorf("the admin services say %s", health)
			}
			_, shown := get(app.Admin.URL + "/metrics")
			for _, line := range metrics {
				if !strings.Contains(shown, "\n"+line+"\n") {
					t.Errorf("no %s among the metrics", line)
				}
			}
		}
		lookAndExpect(http.StatusOK, "ready", "paydown_secret_values_unreadable 0", "paydown_secret_keys_missing 0",
			"paydown_secret_unseal_failures_total 0")

		other := otherProcess(t, a, newer, a.Secret)
		if err := other.SecretKeys.Admit(t.Context()); err != nil {
			t.Fatal(err)
		}
		e := endpoint(t, other, a.operator)
		lookAndExpect(http.StatusServiceUnavailable, "a secret key is missing", "paydown_secret_values_unreadable 1",
			"paydown_secret_keys_missing 1")
		if !strings.Contains(app.Log.String(), idOf(t, newer)) {
			t.Error("the log does not name the key")
		}

		result, err := other.SecretKeys.Reseal(t.Context(), nil)
		if err != nil || !slices.Contains(result.Retired, idOf(t, a.Secret)) {
			t.Fatalf("%+v, %v", result, err)
		}
		lookAndExpect(http.StatusServiceUnavailable, "a secret key is missing")
		if got := recorded(t, a); len(got) != 2 {
			t.Errorf("a process seals under a key that is retired: active are %v", got)
		}
		_ = requireMissing(t, otherProcess(t, a, newer).SecretKeys.Admit(t.Context()), a.Secret)

		// After resealing in the other direction everything is readable again.
		if _, err := otherProcess(t, a, a.Secret, newer).SecretKeys.Reseal(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		lookAndExpect(http.StatusOK, "ready", "paydown_secret_values_unreadable 0", "paydown_secret_keys_missing 0")
		if now, _ := opened(t, a, a.Secret, e.ID); now != e.SigningSecret {
			t.Error("the secret has changed")
		}
	})
}

func TestVerifyFindsUnreadableValues(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		ctx := a.operator
		var ids []int
		for range 4 {
			ids = append(ids, endpoint(t, a.Service, ctx).ID)
		}
		failing := func() map[string]string {
			t.Helper()
			report, err := a.Integrity.Verify(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			failed := map[string]string{}
			for _, c := range report.Checks {
				if !c.OK {
					failed[c.Name] = c.Detail
				}
			}
			return failed
		}
		if failed := failing(); len(failed) != 0 {
			t.Fatalf("failing from the start: %v", failed)
		}
		stranger := secret.NewKey()
		exec(t, a, fmt.Sprintf(`UPDATE webhook_endpoints SET secret = %s WHERE id = %d`,
			literal(a, forged(t, a.Secret)), ids[0]))
		exec(t, a, fmt.Sprintf(`UPDATE webhook_endpoints SET secret = %s WHERE id = %d`,
			literal(a, forged(t, stranger)), ids[1]))
		exec(t, a, fmt.Sprintf(`UPDATE webhook_endpoints SET secret = %s WHERE id = %d`, literal(a, []byte("x")), ids[2]))
		exec(t, a, fmt.Sprintf(`UPDATE webhook_endpoints SET events = '{"a": 1}' WHERE id = %d`, ids[3]))
		failed := failing()
		if len(failed) != 2 {
			t.Errorf("failing are %v", failed)
		}
		for _, want := range []string{
			"3 violations among 4 sealed values",
			fmt.Sprintf("secret of webhook_endpoints %d does not open", ids[0]),
			fmt.Sprintf("secret of webhook_endpoints %d is sealed under key %s, which is not configured",
				ids[1], idOf(t, stranger)),
			fmt.Sprintf("secret of webhook_endpoints %d is not a sealed value", ids[2]),
		} {
			if !strings.Contains(failed["sealed_values"], want) {
				t.Errorf("sealed_values says %q, without %q", failed["sealed_values"], want)
			}
		}
		want := fmt.Sprintf("webhook_endpoints %d: events cannot be read", ids[3])
		if !strings.Contains(failed["rows_readable"], want) {
			t.Errorf("rows_readable says %q, without %q", failed["rows_readable"], want)
		}
		// Reseal leaves a value that does not open unchanged, and keeps its key.
		newer := secret.NewKey()
		s := otherProcess(t, a, newer, a.Secret, stranger)
		result, err := s.SecretKeys.Reseal(t.Context(), nil)
		if err != nil || result.Values != 1 || result.Failed != 3 || len(result.Examples) != 3 || len(result.Retired) != 0 {
			t.Errorf("sealed again: %+v, %v", result, err)
		}
	})
}

// A lost key no longer prevents a start once it is given up; if it is found again, it opens its values.
func TestGiveUpLostKey(t *testing.T) {
	onSites(t, func(t *testing.T, a *site) {
		e := endpoint(t, a.Service, a.operator)
		for _, before := range []string{"", `DELETE FROM secret_keys`} {
			if before != "" {
				exec(t, a, before)
			}
			newer := secret.NewKey()
			s := otherProcess(t, a, newer)
			_ = requireMissing(t, s.SecretKeys.Admit(t.Context()), a.Secret)
			if _, err := s.SecretKeys.GiveUp(t.Context(), idOf(t, newer)); !fault.Is(err, fault.Conflict) {
				t.Errorf("a key that is configured is given up: %v", err)
			}
			lost, err := s.SecretKeys.GiveUp(t.Context(), idOf(t, a.Secret))
			if err != nil || len(lost) != 1 || lost[0].Count != 1 {
				t.Fatalf("given up: %v, %v", lost, err)
			}
			if err := s.SecretKeys.Admit(t.Context()); err != nil {
				t.Fatalf("it does not start: %v", err)
			}
			if result, err := s.SecretKeys.Reseal(t.Context(), nil); err != nil || result.Failed != 1 {
				t.Errorf("sealed again without it: %+v, %v", result, err)
			}
			found := otherProcess(t, a, a.Secret, newer)
			if err := found.SecretKeys.Admit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if result, err := found.SecretKeys.Reseal(t.Context(), nil); err != nil ||
				!slices.Equal(result.Retired, []string{idOf(t, newer)}) {
				t.Errorf("found again: %+v, %v", result, err)
			}
			if now, _ := opened(t, a, a.Secret, e.ID); now != e.SigningSecret {
				t.Error("the secret has changed")
			}
		}
	})
}

// A column of documents with sealed values in them is counted, opened and sealed again like the others.
func TestResealValuesInDocuments(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, app *apptest.App) {
		app.Tenant(t, "keys.test")
		a := &site{
			Service: app.Service, DB: app.DB, Secret: app.Secret, store: app.Store, operator: app.Operator(t, "keys.test"),
		}
		rows := apptest.NewRows(app, "keys.test")
		plain, sealed := rows.One(t, ent.TypeApplicationSubmission), rows.One(t, ent.TypeApplicationSubmission)
		bound := func(id int) string { return fmt.Sprintf("application %d", id) }
		write := func(id int, value []byte) {
			t.Helper()
			raw, err := json.Marshal(application{SSN: value})
			if err != nil {
				t.Fatal(err)
			}
			exec(t, a, fmt.Sprintf(`UPDATE application_submissions SET payload = '%s' WHERE id = %d`, raw, id))
		}
		write(plain, nil)
		write(sealed, box(t, a.Secret).Seal([]byte("123-45-6789"), bound(sealed)))
		newer := secret.NewKey()
		both, alone := otherProcess(t, a, newer, a.Secret), otherProcess(t, a, newer)
		for _, s := range []*service.Service{both, alone} {
			upkeep.SealInDocuments(s.SecretKeys, "application_submissions", "payload", keysInside, func(
				box *secret.Box, id int, raw []byte,
			) ([]byte, error) {
				return resealInside(box, bound(id), raw)
			})
		}
		_ = requireMissing(t, alone.SecretKeys.Admit(t.Context()), a.Secret)
		result, err := both.SecretKeys.Reseal(t.Context(), nil)
		if err != nil || result.Values != 1 || len(result.Left) != 0 || !slices.Contains(result.Retired, idOf(t, a.Secret)) {
			t.Fatalf("sealed again: %+v, %v", result, err)
		}
		row, err := app.Store.Reader().ApplicationSubmission.Get(a.operator, sealed)
		if err != nil {
			t.Fatal(err)
		}
		var after application
		if err := json.Unmarshal(row.Payload, &after); err != nil {
			t.Fatal(err)
		}
		if ssn, err := box(t, newer).Unseal(after.SSN, bound(sealed)); err != nil || string(ssn) != "123-45-6789" {
			t.Errorf("inside is %q, %v", ssn, err)
		}
		// Sealed under an unknown key, and then not JSON at all: the check names the row.
		write(sealed, box(t, secret.NewKey()).Seal([]byte("123-45-6789"), bound(sealed)))
		report, err := alone.Integrity.Verify(t.Context())
		if err != nil || report.OK || !strings.Contains(detail(report, "sealed_values"),
			fmt.Sprintf("application_submissions %d is sealed under key", sealed)) {
			t.Errorf("verified as %v, %v", report, err)
		}
	})
}

type application struct {
	SSN []byte `json:"ssn,omitempty"`
}

func keysInside(raw []byte) ([]string, error) {
	var a application
	if err := json.Unmarshal(raw, &a); err != nil || a.SSN == nil {
		return nil, err
	}
	return []string{secret.KeyOf(a.SSN)}, nil
}

func resealInside(box *secret.Box, bound string, raw []byte) ([]byte, error) {
	var a application
	if err := json.Unmarshal(raw, &a); err != nil || a.SSN == nil {
		return raw, err
	}
	var err error
	if a.SSN, err = box.Reseal(a.SSN, bound); err != nil {
		return nil, err
	}
	return json.Marshal(a)
}

func detail(r *service.IntegrityReport, name string) string {
	i := slices.IndexFunc(r.Checks, func(c service.IntegrityCheck) bool { return c.Name == name })
	return r.Checks[i].Detail
}
