package webhook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"paydown/internal/webhook"
)

const errRefused = syscall.ECONNREFUSED

// outOfDescriptors has the process of a test make an attempt after it has used up its descriptors.
const outOfDescriptors = "PAYDOWN_TEST_OUT_OF_DESCRIPTORS"

func TestRunningOutOfDescriptors(t *testing.T) {
	if os.Getenv(outOfDescriptors) != "" {
		useUpDescriptors(t)
		s := webhook.NewSender(webhook.SenderConfig{Guard: loopback(nil)})
		text, err := json.Marshal(s.Send(t.Context(), webhook.Attempt{URL: "http://127.0.0.1:9/"}))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("outcome %s\n", text)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunningOutOfDescriptors$")
	cmd.Env = append(os.Environ(), outOfDescriptors+"=1")
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var o webhook.Outcome
	_, line, _ := bytes.Cut(text, []byte("outcome "))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if err := json.Unmarshal(line, &o); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if o.Error != "connection" || !o.Ours {
		t.Errorf("%+v", o)
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

func TestWhoseFaultAConnectionIs(t *testing.T) {
	failed := func(e error) error {
		to := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443}
		return fmt.Errorf("some words: %w", &net.OpError{Op: "dial", Net: "tcp", Addr: to, Err: os.NewSyscallError("connect", e)})
	}
	for e, ours := range map[error]bool{
		syscall.EMFILE: true, syscall.ENFILE: true, syscall.ENOBUFS: true, syscall.ENOMEM: true, syscall.ENETDOWN: true,
		syscall.ECONNREFUSED: false, syscall.ECONNRESET: false, syscall.ETIMEDOUT: false, syscall.EPIPE: false, syscall.EACCES: false,
		// There is a route to this machine.
		syscall.EADDRNOTAVAIL: true, syscall.ENETUNREACH: false, syscall.EHOSTUNREACH: false,
	} {
		if got := webhook.OurFault(failed(e)); got != ours {
			t.Errorf("%v is ours: %t", e, got)
		}
	}
	if webhook.OurFault(syscall.ENETUNREACH) || webhook.OurFault(errors.New("EOF")) {
		t.Error("errors that tell nothing are ours")
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
