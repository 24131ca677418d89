# SPDX-License-Identifier: GPL-2.0
"""Reads the QoS and buffer configuration of switches, and judges it."""
import argparse
import copy
import json
import signal
import sys

from . import accept, checks, oracle, output, reading, show, template, wiring
from .errors import Error, Unreadable, Usage
from .model import Switch

OK, WARNED, FAILED, UNREADABLE, UNKNOWN = range(5)


def switches(args):
    render = template.renderer(args.template, args.template_dir) \
        if args.template is not None else None
    sources = reading.read(args.file, render)
    if not sources:
        raise Unreadable("no tables of a switch", args.file[0])
    for path in args.applied or []:
        name, equals, file = path.partition("=")
        owner = next((source for source in sources if source.name == name), sources[0]) \
            if equals else sources[0]
        file = file if equals else path
        text = reading.load(file)
        owner.applied = reading.tables_of(reading.parse(text, file), file, text)[0]
    names = {}
    for source in sources:
        names[source.name] = names.get(source.name, 0) + 1
        if names[source.name] > 1:
            source.name += f"#{names[source.name]}"
    return [Switch(source, args.asic, args.mtu, args.peer_response) for source in sources]


def fabric(args):
    found = switches(args)
    wires = [wire for path in args.wiring or [] for wire in wiring.read(path, found[0].name)]
    return wiring.Fabric(found, wires, wiring.routes(args.routes) if args.routes else None,
                         args.valley)


def audited(args):
    found = fabric(args)
    report = checks.run(found, args.only)
    rows = [row for path in args.accept or [] for row in accept.read(path)]
    for row in accept.apply(report, rows):
        print(f"lle-twin: accepted {row['id']} of {row.get('device', '*')} does not occur",
              file=sys.stderr)
    return found, report


def anonymous(found):
    """Switches are sw1, sw2, ... in a report that is given away."""
    for number, switch in enumerate(found.switches, 1):
        switch.name = f"sw{number}"


def do_audit(args):
    if args.explain:
        if args.explain not in checks.table():
            raise Usage(f"there is no check {args.explain}")
        sys.stdout.write(output.explain(args.explain))
        return OK
    if not args.file:
        raise Usage("audit: FILE is missing")
    found, report = audited(args)
    if args.anonymise:
        names = {switch.name: f"sw{number}" for number, switch in enumerate(found.switches, 1)}
        anonymous(found)
        for finding in report.findings + report.accepted:
            finding.device = names.get(finding.device, finding.device)
            for name in sorted(names, key=len, reverse=True):
                finding.text = finding.text.replace(name, names[name])
    style = "json" if args.json else args.format
    sys.stdout.write(output.FORMATS[style](found, report) if style else
                     output.people(found, report))
    worst = report.worst()
    if worst == checks.ERROR:
        return FAILED
    if report.unknown:
        return UNKNOWN
    return WARNED if args.strict and worst == checks.WARNING else OK


def do_fix(args):
    """For one switch: a patch changes one configuration."""
    found, report = audited(args)
    names = {finding.device for finding in report.findings if finding.fix}
    if len(names) > 1 and not args.device:
        raise Usage(f"fix: name one with --device: {', '.join(sorted(names))}")
    own = [finding for finding in report.findings
           if finding.severity != checks.INFO and args.device in (None, finding.device)]
    print(json.dumps(output.patch(own), indent=1))
    return OK if found else FAILED


def do_show(args):
    found = switches(args)
    if args.json:
        print(json.dumps([{"switch": switch.name, "asic": switch.asic.name,
                           "pools": show.finite(show.pools(switch)),
                           "profiles": show.finite(show.model(switch))}
                          for switch in found], indent=1))
        return OK
    print("\n".join(output.clean(line) for switch in found for line in show.show(switch)))
    return OK


def changed(source, words):
    """A copy of the tables with TABLE|key.field=value."""
    source = copy.copy(source)
    source.tables = copy.deepcopy(source.tables)
    source.rows = [copy.copy(row) for row in source.rows]
    for word in words:
        path, equals, value = word.partition("=")
        table, _, rest = path.partition("|")
        key, dot, field = rest.rpartition(".")
        if not (equals and key and dot):
            raise Usage(f"--set {word}: TABLE|key.field=value is needed")
        made = key.removeprefix("pg_lossless_").removesuffix("_profile").split("_")
        rows = [row for row in source.rows
                if key not in source.table(table) and len(made) == 2
                and [str(row.speed), f"{row.cable}m"] == made]
        names = {"dynamic_th": "threshold", "static_th": "threshold"}
        if table == "BUFFER_PROFILE" and rows and hasattr(rows[0], names.get(field, field)):
            try:
                setattr(rows[0], names.get(field, field), int(value))
            except ValueError:
                raise Usage(f"--set {word}: not a number") from None
            continue
        if key not in source.table(table):
            raise Usage(f"--set {word}: there is no {table}|{key}")
        source.tables[table][key][field] = value
    return source


