//go:build !linux

package main

// unmapProgram does nothing here: see program_linux.go.
func unmapProgram() (size uint64, err error) { return 0, nil }
