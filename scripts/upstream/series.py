#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes patches for a kernel tree from the tree.

Usage: series.py KDIR OUT

KDIR is an unpacked kernel source. OUT, a folder that does not exist, gets a folder for each series
1 and 2 beside this script, with one patch for each file NN-NAME.txt there, and a cover letter from
00-cover.txt. Such a file has the message of the patch, then sections:

  %files              files of the tree, as patterns; each is moved and rewritten
  %append FILE        lines for the end of FILE in the kernel
  %before FILE LINE   lines before the first line of FILE that begins with LINE, after blanks
  %maintainers        F: lines of the entry in MAINTAINERS

in the first series, in 00-cover.txt for all its patches, or in the file of one:

  %lacks              names that the series lacks, see slicer.py
  %swap FILE          lines of FILE that differ in the series, in the form of a patch; an empty line between hunks
  %words              regular expressions that no comment of the series matches

A file moves to where PLACES says. A header that more than one folder of the kernel includes moves
to include/net/lossless. Includes and paths in comments follow. What kmod/compat hides is written
as the kernel of KDIR has it.

Exit status: 0; 1 an error; 4 the kernel of KDIR is too old, or too new.
"""
import glob
import os
import re
import subprocess
import sys

import ctext
import slicer

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
ENTRY = "LOSSLESS ETHERNET (LLE)"
PUBLIC = "include/net/lossless/"

# (expression, its place in the kernel), the first that fits
PLACES = [(re.compile(place), to) for place, to in (
    (r"include/uapi/linux/(.*)", r"include/uapi/linux/\1"),
    (r"kmod/core/congestion/(.*\.c)", r"net/sched/sch_lossless_\1"),
    (r"kmod/core/ldcp/ldcp(\..)", r"net/ipv4/tcp_ldcp_core\1"),
    (r"kmod/lossless/trace\.h", r"include/trace/events/lossless.h"),
    (r"kmod/core/(.*)", r"net/lossless/core/\1"),
    (r"kmod/lossless/(.*)", r"net/lossless/\1"),
    (r"kmod/tcp/ldcp\.h", r"net/ipv4/tcp_ldcp.h"),
    (r"kmod/tcp/(.*)", r"net/ipv4/tcp_ldcp_\1"),
    (r"qdisc/sch_lossless\.c", r"net/sched/sch_lossless_main.c"),
    # core/congestion/rcm.c has sch_lossless_rcm.c
    (r"qdisc/rcm(.*)", r"net/sched/sch_lossless_congestion\1"),
    (r"qdisc/(.*)", r"net/sched/sch_lossless_\1"),
    (r"selftests/unit/(.*_test\.c)", r"net/lossless/tests/lossless_\1"),
    (r"selftests/unit/(.*)", r"net/lossless/tests/\1"),
    (r"selftests/vectors/(.*)", r"net/lossless/tests/vectors/\1"),
    (r"selftests/net/(.*)", r"tools/testing/selftests/net/lossless/\1"),
    (r"build/gen/(.*\.yaml)", r"Documentation/netlink/specs/\1"),
    (r"build/gen/(sysfs.*)", r"Documentation/ABI/testing/\1"),
    (r"Documentation/guide/(.*\.rst)", r"Documentation/networking/lossless/\1"),
)]
# folders in comments
FOLDERS = (("kmod/core", "net/lossless/core"), ("kmod/lossless", "net/lossless"),
           ("kmod/tcp", "net/ipv4"), ("selftests/unit", "net/lossless/tests"),
           ("selftests/vectors", "net/lossless/tests/vectors"),
           ("selftests/net", "tools/testing/selftests/net/lossless"),
           ("spec/netlink", "Documentation/netlink/specs"))

# what kmod/compat hides, as the newest kernel has it
RESOLVED = [(re.compile(old), new) for old, new in (
    (r"\blle_qdisc_run_(begin|end)\(", r"qdisc_run_\1("),
    (r"\blle_genl_register\(", "genl_register_family("),
    (r"\blle_genl_unregister\(", "genl_unregister_family("),
    (r"\bLLE_CTL_CONST\b", "const"),
    (r"NL_SET_ERR_MSG_NAMES\((\w+),(\s*)  \"[^\"]*\",\s*(\"[^\"]*\",)\s*", r"NL_SET_ERR_MSG_FMT(\1,\2\3\2"),
    (r"\b(kv?[mz]alloc)\(sizeof\((\*[^()]*)\), GFP_KERNEL\)", r"\1_obj(\2)"),
    (r"\blle_tcp_send_ack\((.*)\);", r"__tcp_send_ack(\1, 0);"),
    (r"LLE_DCB_REWR\((\w+)\)\n", ".dcbnl_setrewr = \\1,\n\t.dcbnl_delrewr = \\1,\n"),
    (r"\blle_tcp_accecn\b", "tcp_ecn_mode_accecn"),
    (r"\blle_tcp_ecn\b", "tcp_ecn_mode_any"),
    (r"LLE_TCP_TX_START\((\w+)\)", r".cwnd_event_tx_start = \1,"),
    (r"LLE_TCP_CONTROL\((\w+), (\w+)\)\n",
     "static void \\1(struct sock *sk, u32 ack, int flag,\n"
     "\t\t\t      const struct rate_sample *rs)\n{\n\t\\2(sk, rs);\n}\n"),
    (r"MODULE_VERSION\(LLE_VERSION\);\n", ""),
)]
# what is true of the tree only
WORDS = (
    ("return verdicts; the caller serialises the calls on one state. The modules\n"
     " * and the user space tests link the same source: only this header differs.\n",
     "return verdicts; the caller serialises the calls on one state. So KUnit tests\n"
     " * them alone.\n"),
    (" * The tests are KUnit suites. The same source is also a program of user space,\n"
     " * which prints each test point; there kunit.h replaces KUnit.\n",
     " * Macros of the KUnit suites.\n"),
    ("/* Exports of kmod/core/, which is also built in user space and has none. */",
     "/* Exports of the rules: KUnit tests include their sources, and must not export. */"),
    ("looks again. selftests/proof/ checks this.", "looks again."),
    ("each part; newer kernels\n * also want the number of packets on the wire.",
     "each part,\n * and the number of packets on the wire."),
)
# function of kmod/compat: (the header it is in, the header of ours that gets it)
KEPT = {"lle_dev_has_ingress_filters": ("linux/netdevice.h", "kmod/lossless/types/port.h"),
        "lle_dev_has_egress_filters": ("linux/netdevice.h", "kmod/lossless/ingress.h"),
        "lle_nf_duplicates": ("linux/netfilter.h", "kmod/lossless/ingress.h"),
        "lle_skb_set_pkt_len": ("net/sch_generic.h", "qdisc/queue.h")}
LEFT = re.compile(r"\bLLE_HAVE_\w+|\blle_genl_\w*register|LLE_CTL_CONST|\w+_MSG_NAMES|LLE_TCP_C\w+|"
                  r"LLE_TCP_TX\w+|\blle_tcp_\w+|LLE_VERSION|__KERNEL__|\bkmod/|\bqdisc/\w")

INCLUDE = re.compile(r'^#include "(.*)"', re.M)
# headers of user space, behind #ifdef
NOT_IN_KERNEL = ("user.h", "kunit.h")
LICENCE = re.compile(r"^(#!.*\n)?.*SPDX-License-Identifier.*\n")


def fail(status, why):
    print(f"upstream: {why}", file=sys.stderr)
    sys.exit(status)


def run(*command, **options):
    """What a command prints."""
    options = {"check": True, "text": True, "stdout": subprocess.PIPE, **options}
    return subprocess.run(command, **options).stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def in_order(includes):
    """Own headers by name, those of the folder last."""
    return "".join(sorted(includes[0].splitlines(True), key=lambda line: (line[9] == '"', line)))


def place_of(path):
    for pattern, to in PLACES:
        if pattern.fullmatch(path):
            return pattern.sub(to, path)
    return fail(1, f"{path} has no place in the kernel")


class Patch:
    """One file NN-NAME.txt."""

    def __init__(self, path):
        self.name = os.path.basename(path)[3:-4]
        self.message, *sections = re.split(r"^%", read(path), flags=re.M)
        self.files, self.edits, self.maintained, self.lacks, self.words, self.swaps = [], [], [], [], [], []
        for section in sections:
            head, body = section.split("\n", 1)
            words = head.split(None, 2)
            if words[0] == "files":
                for pattern in body.split():
                    found = sorted(filter(os.path.isfile, glob.glob(
                        os.path.join(TOP, pattern), recursive=True)))
                    if not found:
                        fail(1, f"{path}: there is no {pattern}")
                    self.files += [os.path.relpath(one, TOP) for one in found]
            elif words[0] == "maintainers":
                self.maintained = body.split()
            elif words[0] in ("lacks", "words"):
                setattr(self, words[0], body.split())
            elif words[0] == "swap":
                for hunk in re.split(r"\n\n+", body.strip("\n")):
                    self.swaps.append((words[1], *("".join(f"{line[1:]}\n" for line in hunk.split("\n") if line[0] in signs)
                                                   for signs in ("- ", "+ "))))
            else:
                self.edits.append((words[0], words[1], words[2:], body.rstrip("\n") + "\n"))


class Series:
    """All patches, and where each file of the tree goes."""

    def __init__(self, kdir):
        self.kdir = kdir
        self.covers, self.series = [], []
        for folder in sorted(glob.glob(f"{HERE}/[0-9]")):
            texts = sorted(glob.glob(f"{folder}/[0-9][0-9]-*.txt"))
            self.covers.append(Patch(texts[0]))
            self.series.append([Patch(text) for text in texts[1:]])
        self.patches = sum(self.series, [])
        self.place = {}
        for patches in self.series:
            seen = set()
            for patch in patches:
                patch.files = [one for one in patch.files if one not in seen]
                seen |= set(patch.files)
                self.place.update((one, place_of(one)) for one in patch.files)
        self.sources = self.complete()
        self.names = {name for one in self.place for name in re.findall(r"\w+", read(os.path.join(TOP, one)))}
        self.publish()
        self.old_paths = re.compile(r"\b(?:" + "|".join(
            re.escape(one) for one in sorted(self.place, key=len, reverse=True)) + r")\b")
        self.have = self.probe()
        headers = "".join(read(path) for path in glob.glob(f"{TOP}/kmod/compat/**/*.h", recursive=True))
        self.compat = set(re.findall(r"^(?:#define|static inline.*?)\s\*?((?:lle|LLE)_\w+)\(", headers, re.M)) - set(KEPT)
        self.said = set()

    def complete(self):
        """The sources of the modules; each is in a patch."""
        sources = []
        for folder in ("kmod/core", "kmod/lossless", "kmod/tcp", "qdisc", "include/uapi/linux"):
            for path in glob.glob(f"{TOP}/{folder}/**/*.[ch]", recursive=True):
                path = os.path.relpath(path, TOP)
                if path == "kmod/core/user.h":
                    continue
                if path not in self.place:
                    fail(1, f"no patch has {path}")
                sources.append(path)
        return sources

    def texts(self, number):
        """The files of the tree after a patch: all so far, without what names something later."""
        first = self.series[0]
        if number >= len(first):
            return {one: read(os.path.join(TOP, one)) for one in self.patches[number].files}
        paths = [one for patch in first[:number + 1] for one in patch.files]
        new = first[number]
        if number and not new.lacks and not new.swaps and not any(one.endswith((".c", ".h")) and one in self.sources
                                                                  for one in new.files):
            return {one: read(os.path.join(TOP, one)) for one in new.files}
        texts = {one: read(os.path.join(TOP, one)) for one in paths}
        lacks = set(self.covers[0].lacks + first[number].lacks)
        for name in lacks:
            if not set(re.findall(r"\w+", name.split(":")[-1])) <= self.names:
                fail(1, f"%lacks in scripts/upstream/1 has {name}, which is not in the tree")
        for path, old, new in self.covers[0].swaps + first[number].swaps:
            if path in texts:
                if old not in texts[path]:
                    fail(1, f"{path} lacks the lines of a %swap in scripts/upstream/1; change them there:\n{old}")
                texts[path] = texts[path].replace(old, new)
        code = {one: text for one, text in texts.items()
                if one in self.sources or re.match(r"selftests/(unit|vectors)/.*\.[ch]", one)}
        others = {one: read(os.path.join(TOP, one)) for one in self.sources if one not in code}
        sliced = slicer.Slice(
            code, ctext.absent(code.values(), others.values()) | lacks,
            lambda path, name: self.instead(path, name, code, others),
            lambda path: path.startswith(("include/uapi", "kmod/core", "selftests")))
        texts.update(sliced.run())
        doubts = [f"{path}: {function}(): {what}" for path, function, what in sorted(sliced.doubts)]
        if doubts:
            fail(1, "the first series lacks a name in these lines; add the function to %lacks in "
                 "scripts/upstream/1/00-cover.txt, or %swap the lines:\n" + "\n".join(doubts))
        return texts

    def instead(self, path, name, code, others):
        """What a file includes where the series lacks a header; None: it is there."""
        if f"include/uapi/{name}" in others:
            return []
        header = next((one for _, one in self.headers_of(path, name)), None)
        if header not in others:
            return None
        found, todo = [], [header]
        for one in todo:
            for _, other in self.headers_of(one):
                if other in code and other not in found and other != path:
                    found.append(other)
                elif other in others and other not in todo:
                    todo.append(other)
        return [os.path.relpath(one, os.path.dirname(path)) for one in found]

    def probe(self):
        """The options of kmod/compat/Kbuild.probe for this kernel, which has to have all."""
        rules = f"{TOP}/kmod/compat/Kbuild.probe"
        have = run("make", "-s", "-f", "-", input=f"srctree := {self.kdir}\ninclude {rules}\n"
                   "$(info $(lle-cppflags))\nall:\n").split()
        want = {f"-DLLE_HAVE_{name}" for name in re.findall(r"[ ,]([A-Z_]{2,})\)", read(rules))}
        missing = want - set(have) - {"-DLLE_HAVE_NAME"}
        if missing:
            fail(4, f"this kernel lacks what the newest has: {' '.join(sorted(missing))}")
        return have

    def headers_of(self, path, only=None):
        """The headers of the tree that a file includes: (as written, path in the tree)."""
        for name in INCLUDE.findall(read(os.path.join(TOP, path))) if only is None else [only]:
            for folder in (os.path.dirname(path), "kmod"):
                found = os.path.normpath(os.path.join(folder, name))
                if found in self.place:
                    yield name, found
                    break
            else:
                if only is None and name not in NOT_IN_KERNEL:
                    fail(1, f"{path} includes {name}, which no patch has")

    def publish(self):
        """Moves headers that more than one folder includes, and headers of these."""
        public = {one for one in self.place if one == "kmod/core/core.h"}
        for path, to in self.place.items():
            if to.startswith(("net/", "include/trace/")) and not to.startswith("net/lossless/"):
                public |= {one for _, one in self.headers_of(path)
                           if self.place[one].startswith("net/lossless/")}
        todo = list(public)
        while todo:
            new = {one for _, one in self.headers_of(todo.pop())} - public
            public |= new
            todo += new
        for one in public:
            if self.place[one].startswith("net/lossless/") and one.endswith(".h"):
                self.place[one] = PUBLIC + self.place[one][len("net/lossless/"):]

    def kept(self, function):
        """A function of kmod/compat, for this kernel."""
        header = f"{TOP}/kmod/compat/{KEPT[function][0]}"
        # Kconfig of the series selects it
        text = run("unifdef", *self.have, "-DCONFIG_NET_XGRESS", header, check=False)
        return re.search(rf"(/\*(?:(?!\*/).)*\*/\n)?static inline [^\n]*\b{function}\(.*?^}}\n",
                         text, re.S | re.M)[0]

    def include(self, path, name, header):
        """An #include of a moved header."""
        to = self.place[header]
        for folder in ("include/uapi/", "include/"):
            if to.startswith(folder):
                return f"#include <{to[len(folder):]}>"
        return f'#include "{os.path.relpath(to, os.path.dirname(self.place[path]))}"'

    def rewrite(self, path, text, everything):
        """The contents of a file, for its place; @everything: what may use its functions."""
        if path.endswith((".c", ".h")):
            for written in set(INCLUDE.findall(text)):
                for name, header in self.headers_of(path, written):
                    text = text.replace(f'#include "{name}"', self.include(path, name, header))
            if not path.startswith("selftests"):
                text = re.sub(r'(?:^#include (?:<net/lossless/|").*\n)+', in_order, text, flags=re.M)
            text = re.sub(r"^#ifdef __KERNEL__\n(.*?)^#else\n.*?^#endif\n", r"\1", text,
                          flags=re.S | re.M)
            for old, new in RESOLVED:
                text = old.sub(new, text)
            for function, (_, header) in KEPT.items():
                if header == path and function in everything:
                    at = [match.end() for match in re.finditer(r"^#include .*\n", text, re.M)][-1]
                    text = f"{text[:at]}\n{self.kept(function)}{text[at:]}"
        if path == "kmod/lossless/trace.h":
            text = re.sub(r"^#(undef|define) TRACE_INCLUDE_PATH.*\n|"
                          r"^#undef TRACE_INCLUDE_FILE\n|^#define TRACE_INCLUDE_FILE.*\n", "",
                          text, flags=re.M)
            text = text.replace("LLE_TRACE_H", "_TRACE_LOSSLESS_H")
        for old, new in WORDS:
            if old in text:
                text = text.replace(old, new)
                self.said.add(old)
        text = self.old_paths.sub(lambda match: self.place[match[0]], text)
        for old, new in FOLDERS:
            text = re.sub(rf"\b{old}\b", new, text)
        # faults that the tests have to find
        text = re.sub(r"^#ifdef MUTANT_\w+.*?^#endif\n\n?", "", text, flags=re.S | re.M)
        text = re.sub(r" One of the MUTANT_.*?\n \*/", "\n */", text, flags=re.S)
        if path.endswith((".c", ".h")):
            for name in LEFT.findall(text) + [name for name in ctext.OWN.findall(text) if name in self.compat]:
                fail(1, f"{path}: {name} of kmod/compat is left; RESOLVED or KEPT in series.py has to say what it is")
        return text


