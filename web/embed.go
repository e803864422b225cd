// Package web holds the staff portal as `make build` makes it. The sources beside this file are TypeScript.
package web

import (
	"embed"
	"io/fs"
)

// The folder has nothing but its placeholder where the portal was not built, so that Go alone can build the rest.
//
//go:embed all:dist
var dist embed.FS

// Files are those of the built portal: index.html, and assets/ with each file as it is, in Brotli (.br) and in gzip
// (.gz). There is no index.html where the portal was not built.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}
