//go:build xsync

// W4 and W5: tasks behind a limit, with what Go offers for it. Twin of ../../w4_pool.c.
//
// how=1: x/sync's errgroup with a limit; how=2: goroutines that hold a token of a buffered channel
// while they run; how=3: plain goroutines, without any limit.
package main

import (
	"fmt"
	"sync"
	"time"

	"anthill/bench/internal/report"

	"golang.org/x/sync/errgroup"
)

var (
	procs     = 2
	count     = 1000000
	workers   = 50000
	producers = 1
	sleepMs   = 0
	how       = 1
	rounds    = 5
	done      sync.WaitGroup
	producing sync.WaitGroup
	tokens    chan struct{}
	group     errgroup.Group

	each = report.Series{Metric: "time", Unit: "ns"}
	all  = report.Series{Metric: "time", Unit: "s"}
	rss  = report.Series{Metric: "rss", Unit: "bytes"}
)

func task() {
	if sleepMs > 0 {
		time.Sleep(time.Duration(sleepMs) * time.Millisecond)
	}
	done.Done()
}

func inGroup() error {
	task()
	return nil
}

func withToken() {
	task()
	<-tokens
}

func submit() {
	switch how {
	case 1:
		group.Go(inGroup)
	case 2:
		tokens <- struct{}{}
		go withToken()
	default:
		go task()
	}
}

func produce() {
	for i := 0; i < count/producers; i++ {
		submit()
	}
	producing.Done()
}

func oneRound(rssBefore float64) {
	report.ResetPeakRSS()
	done.Add(count / producers * producers)
	producing.Add(producers)
	start := time.Now()
	for i := 0; i < producers; i++ {
		go produce()
	}
	producing.Wait()
	done.Wait()
	took := time.Since(start).Seconds()
	each.Add(took * 1e9 / float64(count))
	all.Add(took)
	rss.Add(report.PeakRSS() - rssBefore)
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "workers", Value: &workers},
		report.Option{Name: "producers", Value: &producers},
		report.Option{Name: "sleep", Value: &sleepMs},
		report.Option{Name: "how", Value: &how},
		report.Option{Name: "rounds", Value: &rounds})
	rssBefore := report.RSS()
	tokens = make(chan struct{}, workers)
	group.SetLimit(workers)
	for i := 0; i < rounds; i++ {
		oneRound(rssBefore)
	}
	param := fmt.Sprintf("p%d %d workers %d producers %d how %d", procs, count, workers, producers, how)
	if sleepMs == 0 {
		report.Print("W4", param, &each)
		return
	}
	report.Print("W5", param, &all)
	report.Print("W5", param, &rss)
}
