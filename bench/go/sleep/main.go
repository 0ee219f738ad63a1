// Goroutines that sleep: how late one wakes, what a crowd costs. Twin of ../../sleep.c.
package main

import (
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"

	"anthill/bench/internal/report"
)

const sleeps = 1000

var (
	procs  = 2
	count  = 1
	us     = 100
	rounds = 4
	gate   sync.WaitGroup
	done   sync.WaitGroup
)

func late() float64 {
	took := make([]float64, sleeps)
	pause := time.Duration(us) * time.Microsecond
	for i := range took {
		start := time.Now()
		time.Sleep(pause)
		took[i] = float64((time.Since(start) - pause).Nanoseconds())
	}
	slices.Sort(took)
	return took[sleeps/2]
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		report.Die(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func startAll(wait func()) {
	done.Add(count)
	for i := 0; i < count; i++ {
		go func() {
			wait()
			done.Done()
		}()
	}
}

func warmUp() {
	gate.Add(1)
	startAll(gate.Wait)
	time.Sleep(time.Second / 2)
	gate.Done()
	done.Wait()
}

func cpuOfAll() float64 {
	start := cpuSeconds()
	startAll(func() { time.Sleep(time.Duration(us) * time.Microsecond) })
	done.Wait()
	return (cpuSeconds() - start) * 1e9 / float64(count)
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "us", Value: &us}, report.Option{Name: "rounds", Value: &rounds})
	series := report.Series{Metric: "cpu", Unit: "ns"}
	if count == 1 {
		series.Metric = "late"
	} else {
		warmUp()
	}
	for i := 0; i < rounds; i++ {
		if count == 1 {
			series.Add(late())
		} else {
			series.Add(cpuOfAll())
		}
	}
	report.Print("sleep", fmt.Sprintf("p%d %d us %d", procs, count, us), &series)
}
