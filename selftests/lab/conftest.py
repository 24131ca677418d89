# SPDX-License-Identifier: GPL-2.0
"""What tests with guests share."""
import pathlib
import subprocess

import pytest

NO_KERNEL = 4


@pytest.fixture(scope="session")
def built():
    """The output of lab/build.sh, for LLE_LAB_BUILT."""
    build = pathlib.Path(__file__).resolve().parents[2] / "lab/build.sh"
    done = subprocess.run([build], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == NO_KERNEL:
        pytest.skip("there is no kernel here")
    assert done.returncode == 0
    return done.stdout
