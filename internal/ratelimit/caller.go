package ratelimit

import (
	"net/netip"
	"strconv"
)

// Caller is who is counted.
type Caller struct {
	name  string
	known bool // there are only so many of them, and no stranger can make one up
}

// Key is the caller with the API key of that id.
func Key(id int) Caller { return Caller{"key:" + strconv.Itoa(id), true} }

// Known is any other caller who has proved who it is; kind keeps those of one kind apart from others.
func Known(kind string, id int) Caller { return Caller{kind + ":" + strconv.Itoa(id), true} }

// Address is whoever calls from an address: of IPv6 from its /64, all of which one customer of a network has.
func Address(address netip.Addr) Caller { return Caller{"ip:" + Network(address), false} }

// Loader is whoever loads the files of pages from an address: counted apart from the pages, and from its calls.
func Loader(address netip.Addr) Caller { return Caller{"file:" + Network(address), false} }

// Viewer is whoever looks at pages from an address: counted apart from its calls.
func Viewer(address netip.Addr) Caller { return Caller{"page:" + Network(address), false} }

// Sender is whoever sends the forms of public pages from an address: counted apart from looking at them.
func Sender(address netip.Addr) Caller { return Caller{"form:" + Network(address), false} }

// Unsigned is whoever sends inbound events from an address that are not signed well: counted apart from its calls.
func Unsigned(address netip.Addr) Caller { return Caller{"unsigned:" + Network(address), false} }

// Network is what an address is counted as: itself or, of IPv6, its /64.
func Network(address netip.Addr) string {
	if address = address.Unmap().WithZone(""); address.Is6() {
		if prefix, err := address.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}
