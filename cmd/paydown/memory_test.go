package main

import (
	"os"
	"runtime"
	"testing"
)

func TestTheProgramsPagesAreGivenBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	size, err := unmapProgram()
	if err != nil || size < uint64(info.Size())/2 {
		t.Errorf("%d of %d bytes, %v", size, info.Size(), err)
	}
}
