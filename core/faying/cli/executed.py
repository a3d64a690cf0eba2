"""Pages of the manual whose Python blocks are run: what they print stands in blocks called ``output`` below them.

A page with such a block is a notebook: its Python blocks are its cells, run in order in one process, in a folder of
their own. The written outputs are those of a run; a test runs the pages again, and so does the site on request, which
then shows the pictures that cells have saved, too.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from faying.errors import FayingError
from faying.manual import Page

_BLOCK = re.compile(r"^```(python|output)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"""["']([\w-]+\.(?:png|svg))["']""")
_MARK = "--- cell {} ---"
_PATIENCE = 3600.0  # s


@dataclass(frozen=True)
class NotebookCell:
    """A block of Python.

    Attributes:
        code: its lines.
        output: what the page says that it prints.
        pictures: names of files that it may save.
    """

    code: str
    output: str = ""

    @property
    def pictures(self) -> tuple[str, ...]:
        """Names of the pictures in its code."""
        return tuple(dict.fromkeys(_PICTURE.findall(self.code)))


def is_notebook(page: Page) -> bool:
    """Return whether a page says what its Python blocks print."""
    return any(kind == "output" for kind, _ in _BLOCK.findall(page.text))


def cells(page: Page) -> tuple[NotebookCell, ...]:
    """Return the cells of a page in order."""
    found: list[NotebookCell] = []
    for kind, text in _BLOCK.findall(page.text):
        if kind == "python":
            found.append(NotebookCell(text))
        elif found:
            found[-1] = NotebookCell(found[-1].code, text)
    return tuple(found)


def run(page: Page, folder: Path) -> tuple[str, ...]:
    """Run the cells of a page in a folder, and return what each prints.

    Raises:
        FayingError: when a cell fails; names the page and the error.
    """
    script = folder / f"{page.name}.py"
    parts = [f"print({_MARK.format(k)!r}, flush=True)\n{cell.code}" for k, cell in enumerate(cells(page))]
    script.write_text("\n".join(parts), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", script.name], cwd=folder, capture_output=True, timeout=_PATIENCE, check=False,
        encoding="utf-8",
    )  # fmt: skip
    printed = re.split(rf"^{_MARK.format('[0-9]+')}\n", done.stdout, flags=re.MULTILINE)[1:]
    if done.returncode:
        why = (done.stderr.strip() or "no reason given").splitlines()[-1]
        raise FayingError(f"The page {page.name!r} of the manual failed in its cell {len(printed)}: {why}.")
    return tuple(printed)


def executed(page: Page, folder: Path, link: str) -> str:
    """Return the text of a page with the outputs and pictures of a run.

    Args:
        page: the page.
        folder: where it runs, and its pictures are.
        link: the folder's path from the page.

    Raises:
        FayingError: as `run`.
    """
    printed = iter(zip(cells(page), run(page, folder), strict=True))

    def again(found: re.Match[str]) -> str:
        if found[1] == "output":
            return ""
        cell, text = next(printed)
        parts = [found[0]]
        if text:
            parts.append(f"```output\n{text.rstrip()}\n```\n")
        shown = [name for name in cell.pictures if (folder / name).is_file()]
        parts += [f"![{name.partition('.')[0]}]({link}/{name})\n" for name in shown]
        return "\n".join(parts)

    return _BLOCK.sub(again, page.text)
