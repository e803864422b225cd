package parties_test

import (
	"os"
	"testing"

	"paydown/internal/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.RunOverlapping(m)) }
