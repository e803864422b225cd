package rpc

import (
	"compress/gzip"
	"io"
	"net/http"

	"connectrpc.com/connect"

	"paydown/internal/fault"
)

// gzipped has messages taken and answered in gzip, as Connect does by itself, except that a bomb is not read to its end only to
// say how large it is: what there is of it beyond maxRead is not there, and the codec refuses the rest.
func gzipped() connect.HandlerOption {
	return connect.WithCompression("gzip",
		func() connect.Decompressor { return &gunzip{} }, func() connect.Compressor { return gzip.NewWriter(io.Discard) })
}

// gunzip reads the first maxRead bytes of what was compressed.
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

// codings are the headers that say how a message is compressed, each with that of the answer which says how it may be.
var codings = map[string]string{
	"Content-Encoding": "Accept-Encoding", "Connect-Content-Encoding": "Connect-Accept-Encoding",
	"Grpc-Encoding": "Grpc-Accept-Encoding",
}

// readable says whether a message is compressed in a way that is read here, or not at all; the answer says what is. Connect
// would refuse it too, without our code for it.
func readable(w http.ResponseWriter, r *http.Request) error {
	for header, accept := range codings {
		coding := r.Header.Get(header)
		if header == "Content-Encoding" && r.Method == http.MethodGet {
			coding = r.URL.Query().Get("compression")
		}
		if coding != "" && coding != "identity" && coding != "gzip" {
			w.Header().Set(accept, "gzip")
			return fault.New(fault.UnsupportedMediaType, "A message may be compressed with gzip, or not at all.")
		}
	}
	return nil
}
