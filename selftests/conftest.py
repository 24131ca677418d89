# SPDX-License-Identifier: GPL-2.0
"""Prints the results of pytest as TAP, instead of its own report."""
import os
import sys

import pytest

sys.dont_write_bytecode = True
_points = 0


def _point(report, outcome):
    """Prints a test point, with the reason of a failure or skip."""
    global _points
    _points += 1
    file, _, test = report.nodeid.partition('::')
    name = os.path.basename(file).removesuffix('_test.py')
    skip = f' # SKIP {report.longrepr[2]}' if outcome == 'skipped' else ''
    print(f'{"not " * (outcome == "failed")}ok {_points} - {name}: '
          f'{test.removeprefix("test_").replace("_", " ")}{skip}', flush=True)
    if outcome == 'failed':
        print('# ' + report.longreprtext.replace('\n', '\n# '), flush=True)


@pytest.hookimpl(trylast=True)   # when there is a reporter
def pytest_configure(config):
    config.pluginmanager.unregister(name='terminalreporter')


def pytest_collectreport(report):
    if not report.passed:
        _point(report, report.outcome)


def pytest_runtest_logreport(report):
    if report.when == 'call' or not report.passed:
        _point(report, report.outcome)


def pytest_sessionfinish(session):
    print(f'1..{_points}', flush=True)
    # not an error: each file skips all of its tests
    if _points and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK
