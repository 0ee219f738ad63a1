"""measurement.py - all processes of all rounds.

All contestants do a case one after the other, then comes the next case; after the last one the next
round begins with the first: A B A B in time, so that a slow minute of the machine hits everybody.
"""

import time

from .machine import clean_environment, take_from_host
from .process import holding, measure, pinned
from .progress import Progress
from .tools import Failed


class Measurement:
    def __init__(self, cases, contestants, quick, alternate=False):
        """The first contestant is a build of Anthill; it also has the client of idle_conns. With
        alternate, the contestants come in reverse in every second round: A B, B A."""
        self.cases = cases
        self.alternate = alternate
        self.results = {}   # (index of the case, contestant) -> [result of each round]
        self.failures = {}  # (contestant, command) -> message
        self.left_out = 0   # processes for which there was no time
        self.env = {**clean_environment(),
                    "IDLE_CLIENT": str(contestants[0].program("idle_client"))}
        self.jobs = []      # (index of the case, contestant, command)
        for i, case in enumerate(cases):
            args = case.arguments(quick)
            for c in contestants:
                command = c.command(case, args)
                if command and (c.does_all or case.others or not quick):
                    self.jobs.append((i, c.name, tuple(pinned(command, args))))

    @property
    def per_round(self):
        """How many processes."""
        return len({(contestant, command) for _, contestant, command in self.jobs})

    def run(self, rounds, deadline=None, label="round", progress=None):
        """Returns how many rounds there was time for."""
        progress = progress or Progress(rounds * self.per_round)
        for r in range(rounds):
            start = time.monotonic()
            self.one_round(self.order(r), f"{label} {r + 1}", progress, deadline)
            now = time.monotonic()
            if deadline and r + 1 < rounds and now + (now - start) > deadline:
                break
        progress.finish()
        return r + 1

    def order(self, r):
        if not self.alternate or r % 2 == 0:
            return self.jobs
        return sorted(reversed(self.jobs), key=lambda job: job[0])  # stable: case after case

    def one_round(self, jobs, label, progress, deadline):
        seen = {}  # (contestant, command) -> result
        for i, contestant, command in jobs:
            if deadline and time.monotonic() > deadline:
                self.left_out += 1
                continue
            key = contestant, command
            if key not in seen:
                args = " ".join(word for word in command if "=" in word)
                progress.step(f"{label}  {self.cases[i].work.label}  {contestant}  {args}")
                seen[key] = self.one_process(key, self.cases[i], progress)
            if seen[key]:
                self.results.setdefault((i, contestant), []).append(seen[key])

    def one_process(self, key, case, progress):
        """None if it failed now or in an earlier round."""
        if key in self.failures:
            return None
        take_from_host(case.warm)
        try:
            with holding(key[1], case.beside, self.env):
                return measure(key[1], self.env)
        except Failed as e:
            self.failures[key] = str(e)
            progress.say(f"FAILED {e}")
            return None
