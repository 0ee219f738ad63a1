// TCP echo over loopback, client and server in one process; ns for each message, how much of it in
// the kernel, packets sent for it, how long one of a hundred took. Twin of ../../echo.c.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"sort"
	"strings"
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
	cubic  = 1
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

func clientPingPong(c net.Conn, took []float64) {
	out, in := make([]byte, size), make([]byte, size)
	for i := range took {
		start := time.Now()
		_, err := c.Write(out)
		must(err)
		_, err = io.ReadFull(c, in)
		must(err)
		took[i] = float64(time.Since(start))
	}
	done.Done()
}

func kernelTime() time.Duration {
	var use syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return time.Duration(use.Stime.Nano())
}

// packets tells how many the machine has sent by TCP so far.
func packets() float64 {
	text, err := os.ReadFile("/proc/self/net/snmp")
	must(err)
	for _, line := range strings.Split(string(text), "\n") {
		var n float64
		if fields := strings.Fields(line); len(fields) > 11 && fields[0] == "Tcp:" {
			if _, err := fmt.Sscan(fields[11], &n); err == nil {
				return n
			}
		}
	}
	panic("/proc/self/net/snmp tells nothing of TCP")
}

// setCongestion is called for each socket before it is used; a listener's setting is inherited.
func setCongestion(_, _ string, c syscall.RawConn) (err error) {
	if cubic != 1 {
		return nil
	}
	controlErr := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptString(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CONGESTION, "cubic")
	})
	if controlErr != nil {
		return controlErr
	}
	return err
}

func runClients(clients []net.Conn, took []float64) {
	done.Add(conns)
	n := count / conns
	for i, c := range clients {
		if stream == 1 {
			go clientStream(c, n)
		} else {
			go clientPingPong(c, took[i*n:(i+1)*n])
		}
	}
	done.Wait()
}

func main() {
	report.Parse(&procs, report.Option{Name: "conns", Value: &conns},
		report.Option{Name: "size", Value: &size},
		report.Option{Name: "count", Value: &count},
		report.Option{Name: "stream", Value: &stream},
		report.Option{Name: "cubic", Value: &cubic},
		report.Option{Name: "rounds", Value: &rounds})
	listen := net.ListenConfig{Control: setCongestion}
	l, err := listen.Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(err)
	go acceptAll(l)
	clients := make([]net.Conn, conns)
	for i := range clients {
		dialer := net.Dialer{Control: setCongestion}
		clients[i], err = dialer.Dial("tcp", l.Addr().String())
		must(err)
	}
	all := report.Series{Metric: "time", Unit: "ns"}
	kernel := report.Series{Metric: "kernel", Unit: "ns"}
	sent := report.Series{Metric: "packets", Unit: "packets"}
	p99 := report.Series{Metric: "p99", Unit: "ns"}
	took := make([]float64, count/conns*conns)
	messages := float64(count / conns * conns)
	for i := 0; i < rounds; i++ {
		start, kernelStart, sentBefore := time.Now(), kernelTime(), packets()
		runClients(clients, took)
		all.Add(float64(time.Since(start)) / messages)
		kernel.Add(float64(kernelTime()-kernelStart) / messages / float64(procs))
		sent.Add((packets() - sentBefore) / messages)
		sort.Float64s(took)
		p99.Add(took[len(took)*99/100])
	}
	param := fmt.Sprintf("p%d %d conns %d size %d stream %d cubic %d", procs, count, conns, size,
		stream, cubic)
	report.Print("echo", param, &all)
	report.Print("echo", param, &kernel)
	report.Print("echo", param, &sent)
	if stream != 1 {
		report.Print("echo", param, &p99)
	}
}
