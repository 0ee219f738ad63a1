// W3: one goroutine sends integers to another over one channel; ns for each message. Twin of
// ../../w3_chan.c.
package main

import (
	"fmt"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs   = 1
	count   = 2000000
	slots   = 0 // unbuffered
	rounds  = 5
	channel chan int64
)

func sender() {
	for i := int64(0); i < int64(count); i++ {
		channel <- i
	}
	close(channel)
}

func oneRound() float64 {
	start := time.Now()
	channel = make(chan int64, slots)
	go sender()
	sum := int64(0)
	for v := range channel {
		sum += v
	}
	if sum != int64(count)*int64(count-1)/2 {
		panic("the sum is wrong")
	}
	return float64(time.Since(start).Nanoseconds()) / float64(count)
}

func main() {
	report.Parse(&procs, report.Option{Name: "count", Value: &count},
		report.Option{Name: "slots", Value: &slots},
		report.Option{Name: "rounds", Value: &rounds})
	times := report.Series{Metric: "time", Unit: "ns"}
	for i := 0; i < rounds; i++ {
		times.Add(oneRound())
	}
	report.Print("W3", fmt.Sprintf("p%d %d slots %d", procs, count, slots), &times)
}
