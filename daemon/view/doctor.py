#!/usr/bin/python3 -ESsBXutf8
# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: looks for settings that lose packets, or let a fault spread.

They are those of ports, devices and this machine. It prints the commands that mend
them, and changes nothing.
"""

# the order of these is that of the checks
import doctor_machine
import doctor_layers  # noqa: F401
import doctor_port  # noqa: F401
import doctor_peer  # noqa: F401
import common
from doctor_find import Run, Scope
from doctor_state import State


def examine() -> Run:
    """Run all checks. Without the module there is nothing more to read."""
    run = Run()
    run.checks(Scope.ANYWHERE)
    if not doctor_machine.has_module():
        return run
    state = State()
    run.checks(Scope.MACHINE, state)
    for own, peer in state.links:
        run.checks(Scope.DEVICE, state, own)
        if own.port:
            run.checks(Scope.PORT, state, own)
        if own.port and peer:
            run.checks(Scope.LINK, state, own, peer)
    return run


def main() -> int:
    """Run the command; it fails also if something was found."""
    view = common.View("doctor", most=0)
    run = examine()
    found = run.findings
    if view.json:
        view.show_json(found)
    else:
        for f in found:
            device = f"{common.printable(f['device'])}: " if f["device"] else ""
            print(f"{f['severity']}: {device}{f['text']} ({f['check']})\n\t{f['mend']}")
        print(f"{len(found) or 'nothing'} found, {run.done} checks")
    return common.FAIL if found else common.OK


common.run(main)
