#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Resolves what pages name, and runs the commands that they print.

Usage: guides.py names | commands DIR

names      functions, members, files, pages, their sections and make targets that a guide, a man
           page, README.md or CONTRIBUTING.md names exist; a guide has at most 400 lines
commands   losslessctl, lle-testbed, lle-storm, and tc with the plugin accept the words of each
           command in a literal block of a page. DIR has bin/ and tc/, as build/. Needs root: the commands run
           in a network namespace of their own, where no module is loaded

Prints each fault. Exit status: 1 if it found one, else 0.
"""
import glob
import os
import re
import shlex
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LONGEST = 400
FOLDERS = r"(?:kmod|qdisc|daemon|selftests|scripts|lab|testbed|twin|include|Documentation|debian|spec)"
LITERAL = re.compile(r"``([^`\n]+)``|`([^`\n]+)`(?!_)")
FUNCTION = re.compile(r"\b([a-z_][a-z0-9_]{3,})\(\)")
PATH = re.compile(rf"(?<![\w/.-])({FOLDERS}/[\w./*-]*\w)")
# of a kernel, and placeholders
ELSEWHERE = re.compile(r"include/(net|trace)/|Documentation/(ABI|netlink|networking|process)/|"
                       r"selftests/net/forwarding|"
                       r".*[A-Z]{2}")
PAGE = re.compile(r"(?<![\w/.-])((?:\.\./)?(?:results/|guide/)?)([a-z][a-z-]*\.rst)(?:,\s+\"([^\"]+)\")?")
MAKE = re.compile(r"\bmake ([a-z][a-z-]*)(?![\w-])")
# shell, and placeholders of a synopsis: such a command is not complete
INCOMPLETE = re.compile(r"[|<>$;&`'\"\[\]]|\.\.\.|\b[A-Z]{2,}[A-Z0-9_]*\b(?!=)")
# answers to words that a command does not know
UNKNOWN = re.compile(r"Usage|usage|there is no (command )?\"|unknown option|Unknown option|What is|is required|"
                     r"invalid option|unrecognized|is missing|is not a|is wanted|subcommand")


def read(path):
    """A file of the tree."""
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def pages():
    """Pages with what they name."""
    return sorted(glob.glob("Documentation/guide/*.rst") + glob.glob("Documentation/man/*.rst") +
                  glob.glob("Documentation/results/*.rst")) + ["README.md", "CONTRIBUTING.md", "spec/qdisc.yaml"]


def sources():
    """All words of the tree's sources."""
    names = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.py", "*.sh", "*.lua", "*.in"],
                           capture_output=True, text=True, check=True).stdout.split()
    return set(re.findall(r"\w+", "\n".join(read(name) for name in names if os.path.exists(name))))


def titles(path):
    """Headings of a page."""
    return [match[1].replace("``", "") for match in re.finditer(r"^(\S.*)\n([=\-~^])\2{2,}$", read(path), re.M)]


def faults_of_page(path, text, words, targets):
    """Names in a page that lead nowhere."""
    if path.startswith("Documentation/guide/") and text.count("\n") > LONGEST:
        yield f"{text.count(chr(10))} lines"
    for match in LITERAL.finditer(text):
        literal = match[1] or match[2]
        for name in FUNCTION.findall(literal):
            if name not in words:
                yield f"{name}() does not exist"
    for match in PATH.finditer(text):
        if not ELSEWHERE.match(match[1]) and not glob.glob(match[1]) and not glob.glob(match[1] + ".*"):
            yield f"{match[1]} does not exist"
    for prefix, name, section in PAGE.findall(text):
        section = " ".join(section.replace("``", "").split())
        found = [place for place in (f"Documentation/guide/{name}", f"Documentation/results/{name}",
                                     f"Documentation/{name}") if os.path.exists(place)]
        if "results/" in prefix:
            found = [place for place in found if "results/" in place]
        if not found:
            yield f"{prefix}{name} does not exist"
        elif section and not any(title.startswith(section) for place in found
                                 for title in titles(place)):
            yield f"{name} has no section \"{section}\""
    for target in MAKE.findall("\n".join(a or b for a, b in LITERAL.findall(text))):
        if target not in targets:
            yield f"make {target}: there is no such target"


def check_names():
    """Print what pages name and is not there."""
    words, wrong = sources(), False
    targets = set(re.findall(r"[a-z][a-z-]+", "\n".join(
        line for name in ("Makefile", "Makefile.install", "selftests/Makefile")
        for line in read(name).splitlines() if ":" in line)))
    for path in pages():
        for fault in faults_of_page(path, read(path), words, targets):
            wrong = True
            print(f"{path}: {fault}")
    return wrong


def commands(text):
    """Complete commands of a page's literal blocks, with the continued lines joined."""
    text = re.sub(r"\\\n\s*", " ", text)
    for line in text.splitlines():
        match = re.match(r"(?:\t|    )(?:[$#] )?((?:losslessctl|lle-testbed|lle-storm|tc) .*)", line)
        if match and not INCOMPLETE.search(line):
            yield re.sub(r"\s+#.*", "", match[1]).strip()


def runnable(command, folder):
    """The words of a command that changes nothing; None: it would not end."""
    words = shlex.split(command)
    if words[0] == "tc":
        if "lossless" not in words or "show" in words:
            return None
        # a device that each namespace has; in no other namespace
        if "-n" in words:
            del words[words.index("-n"):words.index("-n") + 2]
        words[words.index("dev") + 1] = "lo"
        return words
    if {"top", "monitor", "reload", "restore", "down"} & set(words):
        return None
    return [os.path.join(folder, "bin", words[0]), *words[1:]]


def check_commands(folder):
    """Run the commands of pages, and print those that are not understood."""
    env = dict(os.environ, TC_LIB_DIR=os.path.join(folder, "tc"))
    wrong = False
    for path in pages():
        for command in commands(read(path)):
            words = runnable(command, folder)
            if not words:
                continue
            done = subprocess.run(["unshare", "-n", *words], capture_output=True, text=True, env=env,
                                  timeout=20, check=False)
            said = (done.stderr or done.stdout).splitlines()
            if done.returncode and any(UNKNOWN.search(line) for line in said):
                wrong = True
                print(f"{path}: {command}: {said[0]}")
    return wrong


def main():
    os.chdir(TOP)
    match sys.argv[1:]:
        case ["names"]:
            sys.exit(check_names())
        case ["commands", folder]:
            sys.exit(check_commands(os.path.abspath(folder)))
    sys.exit(__doc__)


if __name__ == "__main__":
    main()
