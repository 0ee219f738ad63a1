// A goroutine that receives from two channels by select; ns for each message. Twin of
// ../../select.c.
package main

import (
	"fmt"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs    = 1
	count    = 1000000
	rounds   = 5
	channels [2]chan int64
)

func sender(c chan int64) {
	for i := int64(0); i < int64(count/2); i++ {
		c <- i
	}
}

func oneRound() float64 {
	start := time.Now()
	for i := range channels {
		channels[i] = make(chan int64)
		go sender(channels[i])
	}
	sum := int64(0)
	for i := 0; i < count; i++ {
		select {
		case v := <-channels[0]:
			sum += v
		case v := <-channels[1]:
			sum += v
		}
	}
	if sum != int64(count/2)*int64(count/2-1) {
		panic("the sum is wrong")
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
	report.Print("select", fmt.Sprintf("p%d %d", procs, count), &times)
}
