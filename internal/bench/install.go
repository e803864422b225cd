package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"paydown/internal/apptest"
	"paydown/internal/secret"
)

// installation is the product and the server it is compared with, on one database.
type installation struct {
	*database
	name string
	product
	caller
	served, other *target
}

// databasesOf makes an empty database of each kind that is wanted.
func databasesOf(s *stage, o options) map[string]string {
	urls := map[string]string{}
	for kind := range strings.SplitSeq(o.databases, ",") {
		switch kind {
		case "postgres":
			urls[kind] = postgresURL(s, o)
		case "sqlite":
			urls[kind] = "sqlite:" + filepath.Join(s.TempDir(), "bench.db")
		default:
			s.Fatalf("there is no database %s", kind)
		}
	}
	return urls
}

// postgresURL is the URL of a new database. It is on the server that the tests' variable names, if it is set, on the
// tests' own server in a short run, and else on one with production settings.
func postgresURL(s *stage, o options) string {
	if o.short || os.Getenv(apptest.PostgresEnv) != "" {
		return apptest.SharedPostgres(s).NewDatabase(s)
	}
	onOff := map[bool]string{true: "on", false: "off"}[o.fsync]
	return apptest.StartPostgres(s, "fsync="+onOff, "full_page_writes="+onOff, "shared_buffers=512MB", "max_wal_size=4GB").
		NewDatabase(s)
}

// install sets a database up with the records of the comparison.
func install(s *stage, o options, name, dbURL string, books bool, copies int) *installation {
	binary, err := filepath.Abs(o.binary)
	s.must(err)
	i := &installation{name: name, product: product{binary, dbURL, secret.NewKey()}}
	i.caller, err = i.install()
	s.must(err)
	i.served = i.start(s)
	deal, merchant := fundedDeal(s, i.served)
	i.database, err = openDatabase(dbURL)
	s.must(err)
	s.Cleanup(func() { _ = i.Close() })
	s.must(i.multiply(s.Context(), deal, merchant, copies, books))
	return i
}

func (i *installation) start(s *stage) *target {
	t, stop, err := i.serve(i.token)
	s.must(err)
	s.Cleanup(stop)
	s.must(t.untilReady())
	return t
}

// fundedDeal makes a merchant and a deal through the API and funds it, which schedules its payments.
func fundedDeal(s *stage, t *target) (deal, merchant int) {
	merchant = call(s, t, "merchant", http.MethodPost, "/api/v1/merchants", `{
		"legalName": "Harbor Street Bakery LLC", "dbaName": "Harbor Street", "email": "owner@harborstreet.example",
		"phone": "+1 212 555 0142", "website": "https://harborstreet.example", "federalId": "98-7654321",
		"industry": "Food", "naicsCode": "311811", "startedOn": "2017-03-01", "stateOfIncorporation": "NY",
		"annualRevenue": "640000.00", "addressLine1": "12 Harbor Street", "city": "Brooklyn",
		"state": "NY", "postalCode": "11201"}`)
	deal = call(s, t, "deal", http.MethodPost, "/api/v1/deals", fmt.Sprintf(`{
		"merchantId": %d, "fundedAmount": "50000.00", "factorRate": "1.30", "buyRate": "1.20", "numberOfPayments": %d,
		"collectionFrequency": "DAILY", "bankFeeBasis": "FLAT", "bankFeeValue": "1500.00", "wireFee": "50.00",
		"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10", "position": 1, "referenceId": "CRM-20417"}`,
		merchant, paymentsOfDeal))
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		call(s, t, "deal", http.MethodPatch, fmt.Sprintf("/api/v1/deals/%d", deal), `{"state": "`+state+`"}`)
	}
	return deal, merchant
}

// call makes a request and returns the id in the answer.
func call(s *stage, t *target, key, method, path, body string) int {
	c, err := dial(t.addr)
	s.must(err)
	defer func() { _ = c.Close() }()
	status, raw, err := c.do(t.request(method, path, body))
	s.must(err)
	var answer map[string]struct{ ID int }
	if err := json.Unmarshal(raw, &answer); err != nil || status > http.StatusCreated {
		s.Fatalf("%s %s: status %d: %s", method, path, status, raw)
	}
	return answer[key].ID
}

// nextCursor is the one that the first page of deals answers with.
func nextCursor(s *stage, t *target) string {
	c, err := dial(t.addr)
	s.must(err)
	defer func() { _ = c.Close() }()
	_, raw, err := c.do(t.cached(listPath))
	s.must(err)
	var page struct{ NextCursor string }
	s.must(json.Unmarshal(raw, &page))
	return page.NextCursor
}

// startOther starts what the product is compared with: the bare server, or another build of the product.
func (i *installation) startOther(s *stage, o options) {
	if o.against != "" {
		build := i.product
		var err error
		build.binary, err = filepath.Abs(o.against)
		s.must(err)
		t, stop, err := build.serve(i.token)
		s.must(err)
		s.Cleanup(stop)
		t.name = "the other build"
		i.other = t
		return
	}
	screen, err := screenStatements(i.product, i.served)
	s.must(err)
	t, stop, err := startBare(bareConfig{
		DB: i.url, Tenant: i.tenant, KeyID: i.keyID, KeyName: i.keyName, TimeZone: i.timeZone,
		Cursor: nextCursor(s, i.served), Screen: screen,
	})
	s.must(err)
	s.Cleanup(stop)
	i.other = t
}

// version names the database and its version.
func (i *installation) version(s *stage) string {
	query, name := `SELECT sqlite_version()`, "SQLite "
	if i.postgres {
		query, name = `SHOW server_version`, "PostgreSQL "
	}
	var version string
	s.must(i.QueryRowContext(s.Context(), query).Scan(&version))
	number, _, _ := strings.Cut(version, " ")
	return name + number
}
