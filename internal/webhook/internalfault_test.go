package webhook_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paydown/internal/webhook"
)

const errRefused = syscall.ECONNREFUSED

// child tells the child process of a test which part to run.
const child = "PAYDOWN_TEST_CHILD"

// sentBy makes an attempt in a process of its own, with a changed environment.
func sentBy(t *testing.T, role, url string, env ...string) webhook.Outcome {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAsAChild$")
	cmd.Env = append(append(os.Environ(), env...), child+"="+role+" "+url)
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	_, line, _ := bytes.Cut(text, []byte("outcome "))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	var o webhook.Outcome
	if err := json.Unmarshal(line, &o); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return o
}

// TestAsAChild runs the part of a sentBy process; in others it does nothing.
func TestAsAChild(t *testing.T) {
	role, url, is := strings.Cut(os.Getenv(child), " ")
	if !is {
		return
	}
	if role == "poor" {
		useUpDescriptors(t)
	}
	s := webhook.NewSender(webhook.SenderConfig{Guard: loopback(nil)})
	text, err := json.Marshal(s.Send(t.Context(), webhook.Attempt{URL: url}))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("outcome %s\n", text)
}

func TestRunningOutOfDescriptors(t *testing.T) {
	if o := sentBy(t, "poor", "http://127.0.0.1:9/"); o.Error != "connection" || !o.Internal {
		t.Errorf("%+v", o)
	}
}

// If the machine trusts no authority at all, the receiver's certificate is not at fault.
func TestNoTrustedRoots(t *testing.T) {
	ca, nobody := newAuthority(t), filepath.Join(t.TempDir(), "none.pem")
	if err := os.WriteFile(nobody, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	somebody := filepath.Join(t.TempDir(), "one.pem")
	other := newAuthority(t).cert.Raw
	err := os.WriteFile(somebody, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: other}), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	r := receive(t, "127.0.0.1:0", over(ca.config(t), answering(ok204)))
	for roots, internal := range map[string]bool{nobody: true, somebody: false} {
		o := sentBy(t, "plain", secure(r), "SSL_CERT_FILE="+roots, "SSL_CERT_DIR="+t.TempDir())
		if o.Error != "tls" || o.Internal != internal {
			t.Errorf("%+v, want internal %t", o, internal)
		}
	}
}

func useUpDescriptors(t *testing.T) {
	t.Helper()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 64, Max: 64}); err != nil {
		t.Fatal(err)
	}
	for range 64 {
		if _, err := os.Open(os.DevNull); errors.Is(err, syscall.EMFILE) {
			return
		}
	}
	t.Fatal("there are descriptors left")
}

func TestConnectionErrorClassification(t *testing.T) {
	failed := func(e error) error {
		to := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443}
		return fmt.Errorf(
			"some words: %w", &net.OpError{Op: "dial", Net: "tcp", Addr: to, Err: os.NewSyscallError("connect", e)},
		)
	}
	for e, internal := range map[error]bool{
		syscall.EMFILE: true, syscall.ENFILE: true, syscall.ENOBUFS: true, syscall.ENOMEM: true, syscall.ENETDOWN: true,
		syscall.ECONNREFUSED: false, syscall.ECONNRESET: false, syscall.ETIMEDOUT: false, syscall.EPIPE: false,
		syscall.EACCES: false,
		// There is a route to this machine.
		syscall.EADDRNOTAVAIL: true, syscall.ENETUNREACH: false, syscall.EHOSTUNREACH: false,
	} {
		if got := webhook.InternalFault(failed(e)); got != internal {
			t.Errorf("%v is internal: %t", e, got)
		}
	}
	if webhook.InternalFault(syscall.ENETUNREACH) || webhook.InternalFault(errors.New("EOF")) {
		t.Error("unrelated errors are internal")
	}
}

func TestAddressesWithoutARoute(t *testing.T) {
	four, six := netip.MustParseAddrPort("8.8.8.8:443"), netip.MustParseAddrPort("[2606:4700::1]:443")
	for _, c := range []struct {
		name       string
		to         netip.AddrPort
		four, six  bool // which families there is a route for
		noPort     bool
		wantCutOff bool
	}{
		{"no network", four, false, false, false, true},
		{"no network, nor an address", six, false, false, true, true},
		{"IPv6 where there is IPv4 alone", six, true, false, false, false},
		{"the same, told by the want of an address", six, true, false, true, false},
		{"IPv4 where there is IPv6 alone", four, false, true, false, false},
		{"somebody on the way says so", four, true, true, false, false},
		{"no port is left", four, true, true, true, true},
	} {
		routed := func(to netip.AddrPort) bool { return (to.Addr().Is4() && c.four) || (to.Addr().Is6() && c.six) }
		if got := webhook.CutOff(c.to, c.noPort, routed); got != c.wantCutOff {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
