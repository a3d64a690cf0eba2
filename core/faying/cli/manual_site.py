"""The manual as a site with search, made by Sphinx: a folder of HTML that any browser opens without a server."""

import io
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from faying.cli.equations import with_equations
from faying.cli.executed import executed, is_notebook
from faying.cli.manual_page import manual_folder
from faying.errors import FayingError
from faying.manual import FIRST, REFERENCE, Page
from faying.version import __version__

_SETTINGS = {
    "project": "Faying",
    "author": "The Faying developers",
    "html_title": f"Faying {__version__}",
    "html_theme": "furo",
    "extensions": ["myst_parser"],
    "root_doc": FIRST,
    "source_suffix": {".md": "markdown"},
    "myst_heading_anchors": 4,
    "myst_heading_slug_func": "faying.manual.anchor",
    "highlight_language": "text",
    "html_copy_source": False,
    "html_show_copyright": False,
}


def write_pages(pages: dict[str, Page], folder: Path) -> None:
    """Write the pages as Markdown, with their pictures and files in folders next to them."""
    for name, page in pages.items():
        (folder / f"{name}.md").write_text(page.text, encoding="utf-8")
    for beside in ("pictures", "files"):
        shutil.copytree(
            manual_folder() / beside,
            folder / beside,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )


def build_site(pages: dict[str, Page], folder: Path, *, run: bool = False) -> tuple[str, ...]:
    """Build the site of all pages in a folder, and return Sphinx's warnings, such as those of dead links.

    Args:
        pages: by name.
        folder: of the site.
        run: whether to run pages that are notebooks (`faying.cli.executed`), and show their outputs and pictures.

    Raises:
        FayingError: without Sphinx, its reader of Markdown and its theme, or when a notebook fails.
    """
    try:
        import furo  # noqa: F401
        import myst_parser  # noqa: F401
        from sphinx.application import Sphinx
    except ImportError as error:
        raise FayingError(
            f"The site is made by Sphinx, and {error.name} is not installed.",
            'pip install "faying[manual]" installs it; --markdown writes the pages without it.',
        ) from error
    with tempfile.TemporaryDirectory() as place:
        source, work, told = Path(place) / "source", Path(place) / "work", io.StringIO()
        source.mkdir()
        if run:
            pages = {name: _run(page, source) if is_notebook(page) else page for name, page in pages.items()}
        set_pages = {name: replace(page, text=with_equations(page.text)) for name, page in pages.items()}
        write_pages(_with_menus(set_pages), source)
        site = Sphinx(source, None, folder, work, "html", dict(_SETTINGS), status=None, warning=told)
        site.build(force_all=True)
    return tuple(told.getvalue().splitlines())


def _run(page: Page, source: Path) -> Page:
    place = source / "runs" / page.name
    place.mkdir(parents=True)
    return replace(page, text=executed(page, place, f"runs/{page.name}"))


def _with_menus(pages: dict[str, Page]) -> dict[str, Page]:
    """Return the pages with hidden ``toctree`` blocks, from which Sphinx makes the menu.

    Each heading of the first page becomes a group of the pages that it links to; pages that only the reference links
    to are listed below the reference.
    """
    first, reference = pages[FIRST], pages[REFERENCE]
    seen: set[str] = set()
    menus = []
    for section in re.split(r"^## ", first.text, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        names = [name for name in Page("", text).links() if name not in seen]
        seen.update(names)
        menus.append(_menu(names, heading))
    below = [name for name in reference.links() if name not in seen]
    return pages | {
        FIRST: replace(first, text="\n\n".join([first.text, *menus])),
        REFERENCE: replace(reference, text=f"{reference.text}\n\n{_menu(below)}"),
    }


def _menu(names: Iterable[str], heading: str = "") -> str:
    caption = [f":caption: {heading}"] if heading else []
    return "\n".join(["```{toctree}", ":hidden:", *caption, "", *names, "```"])
