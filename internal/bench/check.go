package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"time"

	"paydown/internal/ratelimit"
	"paydown/internal/secret"
	"paydown/internal/server"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// counts are the statements of one request, without BEGIN and COMMIT.
type counts struct{ product, bare int }

// check holds that both servers answer every workload with the same bytes and write the same rows, and counts their
// statements. The ids and times of a write differ and are not compared; for a page both servers read the same rows
// by the same statements.
func check(ctx context.Context, d *database, p, b *target, all []workload) error {
	for _, w := range all {
		var seen [2]string
		request := w.next(p)
		for i, t := range []*target{p, b} {
			if w.write && i == 1 {
				request = w.next(t)
			}
			marks, err := d.marks(ctx)
			if err != nil {
				return err
			}
			c, err := dial(t.addr)
			if err != nil {
				return err
			}
			status, body, err := c.do(request)
			if err != nil || status != w.status {
				return fmt.Errorf("%s, %s: status %d: %s %w", t.name, w.name, status, body, err)
			}
			_ = c.Close()
			seen[i] = string(body)
			if w.write {
				rows, err := d.rowsSince(ctx, marks)
				if err != nil {
					return err
				}
				seen[i] = anonymous(string(body) + "\n" + rows)
			}
		}
		if seen[0] != seen[1] && !w.rows {
			return fmt.Errorf("%s: the answers differ:\n%s\n\n%s", w.name, seen[0], seen[1])
		}
	}
	return nil
}

// countStatements runs each workload once in a copy of the product inside this process, and once on the bare server.
func countStatements(cfg product, p, b *target, all []workload) (map[string]counts, error) {
	handler, stop, err := inProcess(cfg, p.token)
	if err != nil {
		return nil, err
	}
	defer stop()
	result := map[string]counts{}
	for _, w := range all {
		var n counts
		for range tries {
			var statements store.Statements
			raw := w.next(p)
			answer := ask(handler, &statements, p.token, methodOf(raw), pathOf(raw), bodyOf(raw))
			if answer.Code != w.status {
				return nil, fmt.Errorf("%s: status %d: %s", w.name, answer.Code, answer.Body)
			}
			if made := statements.Count(); n.product == 0 || made < n.product {
				n.product = made
			}
		}
		before, err := b.metric(statementsMetric)
		if err != nil {
			return nil, err
		}
		c, err := dial(b.addr)
		if err != nil {
			return nil, err
		}
		if status, body, err := c.do(w.next(b)); err != nil || status != w.status {
			return nil, fmt.Errorf("%s: status %d: %s %w", w.name, status, body, err)
		}
		_ = c.Close()
		after, err := b.metric(statementsMetric)
		if err != nil {
			return nil, err
		}
		n.bare = after - before
		result[w.name] = n
	}
	return result, nil
}

// tries is how often the statements of a request are counted; the lowest count is taken. The first request fills
// caches, and on a busy machine the caller may have to be looked up again.
const tries = 3

// ask makes a request of a handler and notes its statements.
func ask(
	handler http.Handler, noted *store.Statements, token, method, path string, body *strings.Reader,
) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(store.Counting(context.Background(), noted), method, path, body)
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)
	return answer
}

// untilWarm asks until what finds out who calls is held in memory: from then on reading a deal takes one statement.
func untilWarm(handler http.Handler, token string) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) { // only asking tells
		var statements store.Statements
		path := fmt.Sprintf("/api/v1/deals/%d", copyOf(1))
		answer := ask(handler, &statements, token, http.MethodGet, path, strings.NewReader(""))
		if answer.Code != http.StatusOK {
			return fmt.Errorf("read a deal: status %d: %s", answer.Code, answer.Body)
		}
		if statements.Count() == 1 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("reading a deal takes %d statements, want 1", statements.Count())
		}
	}
}

func methodOf(raw []byte) string { return string(bytes.Fields(raw)[0]) }
func pathOf(raw []byte) string   { return string(bytes.Fields(raw)[1]) }

func bodyOf(raw []byte) *strings.Reader {
	_, body, _ := strings.Cut(string(raw), "\r\n\r\n")
	return strings.NewReader(body)
}

// inProcess is what `paydown serve` serves, on the same database, once it knows who calls with the token.
func inProcess(cfg product, token string) (http.Handler, func(), error) {
	box, err := secret.Open(cfg.secret)
	if err != nil {
		return nil, nil, err
	}
	s, err := store.Open(cfg.db, nil)
	if err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.DiscardHandler)
	sender := webhook.NewSender(webhook.SenderConfig{}) // without it each write signals other processes
	svc := service.New(service.Config{Store: s, Secrets: box, Log: log, Sender: sender})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { svc.Run(ctx) })
	handler := server.New(server.Config{Service: svc, Log: log, Limiter: ratelimit.New(nil, time.Now)}).Handler()
	stop := func() {
		cancel()
		running.Wait()
		sender.Close()
		_ = s.Close()
	}
	if err := untilWarm(handler, token); err != nil {
		stop()
		return nil, nil, err
	}
	return handler, stop, nil
}

var written = []string{"payments", "audit_entries", "outbox_events", "journals", "postings"}

// fannedOut is when an event was handed to the endpoints that subscribe to it. The product's dispatcher does that
// after the write: at once for the events of its own process, and later for those of others.
const fannedOut = "fanned_out_at"

// marks are the highest ids of the tables that writes go to.
func (d *database) marks(ctx context.Context) (map[string]int, error) {
	marks := map[string]int{}
	for _, table := range written {
		var id int
		if err := d.QueryRowContext(ctx, `SELECT COALESCE(max(id), 0) FROM `+table).Scan(&id); err != nil {
			return nil, err
		}
		marks[table] = id
	}
	return marks, nil
}

// rowsSince are the rows that came after the marks, in text.
func (d *database) rowsSince(ctx context.Context, marks map[string]int) (string, error) {
	var text strings.Builder
	for _, table := range written {
		if err := d.writeRows(ctx, &text, table, marks[table]); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

func (d *database) writeRows(ctx context.Context, text *strings.Builder, table string, mark int) error {
	rows, err := d.QueryContext(ctx, fmt.Sprintf(`SELECT * FROM %s WHERE id > %d ORDER BY id`, table, mark))
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		text.WriteString(table)
		for i, c := range columns {
			if c != "id" && c != fannedOut {
				fmt.Fprintf(text, " %s=%s", c, inText(values[i]))
			}
		}
		text.WriteByte('\n')
	}
	return rows.Err()
}

// inText is a value of a column; JSON is brought into one form.
func inText(v any) string {
	if t, ok := v.(time.Time); ok {
		return t.UTC().Format(time.RFC3339Nano)
	}
	text := fmt.Sprint(v)
	if raw, ok := v.([]byte); ok {
		text = string(raw)
	}
	var parsed any
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		if err := json.Unmarshal([]byte(text), &parsed); err == nil {
			raw, _ := json.Marshal(parsed)
			return string(raw)
		}
	}
	return text
}

var (
	moments  = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?`)
	ids      = regexp.MustCompile(`\b\d(\d{6,}|\.\d+e\+0\d)\b`)
	requests = regexp.MustCompile(`req_[A-Z2-7]+`)
)

func anonymous(text string) string {
	text = requests.ReplaceAllString(moments.ReplaceAllString(text, "MOMENT"), "REQUEST")
	return ids.ReplaceAllString(text, "ID")
}
