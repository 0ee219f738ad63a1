"""disassembly.py - whether functions consist of the same instructions in two builds.

Addresses differ as soon as anything before them has another length, so they are replaced by what
they stand for: a jump within the function by the number of the instruction it leads to, any other
address by the symbol there, and what has no symbol (a string, a table of a switch) by <data>. The
instructions that only fill up to an alignment are left out.

What is left may differ in two builds that do the same on 64-bit Arm, where two instructions share
an address.
"""

import bisect
import difflib
import re
from dataclasses import dataclass

from .tools import ROOT, Failed, need, run_tool

ALL = "all"  # instead of names of functions
SYMBOL = re.compile(r"^([0-9a-f]+) .{7} (\S+)\t([0-9a-f]+)\s+(?:\.hidden )?(\S+)$", re.MULTILINE)
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(.*)$")
PADDING = re.compile(r"(?:data16 |cs )*(?:nop[wl]?\b|xchg\s+%ax,%ax)")
TARGET = re.compile(r"\b(?:0x)?([0-9a-f]+) <([^>]+)>")   # an address and the symbol objdump found
RELATIVE = re.compile(r"-?0x[0-9a-f]+(?=\(%rip\))")


@dataclass
class Difference:
    function: str
    lengths: tuple  # instructions in A and in B; 0 where the function is not there
    diff: list      # lines of a unified diff, empty if identical


def compare(programs, wanted, progress):
    """programs are pairs of the same program in A and in B; wanted are names of functions, or ALL.
    With f also f.part.0, f.cold and the like are meant. What programs share is told once."""
    need("objdump")
    found = {}
    for a, b in programs:
        progress.step(a.name)
        for d in differences(functions_of(a), functions_of(b), wanted):
            found.setdefault((d.function, d.lengths, tuple(d.diff)), d)
    missing = set(wanted) - {ALL} - {d.function.split(".")[0] for d in found.values()}
    if missing:
        raise Failed(f"no such function, or it is always inlined: {', '.join(sorted(missing))}")
    return list(found.values())


def differences(a, b, wanted):
    names = [f for f in dict.fromkeys([*a, *b]) if ALL in wanted or f.split(".")[0] in wanted]
    return [difference(f, a.get(f, []), b.get(f, [])) for f in names]


def difference(function, a, b):
    diff = difflib.unified_diff(a, b, "A", "B", lineterm="", n=2)
    return Difference(function, (len(a), len(b)), list(diff))


def functions_of(program):
    """{function: its instructions}. Functions of one name are put one behind the other."""
    if not program.exists():
        raise Failed(f"{program} does not exist")
    symbols = Symbols(run_tool("objdump", ["objdump", "-t", program], ROOT))
    text = run_tool("objdump", ["objdump", "-d", "--no-show-raw-insn", program], ROOT)
    found, body = {}, []
    for line in text.splitlines():
        head, instruction = FUNCTION.match(line), INSTRUCTION.match(line)
        if head:
            body = []
            found.setdefault(head[1], []).append(body)
        elif instruction and not PADDING.match(instruction[2]):
            body.append((int(instruction[1], 16), instruction[2]))
    return {name: [line for body in bodies for line in normalised(body, symbols)]
            for name, bodies in found.items()}


def normalised(body, symbols):
    addresses = [address for address, _ in body]

    def name_of(match):
        address = int(match[1], 16)
        if body and addresses[0] <= address <= addresses[-1]:
            return f"@{bisect.bisect_left(addresses, address)}"
        return f"<{match[2]}>" if symbols.hold(address, match[2]) else "<data>"

    return [re.sub(r"\s+", " ", TARGET.sub(name_of, RELATIVE.sub("*", text))).strip()
            for _, text in body]


class Symbols:
    """objdump names an address after the nearest symbol before it, even if that has ended."""

    def __init__(self, table):
        self.ends = {}  # symbol -> where it ends
        for start, _, size, name in SYMBOL.findall(table):
            end = int(start, 16) + int(size, 16)
            self.ends[name] = max(end, self.ends.get(name, 0))

    def hold(self, address, name):
        """Whether the address belongs to the symbol that objdump gives as name or name+0x10."""
        symbol, offset = re.match(r"(.*?)([+-]0x[0-9a-f]+)?$", name).groups()
        return not offset or address < self.ends.get(symbol, 0) and offset[0] == "+"
