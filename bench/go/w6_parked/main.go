// W6: a million goroutines park on one gate, then all are let go. Twin of ../../w6_parked.c, which
// says what spawn, wake and rss are.
//
// The gate is a WaitGroup, as on our side, though closing a channel is the more usual way to let
// many goroutines go in Go: both sides shall do the same work. There is no argument stack: a
// goroutine of Go always starts with 2 KB.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs   = 2
	count   = 1000000
	rounds  = 2
	gate    sync.WaitGroup
	done    sync.WaitGroup
	arrived int32

	spawn = report.Series{Metric: "spawn", Unit: "s"}
	wake  = report.Series{Metric: "wake", Unit: "s"}
	rss   = report.Series{Metric: "rss", Unit: "bytes"}
)

func parker() {
	atomic.AddInt32(&arrived, 1)
	gate.Wait()
	done.Done()
}

func spawnAll() {
	for i := 0; i < count; i++ {
		go parker()
	}
	for atomic.LoadInt32(&arrived) < int32(count) {
		runtime.Gosched()
	}
}

func oneRound(rssBefore float64) {
	report.ResetPeakRSS()
	atomic.StoreInt32(&arrived, 0)
	gate.Add(1)
	done.Add(count)

	start := time.Now()
	spawnAll()
	parked := time.Now()
	gate.Done()
	done.Wait()
	ended := time.Now()

	spawn.Add(parked.Sub(start).Seconds())
	wake.Add(ended.Sub(parked).Seconds())
	rss.Add((report.PeakRSS() - rssBefore) / float64(count))
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "rounds", Value: &rounds})
	rssBefore := report.RSS()
	for i := 0; i < rounds; i++ {
		oneRound(rssBefore)
	}
	param := fmt.Sprintf("p%d %d", procs, count)
	report.Print("W6", param, &spawn)
	report.Print("W6", param, &wake)
	report.Print("W6", param, &rss)
}