def do_what_if(args):
    for before in switches(args):
        source = changed(before.source, args.set)
        after = Switch(source, args.asic, args.mtu, args.peer_response)
        lines = show.compare(before, after) if args.compare else show.show(after)
        print("\n".join(output.clean(line) for line in lines))
        old, new = (checks.run(wiring.Fabric([switch])) for switch in (before, after))
        known = {(one.id, one.text) for one in old.findings}
        for one in new.findings:
            if (one.id, one.text) not in known:
                print(output.clean(f"new {one.severity} {one.id}: {one.object()}: {one.text}"))
    return OK


def do_oracle(args):
    return oracle.main(args)


def inputs(parser, need=True):
    parser.add_argument("file", nargs="+" if need else "*", metavar="FILE")
    parser.add_argument("--asic", default="auto", help="row of the ASIC table")
    parser.add_argument("--mtu", type=int, help="of lossless packets (pattern, or 1500)")
    parser.add_argument("--peer-response", type=int, metavar="NS",
                        help="until the neighbour stops (802.3)")
    parser.add_argument("--template", metavar="JSON", help="render *.j2 with these variables")
    parser.add_argument("--template-dir", metavar="DIR", help="where templates include from")
    parser.add_argument("--applied", action="append", metavar="[SWITCH=]FILE",
                        help="dump of APPL_DB")


def rules(parser):
    parser.add_argument("--wiring", action="append", metavar="[SWITCH=]FILE",
                        help="links: LLDP as JSON, or a list")
    parser.add_argument("--routes", metavar="FILE", help="paths of packets: lists of switches")
    parser.add_argument("--valley", action="store_true", help="packets may go down and up again")
    parser.add_argument("--accept", action="append", metavar="FILE", help="accepted findings")
    parser.add_argument("--only", action="append", default=[], metavar="ID")


def parser():
    top = argparse.ArgumentParser(prog="lle-twin", description=__doc__)
    verbs = top.add_subparsers(dest="verb", required=True)
    audit = verbs.add_parser("audit", help="judge configurations")
    inputs(audit, False)
    rules(audit)
    audit.add_argument("-j", "--json", action="store_true")
    audit.add_argument("--format", choices=sorted(output.FORMATS))
    audit.add_argument("--strict", action="store_true", help="warnings are exit status 1")
    audit.add_argument("--explain", metavar="ID", help="formula and source of a check")
    audit.add_argument("--anonymise", action="store_true", help="without names of switches")
    audit.set_defaults(run=do_audit)
    fix = verbs.add_parser("fix", help="print a JSON patch for `config apply-patch`")
    inputs(fix)
    rules(fix)
    fix.add_argument("--device")
    fix.set_defaults(run=do_fix)
    shown = verbs.add_parser("show", help="print the effective model")
    inputs(shown)
    shown.add_argument("-j", "--json", action="store_true")
    shown.set_defaults(run=do_show)
    what_if = verbs.add_parser("what-if", help="print what a change of fields changes")
    inputs(what_if)
    what_if.add_argument("--set", action="append", required=True,
                         metavar="TABLE|key.field=VALUE")
    what_if.add_argument("--compare", action="store_true")
    what_if.set_defaults(run=do_what_if)
    tests = verbs.add_parser("oracle", help="compare formulas with hardware tests")
    tests.add_argument("-j", "--json", action="store_true")
    tests.add_argument("--asic", help="rows of one ASIC")
    tests.set_defaults(run=do_oracle)
    return top


def main(words=None):
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr.reconfigure(errors="backslashreplace")
    args = parser().parse_args(words)
    try:
        for name in ("mtu", "peer_response"):
            if getattr(args, name, None) is not None and not 0 <= getattr(args, name) <= 10**9:
                raise Usage(f"--{name.replace('_', '-')}: out of range")
        return args.run(args)
    except Error as error:
        print(f"lle-twin: {output.clean(error)}", file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"lle-twin: {output.clean(error)}", file=sys.stderr)
        return UNREADABLE


