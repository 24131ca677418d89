#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes HTML of all pages: guides, results, man pages and files of sysfs, with links between them
and an index.

Usage: pages.py [DIR]

Writes DIR (build/html), whose index.html lists the pages in the order of README.md. A page that is
named in a text, such as "pfc.rst" or "tc-lossless(8)", becomes a link. Needs python3-docutils
and python3-yaml.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import textwrap

from docutils.core import publish_string

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
SETTINGS = {"input_encoding": "utf-8", "output_encoding": "utf-8", "report_level": 2, "halt_level": 2,
            "toc_backlinks": False}
INDEX = "Lossless Ethernet\n=================\n\n{}\n"
NAMED = re.compile(r"\b((?:\.\./)?(?:results/)?[a-z][a-z-]*)\.rst\b|\b([a-z][a-z.-]*)(?:</[a-z]+>)?\((\d)\)"
                   r"|\b(sysfs-class-net-lossless)\b")


def title(text):
    """The subtitle of a man page, the first heading of others."""
    return (re.search(r"^([^\s-].*)\n-+\n:", text, re.M) or re.search(r"^([^\s.=].*)\n=+$", text, re.M))[1]


def linked(page, names):
    """A page with links to the pages that it names."""
    def link(match):
        name = match[4] or (f"{match[2]}.{match[3]}" if match[2] else match[1].split("/")[-1])
        if match[1] and "results/" in match[1]:
            name = f"results-{name}"
        return f'<a href="{name}.html">{match[0]}</a>' if name in names else match[0]

    head, body = page.split("<body", 1)
    # outside of tags and of links
    parts = re.split(r"(<a [^>]*>.*?</a>|<[^/][^>]*>)", body, flags=re.S)
    return head + "<body" + "".join(part if part.startswith("<") else NAMED.sub(link, part)
                                    for part in parts)


def rst(text, path=None):
    """HTML of reStructuredText; @path: the file of the text, for what that includes."""
    return publish_string(text, source_path=path, writer_name="html5", settings_overrides=SETTINGS).decode()


def main():
    out = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(TOP, "build/html")
    os.chdir(os.path.join(TOP, "Documentation"))
    with open("../README.md", encoding="utf-8") as file:
        readme = file.read()
    pages, entries = {}, {"guide": [], "results": [], "man": []}
    # parts of tc-lossless(8), and files of sysfs
    subprocess.run([os.path.join(TOP, "spec/gen.py"), "-b"], check=True)
    for path in sorted((path for kind in entries for path in glob.glob(f"{kind}/*.rst")),
                       key=lambda path: (readme + path).index(path)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        kind, name = os.path.split(path[:-len(".rst")])
        name = f"results-{name}" if kind == "results" else name
        # without the fields of a man page's header
        pages[name] = rst(re.sub(r"^:[MD].*: .*\n", "", text, flags=re.M), path)
        named = re.sub(r"\.(\d)$", r"(\1)", name) if kind == "man" else f"{name}.rst"
        entries[kind].append(f"- {named}: {title(text)}")
    with open("../build/gen/sysfs-class-net-lossless", encoding="utf-8") as file:
        pages["sysfs-class-net-lossless"] = rst(
            "Files in sysfs\n==============\n\n::\n\n" + textwrap.indent(file.read(), "    "))
    entries["man"].append("- sysfs-class-net-lossless: files")
    pages["index"] = rst(INDEX.format("\n".join(
        f"{head}\n{'-' * len(head)}\n\n" + "\n".join(entries[kind]) + "\n" for head, kind in
        (("Guides", "guide"), ("Reference", "man"), ("Measured results", "results")))))
    os.makedirs(out, exist_ok=True)
    for name, page in pages.items():
        with open(os.path.join(out, f"{name}.html"), "w", encoding="utf-8") as file:
            file.write(linked(page, pages))
    shutil.copytree("guide/pictures", os.path.join(out, "pictures"), dirs_exist_ok=True)


if __name__ == "__main__":
    main()
