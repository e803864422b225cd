package rpc_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc"
)

// post sends raw bytes, as a unary call or as the message of a stream, and returns the error.
func post(
	t *testing.T, c *caller, procedure, media string, body []byte, coding string,
) (status int, problem apptest.Object) {
	t.Helper()
	if streams(procedure) {
		flags := byte(0)
		if coding != "" {
			flags = 1
		}
		body = append(binary.BigEndian.AppendUint32([]byte{flags}, uint32(len(body))), body...)
		media = strings.Replace(media, "application/", "application/connect+", 1)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/"+procedure, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = c.header.Clone()
	r.Header.Set("Content-Type", media)
	switch {
	case coding != "" && streams(procedure):
		r.Header.Set("Connect-Content-Encoding", coding)
	case coding != "":
		r.Header.Set("Content-Encoding", coding)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "hunter2") {
		t.Errorf("%s repeats what was sent: %s", procedure, raw)
	}
	if streams(procedure) {
		return answer.StatusCode, streamed(t, raw).problem
	}
	if err := json.Unmarshal(raw, &problem); err != nil {
		t.Fatalf("%d %s", answer.StatusCode, raw)
	}
	return answer.StatusCode, problem
}

// info is the typed detail of an error.
func info(t *testing.T, problem apptest.Object) apptest.Object {
	t.Helper()
	for _, d := range problem.List("details") {
		if d.Text("type") == "paydown.admin.v1.ErrorInfo" {
			return d.In("debug")
		}
	}
	t.Errorf("no typed detail: %v", problem)
	return nil
}

// An unreadable message is reported like any other error: by code and field, and without its values.
func TestUnreadableMessages(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Tenant(t, "unread.test")
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	const tenant = `"tenant": "unread.test"`
	for name, want := range map[string]struct{ procedure, media, body, code, fields string }{
		"no JSON":   {keyService + "GetKey", "application/json", `{"tenant": "hunter2`, "invalid_json", ""},
		"no object": {keyService + "GetKey", "application/json", `["hunter2"]`, "invalid_json", ""},
		"null":      {keyService + "GetKey", "application/json", `null`, "invalid_json", ""},
		"a field of no message": {
			keyService + "GetKey", "application/json", `{` + tenant + `, "idd": "hunter2"}`, "validation_error", "idd",
		},
		"a wrong type": {
			keyService + "GetKey", "application/json", `{` + tenant + `, "id": "hunter2"}`, "validation_error", "id",
		},
		"two wrong types": {
			keyService + "CreateKey", "application/json",
			`{` + tenant + `, "name": {"a": "hunter2"}, "scopes": "hunter2"}`, "validation_error", "name,scopes",
		},
		"a wrong list": {
			keyService + "UpdateKey", "application/json",
			`{` + tenant + `, "id": 1, "scopes": ["hunter2"]}`, "validation_error", "scopes",
		},
		"a field twice": {keyService + "GetKey", "application/json", `{"id": 1, "id": 2}`, "invalid_json", ""},
		"a charset": {
			keyService + "GetKey", "application/json; charset=utf-8", `{"id": "hunter2"}`, "validation_error", "id",
		},
		"no message": {keyService + "GetKey", "application/proto", "\xff\xffhunter2", "bad_request", ""},
		"a stream's JSON": {
			"paydown.admin.v1.OperationsService/ReadAudit", "application/json", `{"tenant": "hunter2`, "invalid_json", "",
		},
		"a stream's time": {
			"paydown.admin.v1.OperationsService/ReadAudit", "application/json",
			`{` + tenant + `, "since": "hunter2"}`, "validation_error", "since",
		},
		"a stream's message": {
			"paydown.admin.v1.OperationsService/ReadAudit", "application/proto", "\xff\xffhunter2", "bad_request", "",
		},
	} {
		_, problem := post(t, c, want.procedure, want.media, []byte(want.body), "")
		told := info(t, problem)
		var fields []string
		for _, d := range told.List("details") {
			fields = append(fields, d.Text("path"))
			if d.Text("message") == "" {
				t.Errorf("%s: nothing is said about %s", name, d.Text("path"))
			}
		}
		if problem.Text("code") != "invalid_argument" || told.Text("code") != want.code ||
			strings.Join(fields, ",") != want.fields ||
			told.Text("requestId") == "" ||
			problem.Text("message") == "" {
			t.Errorf("%s: %v", name, problem)
		}
	}
	// A caller without access learns nothing about messages.
	host := "unread.test"
	underwriter := staff(a, a.Staff(t, host, "underwriter"))
	if got := underwriter.call(t, keyService+"GetKey", apptest.Object{"idd": 1}); got.code != "permission_denied" {
		t.Errorf("staff without the permission: %v", got.problem)
	}
}

func gzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gunzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// The size of a message is limited before and after decompression, unary and at the start of a stream.
func TestMessagesAreBounded(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Tenant(t, "large.test")
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	large := func(n int) []byte {
		head := `{"tenant": "large.test", "entity": "`
		return []byte(head + strings.Repeat("x", n-len(head)-2) + `"}`)
	}
	for _, procedure := range []string{keyService + "ListKeys", "paydown.admin.v1.OperationsService/ReadAudit"} {
		for name, body := range map[string][]byte{
			"as it comes": large(rpc.MaxMessage + 1), "far too large": large(rpc.MaxRead + 1000),
			"decompressed": gzipped(t, large(rpc.MaxMessage+1)), "a bomb": gzipped(t, large(64<<20)),
		} {
			coding := ""
			if body[0] == 0x1f {
				coding = "gzip"
			}
			_, problem := post(t, c, procedure, "application/json", body, coding)
			if problem.Text("code") != "resource_exhausted" || info(t, problem).Text("code") != "payload_too_large" {
				t.Errorf("%s, %s: %v", procedure, name, problem)
			}
		}
		// A message within the limit is validated by its content.
		if _, problem := post(t, c, procedure, "application/json", gzipped(t, large(rpc.MaxMessage)), "gzip"); problem.Text(
			"code",
		) != "invalid_argument" {
			t.Errorf("%s, as large as may be: %v", procedure, problem)
		}
	}
}

// A message with an unsupported compression is refused with the supported ones.
func TestOtherCompressionsAreRefused(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Tenant(t, "packed.test")
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	body := []byte(`{"tenant": "packed.test"}`)
	for _, procedure := range []string{keyService + "ListKeys", "paydown.admin.v1.OperationsService/ReadAudit"} {
		_, problem := post(t, c, procedure, "application/json", body, "br")
		if problem.Text("code") != "unimplemented" || info(t, problem).Text("code") != "unsupported_media_type" {
			t.Errorf("%s: %v", procedure, problem)
		}
	}
	if status, _ := post(t, c, keyService+"ListKeys", "application/json", body, "identity"); status != http.StatusOK {
		t.Errorf("identity is answered %d", status)
	}
	query := url.Values{"connect": {"v1"}, "encoding": {"json"}, "message": {string(body)}, "compression": {"br"}}
	r, err := http.NewRequestWithContext(
		t.Context(), http.MethodGet, c.base+"/"+keyService+"ListKeys?"+query.Encode(), nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = c.header.Clone()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusNotImplemented || answer.Header.Get("Accept-Encoding") != "gzip" {
		t.Errorf("GET is answered %d, %v", answer.StatusCode, answer.Header)
	}
}

// Read methods also answer GET; write methods do not.
func TestReadsAnswerGET(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "get.test")
	key := a.Key(t, host)
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	get := func(method string, message any) (int, string) {
		raw, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		query := url.Values{"connect": {"v1"}, "encoding": {"json"}, "message": {string(raw)}}
		r, err := http.NewRequestWithContext(
			t.Context(), http.MethodGet, c.base+"/"+keyService+method+"?"+query.Encode(), nil,
		)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = c.header.Clone()
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		if left := answer.Header.Get("X-RateLimit-Remaining"); left == "" || left == "0" {
			t.Errorf("an operator, who has no limit, is told that %q requests are left", left)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	asked := apptest.Object{"tenant": host, "id": key.Key.ID}
	if status, body := get("GetKey", asked); status != http.StatusOK || !strings.Contains(body, `"name":"test"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := get("GetKey", apptest.Object{"tenant": host, "idd": 1}); status != http.StatusBadRequest ||
		!strings.Contains(body, "idd") {
		t.Errorf("%d %s", status, body)
	}
	for _, method := range []string{"RevokeKey", "RotateKey", "CreateKey"} {
		if status, body := get(method, asked); status != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
	if whoami(t, a, host, key.Token) != http.StatusOK {
		t.Error("GET has revoked a key")
	}
}
