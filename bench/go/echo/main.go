// TCP echo over loopback, client and server in one process; ns for each message, and how much of it
// in the kernel. Twin of ../../echo.c.
package main

import (
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 2
	conns  = 64
	size   = 512
	count  = 200000
	stream = 2
	rounds = 4
	done   sync.WaitGroup
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func serve(c net.Conn) {
	buf := make([]byte, 16384)
	for {
		n, err := c.Read(buf)
		if err != nil {
			break
		}
		if _, err := c.Write(buf[:n]); err != nil {
			break
		}
	}
	c.Close()
}

func acceptAll(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go serve(c)
	}
}

func writeAll(c net.Conn, messages int) {
	out := make([]byte, size)
	for i := 0; i < messages; i++ {
		_, err := c.Write(out)
		must(err)
	}
}

func clientStream(c net.Conn, messages int) {
	in := make([]byte, 16384)
	go writeAll(c, messages)
	for left := messages * size; left > 0; {
		n, err := c.Read(in)
		must(err)
		left -= n
	}
	done.Done()
}

func clientPingPong(c net.Conn, messages int) {
	out, in := make([]byte, size), make([]byte, size)
	for i := 0; i < messages; i++ {
		_, err := c.Write(out)
		must(err)
		_, err = io.ReadFull(c, in)
		must(err)
	}
	done.Done()
}

func kernelTime() time.Duration {
	var use syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return time.Duration(use.Stime.Nano())
}

func runClients(clients []net.Conn) {
	done.Add(conns)
	for _, c := range clients {
		if stream == 1 {
			go clientStream(c, count/conns)
		} else {
			go clientPingPong(c, count/conns)
		}
	}
	done.Wait()
}

func main() {
	report.Parse(&procs, report.Option{Name: "conns", Value: &conns},
		report.Option{Name: "size", Value: &size},
		report.Option{Name: "count", Value: &count},
		report.Option{Name: "stream", Value: &stream},
		report.Option{Name: "rounds", Value: &rounds})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	go acceptAll(l)
	clients := make([]net.Conn, conns)
	for i := range clients {
		clients[i], err = net.Dial("tcp", l.Addr().String())
		must(err)
	}
	all := report.Series{Metric: "time", Unit: "ns"}
	kernel := report.Series{Metric: "kernel", Unit: "ns"}
	messages := float64(count / conns * conns)
	for i := 0; i < rounds; i++ {
		start, kernelStart := time.Now(), kernelTime()
		runClients(clients)
		all.Add(float64(time.Since(start)) / messages)
		kernel.Add(float64(kernelTime()-kernelStart) / messages / float64(procs))
	}
	param := fmt.Sprintf("p%d %d conns %d size %d stream %d", procs, count, conns, size, stream)
	report.Print("echo", param, &all)
	report.Print("echo", param, &kernel)
}
