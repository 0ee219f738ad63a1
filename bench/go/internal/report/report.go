// Package report is the twin of ../bench.h: name=value arguments, peak memory, one line of JSON
// for each figure.
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Series is one figure over the rounds of a process; the first round is the cold one.
type Series struct {
	Metric string
	Unit   string
	Rounds []float64
}

// Option is an argument of the form name=value; *Value holds the default.
type Option struct {
	Name  string
	Value *int
}

// Parse reads the arguments and sets GOMAXPROCS from procs.
func Parse(procs *int, options ...Option) {
	options = append([]Option{{"procs", procs}}, options...)
	for _, arg := range os.Args[1:] {
		if !set(options, arg) {
			fmt.Fprintf(os.Stderr, "%s: bad argument %q; known, with defaults:", os.Args[0], arg)
			for _, o := range options {
				fmt.Fprintf(os.Stderr, " %s=%d", o.Name, *o.Value)
			}
			fmt.Fprintln(os.Stderr)
			os.Exit(2)
		}
	}
	runtime.GOMAXPROCS(*procs)
}

func set(options []Option, arg string) bool {
	name, text, _ := strings.Cut(arg, "=")
	for _, o := range options {
		if o.Name != name {
			continue
		}
		value, err := strconv.ParseInt(text, 10, 32)
		if err != nil || value <= 0 {
			return false
		}
		*o.Value = int(value)
		return true
	}
	return false
}

// Add appends the figure of one round.
func (s *Series) Add(value float64) {
	s.Rounds = append(s.Rounds, value)
}

// Print writes the line that bench/run reads.
func Print(work, param string, s *Series) {
	line, err := json.Marshal(struct {
		Work   string    `json:"work"`
		Metric string    `json:"metric"`
		Param  string    `json:"param"`
		Unit   string    `json:"unit"`
		Cold   float64   `json:"cold"`
		Values []float64 `json:"values"`
	}{work, s.Metric, param, s.Unit, s.Rounds[0], s.Rounds[1:]})
	if err != nil {
		Die(err)
	}
	fmt.Println(string(line))
}

// Die ends the program with a message.
func Die(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// RSS is the resident memory now, in bytes.
func RSS() float64 { return statusBytes("VmRSS:") }

// PeakRSS is the most it has been since ResetPeakRSS.
func PeakRSS() float64 { return statusBytes("VmHWM:") }

// ResetPeakRSS begins a new peak, so that each round has its own.
func ResetPeakRSS() {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		Die(err)
	}
}

func statusBytes(field string) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		Die(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == field {
			kb, err := strconv.ParseFloat(words[1], 64)
			if err != nil {
				Die(err)
			}
			return kb * 1024
		}
	}
	Die(fmt.Errorf("/proc/self/status: no %s", field))
	return 0
}
