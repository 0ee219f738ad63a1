"""progress.py - how far a long run has come: a bar on a terminal, otherwise a line a step."""

import shutil
import sys
import time


class Progress:
    def __init__(self, total, stream=None, lines=True):
        """Without a terminal and without lines it shows nothing."""
        self.total = total
        self.done = 0
        self.stream = stream or sys.stdout
        self.bar = self.stream.isatty()
        self.lines = lines
        self.start = time.monotonic()

    def step(self, text):
        if self.bar:
            self.draw(text)
        elif self.lines:
            elapsed = time.monotonic() - self.start
            self.print(f"[{self.done + 1:3}/{self.total}, {elapsed:4.0f} s] {text}")
        self.done += 1

    def draw(self, text):
        width = 30
        full = width * self.done // self.total
        elapsed = time.monotonic() - self.start
        left = f"{elapsed / self.done * (self.total - self.done):.0f} s left" if self.done else ""
        line = f"[{'#' * full}{'.' * (width - full)}] {self.done}/{self.total} {left:>10}  {text}"
        columns = shutil.get_terminal_size().columns
        self.print(f"\r\x1b[K{line[:columns - 1]}", end="")

    def say(self, text):
        self.print(f"\r\x1b[K{text}" if self.bar else text)

    def finish(self):
        if self.bar:
            self.print("\r\x1b[K", end="")

    def print(self, text, end="\n"):
        print(text, end=end, file=self.stream, flush=True)
