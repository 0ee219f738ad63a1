// One goroutine adds to a wait group, another does its part; ns for each turn. Twin of
// ../../waitgroup.c.
package main

import (
	"fmt"
	"sync"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 1
	count  = 2000000
	rounds = 5
	wg     sync.WaitGroup
)

func part() {
	wg.Done()
}

func oneRound() float64 {
	start := time.Now()
	for i := 0; i < count; i++ {
		wg.Add(1)
		go part()
		wg.Wait()
	}
	return float64(time.Since(start).Nanoseconds()) / float64(count)
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "rounds", Value: &rounds})
	times := report.Series{Metric: "time", Unit: "ns"}
	for i := 0; i < rounds; i++ {
		times.Add(oneRound())
	}
	report.Print("waitgroup", fmt.Sprintf("p%d %d", procs, count), &times)
}
