# SPDX-License-Identifier: GPL-2.0
"""mkinitramfs.sh keeps archives, and makes them anew if a file changes."""
import os
import pathlib
import subprocess

import pytest

PACK = pathlib.Path(__file__).resolve().parents[2] / "scripts/vm/mkinitramfs.sh"


@pytest.fixture
def kernel(tmp_path):
    modules = tmp_path / "kernel/lib/modules/6.1-test"
    modules.mkdir(parents=True)
    for name in "order", "builtin", "builtin.modinfo":
        (modules / f"modules.{name}").touch()
    (tmp_path / "kernel/release").write_text("6.1-test\n")
    (tmp_path / "kernel/linux").touch()     # no drivers of qemu
    return tmp_path / "kernel"


@pytest.fixture
def pack(tmp_path, kernel):
    def packed(*options):
        image = tmp_path / "image"
        subprocess.run([PACK, "-K", kernel, "-o", image, *options], check=True,
                       env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")})
        return image.read_bytes()

    return packed


def kept(tmp_path):
    return len(list((tmp_path / "cache/lle/guest").iterdir()))


def test_equal_files_are_packed_once(tmp_path, pack):
    first = pack("-b", "/usr/bin/true")
    assert kept(tmp_path) == 2
    assert pack("-b", "/usr/bin/true") == first
    assert kept(tmp_path) == 2
    # what all guests have
    assert pack("-b", "/usr/bin/false") != first
    assert kept(tmp_path) == 3


@pytest.mark.parametrize("option", ["-b", "-f"])
def test_a_changed_file_is_packed_anew(tmp_path, pack, option):
    program = tmp_path / "program"
    value = program if option == "-b" else f"{program}:/usr/bin/program"
    program.write_text("#!/bin/sh\necho before\n")
    assert b"echo before" in pack(option, value)
    program.write_text("#!/bin/sh\necho behind\n")
    image = pack(option, value)
    assert b"echo behind" in image and b"echo before" not in image


def test_a_missing_file_is_an_error(tmp_path, pack):
    for words in ("-b", tmp_path / "none"), ("-f", "/none:/none"):
        with pytest.raises(subprocess.CalledProcessError):
            pack(*words)
    assert kept(tmp_path) <= 2
    assert not list(tmp_path.glob("cache/lle/guest/.new*"))
