# SPDX-License-Identifier: GPL-2.0
"""What ends a command, with its exit status."""


class Error(Exception):
    status = 1


class Refused(Error):
    """Wrong use, in one line. Nothing has been changed."""
    status = 2


class Failed(Error):
    """A run without a result. status: that of the command"""

    def __init__(self, why, status=1):
        super().__init__(why)
        self.status = status
