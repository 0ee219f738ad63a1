// W7: a tree of goroutines, ten children each, down to a million leaves; ns for the tree. Twin of
// ../../w7_skynet.c.
package main

import (
	"fmt"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 2
	count  = 1000000
	rounds = 5
)

func skynet(up chan int64, first, size int64) {
	if size == 1 {
		up <- first
		return
	}
	c := make(chan int64)
	for i := int64(0); i < 10; i++ {
		go skynet(c, first+i*size/10, size/10)
	}
	sum := int64(0)
	for i := 0; i < 10; i++ {
		sum += <-c
	}
	up <- sum
}

func oneRound() float64 {
	start := time.Now()
	c := make(chan int64)
	go skynet(c, 0, int64(count))
	if <-c != int64(count)*int64(count-1)/2 {
		panic("the sum is wrong")
	}
	return float64(time.Since(start).Nanoseconds())
}

func main() {
	report.Parse(&procs, report.Option{Name: "leaves", Value: &count},
		report.Option{Name: "rounds", Value: &rounds})
	times := report.Series{Metric: "time", Unit: "ns"}
	for i := 0; i < rounds; i++ {
		times.Add(oneRound())
	}
	report.Print("W7", fmt.Sprintf("p%d %d", procs, count), &times)
}
