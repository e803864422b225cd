package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	pageSize   = 50
	walkedSize = 200 // a cursor is good for any limit, so that the walk takes larger steps
)

// pages compares a page deep in a long list with its first, on both databases.
func pages(s *stage, o options) {
	s.printf("%s; %d payments of one tenant, limit %d, each page read %d times in turns, one client.\n\n",
		machine(), o.rows, pageSize, o.samples)
	s.printf("| database | sort | page 1, p50 ms | page %d, p50 ms | ratio |\n|---|---|---:|---:|---|\n", o.page)
	for name, dbURL := range databasesOf(s, o) {
		i := install(s, o, name, dbURL, false, o.rows/paymentsOfDeal)
		c, err := dial(i.served.addr)
		s.must(err)
		for _, sort := range []string{"id", "scheduledDate", "scheduledDate:desc"} {
			path := "/api/v1/payments?sort=" + sort
			deep := path + fmt.Sprintf("&limit=%d&cursor=%s", pageSize, cursorOfPage(s, c, i.served, path, o.page))
			first := path + fmt.Sprintf("&limit=%d", pageSize)
			a, b := sample(s, c, i.served, first, deep, o.samples)
			s.printf("| %s | %s | %s | %s | **%.2f** |\n", name, sort, ms(a), ms(b), float64(b)/float64(a))
		}
		s.must(c.Close())
	}
	s.printf("\n")
}

// cursorOfPage walks the list to where that page begins.
func cursorOfPage(s *stage, c *connection, t *target, path string, page int) string {
	cursor := ""
	for range (page - 1) * pageSize / walkedSize {
		cursor = advance(s, c, t, path, walkedSize, cursor)
	}
	if rest := (page - 1) * pageSize % walkedSize; rest > 0 {
		cursor = advance(s, c, t, path, rest, cursor)
	}
	return cursor
}

func advance(s *stage, c *connection, t *target, path string, limit int, cursor string) string {
	path += fmt.Sprintf("&limit=%d", limit)
	if cursor != "" {
		path += "&cursor=" + cursor
	}
	status, body, err := c.do(t.request(http.MethodGet, path, ""))
	s.must(err)
	var page struct{ NextCursor string }
	s.must(json.Unmarshal(body, &page))
	if status != http.StatusOK || page.NextCursor == "" {
		s.Fatalf("GET %s: status %d, next %q: the list is too short", path, status, page.NextCursor)
	}
	return page.NextCursor
}

// sample reads two pages in turns and returns the median times. Each page is full, the same every time, and not the
// other.
func sample(s *stage, c *connection, t *target, first, deep string, samples int) (a, b time.Duration) {
	var times [2][]time.Duration
	var seen [2]string
	for range samples {
		for i, path := range []string{first, deep} {
			began := time.Now()
			status, body, err := c.do(t.cached(path))
			s.must(err)
			if status != http.StatusOK {
				s.Fatalf("GET %s: status %d: %s", path, status, body)
			}
			times[i] = append(times[i], time.Since(began))
			if seen[i] == "" {
				seen[i] = string(body)
			}
			if seen[i] != string(body) || !strings.Contains(seen[i], fmt.Sprintf(`"count":%d`, pageSize)) || seen[0] == seen[1] {
				s.Fatalf("GET %s: not the page that was to come: %s", path, body)
			}
		}
	}
	return percentile(slices.Sorted(slices.Values(times[0])), 0.5), percentile(slices.Sorted(slices.Values(times[1])), 0.5)
}
