"""The manual: whole, linked, and about everything that can be decided or asked."""

import json
import pkgutil
import re
import sys
import tomllib
from html.parser import HTMLParser
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from faying.cli import main
from faying.cli.commands import commands
from faying.cli.equations import with_equations
from faying.cli.manual_page import manual, manual_folder
from faying.cli.manual_site import build_site
from faying.errors import FayingError
from faying.examples import examples
from faying.fem.readers import readers
from faying.manual import FIRST, Page, anchor
from faying.manual.places import place_of
from faying.manual.verification import measured
from faying.params import Spec, family_of, fields_of
from faying.project.serialization import project_from_dict
from faying.project.specs import Project
from faying.results.fields import fields
from measured import collect

_LINK = re.compile(r"(?<!!)\[[^]]*\]\(([^)\s]+)\)")
_PICTURE = re.compile(r"!\[[^]]+\]\(([^)\s]+)\)")
_CODE = re.compile(r"`(faying(?:\.[A-Za-z_]+)+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def pages():
    return manual()


def test_every_link_leads_to_a_page_and_a_heading(pages):
    for page in pages.values():
        for link in _LINK.findall(page.text):
            if "://" in link:
                continue
            if link.startswith("files/"):
                assert (manual_folder() / link).is_file(), (page.name, link)
                continue
            name, _, section = link.partition("#")
            target = pages[name.removesuffix(".md") or page.name] if name else page
            if section:
                assert section in [anchor(each) for each in _HEADING.findall(target.text)], (page.name, link)


def test_every_module_and_class_that_is_named_exists(pages):
    named = {name for page in pages.values() for name in _CODE.findall(page.text)}
    assert len(named) > 20
    assert [name for name in sorted(named) if not exists(name)] == []


def exists(name):
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def test_the_first_page_and_the_reference_lead_to_all_others(pages):
    assert next(iter(pages)) == FIRST
    assert set(pages) == {FIRST, *pages[FIRST].links(), *pages["reference"].links()}


def test_defaults_are_written_as_in_a_study_file_and_types_are_named(pages):
    rows = [
        re.split(r"(?<!\\)\|", line)[1:-1]
        for name, page in pages.items()
        if name.startswith("reference")
        for table in re.findall(r"\| name \| title \| takes .*\n.*\n((?:\|.*\n?)+)", page.text)
        for line in table.splitlines()
    ]
    assert len(rows) > 300
    for name, _, takes, default, _ in rows:
        assert takes.strip(), name
        for value in re.findall("`(.*)`", default):
            tomllib.loads(f"x = {value}")


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


def test_pages_in_the_terminal_and_as_markdown(tmp_path, capsys, pages):
    assert main(["manual", "glossary"]) == 0
    assert "negative penetrates" in capsys.readouterr().out
    assert main(["manual", "atlantis"]) == 1
    folder = tmp_path / "pages"
    for _ in range(2):  # its own files may be replaced
        assert main(["manual", "--to", str(folder), "--markdown"]) == 0
    assert {file.stem for file in folder.glob("*.md")} == set(pages)
    for page in pages.values():
        for link in _PICTURE.findall(page.text):
            assert (folder / link).read_bytes().startswith((b"\x89PNG", b"\xff\xd8\xff")), (page.name, link)
    used = {link for page in pages.values() for link in _PICTURE.findall(page.text)}
    assert used == {f"pictures/{file.name}" for file in (folder / "pictures").iterdir()}


def test_measured_numbers_are_those_of_examples_and_hold(pages, tmp_path):
    told = measured()
    assert len(told) > 7
    for name, values in told.items():
        expected = {each.name: each for each in examples[name].expected}
        assert set(values) == set(expected), name  # collected again when an example changes
        for quantity, value in values.items():
            assert expected[quantity].holds(value), (name, quantity)
    assert "| angle two at 1 s | -2.38519 rad |" in pages["verification"].text

    def summary(file, value, passed):
        numbers = [
            {"name": each.name, "value": value, "passed": passed}
            for each in examples["spinning-top"].expected
        ]
        (tmp_path / file).write_text(json.dumps({"example": "spinning-top", "quantities": numbers}))
        return tmp_path / file

    into = tmp_path / "measured.json"
    assert not collect([summary("good.json", 1.23456789, True)], into)
    (left_out,) = collect([summary("bad.json", 9.0, False)], into)
    assert "missed" in left_out and set(json.loads(into.read_text())["spinning-top"].values()) == {1.23456789}


class _Html(HTMLParser):
    """What a page of the site links to, its anchors, and the pictures on it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.add(given.get("id"))
        link = given.get("href") if tag == "a" else given.get("src") if tag == "img" else None
        if link and "://" not in link:
            self.links.append(link)


@pytest.mark.slow
def test_the_site_is_whole_and_can_be_searched(tmp_path, capsys, pages):
    pytest.importorskip("sphinx")
    site = tmp_path / "site"
    assert main(["manual", "--to", str(site)]) == 0
    told = capsys.readouterr()
    assert "index.html" in told.out and not told.err
    read = {file.name: _Html(file.read_text(encoding="utf-8")) for file in site.glob("*.html")}
    assert {f"{name}.html" for name in pages} <= set(read)
    for name, html in read.items():
        for link in html.links:
            target, _, section = link.partition("#")
            if target and not target.endswith(".html"):
                assert (site / target).is_file(), (name, link)
            elif section:
                assert unquote(section) in read[target or name].anchors, (name, link)
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert '"stribeck"' in index and '"reference-friction-law"' in index
    menu = set(read["index.html"].links)
    assert {f"{name}.html" for name in pages} - {"index.html"} <= menu


@pytest.mark.slow
def test_a_link_that_leads_nowhere_is_told(tmp_path, pages):
    pytest.importorskip("sphinx")
    theory = Page("theory", "# Theory\n\nSee [there](atlantis.md) and [here](glossary.md#sunk).\n")
    broken = {name: pages[name] for name in ("index", "reference", "glossary")} | {"theory": theory}
    told = "\n".join(build_site(broken, tmp_path / "site"))
    assert "atlantis.md" in told and "sunk" in told


def test_without_sphinx_a_sentence_says_what_to_install(tmp_path, monkeypatch, pages):
    monkeypatch.setitem(sys.modules, "myst_parser", None)
    with pytest.raises(FayingError, match="myst_parser is not installed") as caught:
        build_site(pages, tmp_path / "site")
    assert "faying[manual]" in caught.value.hint and not (tmp_path / "site").exists()


def test_what_is_read_of_each_format_is_what_the_readers_declare(pages):
    text = pages["from-deck-or-cad"].text
    for _, reader in readers.items():
        assert reader.title in text
        for card in (*reader.cards, *reader.case_cards):
            assert f"`{card}`" in text, card
    assert {"*DSLOAD", "*FREQUENCY"} <= set(readers["abaqus"].case_cards) and "SFE" in readers[
        "ansys"
    ].case_cards
    assert "*SOLID SECTION" in readers["abaqus"].cards and "PLOAD4" in readers["nastran"].case_cards


def test_equations_are_set_for_a_browser_and_commands_are_not():
    text = "Pairs:\n\n    s_k = T_kᵀ (u_S − u_M)     ω² = A / a\n\nand\n\n    faying run study.toml\n"
    shown = with_equations(text)
    assert "    faying run study.toml" in shown
    assert "<msubsup><mi>T</mi><mi>k</mi><mi>T</mi></msubsup>" in shown
    assert "<msup><mi>ω</mi><mi>2</mi></msup>" in shown
    assert 'stretchy="false"' in shown and "    s_k" not in shown
    ElementTree.fromstring(re.search(r"<math.*</math>", shown)[0])
