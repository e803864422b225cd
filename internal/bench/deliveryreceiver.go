package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"strconv"
	"sync"
	"time"
)

// receiver takes deliveries and costs next to nothing. It notes when it had the whole of each, by the number in its
// body, and answers 200.
type receiver struct {
	plain, secure string // URLs
	authority     []byte // PEM of the certificate that the secure one shows

	mu       sync.Mutex
	receipts map[int]time.Time
	repeated int
	from     map[int]int64 // how many events of each process were received in this run
}

func newReceiver(s *stage) *receiver {
	r := &receiver{receipts: map[int]time.Time{}, from: map[int]int64{}}
	certificate, authority := selfSigned(s)
	r.authority = authority
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // loopback
		s.must(err)
		s.Cleanup(func() { _ = l.Close() })
		return l
	}
	plain, secure := listen(), listen()
	r.plain, r.secure = "http://"+plain.Addr().String()+"/hook", "https://"+secure.Addr().String()+"/hook"
	go r.serve(plain)
	secured := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	go r.serve(tls.NewListener(secure, secured))
	return r
}

func (r *receiver) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return // it was closed
		}
		go r.answer(c)
	}
}

var answer = []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

func (r *receiver) answer(c net.Conn) {
	defer func() { _ = c.Close() }()
	in := bufio.NewReaderSize(c, 8<<10)
	body := make([]byte, 2*bodySize)
	for {
		length := 0
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if len(line) <= 2 {
				break
			}
			if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
			}
		}
		if length > len(body) {
			return
		}
		if _, err := io.ReadFull(in, body[:length]); err != nil {
			return
		}
		r.note(body[:length], time.Now())
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}

// note notes a receipt of the event whose number is in the body.
func (r *receiver) note(body []byte, at time.Time) {
	_, number, _ := bytes.Cut(body, []byte(`"leadId":`))
	digits, _, _ := bytes.Cut(number, []byte(","))
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return // none of ours
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.receipts[n]; known {
		r.repeated++
		return
	}
	r.receipts[n] = at
	r.from[n/numbers]++
}

// begin forgets what was received before a run.
func (r *receiver) begin() {
	r.take()
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.from)
}

// receivedFrom is how many events of a process were received in this run.
func (r *receiver) receivedFrom(process int) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.from[process]
}

// take is what was received since the last call.
func (r *receiver) take() (receipts map[int]time.Time, repeated int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	receipts, repeated = r.receipts, r.repeated
	r.receipts, r.repeated = map[int]time.Time{}, 0
	return receipts, repeated
}

func selfSigned(s *stage) (certificate tls.Certificate, authority []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	s.must(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	s.must(err)
	authority = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, authority
}
