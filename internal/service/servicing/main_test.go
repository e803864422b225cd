package servicing_test

import (
	"os"
	"testing"

	"paydown/internal/apptest"
)

// object is the JSON object of most requests.
type object = apptest.Object

func TestMain(m *testing.M) { os.Exit(apptest.RunOverlapping(m)) }
