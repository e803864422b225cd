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
	"paydown/internal/middleware"
	"paydown/internal/money"
)

//go:embed pages
var files embed.FS

// The style sheet is embedded in each page, and the policy allows it by its hash: pages load nothing else.
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
		// The style sheet must appear in the page exactly as it was hashed.
		"style": func() template.CSS { return template.CSS(styleSheet) }, //nolint:gosec // a file of the program
	}).ParseFS(files, "pages/frame.html", "pages/"+name))
}

// frame is the data that every page has.
type frame struct {
	Title string
	// Company is the name of the page's company, or "" on an unknown host.
	Company string
}

func frameOf(r *http.Request, title string) frame {
	f := frame{Title: title}
	if tenant := middleware.FromContext(r.Context()).Tenant; tenant != nil {
		f.Company = tenant.Name
	}
	return f
}

// messagePage shows a message without a form.
type messagePage struct {
	frame
	Paragraphs []string
	Reference  string // request id to quote to support, or ""
}

// write answers with a page. The page may run no script, load nothing, and send forms only to this host.
func (h *Handler) write(w http.ResponseWriter, status int, page *template.Template, data any) {
	var body bytes.Buffer
	if err := page.Execute(&body, data); err != nil {
		panic(fmt.Errorf("render a page: %w", err))
	}
	head := w.Header()
	middleware.SecurePage(
		head, "default-src 'none'", styleSource, "img-src data:", "base-uri 'none'", "form-action 'self'",
		"frame-ancestors 'none'",
	)
	// Browsers then tell this host, and no other, that a form comes from one of its pages.
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Robots-Tag", "noindex")
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the caller may be gone; there is nobody to report an error to
}

// titles are the titles of error pages.
var titles = map[fault.Code]string{
	fault.NotFound:             "Page not found",
	fault.MethodNotAllowed:     "Not supported",
	fault.Conflict:             "Not possible right now",
	fault.RateLimited:          "Too many requests",
	fault.Unavailable:          "Temporarily unavailable",
	fault.Forbidden:            "Not allowed",
	fault.PayloadTooLarge:      "Too much text",
	fault.UnsupportedMediaType: "Not supported",
	fault.BadRequest:           "Invalid request",
}

// refuse answers with an error page. An error that is not a fault is logged, once, and hidden.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f := middleware.Explain(r.Context(), h.log, err)
	title, known := titles[f.Code]
	if !known {
		title = "Something went wrong"
	}
	page := messagePage{frame: frameOf(r, title), Paragraphs: []string{f.Message}}
	switch f.Code { //nolint:exhaustive // the messages of the other codes say what to do
	case fault.NotFound:
		page.Paragraphs = []string{
			"The link may be wrong, or the page may no longer be available.",
			"Ask the person who gave you the link for a new one.",
		}
	case fault.RateLimited:
		page.Paragraphs = append(page.Paragraphs, "Wait a minute and try again.")
	case fault.Internal:
		page.Reference = middleware.RequestID(r.Context())
	}
	h.write(w, middleware.Head(w.Header(), f), messageTemplate, page)
}

// dollars formats an amount: $1,250.50, or $1,250 for whole dollars.
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

// until formats a remaining duration in words.
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
