# SPDX-License-Identifier: GPL-2.0
"""Test points in TAP: @test runs a function as one, end() prints the plan."""
import sys

_points = 0
_failures = 0


def suite(name):
    """Decorate a function to run as a test point; an exception is a failure."""
    def test(function):
        global _points, _failures
        _points += 1
        point = f'{_points} - {name}: {function.__name__.replace("_", " ")}'
        try:
            function()
            print(f'ok {point}')
        except AssertionError as why:
            _failures += 1
            print(f'not ok {point}')
            for line in str(why).splitlines():
                print(f'# {line}')
    return test


def equal(got, want, what=''):
    assert got == want, f'{what}: is {got!r}, should be {want!r}'


def end():
    print(f'1..{_points}')
    sys.exit(_failures > 0)
