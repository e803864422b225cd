package rpc

import (
	"compress/gzip"
	"io"
	"net/http"

	"connectrpc.com/connect"

	"paydown/internal/fault"
)

// gzipped makes handlers accept and answer gzip, as Connect does by default. Unlike Connect, it does not
// decompress a bomb to the end only to report its size: it stops after maxRead bytes, and the codec refuses the
// message.
func gzipped() connect.HandlerOption {
	return connect.WithCompression("gzip",
		func() connect.Decompressor { return &gunzip{} }, func() connect.Compressor { return gzip.NewWriter(io.Discard) })
}

// gunzip decompresses at most maxRead bytes.
type gunzip struct {
	whole gzip.Reader
	left  int
}

// Reset implements connect.Decompressor.
func (g *gunzip) Reset(r io.Reader) error {
	g.left = maxRead
	return g.whole.Reset(r)
}

// Read implements connect.Decompressor.
func (g *gunzip) Read(p []byte) (int, error) {
	if g.left == 0 {
		return 0, io.EOF
	}
	n, err := g.whole.Read(p[:min(len(p), g.left)])
	g.left -= n
	return n, err
}

// Close implements connect.Decompressor.
func (g *gunzip) Close() error { return g.whole.Close() }

// codings maps the request headers that name a message's compression to the response headers that list the
// accepted ones.
var codings = map[string]string{
	"Content-Encoding": "Accept-Encoding", "Connect-Content-Encoding": "Connect-Accept-Encoding",
	"Grpc-Encoding": "Grpc-Accept-Encoding",
}

// checkCoding refuses a message that is compressed with anything but gzip, and sets the response header that
// lists gzip. Connect would refuse it too, but without an error code of this API.
func checkCoding(w http.ResponseWriter, r *http.Request) error {
	for header, accept := range codings {
		coding := r.Header.Get(header)
		if header == "Content-Encoding" && r.Method == http.MethodGet {
			coding = r.URL.Query().Get("compression")
		}
		if coding != "" && coding != "identity" && coding != "gzip" {
			w.Header().Set(accept, "gzip")
			return fault.New(fault.UnsupportedMediaType, "The message must be uncompressed or compressed with gzip.")
		}
	}
	return nil
}
