// W8: goroutines that lock one mutex, add one, and unlock it; ns for each turn. Twin of
// ../../w8_mutex.c.
package main

import (
	"fmt"
	"sync"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs   = 2
	count   = 4000000
	rounds  = 5
	workers = 8
	mutex   sync.Mutex
	done    sync.WaitGroup
	total   int64
)

func worker() {
	turns := count / workers
	for i := 0; i < turns; i++ {
		mutex.Lock()
		total++
		mutex.Unlock()
	}
	done.Done()
}

func oneRound() float64 {
	start := time.Now()
	total = 0
	done.Add(workers)
	for i := 0; i < workers; i++ {
		go worker()
	}
	done.Wait()
	if total != int64(count/workers)*int64(workers) {
		panic("the total is wrong")
	}
	return float64(time.Since(start).Nanoseconds()) / float64(count)
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "workers", Value: &workers},
		report.Option{Name: "rounds", Value: &rounds})
	times := report.Series{Metric: "time", Unit: "ns"}
	for i := 0; i < rounds; i++ {
		times.Add(oneRound())
	}
	report.Print("W8", fmt.Sprintf("p%d %d workers %d", procs, count, workers), &times)
}
