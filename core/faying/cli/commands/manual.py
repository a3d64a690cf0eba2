"""``faying manual``: the manual as text in the terminal, or as files for a browser."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

if TYPE_CHECKING:  # the help of all commands must come at once
    from faying.manual import Page


@commands.register("manual")
class Manual(Command):
    """Shows a page, lists all, or writes them with what MkDocs needs to make a site with search of them."""

    summary = "show a page of the manual, or write all of them for a browser"
    order = 65

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "page", nargs="?", default="", metavar="PAGE", help="its name; without one all are listed"
        )
        parser.add_argument(
            "--to",
            type=Path,
            metavar="DIR",
            help="write all pages there; then: mkdocs build --config-file DIR/mkdocs.yml",
        )
        declare_force(parser)

    def run(self, words: argparse.Namespace) -> int:
        """Print or write."""
        from faying.cli.manual_page import manual
        from faying.errors import FayingError, there_are

        every = manual()
        if words.to is not None:
            self._write(every, words.to, words.force)
        elif not words.page:
            width = max(map(len, every))
            print("\n".join(f"{name:{width}}  {page.title}" for name, page in every.items()))
        elif words.page in every:
            print(every[words.page].text)
        else:
            raise FayingError(
                f"The manual has no page called {words.page!r}.", there_are(words.page, every, "Pages")
            )
        return 0

    def _write(self, every: "dict[str, Page]", folder: Path, force: bool) -> None:
        from faying.errors import FayingError
        from faying.project.outputs import writing

        texts = {folder / "docs" / f"{name}.md": page.text for name, page in every.items()}
        menu = "".join(f'  - "{page.title}": {name}.md\n' for name, page in every.items())
        texts[folder / "mkdocs.yml"] = f"site_name: Faying\nplugins: [search]\nnav:\n{menu}"
        try:
            (folder / "docs").mkdir(parents=True, exist_ok=True)
            with writing(*texts, replace=force):
                for path, text in texts.items():
                    path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise FayingError(
                f"{folder} cannot be written ({error.strerror}).", "Choose another folder."
            ) from error
        print(f"written: {len(every)} pages in {folder / 'docs'}")
