// Get an object from a sync.Pool and put it back; ns for the pair. Twin of
// ../../cache.c.
package main

import (
	"fmt"
	"sync"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 1
	count  = 20000000
	rounds = 5
	cache  = sync.Pool{New: func() any { return new([64]byte) }}
)

func oneRound() float64 {
	start := time.Now()
	for i := 0; i < count; i++ {
		object := cache.Get()
		cache.Put(object)
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
	report.Print("cache", fmt.Sprintf("p%d %d", procs, count), &times)
}