class Tree:
    """A repository with those files of the kernel that the series changes."""

    def __init__(self, series, folder):
        self.series, self.folder = series, folder
        os.makedirs(folder)
        self.git("init", "-q", "-b", "lossless")
        author = re.search(r"^M:\s+(.*) <(.*)>", read(f"{TOP}/MAINTAINERS"), re.M)
        self.maintainer = f"{author[1]} <{author[2]}>"
        self.git("config", "user.name", author[1])
        self.git("config", "user.email", author[2])
        self.date = run("git", "-C", TOP, "log", "-1", "--format=%cI").strip()
        for path in {"MAINTAINERS"} | {edit[1] for patch in series.patches for edit in patch.edits}:
            if os.path.exists(f"{series.kdir}/{path}"):
                self.write(path, read(f"{series.kdir}/{path}"))
        self.commit("base")
        self.maintained, self.texts = [], {}

    def git(self, *args, **options):
        return run("git", "-C", self.folder, *args, **options)

    def commit(self, message):
        self.git("add", "-A")
        env = {**os.environ, "GIT_AUTHOR_DATE": self.date, "GIT_COMMITTER_DATE": self.date}
        self.git("commit", "-q", "-s", "-F", "-", input=message, env=env)

    def path(self, path):
        return os.path.join(self.folder, path)

    def write(self, path, text, like=None):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), "w", encoding="utf-8") as file:
            file.write(text)
        if like:
            os.chmod(self.path(path), os.stat(like).st_mode)

    def edit(self, kind, path, where, lines):
        text = read(self.path(path)) if os.path.exists(self.path(path)) else ""
        if kind == "append":
            self.write(path, text + lines)
            return
        at = re.search(rf"^[ \t]*{re.escape(where[0])}", text, re.M)
        if not at:
            fail(4, f"{path} of this kernel has no line {where[0]}")
        self.write(path, text[:at.start()] + lines + text[at.start():])

    def maintain(self, patterns):
        """Adds files to the entry in MAINTAINERS."""
        self.maintained = sorted(self.maintained + patterns)
        entry = f"{ENTRY}\nM:\t{self.maintainer}\nL:\tnetdev@vger.kernel.org\nS:\tMaintained\n"
        entry += "".join(f"F:\t{pattern}\n" for pattern in self.maintained) + "\n"
        text = self.git("show", "HEAD~" + str(self.patches) + ":MAINTAINERS")
        for match in re.finditer(r"(?<=\n\n)([^\n]+)\n(?=[A-Z]:\t)", text):
            if match.start() > text.index("Maintainers List") and match[1] > ENTRY and \
               match[1][0].isalpha():
                self.write("MAINTAINERS", text[:match.start()] + entry + text[match.start():])
                return

    def names(self, paths):
        """Each name that a patch of the first series uses is in it, or in an earlier one."""
        texts = {path: read(self.path(self.series.place[path])) for path in paths
                 if path.endswith((".c", ".h")) and not path.startswith("selftests/net")}
        here = set().union(*(ctext.defined(text)[0] for text in texts.values()))
        words = re.compile(rf"\b(?:{'|'.join(self.series.covers[0].words)})\b")
        for path, text in texts.items():
            for name in set(ctext.OWN.findall(re.sub(r'"[^"\n]*"', "", text))) - here:
                if not name.endswith(("_", "_H")):
                    fail(1, f"{path}: patch 1/{self.patches + 1} has no {name}; add the name to %lacks in "
                         "scripts/upstream/1/00-cover.txt, %swap its lines, or add its file to a patch")
            for comment in re.findall(r"/\*.*?\*/", text, re.S) if path[0] in "kq" else ():
                if words.search(comment):
                    fail(1, f"{path}: a comment in the first series says {words.search(comment)[0]}; %swap its lines "
                         f"in scripts/upstream/1/00-cover.txt:\n{comment}")

    def links(self, paths):
        """Each source is in the Makefile of its folder."""
        for path in paths:
            found = re.fullmatch(r"(net/lossless/tests|net/(?:lossless|sched|ipv4))/(.*)\.c", path)
            if found and not re.search(rf"[\s/]{re.escape(found[2])}\.o\b",
                                       read(self.path(f"{found[1]}/Makefile"))):
                fail(1, f"{found[1]}/Makefile of no patch has {found[2]}.o")

    def add(self, number, patch):
        """Commits a patch."""
        self.patches = number
        before, new = dict(self.texts), self.series.texts(number)
        self.texts.update(new)
        everything = "\n".join(self.texts.values())
        for path, text in new.items():
            if before.get(path) != text:
                self.write(self.series.place[path], self.series.rewrite(path, text, everything),
                           os.path.join(TOP, path))
        if patch in self.series.series[0]:
            self.names(self.texts)
        for edit in patch.edits:
            self.edit(*edit)
        self.maintain(patch.maintained)
        for path in patch.files:
            for name in INCLUDE.findall(self.texts[path]) if path.endswith((".c", ".h")) else ():
                headers = [header for _, header in self.series.headers_of(path, name)]
                if not headers and name not in NOT_IN_KERNEL:
                    fail(1, f"{patch.name}: {path} includes {name}, which no patch has")
                for header in headers:
                    if not os.path.exists(self.path(self.series.place[header])):
                        fail(1, f"{patch.name}: {path} includes {header} of a later patch")
        self.commit(patch.message)


