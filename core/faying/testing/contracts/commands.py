"""Contract of commands: one line in the help, an explanation of every argument, exit codes."""

import argparse
from typing import Any, ClassVar

import pytest

from faying.cli import main
from faying.cli.commands import Command, commands
from faying.testing.contracts.members import Contract


class CommandContract(Contract):
    """The command is declared but not run; other tests cover its effects."""

    family: ClassVar[Any] = commands

    @pytest.fixture
    def declared(self, kind: str) -> argparse.ArgumentParser:
        """The parser of the command."""
        command: Command = self.family[kind]()
        parser = argparse.ArgumentParser(prog=f"faying {kind}")
        command.declare(parser)
        return parser

    def test_it_has_a_line_in_the_help(self, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
        summary = self.family[kind].summary
        assert summary and summary[0].islower() and not summary.endswith(".")
        assert main(["--help"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert kind in told and summary in told

    def test_every_argument_is_explained(self, declared: argparse.ArgumentParser) -> None:
        for argument in declared._actions:
            assert argument.help, argument.option_strings or argument.dest

    def test_wrong_usage_is_exit_code_2(self, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([kind, "--no-such-option-of-any-command"]) == 2
        assert "usage: " in capsys.readouterr().err
