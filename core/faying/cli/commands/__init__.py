"""Commands of the command line. A member is one file with a class; other distributions add theirs.

Modules of commands are imported at every start, so they import what they need only when they run.
"""

import argparse
from abc import ABC, abstractmethod
from typing import ClassVar

from faying.registry import Registry

commands: Registry[type["Command"]] = Registry("command", __name__)


class Command(ABC):
    """One word after ``faying``; has no state.

    Attributes:
        summary: one line for ``faying --help``.
        order: place in the help, small numbers first.
    """

    summary: ClassVar[str]
    order: ClassVar[int] = 100

    @abstractmethod
    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments to its parser."""

    @abstractmethod
    def run(self, args: argparse.Namespace) -> int:
        """Do it and return the exit code: 0 when all is well.

        Raises:
            FayingError: shown as one sentence, exit code 1.
        """
