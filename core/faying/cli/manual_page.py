"""The page of the manual about the command line, from the commands' own declarations."""

import argparse

from faying.cli.commands import commands
from faying.manual import Page, pages, reference_pages


@reference_pages.register("reference-commands")
def command_page() -> str:
    """Return the page: what each command does, and what it takes."""
    parts = ["# Commands", "`faying COMMAND --help` says the same in the terminal."]
    for name, command in sorted(commands.items(), key=lambda item: item[1].order):
        parser = argparse.ArgumentParser(prog=f"faying {name}", description=command.summary)
        command().declare(parser)
        parts += [f"## faying {name}", f"```\n{parser.format_help().rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def manual() -> dict[str, Page]:
    """Return the whole manual, as `faying.manual.pages` does, with the page about commands."""
    return pages()
