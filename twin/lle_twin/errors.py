# SPDX-License-Identifier: GPL-2.0
"""What ends a command, with its exit status."""


class Error(Exception):
    status = 1


class Usage(Error):
    """Wrong words on the command line."""
    status = 3


class Unreadable(Error):
    """An input that no switch can have: file, line and key, as far as they are known."""
    status = 3

    def __init__(self, why, file="", line=0, key=""):
        place = ":".join(str(part) for part in (file, line, key) if part)
        super().__init__(f"{place}: {why}" if place else why)
        self.why, self.file, self.line, self.key = why, file, line, key
