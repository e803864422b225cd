package engine

import "sync/atomic"

// Workers resolve fields concurrently. Idle workers are kept, because a query needs a large stack, which a new
// goroutine would have to grow first.
var (
	handed  = make(chan *part)
	waiting atomic.Int32
)

// maxWaiting limits the idle workers.
const maxWaiting = 32

// start resolves the part in a worker.
func (a *part) start() {
	a.Add(1)
	select {
	case handed <- a:
	default:
		go work(a)
	}
}

func work(a *part) {
	for {
		a.written = a.place.resolve(a.obj)
		a.Done()
		if waiting.Add(1) > maxWaiting {
			waiting.Add(-1)
			return
		}
		a = <-handed
		waiting.Add(-1)
	}
}
