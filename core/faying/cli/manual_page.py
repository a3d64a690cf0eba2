"""The page of the manual about the command line, made from the commands' argument parsers."""

import argparse
from importlib.resources import files
from pathlib import Path

from faying.cli import python_page  # noqa: F401 - registers a page
from faying.cli.commands import commands
from faying.manual import Page, pages, reference_pages


@reference_pages.register("reference-commands")
def command_page() -> str:
    """Return the page: the purpose and the arguments of each command."""
    parts = ["# Commands", "`faying COMMAND --help` says the same in the terminal."]
    for name, command in sorted(commands.items(), key=lambda item: item[1].order):
        parser = argparse.ArgumentParser(prog=f"faying {name}", description=command.summary)
        command().declare(parser)
        parts += [f"## faying {name}", f"```\n{parser.format_help().rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def manual_folder() -> Path:
    """Return the folder of the hand-written pages, with ``pictures`` and ``files`` (the tutorials' inputs) in it."""
    return Path(str(files("faying_resources") / "manual"))


def tutorial_files() -> tuple[Path, ...]:
    """Return the input files of the tutorials: meshes, the scripts that made them, studies."""
    return tuple(sorted(path for path in (manual_folder() / "files").iterdir() if path.is_file()))


def manual() -> dict[str, Page]:
    """Return the whole manual, as `faying.manual.pages` does, with the page about commands."""
    return pages()
