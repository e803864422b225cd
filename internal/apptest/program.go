package apptest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// BuildProgram compiles the module's cmd/paydown into a file; see Build.
func BuildProgram(root, path string, flags ...string) error {
	return Build(root, "./cmd/paydown", path, flags...)
}

// Build compiles a program of a directory's module into a file, like a release: without the C compiler, so that
// cached packages can be used, and without debug information, which halves the link time. With the flag -race
// it is compiled for the race detector instead.
func Build(folder, program, path string, flags ...string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	args := append([]string{"build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", path}, flags...)
	build := exec.CommandContext(context.Background(), "go", append(args, program)...)
	build.Dir = folder
	if len(flags) == 0 {
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", program, err, out)
	}
	return nil
}
