package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
)

// stage lets the bench use what apptest offers to tests. What fails on it ends the program, after cleaning up.
type stage struct {
	testing.TB
	out      io.Writer // takes the tables
	cleanups []func()
}

type failure struct{ error }

func (s *stage) Helper()                   {}
func (s *stage) Context() context.Context  { return context.Background() }
func (s *stage) Cleanup(f func())          { s.cleanups = append(s.cleanups, f) }
func (s *stage) Fatal(args ...any)         { panic(failure{fmt.Errorf("%s", fmt.Sprint(args...))}) }
func (s *stage) Fatalf(f string, a ...any) { panic(failure{fmt.Errorf(f, a...)}) }
func (s *stage) Errorf(f string, a ...any) { fmt.Fprintf(os.Stderr, f+"\n", a...) }

// printf writes to the tables.
func (s *stage) printf(f string, a ...any) { fmt.Fprintf(s.out, f, a...) }

// must ends the program where something failed.
func (s *stage) must(err error) {
	if err != nil {
		s.Fatal(err)
	}
}

func (s *stage) TempDir() string {
	dir, err := os.MkdirTemp("", "paydown-bench-")
	s.must(err)
	s.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// play runs a benchmark, cleans up whatever comes, and reports what failed.
func play(out io.Writer, act func(*stage)) (err error) {
	s := &stage{out: out}
	defer func() {
		p := recover()
		for _, f := range slices.Backward(s.cleanups) {
			f()
		}
		if f, ok := p.(failure); ok {
			err = f.error
		} else if p != nil {
			panic(p)
		}
	}()
	act(s)
	return nil
}
