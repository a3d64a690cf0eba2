"""``faying manual``: the manual as text in the terminal, or as a site for a browser."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

if TYPE_CHECKING:  # imported later: commands have to start quickly
    from faying.manual import Page


@commands.register("manual")
class Manual(Command):
    """Shows a page, lists all, or writes them as a site with search."""

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
            help='write all pages there as a site with search; needs Sphinx: pip install "faying[manual]"',
        )
        parser.add_argument(
            "--markdown", action="store_true", help="with --to: write the pages as Markdown instead"
        )
        parser.add_argument(
            "--run",
            action="store_true",
            help="with --to: run the tutorials in Python again, and show their outputs and pictures on the site",
        )
        parser.add_argument(
            "--files",
            type=Path,
            metavar="DIR",
            help="write the meshes, scripts and studies of its tutorials there",
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Print or write."""
        from faying.cli.manual_page import manual
        from faying.errors import FayingError, there_are

        if args.files is not None:
            return self._write_files(args)
        every = manual()
        if args.to is not None:
            self._write(every, args)
        elif not args.page:
            width = max(map(len, every))
            print("\n".join(f"{name:{width}}  {page.title}" for name, page in every.items()))
        elif args.page in every:
            print(every[args.page].text)
        else:
            raise FayingError(
                f"The manual has no page called {args.page!r}.", there_are(args.page, every, "Pages")
            )
        return 0

    def _write_files(self, args: argparse.Namespace) -> int:
        from faying.atomic import replacing
        from faying.cli.manual_page import tutorial_files
        from faying.errors import FayingError
        from faying.project.outputs import writing

        files = tutorial_files()
        copies = [args.files / path.name for path in files]
        try:
            args.files.mkdir(parents=True, exist_ok=True)
            with writing(*copies, replace=args.force):
                for path, copy in zip(files, copies, strict=True):
                    with replacing(copy) as beside:
                        beside.write_bytes(path.read_bytes())
        except OSError as error:
            raise FayingError(
                f"{args.files} cannot be written ({error.strerror}).", "Choose another folder."
            ) from error
        print("\n".join(f"written: {copy}" for copy in copies))
        return 0

    def _write(self, every: "dict[str, Page]", args: argparse.Namespace) -> None:
        import sys

        from faying.cli.manual_site import build_site, write_pages
        from faying.errors import FayingError
        from faying.project.outputs import writing

        folder, ending = args.to, "md" if args.markdown else "html"
        first = folder / f"index.{ending}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with writing(*(folder / f"{name}.{ending}" for name in every), replace=args.force):
                if args.markdown:
                    write_pages(every, folder)
                else:
                    for warning in build_site(every, folder, run=args.run):
                        print(warning, file=sys.stderr)
        except OSError as error:
            raise FayingError(
                f"{folder} cannot be written ({error.strerror}).", "Choose another folder."
            ) from error
        print(f"written: {len(every)} pages; the first is {first}")
