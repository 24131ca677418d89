# SPDX-License-Identifier: GPL-2.0
"""Wrong words on the command lines of all programs: each message names what is right.

losslessctl runs with the ports of fake.c: swp1, swp2 and swp10. $BIN has the programs.
"""
import os
import shlex
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ['BIN']
PROGRAMS = {
    'losslessctl': [f'{BIN}/fake/losslessctl'],
    'losslessd': [f'{BIN}/losslessd'],
    'lle-testbed': [f'{BIN}/lle-testbed'],
    'lle-topology': [f'{BIN}/lle-topology'],
    'lle-storm': [f'{BIN}/lle-storm'],
    'tc': ['tc', 'qdisc', 'add', 'dev', 'lo', 'root', 'lossless'],
    'lle-lab': [f'{TOP}/lab/lle-lab'],
}
ENVIRON = {**os.environ, 'TC_LIB_DIR': f'{TOP}/build/tc', 'PATH': f'{os.environ["PATH"]}:/usr/sbin'}
WRONG = (
    # commands
    ('losslessctl', 'a command is required'),
    ('losslessctl prot', 'there is no "prot"; did you mean "port"?'),
    ('losslessctl wachdog start swp1 100', 'there is no "wachdog"; did you mean "watchdog"?'),
    ('losslessctl tpo', 'did you mean "top"?'),
    ('losslessctl x', 'there is no command "x": port, switch, prio, pfc, buffer, watchdog,'),
    ('losslessctl help', 'Try: losslessctl --help'),
    ('losslessctl watchdog', 'subcommand required: start, stop, show, clear'),
    ('losslessctl watchdog strat swp1 100', 'watchdog: there is no "strat"; did you mean "start"?'),
    ('losslessctl deadlock x', 'deadlock: there is no "x"; there is show, history, graph'),
    ('losslessctl buffer swp1', 'buffer: there is no "swp1"; there is show'),
    # devices
    ('losslessctl swp3', 'there is no "swp3"; did you mean "swp1"?'),
    ('losslessctl port swp3', 'swp3: no such device in this network namespace; did you mean "swp1"?'),
    ('losslessctl prio swp01', 'did you mean "swp1"?'),
    ('losslessctl watchdog start spw10 100', 'did you mean "swp10"?'),
    ('losslessctl port a/b', '"a/b" is not the name of a device'),
    ('losslessctl swp1 3', 'unknown argument "3"\nUsage: losslessctl DEV'),
    # options
    ('losslessctl port --jsn', 'did you mean "--json"?'),
    ('losslessctl watchdog start --actoin drop swp1 100', 'did you mean "--action"?'),
    ('losslessctl pfc -x', 'Usage: losslessctl pfc [-a|-c|-r SECONDS] [DEV]'),
    ('losslessctl watchdog start -r', 'requires an argument'),
    # values
    ('losslessctl prio swp1 8', 'prio: "8" is not a list of priorities of 0..7, such as 3,4'),
    ('losslessctl watchdog start swp1 100 prio 9', '"9" is not a list of priorities of 0..7'),
    ('losslessctl watchdog start all 100 prio 3 4', 'as in "prio 3,4"'),
    ('losslessctl watchdog start swp1 100 3', 'priorities follow the word prio, as in "100 prio 3"'),
    ('losslessctl watchdog start swp1 100 3,4', 'priorities follow the word prio, as in "100 prio 3,4"'),
    ('losslessctl watchdog start all swp1 100', 'either all or devices'),
    ('losslessctl watchdog show config -e', 'options of stats'),
    ('losslessctl watchdog start swp1', 'as in "all 100" or "DEV 100 prio 3"'),
    ('losslessctl watchdog start swp1 100ms', '"100ms" is not a number of 1..60000'),
    ('losslessctl watchdog start -a dropp swp1 100', '"dropp" is not drop, forward or alert'),
    ('losslessctl watchdog show swp1', '"swp1" is neither config nor stats'),
    ('losslessctl switch set 0 bufer 1m', 'ID buffer SIZE is required'),
    ('losslessctl switch set 0 buffer 4q', '"4q" is not a size of 65536..1073741824 bytes'),
    ('losslessctl switch discard 0 yes', '"yes" is neither on nor off'),
    ('losslessctl switch swp1', '"swp1" is not a number of 0..4294967295'),
    ('losslessctl pfc -r fast', '"fast" is not a number of 1..3600'),
    ('losslessctl monitor strom', '"strom" is not pause, storm, deadlock, congestion or config'),
    ('losslessctl path set 1 swp1', 'GROUP and two devices at least are wanted'),
    ('losslessctl path del', 'GROUP is required'),
    ('losslessctl top -d fast', '"fast" is not a number of seconds, 0.1..3600'),
    ('losslessctl history swp1 3 4', 'unknown argument "4"\nUsage: losslessctl history [DEV [PRIO]]'),
    ('losslessctl restore /nonexistent', '/nonexistent: No such file or directory'),
    # the daemon; selftests/daemon has its configuration
    ('losslessd --chek', '-n, --check'),
    ('losslessd x', 'losslessd: unknown argument "x"'),
    ('losslessd --check -c /nonexistent', '/nonexistent: cannot be read: No such file'),
    # the testbed
    ('lle-testbed', 'lle-testbed up TOPOLOGY'),
    ('lle-testbed create star 3', 'there is no command "create": up, down, show, stats'),
    ('lle-testbed shwo star 3', 'there is no command "shwo"; did you mean "show"?'),
    ('lle-testbed show satr 3', 'there is no topology "satr"; did you mean "star"?'),
    ('lle-testbed show mesh 3',
     'there is no topology "mesh": file, line, star, dumbbell, ring, leaf-spine, fat-tree'),
    ('lle-testbed show star', 'star: it takes 1 number'),
    ('lle-testbed show ring 3 2 1', 'ring: it takes 1 or 2 numbers'),
    ('lle-testbed show star x', '"x" is not a number of 1..65535'),
    ('lle-testbed show star 3 --fabrik x', 'did you mean "--fabric"?'),
    ('lle-testbed show star 3 --rate 10', '"10" is not a rate of 8kbit..1tbit'),
    ('lle-testbed show star 3 --edge "prio-pcf 3:on"', 'did you mean "prio-pfc"?'),
    ('lle-topology', 'Usage: lle-topology'),
    ('lle-storm eth0', '--prio is required, such as --prio 3'),
    ('lle-storm -p 3', 'DEV is required'),
    ('lle-storm -p 9 eth0', '--prio: a number from 0 to 7, not \'9\''),
    # options of the qdisc
    ('tc hedroom 10k', 'Unknown option "hedroom", did you mean "headroom"?'),
    ('tc prio-pcf 3:on', 'did you mean "prio-pfc"?'),
    ('tc wred 3 kminn 5k', 'did you mean "kmin"?'),
    ('tc ecn', 'Unknown option "ecn": it follows wred and its priority'),
    ('tc nowed', 'did you mean "nowred"?'),
    ('tc prio-pfc 3', '"3" is not { all | 0..7 }:{ on | off } of a list'),
    ('tc prio-pfc 3:on 3:off', '3:off: this has been set already'),
    ('tc trust dscpp', '"dscpp" is not dscp, pcp or none'),
    ('tc alpha 3', '"3" is not a power of two of 1/1024..1024'),
    ('tc rcm yes', '"yes" is not off or on'),
    # the lab
    ('lle-lab rnu incast', 'Usage: lle-lab VERB'),
    ('lle-lab run incst', "there is no scenario 'incst'; did you mean incast?"),
    ('lle-lab run xyz', "there is no scenario 'xyz' (see lle-lab list)"),
    ('lle-lab run incast M=4', "incast has no key 'M'; it has: SEED"),
    ('lle-lab run incast M=4', 'did you mean MS?'),
    ('lle-lab run incast N=x', 'N=x: not an integer from 1 to 15'),
    ('lle-lab sweep incst', "there is no file 'incst'"),
)

def check(line, text):
    program, *words = shlex.split(line)
    done = subprocess.run(PROGRAMS[program] + words, text=True, capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=60,
                          env=ENVIRON)
    assert done.returncode, f'{line}: it is accepted'
    assert text in done.stderr + done.stdout, f'{line}: says {done.stderr}, not {text}'


def test_each_message_names_what_is_right():
    bad = []
    for line, text in WRONG:
        try:
            check(line, text)
        except AssertionError as error:
            bad.append(str(error))
    assert not bad, '\n'.join(bad)


def test_messages_of_options_are_short():
    """The usage of tc would push the line with the reason away."""
    done = subprocess.run([*PROGRAMS['tc'], 'hedroom', '10k'], text=True, capture_output=True,
                          check=False, env=ENVIRON)
    assert len(done.stderr.splitlines()) == 1
