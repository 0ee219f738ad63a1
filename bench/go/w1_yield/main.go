// W1: two goroutines on one P yield to one another; ns for each yield. Twin of ../../w1_yield.c.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 1
	count  = 10000000 // yields of both together
	rounds = 5
	done   sync.WaitGroup
)

func yielder() {
	for i := 0; i < count/2; i++ {
		runtime.Gosched()
	}
	done.Done()
}

func oneRound() float64 {
	start := time.Now()
	done.Add(2)
	for i := 0; i < 2; i++ {
		go yielder()
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
	report.Print("W1", fmt.Sprintf("p%d %d", procs, count), &times)
}
