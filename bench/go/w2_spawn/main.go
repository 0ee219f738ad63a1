// W2: spawn, run and end empty goroutines; ns for each. Twin of ../../w2_spawn.c.
//
// The function captures nothing, so that a go statement allocates no closure: Go at its best.
package main

import (
	"fmt"
	"sync"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 1
	count  = 1000000
	rounds = 5
	done   sync.WaitGroup
)

func empty() {
	done.Done()
}

func oneRound() float64 {
	start := time.Now()
	done.Add(count)
	for i := 0; i < count; i++ {
		go empty()
	}
	done.Wait()
	return float64(time.Since(start).Nanoseconds()) / float64(count)
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "rounds", Value: &rounds})
	times := report.Series{Metric: "time", Unit: "ns"}
	for i := 0; i < rounds; i++ {
		times.Add(oneRound())
	}
	report.Print("W2", fmt.Sprintf("p%d %d", procs, count), &times)
}
