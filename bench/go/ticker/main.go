// How late the ticks of a 1 ms ticker are while 8 goroutines compute without end and 8 sit in system
// calls of a second. Twin of ../../ticker.c; the calls are those that Go's scheduler is told of.
package main

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs   = 2
	hogs    = 8
	blocked = 8
	count   = 2000
	rounds  = 2
	stop    atomic.Bool
	done    sync.WaitGroup
)

func hog() {
	for !stop.Load() {
	}
	done.Done()
}

func block() {
	for !stop.Load() {
		t := syscall.Timespec{Sec: 1}
		syscall.Nanosleep(&t, nil)
	}
	done.Done()
}

func main() {
	report.Parse(&procs, report.Option{Name: "hogs", Value: &hogs},
		report.Option{Name: "blocked", Value: &blocked},
		report.Option{Name: "count", Value: &count},
		report.Option{Name: "rounds", Value: &rounds})
	p50 := report.Series{Metric: "p50", Unit: "us"}
	p99 := report.Series{Metric: "p99", Unit: "us"}
	worst := report.Series{Metric: "max", Unit: "us"}
	for r := 0; r < rounds; r++ {
		stop.Store(false)
		done.Add(hogs + blocked)
		for i := 0; i < hogs; i++ {
			go hog()
		}
		for i := 0; i < blocked; i++ {
			go block()
		}
		time.Sleep(300 * time.Millisecond)
		late := make([]float64, count)
		ticker := time.NewTicker(time.Millisecond)
		<-ticker.C
		last := time.Now()
		for i := range late {
			<-ticker.C
			now := time.Now()
			late[i] = float64((now.Sub(last) - time.Millisecond).Nanoseconds()) / 1000
			if late[i] < 0 {
				late[i] = 0
			}
			last = now
		}
		ticker.Stop()
		sort.Float64s(late)
		p50.Add(late[count/2])
		p99.Add(late[count*99/100])
		worst.Add(late[count-1])
		stop.Store(true)
		done.Wait()
	}
	param := fmt.Sprintf("p%d %d hogs %d blocked %d", procs, count, hogs, blocked)
	report.Print("ticker", param, &p50)
	report.Print("ticker", param, &p99)
	report.Print("ticker", param, &worst)
}
