# SPDX-License-Identifier: GPL-2.0
"""The formulas give what hardware tests expect (twin/lle_twin/data/oracle.tsv)."""
import pytest

from lle_twin import model, oracle


@pytest.fixture(scope="module", name="tests")
def fixture_tests():
    return oracle.judge()


def of(tests, *quantities, asic=None):
    return [test for test in tests if test.quantity in quantities and asic in (None, test.asic)]


def misses(tests):
    return [(test.asic, test.topology, test.link, test.quantity, round(test.off() or 0))
            for test in tests if not test.fits()]


def test_no_row_is_left_out(tests):
    assert len(tests) == 552
    assert sum(len(test.tests) for test in tests) == 1143


def test_all_of_th_fit(tests):
    assert not misses(of(tests, "pfc", "pfc-pool", "drop", "full", "partial", asic="TH"))


def test_13_groups_of_th5_fit(tests):
    own = [test for test in of(tests, "sequence", "pfc", "drop", asic="TH5")
           if test.topology == "ft2-64"]
    assert len(own) == 3 and not misses(own)
    assert all(test.kind == "configuration" for test in own)
    assert len(next(test for test in own if test.quantity == "sequence").packets) == 13


def test_all_sequences_of_th5_fit(tests):
    own = of(tests, "sequence")
    assert len(own) == 12 and not misses(own)
    assert sum(len(test.packets) for test in own) == 347


def test_headroom_of_groups_fits(tests):
    assert not misses(of(tests, "full"))


def test_headroom_pools_fit_but_for_these(tests):
    """17 * 240 + 182 packets are no pool that 17 * 362 + 182 of the same switch is. The two rows
    of TH5 are of another pool than the others of their topology."""
    assert {(row[0], row[1], row[2]) for row in misses(of(tests, "partial"))} == {
        ("TD3", "dualtor-56", "50000_300m"), ("TD3", "any", "50000_300m"),
        ("TH5", "t0-f2-d40u8", "200000_300m"), ("TH5", "t0-f2-d40u8-po2vlan", "200000_300m")}


def test_th2_fits_but_for_pools_that_are_not_known(tests):
    rows = misses(of(tests, "pfc", "pfc-pool", asic="TH2"))
    assert {row[-1] for row in rows} == {-42, 96}
    assert len(rows) == 6


def test_numbers_of_the_design():
    assert 6 + model.threshold(61376 - 62 * 308, 1 / 8) == pytest.approx(4703.8, abs=0.1)
    assert 6 + model.threshold(13071, 1) == 6541.5
    assert 6 + model.threshold(13071, 1, 10) == pytest.approx(1194.3, abs=0.1)
    assert 6 + model.threshold(39979, 1) == 19995.5
    for groups, near in (1, 4457.0), (14, 1826.9), (19, 1489.7):
        assert 6 + model.threshold(40059, 1 / 8, groups) == pytest.approx(near, abs=0.1)
    assert 18 + model.threshold(2 * (59714 - 18), 1, 18) == pytest.approx(6301.8, abs=0.1)
    assert model.two_levels(1000, 1, 1) == pytest.approx(1000 / 3)
