package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"slices"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// PostgreSQL's error classes and codes for a server that is unavailable, rather than a wrong statement:
// https://www.postgresql.org/docs/current/errcodes-appendix.html
var (
	unreachableClasses = []pqerror.Class{
		"08", // connection exception
		"53", // insufficient resources
	}
	unreachableCodes = []pqerror.Code{
		"57P01",                                // admin shutdown
		"57P02",                                // crash shutdown
		"57P03",                                // a lock could not be obtained in time
		"55P03",                                // a lock was not to be had in time
		"57014",                                // the statement took too long
		serializationFailure, deadlockDetected, // after all retries of the transaction
		"25006", // read-only transaction: a standby that has not been promoted
	}
	// SQLite's, caused by another process (its lock) or the machine (its disk):
	// https://www.sqlite.org/rescode.html
	unreachableResults = []int{sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
)

// IsUnreachable reports an error that means that the database is not responding at the moment.
func IsUnreachable(err error) bool {
	if postgres, ok := errors.AsType[*pq.Error](err); ok {
		return slices.Contains(unreachableClasses, postgres.Code.Class()) || slices.Contains(unreachableCodes, postgres.Code)
	}
	if embedded, ok := errors.AsType[*sqlite.Error](err); ok {
		return slices.Contains(unreachableResults, embedded.Code()&0xff) // the higher bits only refine it
	}
	var network net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network)
}
