"""What the architecture page names exists: modules, classes, functions, attributes, files, headings."""

import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from faying.errors import FayingError
from faying.registry import Registry

ROOT = Path(__file__).parents[2]
PAGE = (files("faying_resources") / "manual" / "architecture.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`((?:faying|faying_app|tests)[./][\w./]+)`", PAGE)))


def found(path: str) -> object:
    """Return the module, class, function or method of a dotted path; raises when there is none."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            place: object = import_module(".".join(parts[:count]))
        except ModuleNotFoundError as error:
            if not ".".join(parts[:count]).startswith(str(error.name)):
                raise  # it is there and misses something else
            continue
        for name in parts[count:]:
            place = getattr(place, name)
        return place
    raise ModuleNotFoundError(path)


def test_it_names_much():
    assert len(NAMES) > 80


@pytest.mark.parametrize("name", NAMES)
def test_every_name_exists(name):
    assert (ROOT / name).exists() if "/" in name else found(name) is not None


def test_links_lead_to_headings():
    headings = {
        re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", PAGE, re.M)
    }
    links = re.findall(r"\]\(#([^)]+)\)", PAGE)
    assert len(links) >= 5 and set(links) <= headings


def test_the_families_of_the_table_are_families():
    rows = re.findall(r"^\| [\w -]+ \| `([\w.]+)` \| (.*?) \| (.*?) \|$", PAGE, re.M)
    assert len(rows) > 15
    for family, bases, _ in rows:
        registry = found(family)
        assert isinstance(registry, Registry), family
        for base in re.findall(r"`([\w.]+)`", bases):
            assert all(isinstance(member, type) for _, member in registry.items())
            assert any(issubclass(member, found(base)) for _, member in registry.items()), base


def test_a_name_that_does_not_exist_is_seen():
    for wrong in (
        "faying.results.pixels",
        "faying.session.solution.Solution.pixel",
        "faying_app.scene.frames.draw",
    ):
        with pytest.raises((ModuleNotFoundError, AttributeError, FayingError)):
            found(wrong)
