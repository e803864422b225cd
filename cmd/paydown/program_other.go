//go:build !linux

package main

// releaseProgram does nothing here: see program_linux.go.
func releaseProgram() (size uint64, err error) { return 0, nil }
