// Package mail sends messages to the operator's mail server. It has no queue: the caller decides what happens
// to a message that the server does not accept.
package mail

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// security is how a connection to the server is protected.
type security string

const (
	// startTLS upgrades a plain connection before anything else is sent, or fails.
	startTLS security = "starttls"
	// implicitTLS encrypts from the first byte.
	implicitTLS security = "implicit"
	// noTLS is for a server on the same machine or in a trusted network.
	noTLS security = "none"
)

// usualPorts are those of mail submission (RFC 6409, RFC 8314) and, without encryption, of a relay.
var usualPorts = map[security]int{startTLS: 587, implicitTLS: 465, noTLS: 25}

// SenderName is the default name of the sender.
const SenderName = "paydown"

// Server is a mail server with the sender's address. It is safe for concurrent use. Its printed form omits the
// password.
type Server struct {
	host           string
	port           int
	security       security
	user, password string
	from           netmail.Address
	roots          *x509.CertPool // nil means the system's
}

// Form is the format of a server's URL.
const Form = "smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none"

// New parses a server's URL in the format of Form, where USER:PASSWORD@ and :PORT are optional and tls defaults
// to starttls, and the sender: an address, or "Name <address>". It does not connect. The error is a message for
// the operator that repeats nothing of the URL.
func New(smtpURL, from string) (*Server, error) {
	s, err := parse(smtpURL)
	if err != nil {
		return nil, err
	}
	address, err := netmail.ParseAddress(from)
	if err != nil || !plain(address.Name) || !sendable(address.Address) {
		return nil, errors.New("the sender must be an email address, such as paydown@example.com")
	}
	s.from = *address
	if s.from.Name == "" {
		s.from.Name = SenderName
	}
	return s, nil
}

var errForm = errors.New("the mail server must be " + Form +
	"; percent-encode special characters in the password")

func parse(smtpURL string) (*Server, error) {
	u, err := url.Parse(smtpURL)
	if err != nil { // the parser's error contains the password
		return nil, errForm
	}
	query, err := url.ParseQuery(u.RawQuery)
	unknown := func(name string) bool { return name != "tls" }
	if err != nil || u.Scheme != "smtp" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" ||
		u.Opaque != "" || slices.ContainsFunc(names(query), unknown) || len(query["tls"]) > 1 {
		return nil, errForm
	}
	s := &Server{host: u.Hostname(), security: startTLS}
	if query.Has("tls") {
		s.security = security(query.Get("tls"))
	}
	usual, known := usualPorts[s.security]
	if !known {
		return nil, errors.New("the mail server's tls must be starttls, implicit or none")
	}
	s.port = usual
	if port := u.Port(); port != "" {
		if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("the mail server's port must be a number from 1 to 65535")
		}
	}
	if u.User == nil {
		return s, nil
	}
	s.user = u.User.Username()
	s.password, _ = u.User.Password()
	if s.user == "" || s.password == "" {
		return nil, errors.New("the mail server's user and password must be set together")
	}
	if s.security == noTLS && !s.local() {
		return nil, errors.New("a mail server on another machine needs encryption for a password: use tls=starttls or " +
			"tls=implicit")
	}
	return s, nil
}

func names(query url.Values) []string {
	var all []string
	for name := range query {
		all = append(all, name)
	}
	return all
}

// local reports whether the server is on this machine, by the names to which the library sends a password
// unencrypted.
func (s *Server) local() bool {
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, s.host)
}

func (s *Server) address() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// String returns the server's URL without credentials, for logs.
func (s *Server) String() string { return fmt.Sprintf("smtp://%s?tls=%s", s.address(), s.security) }

// GoString is String, so that %#v shows no password either.
func (s *Server) GoString() string { return s.String() }

// LogValue is String.
func (s *Server) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Domain returns the domain of the sender's address.
func (s *Server) Domain() string {
	return s.from.Address[strings.LastIndexByte(s.from.Address, '@')+1:]
}

func (s *Server) tls() *tls.Config {
	return &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12, RootCAs: s.roots}
}
