package apptest

import (
	"flag"
	"runtime"
	"strconv"
	"testing"
)

// RunOverlapping runs the tests of a package, for its TestMain: more of them at the same time than there are
// processors, unless the command line sets -parallel. A test that uses an App spends much of its time waiting, for
// a database, for a process or for a delivery.
func RunOverlapping(m *testing.M) (code int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
	return m.Run()
}
