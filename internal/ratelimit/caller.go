package ratelimit

import (
	"net/netip"
	"strconv"
)

// Caller is who is counted.
type Caller struct {
	name  string
	known bool // authenticated, so that the number of callers is limited
}

// Key is the caller with the API key of that id.
func Key(id int) Caller { return Caller{"key:" + strconv.Itoa(id), true} }

// Known is any other authenticated caller; kind keeps callers of one kind apart from others.
func Known(kind string, id int) Caller { return Caller{kind + ":" + strconv.Itoa(id), true} }

// Address is an unauthenticated caller, by address. IPv6 addresses count by their /64, which one customer of a
// network has.
func Address(address netip.Addr) Caller { return Caller{"ip:" + Network(address), false} }

// Loader is a caller that loads the files of pages, by address, counted separately from its pages and calls.
func Loader(address netip.Addr) Caller { return Caller{"file:" + Network(address), false} }

// Viewer is a caller that views pages, by address, counted separately from its calls.
func Viewer(address netip.Addr) Caller { return Caller{"page:" + Network(address), false} }

// Sender is a caller that submits forms of public pages, by address, counted separately from viewing them.
func Sender(address netip.Addr) Caller { return Caller{"form:" + Network(address), false} }

// Unsigned is a caller that sends inbound events without a valid signature, by address, counted separately from
// its calls.
func Unsigned(address netip.Addr) Caller { return Caller{"unsigned:" + Network(address), false} }

// Network returns what an address is counted as: itself, or its /64 for IPv6.
func Network(address netip.Addr) string {
	if address = address.Unmap().WithZone(""); address.Is6() {
		if prefix, err := address.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}
