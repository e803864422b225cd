package public

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paydown/internal/fault"
	"paydown/internal/gate"
	"paydown/internal/money"
)

//go:embed pages
var files embed.FS

// The style sheet stands in each page, and the policy names it by its hash: nothing else has to be loaded.
var (
	styleSheet  = mustRead("pages/style.css")
	styleSource = "style-src 'sha256-" + hashOf(styleSheet) + "'"
)

var (
	formTemplate    = parse("form.html")
	offerTemplate   = parse("offer.html")
	messageTemplate = parse("message.html")
)

func mustRead(name string) string {
	raw, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func parse(name string) *template.Template {
	return template.Must(template.New("frame.html").Funcs(template.FuncMap{
		"dollars": dollars, "before": func(last int) int { return last - 1 },
		// It is ours, and must stand in the page as it was hashed.
		"style": func() template.CSS { return template.CSS(styleSheet) }, //nolint:gosec // a file of the program
	}).ParseFS(files, "pages/frame.html", "pages/"+name))
}

// frame is what every page has.
type frame struct {
	Title string
	// Company is whose page it is; "" where no company has the host.
	Company string
}

func frameOf(r *http.Request, title string) frame {
	f := frame{Title: title}
	if tenant := gate.Of(r.Context()).Tenant; tenant != nil {
		f.Company = tenant.Name
	}
	return f
}

// messagePage says something and asks nothing.
type messagePage struct {
	frame
	Paragraphs []string
	Reference  string // what to quote to support; "" for nothing
}

// write answers with a page. It may run no script, load nothing, and send forms here only.
func (h *Handler) write(w http.ResponseWriter, status int, page *template.Template, data any) {
	var body bytes.Buffer
	if err := page.Execute(&body, data); err != nil {
		panic(fmt.Errorf("render a page: %w", err))
	}
	head := w.Header()
	gate.SecurePage(head, "default-src 'none'", styleSource, "img-src data:", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'")
	// A browser tells this host, and no other, that a form comes from a page of it.
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Robots-Tag", "noindex")
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // a caller who has gone away cannot be told
}

// titles are what pages that only say what is wrong are called.
var titles = map[fault.Code]string{
	fault.NotFound: "There is nothing here", fault.MethodNotAllowed: "That does not work here", fault.Conflict: "That cannot be done now",
	fault.RateLimited: "Too many requests", fault.Unavailable: "Not available at the moment", fault.Forbidden: "That is refused",
	fault.PayloadTooLarge: "That is too much", fault.UnsupportedMediaType: "That does not work here", fault.BadRequest: "That could not be read",
}

// refuse answers with a page that says what is wrong. An error that is no fault is logged, once, and hidden.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f := gate.Explain(r.Context(), h.log, err)
	title, known := titles[f.Code]
	if !known {
		title = "Something went wrong"
	}
	page := messagePage{frame: frameOf(r, title), Paragraphs: []string{f.Message}}
	switch f.Code { //nolint:exhaustive // the others say themselves what is to be done
	case fault.NotFound:
		page.Paragraphs = []string{
			"The address may be wrong, or what was here may not be open any more.",
			"Ask whoever gave you the address for a new one.",
		}
	case fault.RateLimited:
		page.Paragraphs = append(page.Paragraphs, "Wait a minute and try again.")
	case fault.Internal:
		page.Reference = gate.RequestID(r.Context())
	}
	h.write(w, gate.Head(w.Header(), f), messageTemplate, page)
}

// dollars is an amount as people read it: $1,250.50, and whole dollars without the cents.
func dollars(a money.Amount) string {
	whole, cents, _ := strings.Cut(a.Abs().String(), ".")
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	sign := ""
	if a.Sign() < 0 {
		sign = "−"
	}
	if cents == "00" {
		return sign + "$" + b.String()
	}
	return sign + "$" + b.String() + "." + cents
}

// until says how long something still takes, in words.
func until(left time.Duration) string {
	switch hours := int(left.Hours()); {
	case hours >= 48:
		return fmt.Sprintf("%d days from now", hours/24)
	case hours >= 2:
		return fmt.Sprintf("%d hours from now", hours)
	default:
		return "very soon"
	}
}
