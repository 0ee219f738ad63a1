//go:build xsync

// Acquire and release one of ten permits of a weighted semaphore; ns for the pair. Twin of
// ../../sem.c.
package main

import (
	"context"
	"fmt"
	"time"

	"anthill/bench/internal/report"

	"golang.org/x/sync/semaphore"
)

var (
	procs  = 1
	count  = 20000000
	rounds = 5
	sem    = semaphore.NewWeighted(10)
	ctx    = context.Background()
)

func oneRound() float64 {
	start := time.Now()
	for i := 0; i < count; i++ {
		if sem.Acquire(ctx, 1) != nil {
			panic("not acquired")
		}
		sem.Release(1)
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
	report.Print("sem", fmt.Sprintf("p%d %d", procs, count), &times)
}
