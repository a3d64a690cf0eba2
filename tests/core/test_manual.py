"""The manual: whole, linked, and about everything that can be decided or asked."""

import re

import pytest

from faying.cli import main
from faying.cli.commands import commands
from faying.cli.manual_page import manual
from faying.manual import FIRST, anchor
from faying.manual.places import place_of
from faying.params import Spec, family_of, fields_of
from faying.project.serialization import project_from_dict
from faying.project.specs import Project
from faying.results.fields import fields

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def pages():
    return manual()


def test_every_link_leads_to_a_page_and_a_heading(pages):
    for page in pages.values():
        for link in _LINK.findall(page.text):
            if "://" in link:
                continue
            name, _, section = link.partition("#")
            target = pages[name.removesuffix(".md") or page.name] if name else page
            if section:
                assert section in [anchor(each) for each in _HEADING.findall(target.text)], (page.name, link)


def test_the_first_page_and_the_reference_lead_to_all_others(pages):
    assert next(iter(pages)) == FIRST
    assert set(pages) == {FIRST, *pages[FIRST].links(), *pages["reference"].links()}


def test_no_decision_lacks_its_line(pages):
    """Every parameter of every spec that a project may hold, with its meaning, and every member of every family."""
    seen, families = set(), {}

    def walk(kind: type[Spec]) -> None:
        if kind in seen:
            return
        seen.add(kind)
        for _, field, _extra in fields_of(kind):
            if (family := family_of(field)) is not None:
                families[family.family] = family
                for _, member in family.items():
                    walk(member)
            else:
                for inner in _inner(field.annotation):
                    walk(inner)

    walk(Project)
    text = "\n".join(page.text for name, page in pages.items() if name.startswith("reference-"))
    assert len(seen) > 100
    for kind in seen:
        for name, field, _ in fields_of(kind):
            assert f"| `{name}` | {field.title} |" in text, (kind.__name__, name)
    for family in families.values():
        page = pages["reference-" + family.family.replace(" ", "-").lower()].text
        for kind, member in family.items():
            assert f'`kind = "{kind}"`' in page and f"## {member.title}" in page


def _inner(annotation):
    from typing import get_args

    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return [annotation]
    return [kind for part in get_args(annotation) for kind in _inner(part)]


def test_commands_and_fields_have_their_lines(pages):
    for name, _ in commands.items():
        assert f"## faying {name}\n" in pages["reference-commands"].text
    for kind, field in fields.items():
        assert f"| `{kind}` | {field.title} |" in pages["reference-fields"].text


def test_a_decision_leads_to_its_section(pages):
    surface = {"kind": "deck_surface", "name": "A"}
    joint = {"name": "lap", "master": surface, "slave": surface, "friction_law": {"kind": "dahl"}}
    body = {"name": "bar", "model": {"path": "bar.inp"}, "joints": [joint]}
    project = project_from_dict({"bodies": [body]})
    at = ("bodies", 0, "joints", 0)
    for path, place in (
        ((*at, "friction_law"), ("reference-friction-law", "dahl")),
        ((*at, "friction_law", "exponent"), ("reference-friction-law", "dahl")),
        ((*at, "search"), ("reference-decisions", "bodiesjointssearch")),
        (("bodies", 0, "model", "node_set", "HOLD"), ("reference-decisions", "bodiesmodel")),
        ((), ("reference-decisions", "project")),
    ):
        assert place_of(project, path) == place
        assert place[1] in [anchor(each) for each in _HEADING.findall(pages[place[0]].text)]


def test_terminal_and_site(tmp_path, capsys, pages):
    assert main(["manual", "glossary"]) == 0
    assert "negative penetrates" in capsys.readouterr().out
    assert main(["manual", "atlantis"]) == 1
    assert main(["manual", "--to", str(tmp_path / "site")]) == 0
    assert main(["manual", "--to", str(tmp_path / "site")]) == 0  # its own files
    docs = tmp_path / "site" / "docs"
    assert {file.stem for file in docs.iterdir()} == set(pages)
    assert (tmp_path / "site" / "mkdocs.yml").read_text(encoding="utf-8").count(".md") == len(pages)