def main():
    if len(sys.argv) != 3:
        fail(1, __doc__.split("\n\n")[1])
    kdir, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not os.path.exists(f"{kdir}/net/sched/Kconfig"):
        fail(1, f"{kdir} is no kernel source")
    run(f"{TOP}/spec/gen.py", "-b")
    series = Series(kdir)
    tree = Tree(series, f"{out}/tree")
    for number, patch in enumerate(series.patches):
        tree.add(number, patch)
    tree.links(series.place.values())
    for old in {old for old, _ in WORDS} - series.said:
        fail(1, f"no file has the words {old!r}")
    reduced = [path for path, text in tree.texts.items() if text != read(os.path.join(TOP, path))]
    if reduced:
        fail(1, f"no patch of the last series has the whole {' '.join(reduced)}")
    end = "lossless"
    for number, (cover, patches) in reversed(list(enumerate(zip(series.covers, series.series), 1))):
        tree.git("checkout", "-q", "-B", f"series-{number}", end)
        tree.git("config", f"branch.series-{number}.description", cover.message)
        tree.git("format-patch", "-q", "--cover-letter", "--cover-from-description=subject",
                 "--subject-prefix=PATCH net-next", "-o", f"{out}/{number}", f"-{len(patches)}")
        end = f"series-{number}~{len(patches)}"
    tree.git("checkout", "-q", "lossless")
    print("\n".join(sorted(glob.glob(f"{out}/*/*.patch"))))


if __name__ == "__main__":
    main()
