"""The manual: pages of Markdown, written ones from the resources and the reference made from the declarations.

A page that is written is a file in ``faying_resources/manual``; their order is that of the links on the first page. A
page of the reference is a member of the family here: one file with a function that returns its text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

from faying.registry import Registry

reference_pages: Registry[Callable[[], str]] = Registry("page of the manual", __name__)

FIRST, REFERENCE = "index", "reference"
_LINK = re.compile(r"\]\(([a-z0-9-]+)\.md(?:#[a-z0-9-]*)?\)")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """One page.

    Attributes:
        name: of its file, without ending; other pages link to it by that.
        text: Markdown, beginning with its title.
    """

    name: str
    text: str

    @property
    def title(self) -> str:
        """Its first heading."""
        found = _TITLE.search(self.text)
        return found[1] if found else self.name

    def links(self) -> tuple[str, ...]:
        """Return the names of the pages that it links to, each once, in order."""
        return tuple(dict.fromkeys(_LINK.findall(self.text)))


def pages() -> dict[str, Page]:
    """Return all pages by name: the first page, the pages that it links to in that order, then all others."""
    written = {
        file.name.removesuffix(".md"): file.read_text(encoding="utf-8")
        for file in files("faying_resources").joinpath("manual").iterdir()
        if file.name.endswith(".md")
    }
    every = {name: Page(name, text) for name, text in sorted(written.items())}
    every |= {name: Page(name, make()) for name, make in sorted(reference_pages.items())}
    first = every[FIRST]
    order = [FIRST, *(name for name in first.links() if name in every)]
    return {name: every[name] for name in dict.fromkeys([*order, *every])}


def anchor(heading: str) -> str:
    """Return the name by which a link finds a heading, as GitHub and MkDocs make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")
