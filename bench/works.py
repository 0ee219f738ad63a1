"""works.py - the table of works: what bench/run and bench/ab measure, and what the goals are.

To add a work, write its program and its twin (see README.md) and add an entry to WORKS: its number
(empty if the design gives it none), its name, what it does, and its cases. A case is one process.
harness/work.py explains the fields of a case, a figure and a goal.

The functions above the table build the cases of works that have several similar ones.
"""

from harness.work import COLD, GB, KB, Case, Figure, Work, at_most, not_above, times

M1 = 1000000


def spawn(procs, size, count, rounds, quick_rounds, cold=False, **goals):
    name = f"spawn, run, end {size}, {procs}P"
    warm_row = Figure(name, "ns", level=f"W2 spawn {procs}P", **goals)
    cold_row = Figure(f"{name}, cold", "ns", phase=COLD, **goals)
    return Case("w2_spawn", {"procs": procs, "count": count, "rounds": rounds},
                (cold_row, warm_row) if cold else (warm_row,), {"rounds": quick_rounds},
                warm=3 * GB if cold else 0)


def chan(procs, slots, goal, then):
    args = {"procs": procs, "count": 2 * M1, "rounds": 4}
    name = f"channel, {f'{slots} slots' if slots else 'unbuffered'}, {procs}P"
    return Case("w3_chan", {**args, "slots": slots} if slots else args,
                (Figure(name, "ns", goal=times(goal), then=at_most(then, f"{then} ns")),),
                {"count": M1})


def pool(name, producers=1, goal=None, then=None, teams=1, count=M1, workers=50000, level=None,
         rounds=4, by="count", procs=2):
    """Empty tasks through a pool."""
    args = {"procs": procs, "count": count, "workers": workers, "producers": producers,
            "rounds": rounds}
    if teams > 1:
        args["teams"] = teams
    return Case("w4_pool", args,
                (Figure(name, "ns", goal=goal, then=then, level=level, by=by),), {"rounds": 3},
                others=goal is not None and teams == 1)


def pool_of(workers, size):
    """The same million tasks, whatever the number of workers."""
    return pool(f"pool of {size}, 1M empty tasks, 1 producer", workers=workers, level="W4 workers",
                by="workers")


def sleepers(name, stack=0, goal=None, then=None, memory=None, count=M1, rounds=3):
    """Tasks that sleep, through a pool."""
    args = {"procs": 2, "count": count, "workers": 50000, "sleep": 10, "rounds": rounds}
    if stack:
        args["stack"] = stack
    level = None if stack else "W5 tasks"
    return Case("w4_pool", args, (
        Figure(name, "s", goal=goal, then=then, level=level, each=1e9 / count),
        Figure(f"{name}: peak memory", "MB", "rss", scale=1e-6, goal=memory)),
        {"rounds": 2}, others=goal is not None)


def parked_small(size, count, rounds):
    each = 1e9 / count
    return Case("w6_parked", {"procs": 2, "count": count, "rounds": rounds}, (
        Figure(f"{size} parked: spawn each", "ns", "spawn", scale=each, level="W6 spawn"),
        Figure(f"{size} parked: wake each", "ns", "wake", scale=each, level="W6 wake"),
        Figure(f"{size} parked: memory each", "B", "rss", COLD),
        Figure(f"{size} parked: page tables each", "B", "pte", COLD)))


