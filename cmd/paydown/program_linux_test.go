package main

import (
	"os"
	"testing"
)

func TestPagesOfTheProgramAreReleased(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	size, err := releaseProgram()
	if err != nil || size < uint64(info.Size())/2 {
		t.Errorf("%d of %d bytes, %v", size, info.Size(), err)
	}
}
