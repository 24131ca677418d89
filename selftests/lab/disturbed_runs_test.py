# SPDX-License-Identifier: GPL-2.0
"""A run is a function of its keys: it gives the same files, byte for byte, if the guest
has run other programs, and has slept, before it builds each testbed.

test_some_scenarios is for each change, test_every_scenario takes an hour.
"""
import filecmp
import json
import os
import shutil
import subprocess

import pytest

from lle_lab import scenario

import small

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), '../..'))
OUT = os.path.join(TOP, 'out/lab-disturbed')
# of the machine that runs the guest
HOST_FILES = {'cost', 'cpu', 'guest.pid', 'run.log', 'time', 'metrics.csv'}
HOST_RESULTS = {'cpu_s', 'run_cpu_s', 'hops_per_cpu_s', 'memory_mb', 'date'}


def scenarios():
    for name in scenario.names():
        yield name, '0'
        if scenario.load(name).keys['PARTS'].most:
            yield name, '1'


def run(name, keys, out, env):
    """Returns the folder of the results, whether expectations hold or not."""
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([f'{TOP}/lab/lle-lab', 'run', name, *keys],
                          env=env | {'LLE_LAB_OUT': out}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    folder = os.path.join(out, name, 'latest')
    assert os.path.exists(os.path.join(folder, 'result.json')), done.stdout
    return folder


def files(folder):
    return {os.path.relpath(os.path.join(path, name), folder)
            for path, _, names in os.walk(folder) for name in names} - HOST_FILES


def result(folder):
    with open(os.path.join(folder, 'result.json'), encoding='utf-8') as file:
        values = json.load(file)
    return {name: value for name, value in values.items() if name not in HOST_RESULTS}


def same(name, parts, built):
    env = os.environ | {'LLE_LAB_BUILT': built, 'LLE_LAB_PAGE': 'no'}
    keys = [*small.SMALL[name].split(), f'PARTS={parts}']
    normal = run(name, keys, os.path.join(OUT, 'normal'), env)
    disturbed = run(name, keys, os.path.join(OUT, 'disturbed'),
                    env | {'LLE_LAB_DISTURB': 'yes'})
    assert result(normal) == result(disturbed)
    names = files(normal) - {'result.json'}
    assert 'stats.json' in names and files(disturbed) - {'result.json'} == names
    differ = filecmp.cmpfiles(normal, disturbed, names, shallow=False)[1:]
    assert differ == ([], [])


# flows that do not end, draws of WRED, and TCP
@pytest.mark.parametrize('name', ['permutation', 'tcp-incast'])
def test_some_scenarios(name, built):
    same(name, '0', built)


@pytest.mark.parametrize('name, parts', scenarios())
def test_every_scenario(name, parts, built):
    same(name, parts, built)
