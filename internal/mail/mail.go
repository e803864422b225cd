// Package mail hands messages to the operator's mail server. It keeps no queue: whoever sends decides what becomes of a
// message that the server does not take.
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
	// startTLS turns a plain connection into an encrypted one before anything else is said, or fails.
	startTLS security = "starttls"
	// implicitTLS encrypts from the first byte.
	implicitTLS security = "implicit"
	// noTLS is for a server on the same machine or a network that is trusted.
	noTLS security = "none"
)

// usualPorts are those of mail submission (RFC 6409, RFC 8314) and, without encryption, of a relay.
var usualPorts = map[security]int{startTLS: 587, implicitTLS: 465, noTLS: 25}

// SenderName is what messages are from where the operator does not say otherwise.
const SenderName = "paydown"

// Server is a mail server that takes messages from us, and whom they are from. It is safe for concurrent use. It prints
// without its password.
type Server struct {
	host           string
	port           int
	security       security
	user, password string
	from           netmail.Address
	roots          *x509.CertPool // nil: the system's
}

// Form is how a server is written.
const Form = "smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none"

// New reads the address of a server in the form of Form, where USER:PASSWORD@ and :PORT may be left out and tls is
// starttls unless said, and whom messages are from: an address, or "Name <address>". It does not connect. The error is
// a sentence for the operator that repeats nothing of the URL.
func New(smtpURL, from string) (*Server, error) {
	s, err := parse(smtpURL)
	if err != nil {
		return nil, err
	}
	address, err := netmail.ParseAddress(from)
	if err != nil || !plain(address.Name) || !sendable(address.Address) {
		return nil, errors.New("the sender must be an e-mail address, such as paydown@example.com")
	}
	s.from = *address
	if s.from.Name == "" {
		s.from.Name = SenderName
	}
	return s, nil
}

var errForm = errors.New("the mail server must be " + Form +
	"; characters of the password that mean something in a URL are written as %XX")

func parse(smtpURL string) (*Server, error) {
	u, err := url.Parse(smtpURL)
	if err != nil { // which the parser would tell with the password in it
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
		return nil, errors.New("tls of the mail server must be starttls, implicit or none")
	}
	s.port = usual
	if port := u.Port(); port != "" {
		if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("the port of the mail server must be a number from 1 to 65535")
		}
	}
	if u.User == nil {
		return s, nil
	}
	s.user = u.User.Username()
	s.password, _ = u.User.Password()
	if s.user == "" || s.password == "" {
		return nil, errors.New("a user of the mail server needs a password, and a password a user")
	}
	if s.security == noTLS && !s.local() {
		return nil, errors.New("a password goes to a mail server on another machine encrypted only: use tls=starttls or " +
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

// local reports a server on this machine, by the names that the library lets a password go to in the clear.
func (s *Server) local() bool {
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, s.host)
}

func (s *Server) address() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// String names the server, for the log.
func (s *Server) String() string { return fmt.Sprintf("smtp://%s?tls=%s", s.address(), s.security) }

// GoString is String: %#v shows no password either.
func (s *Server) GoString() string { return s.String() }

// LogValue is String.
func (s *Server) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Domain is that of the sender's address.
func (s *Server) Domain() string {
	return s.from.Address[strings.LastIndexByte(s.from.Address, '@')+1:]
}

func (s *Server) tls() *tls.Config {
	return &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12, RootCAs: s.roots}
}
