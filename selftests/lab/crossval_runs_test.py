# SPDX-License-Identifier: GPL-2.0
"""The lab agrees with stored results of HPCC's ns-3 and of htsim (crossval/crossval.py)."""
import pytest

from crossval import crossval


@pytest.fixture(name="lab", scope="module")
def a_lab(built):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LLE_LAB_BUILT", built)
        yield


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("name", [name for name in crossval.CASES if name not in crossval.LONG])
def test_case(name):
    compare(name)


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("name", crossval.LONG)
def test_every_seed(name):
    compare(name)


def compare(name):
    for quantity, value in crossval.measured(name).items():
        stored, part = crossval.CASES[name].stored[quantity]
        assert part is None or value == pytest.approx(stored, rel=part, abs=0), quantity
