"""harness - the machinery behind bench/run and bench/ab.

What is measured stands in bench/works.py. The files here, in the order in which data meets them:

    work.py         what a work consists of: cases, figures, goals
    tools.py        where the project lies, and how its tools are run
    machine.py      what this machine is and can do
    contestants.py  Anthill and its peers: how each is built and started
    choice.py       the works that a command line asks for
    process.py      one process, measured
    progress.py     how far a long run has come
    measurement.py  all processes of all rounds, interleaved
    rows.py         the rows of the table, computed from what the processes printed
    report.py       the tables that are printed
    results.py      bench/results.json
    plot.py         the results as a picture, svg.py its shapes

Only bench/ab needs these:

    builds.py       what A and B stand for: a revision, a directory, the working tree
    interval.py     the interval of the median ratio, and the verdict
    instructions.py what the hot functions execute, counted by callgrind
    disassembly.py  what the functions consist of
    comparison.py   what is printed
"""
