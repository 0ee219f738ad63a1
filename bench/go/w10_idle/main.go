// W10: the CPU time of a process whose goroutines are all parked, in ms for each second of wall
// time. Twin of ../../w10_idle.c.
package main

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs   = 2
	count   = 1000
	rounds  = 1
	seconds = 5 // of each round
	gate    sync.WaitGroup
	done    sync.WaitGroup
)

func parker() {
	gate.Wait()
	done.Done()
}

func cpuMs() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		report.Die(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

func oneRound() float64 {
	start := time.Now()
	cpuStart := cpuMs()
	time.Sleep(time.Duration(seconds) * time.Second)
	return (cpuMs() - cpuStart) / time.Since(start).Seconds()
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "rounds", Value: &rounds},
		report.Option{Name: "seconds", Value: &seconds})
	cpu := report.Series{Metric: "cpu", Unit: "ms/s"}
	gate.Add(1)
	done.Add(count)
	for i := 0; i < count; i++ {
		go parker()
	}
	time.Sleep(500 * time.Millisecond)
	for i := 0; i < rounds; i++ {
		cpu.Add(oneRound())
	}
	gate.Done()
	done.Wait()
	report.Print("W10", fmt.Sprintf("p%d %d", procs, count), &cpu)
}
