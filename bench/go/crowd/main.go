// A hundred producers and a hundred consumers on one channel; ns for each message. Twin of
// ../../crowd.c.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs     = 2
	count     = 2000000
	rounds    = 5
	channel   chan int64
	producing sync.WaitGroup
	consuming sync.WaitGroup
	total     int64
)

const (
	crowd = 100
	slots = 128
)

func producer() {
	for i := int64(0); i < int64(count/crowd); i++ {
		channel <- i
	}
	producing.Done()
}

func consumer() {
	sum := int64(0)
	for v := range channel {
		sum += v
	}
	atomic.AddInt64(&total, sum)
	consuming.Done()
}

func oneRound() float64 {
	start := time.Now()
	each := int64(count / crowd)
	total = 0
	channel = make(chan int64, slots)
	producing.Add(crowd)
	consuming.Add(crowd)
	for i := 0; i < crowd; i++ {
		go producer()
		go consumer()
	}
	producing.Wait()
	close(channel)
	consuming.Wait()
	if total != crowd*each*(each-1)/2 {
		panic("the total is wrong")
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
	report.Print("crowd", fmt.Sprintf("p%d %d", procs, count), &times)
}