def turns(program, name, procs, count, goal, then=None, **args):
    """The only figure is the time of one turn."""
    return Case(program, {"procs": procs, "count": count, "rounds": 4, **args},
                (Figure(f"{name}, {procs}P", "ns", goal=times(goal),
                        then=at_most(then, f"{then} ns") if then else None),),
                {"count": count // 2})


def echo(conns, stream=False, cubic=True):
    """TCP over loopback, client and server in one process."""
    name = (f"TCP echo, 512 bytes, {conns} connection{'s' * (conns > 1)}, "
            + ("streaming" if stream else "ping-pong")
            + ("" if cubic else ", congestion control as it is set here"))
    figures = [Figure(name, "us", scale=1e-3, goal=times(1.3)),
               Figure(f"{name}: in the kernel", "us", "kernel", scale=1e-3),
               Figure(f"{name}: packets", "", "packets")]
    if not stream:
        figures.append(Figure(f"{name}: p99", "us", "p99", scale=1e-3))
    return Case("echo", {"procs": 2, "conns": conns, "stream": 1 if stream else 2,
                         "count": 200000 if stream else 60000, "rounds": 4,
                         "cubic": 1 if cubic else 2},
                tuple(figures), {"count": 30000})


def echo_limit(name, **how):
    """What the kernel takes. No peer has a twin of it."""
    settings = {"conns": 64, "count": 100000, "rounds": 4, **how}
    return Case("echo_limit", settings,
                (Figure(f"the same, {settings['conns']} ping-pong, {name}", "us", scale=1e-3),),
                {"count": 30000})


def idle_conns(conns, processes=1):
    """The other end is a process of its own, because of the limit of descriptors. Where that limit
    allows fewer connections than wanted, several servers have a share each; one is measured."""
    name = f"{conns} idle connections{f' in {processes} processes' if processes > 1 else ''}"
    each = -(-conns // processes)
    return Case("idle_conns", {"procs": 2, "conns": each, "rounds": 3}, (
        Figure(f"{name}: memory each", "B", "rss", COLD),
        Figure(f"{name}: until a byte comes back", "us", "wake", scale=1e-3, goal=times(1))),
        {"count": 2000}, files=each + 100, long=conns > 10000, beside=processes - 1)


def blocked(count, ms):
    """One process makes all crowds, in turn."""
    crowd = f"{count} calls that block for {ms} ms"
    late = "1 ms ticks beside them: late, p99"
    return Case("w11_blocked", {"procs": 2, "count": count, "ms": ms, "rounds": 4}, (
        Figure(f"{crowd}, by plain threads", "ms", "threads"),
        Figure(f"{crowd}, announced", "ms", "announced"),
        Figure(f"{crowd}, not announced", "ms", "unannounced",
               goal=not_above(f"{crowd}, announced", "1.3× announced", 1.3),
               then=not_above(f"{crowd}, by plain threads", "1.5× threads", 1.5)),
        Figure(f"{late}, by plain threads", "us", "threads late"),
        Figure(f"{late}, announced", "us", "announced late"),
        Figure(f"{late}, not announced", "us", "unannounced late",
               goal=not_above(f"{late}, by plain threads", "2× threads", 2))), {"rounds": 3})


def pollers(procs):
    return Case("w11_pollers", {"procs": procs, "count": 100, "rounds": 3}, (
        Figure(f"1 ms ticks beside 100 that poll for 1 ms, {procs}P: missed", "%", "missed",
               goal=at_most(10, "10 %")),), {"ms": 1000})


def pairs_of_sockets(pairs):
    name = f"{pairs} pairs of sockets, ping-pong"
    threads = f"{name}, plain threads"
    return Case("w11_pairs", {"procs": 2, "pairs": pairs, "rounds": 4}, (
        Figure(threads, "us", "threads"),
        Figure(f"{name}, announced", "us", "announced",
               goal=not_above(threads, "2× threads", 2)),
        Figure(f"{name}, not announced", "us", "unannounced"),
        Figure(f"{name}, ant_read and ant_write", "us", "parked")))


def postgres_clients(count):
    """They connect to a server of their own, and wait for it."""
    name = f"{count} clients of PostgreSQL, pg_sleep(1)"
    threads = f"{name}, plain threads"
    return Case("w11_postgres", {"procs": 2, "count": count, "rounds": 3}, (
        Figure(threads, "s", "threads"),
        Figure(f"{name}, not announced", "s", "unannounced",
               goal=not_above(threads, "1.2× threads", 1.2)),
        Figure(f"{name}, option blocking", "s", "blocking",
               goal=not_above(threads, "1.2× threads", 1.2))), {"rounds": 2}, package="libpq")


WORKS = [
    Work("W1", "yield", "two goroutines on one P yield to one another", [
        Case("w1_yield", {"procs": 1, "count": 10 * M1, "rounds": 4}, (
            Figure("yield, two goroutines, 1P", "ns", goal=times(6), then=at_most(9, "9 ns")),),
            {"count": 4 * M1}),
    ]),

    Work("W2", "spawn", "spawn, run and end empty goroutines", [
        spawn(1, "10k", 10000, 31, 31),
        spawn(1, "100k", 100000, 11, 6),
        spawn(1, "1M", M1, 4, 3, cold=True, goal=times(20), then=at_most(25, "25 ns")),
        spawn(2, "10k", 10000, 31, 31),
        spawn(2, "100k", 100000, 11, 6),
        spawn(2, "1M", M1, 4, 3, cold=True, goal=times(4), then=at_most(40, "40 ns")),
    ]),

    Work("W3", "chan", "one goroutine sends integers to another over a channel", [
        chan(1, 0, 3, 35),
        chan(2, 0, 3, 50),
        chan(1, 128, 2, 12),
        chan(2, 128, 1.5, 30),
    ]),

    Work("W4", "pool", "empty tasks through a pool", [
        pool("pool of 50k, 10k empty tasks, 1 producer", count=10000, rounds=31, level="W4 tasks"),
        pool("pool of 50k, 100k empty tasks, 1 producer", count=100000, rounds=11,
             level="W4 tasks"),
        pool("pool of 50k, 1M empty tasks, 1 producer", goal=times(8), then=at_most(50, "50 ns"),
             level="W4 tasks"),
        pool("pool of 50k, 1M empty tasks, 8 producers", 8, times(5), at_most(40, "40 ns")),
        pool("multi pool of 10 x 5k, 1M empty tasks, 8 producers", 8,
             not_above("pool of 50k, 1M empty tasks, 8 producers", "one pool"), teams=10),
        pool_of(100, "100"),
        pool_of(10000, "10k"),
        pool_of(200000, "200k"),
        pool("pool of 50k, 1M empty tasks, 1 producer, 1P", procs=1),
    ]),

    Work("W5", "pool_sleep", "tasks that sleep, through a pool", [
        sleepers("pool of 50k, 10k tasks of 10 ms", count=10000, rounds=11),
        sleepers("pool of 50k, 100k tasks of 10 ms", count=100000, rounds=6),
        sleepers("pool of 50k, 1M tasks of 10 ms", goal=times(4), then=at_most(0.3, "0.3 s")),
        sleepers("the same, 2 KB stacks", 2048, times(4), at_most(0.3, "0.3 s"),
                 at_most(125, "125 MB")),
    ]),

    Work("W6", "parked", "goroutines park on one gate, then all go", [
        parked_small("10k", 10000, 11),
        parked_small("100k", 100000, 4),
        Case("w6_parked", {"procs": 2, "count": M1, "rounds": 2}, (
            Figure("1M parked: spawn, cold", "s", "spawn", COLD, goal=times(1.5),
                   then=at_most(1, "1 s")),
            Figure("1M parked: wake, cold", "s", "wake", COLD, goal=times(2),
                   then=at_most(0.15, "0.15 s")),
            Figure("1M parked: memory each", "B", "rss", COLD, goal=at_most(4.4 * KB, "4.4 KB")),
            Figure("1M parked: page tables each", "B", "pte", COLD),
            Figure("1M parked: spawn, warm", "s", "spawn", level="W6 spawn", each=1e9 / M1),
            Figure("1M parked: wake, warm", "s", "wake", level="W6 wake", each=1e9 / M1)),
            memory=6 * GB, warm=5 * GB),
        Case("w6_parked", {"procs": 2, "count": M1, "rounds": 2, "stack": 2 * KB}, (
            Figure("1M parked, 2 KB stacks: spawn, cold", "s", "spawn", COLD),
            Figure("1M parked, 2 KB stacks: wake, cold", "s", "wake", COLD),
            Figure("1M parked, 2 KB stacks: memory each", "B", "rss", COLD,
                   goal=at_most(2.4 * KB, "2.4 KB"), then=at_most(1.0 * KB, "1 KB")),
            Figure("1M parked, 2 KB stacks: page tables each", "B", "pte", COLD)),
            memory=6 * GB, warm=5 * GB),
    ]),

    Work("W7", "skynet", "a tree of goroutines that adds up over channels", [
        Case("w7_skynet", {"procs": 2, "leaves": M1, "rounds": 4}, (
            Figure("skynet over channels, 1M leaves, 2P", "s", scale=1e-9, goal=times(4),
                   then=at_most(0.12, "0.12 s")),)),
    ]),

    Work("W8", "mutex", "goroutines lock and unlock one mutex", [
        turns("w8_mutex", "one mutex, 8 goroutines", 2, 8 * M1, 1.3, 9),
        turns("w8_mutex", "one mutex, nobody else", 1, 8 * M1, 1, workers=1),
    ]),

    Work("", "select", "one goroutine selects over two channels", [
        turns("select", "select over 2 channels", 1, M1, 1),
        turns("select", "select over 2 channels", 2, M1, 1),
    ]),

    Work("", "crowd", "many producers and consumers on one channel", [
        turns("crowd", "channel, 100 producers, 100 consumers", 2, 2 * M1, 1),
    ]),

    Work("", "waitgroup", "add, go, done, wait", [
        turns("waitgroup", "wait group: add, go, done, wait", 1, M1, 1),
        turns("waitgroup", "wait group: add, go, done, wait", 2, M1, 1),
    ]),

    Work("", "sem", "acquire and release a semaphore that is free", [
        turns("sem", "semaphore: acquire, release", 1, 10 * M1, 1),
    ]),

    Work("", "cache", "get from a cache of objects and put back", [
        turns("cache", "cache: get, put", 1, 10 * M1, 1),
    ]),

    Work("", "echo", "512 bytes there and back over TCP; beside it bare epoll and io_uring loops", [
        echo(1), echo(64), echo(1000),
        echo(1, stream=True), echo(64, stream=True), echo(1000, stream=True),
        echo(1, stream=True, cubic=False),
        echo_limit("bare epoll loops, one each", conns=2),
        echo_limit("bare epoll loops"),
        echo_limit("bare io_uring loops", uring=1),
        echo_limit("bare epoll loops, ends apart", apart=1),
        echo_limit("bare io_uring loops, ends apart", uring=1, apart=1),
    ]),

    Work("", "idle_conns", "connections on which nothing happens, then a byte on one of them", [
        idle_conns(10000), idle_conns(19500), idle_conns(50000), idle_conns(50000, processes=3),
    ]),

    Work("", "ticker", "1 ms ticks beside goroutines that compute and goroutines that block", [
        Case("ticker", {"procs": 2, "count": 500, "rounds": 2}, (
            Figure("1 ms ticks beside 8 hogs and 8 blocked: late, p99", "us", "p99",
                   goal=times(0.5)),
            Figure("the same: late, worst", "us", "max")), {"count": 150, "rounds": 1}),
    ]),

    Work("", "sleep", "one goroutine sleeps again and again; a million sleep at a time", [
        Case("sleep", {"procs": 2, "count": 1, "us": 100, "rounds": 4}, (
            Figure("sleep of 100 us: late, median", "us", "late", scale=1e-3, goal=times(1)),),
            {"rounds": 2}),
        Case("sleep", {"procs": 2, "count": M1, "us": M1, "rounds": 3}, (
            Figure("1M sleeps of 1 s at a time: CPU each", "ns", "cpu", goal=times(1)),),
            memory=6 * GB, long=True),
    ]),

    Work("", "blocking", "enter and leave a blocking section in which nothing blocks", [
        Case("blocking", {"procs": 2, "rounds": 4}, (
            Figure("enter, leave, blocking section, nothing taken", "ns",
                   goal=at_most(10, "10 ns")),)),
    ]),

    Work("W10", "idle", "a thousand parked goroutines and nothing to do", [
        Case("w10_idle", {"procs": 2, "count": 1000, "rounds": 1, "seconds": 5}, (
            Figure("idle, 1000 parked: CPU per second", "ms", "cpu", COLD, floor=0.001,
                   goal=at_most(0.1, "0.1 ms"), then=at_most(0.02, "0.02 ms")),),
            {"seconds": 2}),
    ]),

    Work("W11", "blocked", "calls that block their threads, announced and not", [
        blocked(1000, 300),
        pollers(1), pollers(2), pollers(4),
        pairs_of_sockets(16),
        postgres_clients(1000),
    ]),
]
