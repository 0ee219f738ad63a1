// TCP connections on which nothing happens: memory for each, and how long a byte takes to come back.
// Twin of ../../idle_conns.c.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"anthill/bench/internal/report"
)

var (
	procs  = 2
	conns  = 10000
	count  = 5000
	rounds = 3
	hold   = 2
)

func must(err error) {
	if err != nil {
		report.Die(err)
	}
}

func serve(c net.Conn) {
	var buf [64]byte
	for {
		n, err := c.Read(buf[:])
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
		must(err)
		go serve(c)
	}
}

func startClient(port int) (io.Writer, *bufio.Reader) {
	client := exec.Command(os.Getenv("IDLE_CLIENT"), strconv.Itoa(port), strconv.Itoa(conns),
		strconv.Itoa(count))
	to, err := client.StdinPipe()
	must(err)
	from, err := client.StdoutPipe()
	must(err)
	must(client.Start())
	return to, bufio.NewReader(from)
}

func main() {
	report.Parse(&procs, report.Option{Name: "conns", Value: &conns},
		report.Option{Name: "count", Value: &count},
		report.Option{Name: "rounds", Value: &rounds},
		report.Option{Name: "hold", Value: &hold})
	before := report.RSS()
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	must(err)
	go acceptAll(l)
	to, from := startClient(l.Addr().(*net.TCPAddr).Port)
	_, err = from.ReadString('\n')
	must(err)
	for runtime.NumGoroutine() < conns+2 {
		time.Sleep(time.Millisecond)
	}
	if hold == 1 {
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
		return
	}
	memory := report.Series{Metric: "rss", Unit: "B"}
	memory.Add((report.RSS() - before) / float64(conns))
	wake := report.Series{Metric: "wake", Unit: "ns"}
	for i := 0; i < rounds; i++ {
		fmt.Fprintln(to)
		line, err := from.ReadString('\n')
		must(err)
		ns, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		must(err)
		wake.Add(ns)
	}
	param := fmt.Sprintf("p%d %d", procs, conns)
	report.Print("idle_conns", param, &memory)
	report.Print("idle_conns", param, &wake)
}
