#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints what plugin.c has counted, per packet.

Usage: profile.py KALLSYMS DUMP PACKETS [BASE]
           instructions of each function, and with the dump BASE the difference
       profile.py -s KALLSYMS DUMP PACKETS OTHER BASE BASE_OTHER MODULE...
           cache lines that these instructions and those of locks write, at least
           once in two packets, in both DUMP and OTHER, and not in both BASE and
           BASE_OTHER: what belongs to the CPU. Lines that other modules touch,
           such as packets and stacks, are not counted
       profile.py -l KALLSYMS DUMP PACKETS MODULE...
           cache lines that instructions of these modules touch, and write, at
           least once in two packets
"""
import argparse
import bisect
import collections
import sys

USER = "[user]"


class Symbols:
    """Functions of the kernel and its modules, by address."""

    def __init__(self, kallsyms):
        found = []
        with open(kallsyms, encoding="ascii") as file:
            for line in file:
                addr, kind, *name = line.split()
                if kind in "tTwW":
                    found.append((int(addr, 16), " ".join(name)))
        found.sort()
        self.addrs = [addr for addr, _ in found]
        self.names = [name for _, name in found]

    def function(self, addr):
        at = bisect.bisect_right(self.addrs, addr) - 1
        return self.names[at] if at >= 0 else USER

    def pages(self, modules):
        """Numbers of the pages that have functions of the modules."""
        ours = {f"[{module}]" for module in modules}
        return {addr >> 12 for addr, name in zip(self.addrs, self.names)
                if name.split()[-1] in ours}

    def module_pages(self):
        """Likewise, of all modules."""
        return {addr >> 12 for addr, name in zip(self.addrs, self.names)
                if name.endswith("]")}

    def lock_pages(self):
        """Likewise, of the functions of spinlocks."""
        return {addr >> 12 for addr, name in zip(self.addrs, self.names)
                if name.startswith("_raw_spin_")}


def functions(symbols, dump):
    """Executed instructions by function."""
    counts = collections.Counter()
    with open(dump, encoding="ascii") as file:
        for line in file:
            kind, *words = line.split()
            if kind != "block":
                continue
            addr, executed = int(words[0], 16), int(words[1])
            for offset in words[2:]:
                counts[symbols.function(addr + int(offset, 16))] += executed
    return counts


def lines(dump, pages):
    """Loads and stores of instructions in these pages, by cache line."""
    counts = collections.defaultdict(lambda: [0, 0])
    with open(dump, encoding="ascii") as file:
        for line in file:
            kind, *words = line.split()
            if kind != "line" or int(words[1], 16) not in pages:
                continue
            counts[words[0]][0] += int(words[2])
            counts[words[0]][1] += int(words[3])
    return counts


def written(symbols, dump, modules, often):
    """Cache lines that the modules and locks write, and no other module touches."""
    ours = symbols.pages(modules)
    others = {page for page in symbols.module_pages() if page not in ours}
    return {addr for addr, (_, stores) in lines(dump, ours | symbols.lock_pages()).items()
            if stores >= often} - set(lines(dump, others))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-l", dest="lines", action="store_true")
    parser.add_argument("-s", dest="shared", action="store_true")
    parser.add_argument("kallsyms")
    parser.add_argument("dump")
    parser.add_argument("packets", type=int)
    parser.add_argument("rest", nargs="*")
    args = parser.parse_args()

    symbols = Symbols(args.kallsyms)
    often = args.packets / 2
    if args.shared:
        one, other, base, base_other = (written(symbols, dump, args.rest[3:], often)
                                        for dump in [args.dump] + args.rest[:3])
        shared = (one & other) - (base & base_other)
        print("shared", len(shared))
        for addr in sorted(shared):
            print("#", addr)
        return
    if args.lines:
        counts = lines(args.dump, symbols.pages(args.rest)).values()
        print("touched", sum(loads + stores >= often for loads, stores in counts))
        print("written", sum(stores >= often for _, stores in counts))
        return
    counts = functions(symbols, args.dump)
    base = functions(symbols, args.rest[0]) if args.rest else {}
    total = sum(counts.values()) / args.packets
    print(f"{total:8.1f}  all")
    for name in sorted(counts | base,
                       key=lambda name: base.get(name, 0) - counts.get(name, 0)):
        now = counts.get(name, 0) / args.packets
        before = base.get(name, 0) / args.packets
        if base and abs(now - before) >= 0.5:
            print(f"{now:8.1f} {now - before:+8.1f}  {name}")
        elif not base and now >= 0.5:
            print(f"{now:8.1f}  {name}")


if __name__ == "__main__":
    sys.exit(main())
