# SPDX-License-Identifier: GPL-2.0
"""Usage: lle-lab VERB...

run SCENARIO [KEY=VALUE...]     run a scenario: its name, or the path of a file
list                            list the scenarios, a line each
keys SCENARIO                   print the keys of a scenario, with ranges and defaults
plan SCENARIO [KEY=VALUE...]    print what the guest would do
show FOLDER                     print the results in a folder
compare A B                     compare the results in two folders
sweep FILE                      run a scenario with many values of its keys
figures [-m | -t] [NAME...]     make the published figures; -m: those without a result; -t: tables
tables                          check the published tables
plot FOLDER [NAME...] [--width INCHES] [--font PT] [--format svg|pdf|png]
                                draw plots of results again, in any size
page FOLDER                     draw the plots and pages of results again
hpcc FOLDER                     write results as files of HPCC's ns-3, in FOLDER/hpcc
version SCENARIO [KEY=VALUE...] print the version of its results

LLE_LAB_OUT: folder of results (out/lab). LLE_TIMEOUT: seconds until the guest is killed (540, and
60 for each of RUNS). LLE_LAB_PAGE=no: no plots, no page. LLE_LAB_BUILT: output of lab/build.sh, to
skip the build. LLE_PROGRESS: seconds between two lines of progress (10).

Exit status: 0 all expectations and bounds hold; 1 one does not, or there is no result; 2 wrong
use, such as a refused key: nothing has been changed; 4 the kernel cannot be had here.
"""
import argparse
import pathlib
import signal
import sys

from . import scenario as scenarios
from .errors import Error, Refused


def do_run(words):
    from . import runner
    scenario = scenarios.create(words)
    if scenario.seeds() > 1:
        from . import sweep
        return 0 if sweep.run_seeds(words[0], scenario) else 1
    result, _ = runner.run(scenario)
    return 0 if runner.holds(result) else 1


def do_version(words):
    from . import runner
    print(runner.version(scenarios.create(words), *runner.build()))


def do_plan(words):
    from . import guest
    for path, text in guest.files(scenarios.create(words)).items():
        print(f"--- {path}\n{text}", end="")


def do_list(_):
    for name in scenarios.names():
        about = scenarios.module_of(name).__doc__.splitlines()[0]
        print(f"{name:20}{about}")


def do_keys(words):
    for key, about in scenarios.load(words[0]).describe():
        print(f"{key:25} {about}")


def do_show(words):
    from . import results, runner
    runner.show(results.load(words[0]).result)


def do_compare(words):
    from . import compare
    compare.show(*words)


def do_sweep(words):
    from . import sweep
    return 0 if sweep.run(words[0]) else 1


def do_point(words):
    from . import sweep
    return sweep.point(*words)


def do_figures(words):
    from . import figures
    return 0 if figures.run(words) else 1


def do_tables(_):
    from . import figures
    return 0 if figures.check_tables() else 1


def do_part(words):
    from . import guests
    return guests.part(words[0])


def do_page(words):
    from . import page, results
    page.again(results.load(words[0]))


def do_hpcc(words):
    from . import hpcc, results
    found = results.load(words[0])
    name = found.result.get("file", found.result["scenario"])
    scenario = scenarios.load(name)(**found.keys)
    if found.arms or "MTU" not in found.keys:
        raise Refused(f"{scenario.name} has arms, or packets of TCP: no files of HPCC")
    getattr(scenario, "export", lambda run: hpcc.export(run.folder, scenario.MTU))(found)


def do_plot(words):
    from . import plots, results
    parser = argparse.ArgumentParser(prog="lle-lab plot")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--width", type=float, default=plots.COLUMN[0])
    parser.add_argument("--font", type=float, default=plots.COLUMN[1])
    parser.add_argument("--format", choices=("svg", "pdf", "png"), default="pdf")
    asked = parser.parse_args(words)
    for path in plots.again(results.load(asked.folder), asked.names, asked.format,
                            (asked.width, asked.font)):
        print(path)


# verbs, with the number of words that they need; part and point are for jobs of Slurm
VERBS = {"run": 1, "list": 0, "keys": 1, "plan": 1, "show": 1, "compare": 2, "sweep": 1,
         "figures": 0, "tables": 0, "plot": 1, "page": 1, "hpcc": 1, "version": 1,
         "part": 1, "point": 1}


def interrupt(number, _):
    raise KeyboardInterrupt(number)


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)
    verb, *words = sys.argv[1:] or [""]
    if verb in ("-h", "--help"):
        print(__doc__, end="")
        return 0
    if len(words) < VERBS.get(verb, 1 << 30):
        print(__doc__, end="", file=sys.stderr)
        return 2
    try:
        return globals()[f"do_{verb}"](words) or 0
    except KeyboardInterrupt as why:
        # a script that has started this ends, too
        number, = why.args
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    except Error as why:
        print(why, file=sys.stderr)
        return why.status
